"""Pages of the report on configurations, one question each, in the order of the report.

The document has at most five sheets, for any number of applications: pages are shortened, and
less important ones are left out, to fit (:mod:`reports.configuration.pages.fitting`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from reports.configuration.pages.fitting import fitted, heights_of
from reports.configuration.pages.front import front
from reports.skeleton import with_figure
from reports.style import Picture

PAGES: dict[str, Callable[[ConfigurationStudy, Drawn], Page | None]] = {
    "gains": gains.page,
    "canonical": canonical.page,
    "space": space.page,
    "nodes": nodes.page,
    "winners": winners.page,
    "lines": lines.page,
    "models": models.page,
    "runs needed": runs_needed.page,
    "repetitions": repetitions.page,
    "limits": method.limits,
    "measured": measured.page,
    "method": method.page,
    "appendix": appendix.page,
}
"""Each gives ``None`` where the study has nothing for it; a new page is listed in its place."""

_MOST = {
    "appendix": 12.0, "gains": 9.0, "nodes": 7.6, "method": 6.6, "limits": 3.4, "repetitions": 11.5,
    "measured": 4.0,
}  # fmt: skip
"""Inches of the pages that every report has, the most important ahead."""
_MOST_OF_FULL = {
    "appendix": 12.0, "gains": 6.2, "nodes": 4.6, "models": 5.2, "runs needed": 4.6,
    "repetitions": 3.4, "method": 4.2, "limits": 3.0,
}  # fmt: skip
"""The same with ``--full``."""

_OF_PREDICTIONS = ("gains", "canonical", "space", "nodes", "winners", "lines")
"""Pages on what was chosen among: with ``--model`` that was not measured."""


_MOST_PANELS = 2
"""The gains of more applications are too small to read on the first page."""


def document(study: ConfigurationStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    most = _MOST if study.prediction is None else _MOST_OF_FULL
    crowded = len(study.answers) > _MOST_PANELS
    ahead = sorted(pictures, key=lambda each: crowded and each.kind != "nodes of the mix")
    first = with_figure(front(study), ahead)
    taken = sum(heights_of(ahead[:1]).values())
    selected = fitted(every_page(study, pictures), most, heights_of(ahead[1:]), taken)
    return first | {"pages": [page.to_dict() for _, page in selected]}


def every_page(study: ConfigurationStudy, pictures: Sequence[Picture]) -> Mapping[str, Page]:
    """Return every page that the study has something for, whole, by its key."""
    by_kinds = by_kind(pictures)
    made = {key: make(study, by_kinds) for key, make in PAGES.items()}
    return {key: _noted(study, key, page) for key, page in made.items() if page is not None}


def _noted(study: ConfigurationStudy, key: str, page: Page) -> Page:
    """The page, which says so where its numbers are predictions."""
    if not study.model or key not in _OF_PREDICTIONS:
        return page
    every, predicted = predictions(study.answers)
    if not predicted:
        return page
    which = "All times" if predicted == every else "Times"
    marked = "" if predicted == every else " that are marked as predicted"
    note = text(f"{which} and powers on this page{marked} are predictions of {study.model}.")
    return replace(page, blocks=(note, *page.blocks))
