"""How full the machine is, and how long the queue."""

from __future__ import annotations

from planner.formatting import DASH
from planner.scheduling.simulation.measures import Measures
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wording import share
from reports.blocks import Drawn, Page, figures, grid
from reports.grid import Table, table
from reports.numbers import shown
from reports.simulation.figures.over_time import finding
from reports.simulation.wording import not_drawn

_SOURCE = (
    "Line: mean of each stretch; band: least and most within it, exact, so that every peak is "
    "there."
)


def page(study: SimulationStudy, drawn: Drawn) -> Page | None:
    """Queue and machine over time, and their means."""
    if not study.ranking:
        return None
    blocks = (
        *figures(drawn, "over time", _SOURCE + not_drawn(study)),
        grid(_table(study), "The whole schedule; means of the queue over the measured time"),
    )
    return Page("How full is the machine?", f"{finding(study)}.", blocks)


def _table(study: SimulationStudy) -> Table:
    columns = (
        ("Policy", False), ("Used", True), ("Makespan (s)", True), ("Jobs per hour", True),
        ("Processor-hours", True), ("of killed jobs", True), ("Mean queue (jobs)", True),
        ("Longest", True),
    )  # fmt: skip
    return table(columns, (1.3, 0.9, 1.2, 0.9, 1.2, 1.1, 1.1, 0.9),
                 [_row(each) for each in study.rows])  # fmt: skip


def _row(each: Measures) -> tuple[str, ...]:
    return (
        each.policy,
        DASH if each.utilisation is None else share(each.utilisation),
        DASH if each.makespan_s is None else f"{each.makespan_s:,}",
        shown(each.throughput_per_h),
        f"{each.core_hours_done + each.core_hours_killed:,.0f}",
        f"{each.core_hours_killed:,.0f}",
        shown(each.mean_jobs_waiting),
        f"{each.max_jobs_waiting:,}",
    )
