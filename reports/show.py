"""Studies get their words here: :mod:`planner` states facts, and this package shows them."""

from __future__ import annotations

from typing import Any

from planner.answer import ShownTable, show_with
from planner.study import Study


def show_studies() -> None:
    """Let studies be shown in this process; what shows them is imported when it is used."""
    show_with(_view, _notebook, _table)


def _view(study: Study) -> Any:
    from reports.view import view

    return view(study)


def _notebook(study: Study) -> str:
    from reports.writers.notebook import notebook

    return notebook(study)


def _table(study: Study, name: str) -> ShownTable:
    from reports import shown_table

    return shown_table.ShownTable(study, name)
