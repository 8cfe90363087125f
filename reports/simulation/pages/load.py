"""How full the machine is, and how long the queue."""

from __future__ import annotations

from planner.formatting import count, duration, whole
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wait_text import share
from planner.table import Column
from reports.blocks import Drawn, Page, figures, grid
from reports.grid import table_of
from reports.numbers import shown
from reports.simulation.figures.over_time import finding
from reports.simulation.policy_looks import omitted_text

_SOURCE = (
    "Line: mean of each interval; band: exact minimum and maximum within it, so every peak is "
    "shown."
)


_COLUMNS = (
    Column("policy", "Policy", width=1.3),
    Column("utilisation", "Utilis\u00adation", share, number=True, width=0.9),
    Column("makespan_s", "Makespan", duration, number=True, width=1.1),
    Column("throughput_per_h", "Jobs per hour", shown, number=True, width=0.9),
    Column(
        lambda measures: measures.core_hours_done + measures.core_hours_killed,
        "Processor-hours",
        whole,
        number=True,
        width=1.2,
    ),
    Column("core_hours_killed", "of killed jobs", whole, number=True, width=1.1),
    Column("mean_jobs_waiting", "Mean queue (jobs)", shown, number=True, width=1.1),
    Column("max_jobs_waiting", "Longest", count, number=True, width=0.9),
)


def page(study: SimulationStudy, drawings: Drawn) -> Page | None:
    """Queue and machine over time, and their means."""
    if not study.ranking:
        return None
    blocks = (
        *figures(drawings, "over time", _SOURCE + omitted_text(study)),
        grid(
            table_of(_COLUMNS, study.rows),
            "Whole schedule; mean queue over the measured time",
        ),
    )
    return Page("How full is the machine?", f"{finding(study)}.", blocks)
