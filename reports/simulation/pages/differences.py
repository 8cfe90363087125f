"""Whether policies differ by more than chance."""

from __future__ import annotations

from planner.formatting import seconds, words
from planner.scheduling.simulation.batch_means import BATCHES, CHOICES, MeanInterval
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.summary import difference
from planner.scheduling.simulation.wait_text import slowdown
from reports.blocks import Drawn, Page, figures, grid, text
from reports.grid import Table, table
from reports.simulation.figures.comparisons import finding, label

_SOURCE = (
    "Dot: mean of the differences job by job; line: 95 % interval. Blue and filled: more than "
    "chance; orange and hollow: 0 lies within. Narrow: the interval is too narrow, see "
    "the warnings."
)


def page(study: SimulationStudy, drawings: Drawn) -> Page | None:
    """Dots with intervals, and the same in numbers."""
    if len(study.ranking) < 2:
        return None
    heading = "Is the difference more than chance?"
    if not study.every_comparison:
        return Page(heading, study.confidence, ())
    how = (
        f"Each job is its own comparison: the differences are cut into {BATCHES} batches in order "
        f"of submission, or into fewer, down to {CHOICES[-1]}, until neighbours are no longer "
        "alike. Their means give the interval (Student's t). It speaks of more jobs like these, "
        "not of other logs."
    )
    blocks = (
        text(how),
        *figures(drawings, "comparisons", _SOURCE),
        grid(_table(study), "Differences: mean and 95 % interval", small=True),
    )
    return Page(heading, f"{finding(study)}.", blocks)


def _table(study: SimulationStudy) -> Table:
    columns = (
        ("Policies", False), ("Wait (s)", True), ("from", True), ("to", True), ("Slowdown", True),
        ("from", True), ("to", True), ("Batches", True), ("Chance?", False),
    )  # fmt: skip
    rows = []
    for comparison in study.every_comparison:
        wait, slowed = comparison.differences["wait"], comparison.differences["bounded_slowdown"]
        batches = words([str(n) for n in dict.fromkeys((wait.batches, slowed.batches))])
        mean = f"{_sign(wait.mean)}{difference(study, comparison).removesuffix(' s')}"
        cells = (mean, *_cells(wait, "s")[1:], *_cells(slowed, ""))
        rows.append((label(comparison), *cells, batches, _chance(wait)))
    return table(columns, (1.8, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 0.9, 1.0), rows)


def _cells(interval: MeanInterval, unit: str) -> list[str]:
    rounded = seconds if unit == "s" else slowdown
    ends = ((value, rounded(abs(value))) for value in (interval.mean, interval.low, interval.high))
    return [f"{_sign(value)}{text.removesuffix(' s')}" for value, text in ends]


def _sign(value: float) -> str:
    return "" if value == 0 else "+" if value > 0 else "−"  # noqa: RUF001


def _chance(wait: MeanInterval) -> str:
    if wait.tells_apart:
        return "no" if not wait.warning else "no; narrow"
    return "may be"
