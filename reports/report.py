"""What a kind of study becomes on paper: one object per report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from reports.language import localised
from reports.style import Picture, in_language
from reports.typeset import typeset

Rows = list[dict[str, Any]]
Facts = list[tuple[str, Any]]
"""What, and its value."""
S = TypeVar("S")


@dataclass(frozen=True)
class Report(Generic[S]):
    """How one kind of study is shown.

    Attributes
    ----------
    template
        Its Typst template.
    title
        Title of the document and of the workbook.
    summary
        First sheet of the workbook.
    pictures, document
        Every figure that the study has data for; and all that the template shows.
    sheets
        Sheets behind the study's own tables.
    partial
        By the name of a table that holds only some of its rows: which, for the last row of its
        sheet.
    solves
        Times of solves or simulations, for ``run.json``.
    files
        Further files by their paths in the folder.
    """

    template: str
    title: Callable[[S], str]
    summary: Callable[[S], Facts]
    pictures: Callable[[S], list[Picture]]
    document: Callable[[S, Sequence[Picture]], dict[str, Any]]
    sheets: Callable[[S], Mapping[str, Rows]] = lambda _: {}
    partial: Callable[[S], Mapping[str, str]] = lambda _: {}
    solves: Callable[[S], Rows] = lambda _: []
    files: Callable[[S], Mapping[str, bytes]] = lambda _: {}

    def pdf(self, study: S, pictures: Sequence[Picture]) -> bytes:
        """Return the document as PDF."""
        document = self.document(study, pictures)
        language = document["language"]
        files = {
            f"{picture.name}.svg": picture.printed for picture in in_language(pictures, language)
        }
        return typeset(self.template, localised(document, language), files)
