"""A study as a tagged PDF."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from planner.study import Study
from reports.style import Picture
from reports.texts import Texts
from reports.typeset import typeset
from reports.view import view

TEMPLATE = "study.typ"


def pdf(study: Study, pictures: Sequence[Picture]) -> bytes:
    """The document.

    Raises
    ------
    TypesetError
        It could not be set.
    """
    files = {f"{picture.name}.svg": picture.printed for picture in pictures}
    return typeset(TEMPLATE, document(study, pictures), files)


def document(study: Study, pictures: Sequence[Picture]) -> dict[str, Any]:
    """What the template shows: texts alone."""
    texts, drawn = Texts(study), {figure.name: figure for figure in study.figures}
    figures = {
        picture.kind: {
            "file": f"{picture.name}.svg",
            "title": picture.title,
            "stated": drawn[picture.kind].finding is not None,
            "note": texts.note(drawn[picture.kind]),
            "alternative": picture.alternative,
        }
        for picture in pictures
    }
    return {**asdict(view(study)), "figures": figures}
