"""Whether policies differ by more than chance."""

from __future__ import annotations

from collections.abc import Callable

from planner.formatting import capitalised
from planner.replications.batch_means import BATCH_RULE, MeanInterval
from planner.scheduling.simulation.comparison import QUANTITIES
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.summary import chance
from planner.scheduling.simulation.wait_text import one_unit, slowdown
from reports.blocks import Drawn, Page, bullets, figures, text
from reports.compact import compact
from reports.grid import Table, table
from reports.simulation.figures.comparisons import finding, label

_SOURCE = (
    "Dot: mean of the differences job by job; line: 95 % interval. Blue and filled: more than "
    "chance; orange and hollow: the interval contains 0."
)


def page(study: SimulationStudy, drawings: Drawn) -> Page | None:
    """Dots with intervals, and the same in numbers."""
    if len(study.ranking) < 2:
        return None
    heading = "Is the difference more than chance?"
    if not study.every_comparison:
        return Page(heading, chance(study), ())
    how = (
        "Policies are compared job by job. The differences form batches in order of submission. "
        f"{BATCH_RULE} It holds for more jobs like these, not for other logs. If it contains 0, "
        "the log is too short to say which policy is better: the difference may be chance."
    )
    narrow = _narrow(study)
    blocks = (
        text(how),
        *([bullets(narrow)] if narrow else []),
        *figures(drawings, "comparisons", _SOURCE, title="Differences between policies"),
        *compact(
            _table(study),
            "Differences of the means, with 95 % intervals",
            small=True,
            keep=("More than chance?",),
        ),
    )
    return Page(heading, f"{finding(study)}.", blocks)


def _narrow(study: SimulationStudy) -> list[str]:
    """Which intervals are too narrow, of which quantity, and which batches are correlated."""
    return [
        f"{capitalised(label(comparison))}, {QUANTITIES[name]}: {interval.warning}."
        for comparison in study.every_comparison
        for name, interval in comparison.differences.items()
        if interval.warning
    ]


def _batches(wait: MeanInterval, slowed: MeanInterval) -> str:
    if wait.batches == slowed.batches:
        return str(wait.batches)
    return f"wait {wait.batches}, slowdown {slowed.batches}"


def _table(study: SimulationStudy) -> Table:
    columns = (
        ("Policies", False), ("Mean wait", True), ("Interval of the wait", True),
        ("Slowdown", True), ("Interval of the slowdown", True), ("Batches", False),
        ("More than chance?", False),
    )  # fmt: skip
    rows = []
    for comparison in study.every_comparison:
        wait, slowed = comparison.differences["wait"], comparison.differences["bounded_slowdown"]
        cells = (*_cells(wait, one_unit), *_cells(slowed, _slowdowns))
        rows.append((label(comparison), *cells, _batches(wait, slowed), _chance(wait)))
    return table(columns, (1.8, 0.9, 1.8, 0.9, 1.9, 1.1, 1), rows)


def _cells(interval: MeanInterval, texts: Callable[..., tuple[str, ...]]) -> list[str]:
    values = (interval.mean, interval.low, interval.high)
    pairs = zip(values, texts(*map(abs, values)), strict=True)
    mean, low, high = (f"{_sign(value)}{text}" for value, text in pairs)
    return [mean, f"{low} to {high}"]


def _slowdowns(*values: float) -> tuple[str, ...]:
    return tuple(map(slowdown, values))


def _sign(value: float) -> str:
    return "" if value == 0 else "+" if value > 0 else "−"  # noqa: RUF001


def _chance(wait: MeanInterval) -> str:
    if wait.tells_apart:
        return "yes" if not wait.warning else "unsure: interval too narrow"
    return "may be chance"
