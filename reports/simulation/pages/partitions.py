"""How the partitions fare, each on its own machine."""

from __future__ import annotations

from planner.formatting import DASH, seconds
from planner.scheduling.simulation.by_partition import PartitionMeasures
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wording import share, slowdown
from reports.blocks import Drawn, Page, grid
from reports.grid import Table, table


def page(study: SimulationStudy, _drawn: Drawn) -> Page | None:
    """One row for each policy and partition."""
    rows = study.by_partition
    if not rows:
        return None
    first = [each for each in rows if each.measures.policy == rows[0].measures.policy]
    waits = [(each.measures.wait_s.mean, each) for each in first if each.measures.wait_s]
    said = "No job of any partition starts."
    if waits:
        mean, longest = max(waits, key=lambda pair: pair[0])
        said = f"Under {longest.measures.policy}, no job waits in any partition."
    if waits and mean > 0:
        said = (
            f"Under {longest.measures.policy}, jobs wait longest in partition {longest.partition}: "
            f"{seconds(mean)} on average."
        )
    caption = "Each partition has a machine of its own; no job moves to another one"
    return Page("How do the partitions fare?", said, (grid(_table(rows), caption, small=True),))


def _table(rows: tuple[PartitionMeasures, ...]) -> Table:
    columns = (
        ("Policy", False), ("Partition", False), ("Processors", True), ("Jobs", True),
        ("Mean wait (s)", True), ("Median (s)", True), ("95 % (s)", True), ("Longest (s)", True),
        ("Slow-down", True), ("Used", True),
    )  # fmt: skip
    widths = (1.3, 1.2, 1.1, 0.9, 1.05, 0.95, 1.0, 1.05, 0.95, 0.95)
    return table(columns, widths, [_row(each) for each in rows])


def _row(row: PartitionMeasures) -> tuple[str, ...]:
    each = row.measures
    wait, slowed = each.wait_s, each.bounded_slowdown
    numbers = (wait.mean, wait.median, wait.p95, wait.largest) if wait else ()
    return (
        each.policy,
        row.partition,
        f"{row.processors:,}",
        f"{each.jobs:,}",
        *([seconds(number).removesuffix(" s") for number in numbers] or [DASH] * 4),
        DASH if slowed is None else slowdown(slowed.mean),
        DASH if each.utilisation is None else share(each.utilisation),
    )
