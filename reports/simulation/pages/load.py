"""How full the machine is, and how long the queue."""

from __future__ import annotations

import math

from planner.formatting import count, duration, whole
from planner.scheduling.policies.display import in_table
from planner.scheduling.simulation.offered_work import offered_work
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wait_text import share
from planner.worded_table import Column
from reports.blocks import Block, Drawn, Page, figures, grid, text
from reports.compact import compact
from reports.grid import table, table_of
from reports.numbers import fixed, shown
from reports.simulation.figures.over_time import finding, trimmed
from reports.simulation.policy_looks import omitted_text

_SOURCE = (
    "Line: mean of each interval; band: exact minimum and maximum within it, so every peak is "
    "shown."
)
_GREY = " Grey: jobs submitted then are simulated but not measured."
_TERMS = (
    "Makespan: time from the first submission to the last end. Utilisation: processor time in use "
    "over that of the machine in the makespan."
)
_QUEUE = " The mean queue covers the measured time."


_COLUMNS = (
    Column("policy", "Policy", in_table, width=1.3),
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
    Column("core_hours_killed", "Processor-hours of killed jobs", whole, number=True, width=1.1),
    Column("mean_jobs_waiting", "Mean queue (jobs)", shown, number=True, width=1.1),
    Column("max_jobs_waiting", "Longest queue (jobs)", count, number=True, width=0.9),
)


def _table(study: SimulationStudy) -> list[Block]:
    """A row for each policy; of one policy, a row for each measure."""
    rows = table_of(_COLUMNS, study.rows)
    caption = "Use of the machine, and the queue"
    if len(study.rows) > 1:
        return compact(rows, caption, small=True)
    pairs = zip(rows["columns"][1:], rows["rows"][0][1:], strict=True)
    cells = [(column["name"].replace("\u00ad", ""), cell) for column, cell in pairs]
    return [grid(table((("Measure", False), ("Value", True)), (3, 1), cells), caption, small=True)]


def _offered(study: SimulationStudy) -> str:
    """Why less of the machine is used than the log offers work for; empty where it is not less."""
    schedule = study.simulations[0].schedule
    load = offered_work(study.log, schedule).load
    uses = [measures.utilisation for measures in study.measures if measures.utilisation is not None]
    if not uses or not min(uses) < load < math.inf:
        return ""
    span = duration(float(schedule.submit_s.max() - schedule.submit_s.min()))
    return (
        f" While jobs are submitted ({span}), their work is {fixed(100 * load, 0)} % of what the "
        "machine can do. Utilisation can be lower, as it also counts the time until the last end."
    )


def page(study: SimulationStudy, drawings: Drawn) -> Page | None:
    """Queue and machine over time, and their means."""
    if not study.ranking:
        return None
    blocks = (
        *figures(
            drawings,
            "over time",
            f"{_SOURCE}{_GREY if trimmed(study) else ''}{omitted_text(study)}",
            title="Queue and use of the machine over time",
        ),
        *_table(study),
        text(f"{_TERMS}{_QUEUE if trimmed(study) else ''}{_offered(study)}"),
    )
    return Page("How full is the machine?", f"{finding(study)}.", blocks)
