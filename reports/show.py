"""Studies get their words here: :mod:`planner` states facts, and this package shows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from planner.answer import ShownTable, show_with
from planner.finding import Finding
from planner.study import Study


def show_studies() -> None:
    """Let studies be shown in this process; what shows them is imported when it is used."""
    show_with(_view, _notebook, _table, _sentences)


def _view(study: Study) -> Any:
    from reports.view import view

    return view(study)


def _notebook(study: Study) -> str:
    from reports.writers.html import notebook

    return notebook(study)


def _table(study: Study, name: str) -> ShownTable:
    from reports import shown_table

    return shown_table.ShownTable(study, name)


def _sentences(study: Study, found: Iterable[Finding]) -> tuple[str, ...]:
    from reports.texts import sentences

    return sentences(study, found)
