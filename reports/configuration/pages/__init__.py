"""Pages of the report on configurations, one question each, in the order of the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from planner.configurations.confidence import predictions
from planner.configurations.study import ConfigurationStudy
from reports.blocks import Drawn, Page, by_kind, text
from reports.configuration.pages import (
    appendix,
    canonical,
    gains,
    lines,
    measured,
    method,
    models,
    nodes,
    repetitions,
    runs_needed,
    space,
    winners,
)
from reports.configuration.pages.front import front
from reports.style import Picture

PAGES: dict[str, Callable[[ConfigurationStudy, Drawn], Page | None]] = {
    "gains": gains.page,
    "canonical": canonical.page,
    "space": space.page,
    "nodes": nodes.page,
    "winners": winners.page,
    "lines": lines.page,
    "repetitions": repetitions.page,
    "models": models.page,
    "runs needed": runs_needed.page,
    "measured": measured.page,
    "method": method.page,
    "limits": method.limits,
    "appendix": appendix.page,
}
"""Each gives ``None`` where the study has nothing for it; a new page is listed where it stands."""

_OF_PREDICTIONS = ("gains", "canonical", "space", "nodes", "winners", "lines")
"""Pages on what was chosen among: with ``--model`` that was not measured."""


def document(study: ConfigurationStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    by_kinds = by_kind(pictures)
    made = {key: make(study, by_kinds) for key, make in PAGES.items()}
    pages = [_noted(study, key, page).to_dict() for key, page in made.items() if page is not None]
    for page in pages[1:]:
        page["flows"] = True  # most are short: each would leave half a sheet empty
    return front(study) | {"pages": pages}


def _noted(study: ConfigurationStudy, key: str, page: Page) -> Page:
    """The page, which says so where its numbers are predictions."""
    if not study.model or key not in _OF_PREDICTIONS:
        return page
    every, predicted = predictions(study.answers)
    if not predicted:
        return page
    some = "" if predicted == every else " marked as predicted"
    note = text(f"Times and powers{some} on this page are predictions of {study.model}.")
    return replace(page, blocks=(note, *page.blocks))
