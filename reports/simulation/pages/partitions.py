"""How the partitions fare, each on its own machine."""

from __future__ import annotations

from planner.formatting import count, seconds
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wording import share, slowdown
from planner.table import Column
from reports.blocks import Drawn, Page, grid
from reports.grid import table_of
from reports.simulation.wording import bare_seconds

_COLUMNS = (
    Column("measures.policy", "Policy", width=1.3),
    Column("partition", "Partition", width=1.2),
    Column("processors", "Processors", count, number=True, width=1.1),
    Column("measures.jobs", "Jobs", count, number=True, width=0.9),
    Column("measures.wait_s.mean", "Mean wait (s)", bare_seconds, number=True, width=1.05),
    Column("measures.wait_s.median", "Median (s)", bare_seconds, number=True, width=0.95),
    Column("measures.wait_s.p95", "95 % (s)", bare_seconds, number=True),
    Column("measures.wait_s.largest", "Longest (s)", bare_seconds, number=True, width=1.05),
    Column("measures.bounded_slowdown.mean", "Slow-down", slowdown, number=True, width=0.95),
    Column("measures.utilisation", "Used", share, number=True, width=0.95),
)


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
    return Page(
        "How do the partitions fare?", said, (grid(table_of(_COLUMNS, rows), caption, small=True),)
    )
