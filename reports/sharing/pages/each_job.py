"""The table of all jobs, one row each."""

from __future__ import annotations

from planner.configurations.sharing.study import SharingStudy
from planner.formatting import clipped, percent, seconds, used_share, watts
from reports.grid import Table, table
from reports.numbers import typed
from reports.sharing.summary import jobs

LONGEST_NAME = 64


def each_job(study: SharingStudy) -> Table:
    """How each job runs, and all of them in the last row; weights unless all are 1."""
    columns = (
        ("Job", True), ("Application", False), ("Weight", True), ("Nodes x cores, cap", False),
        ("Time", True), ("Power", True), ("Share of the bound", True),
    )  # fmt: skip
    bound_w = study.problem.bound.bound_w
    pairs = zip(study.problem.jobs, study.plan.configurations, strict=True)
    rows: list[tuple[str, ...]] = [
        (
            str(number), clipped(job.name, LONGEST_NAME), typed(job.weight), str(configuration),
            seconds(configuration.time_s), watts(configuration.power_w),
            percent(configuration.power_w / bound_w),
        )
        for number, (job, configuration) in enumerate(pairs, 1)
    ]  # fmt: skip
    if len(rows) > 1:
        rows.append(total_row(study))
    widths = (0.35, 2.2, 0.6, 1.5, 0.9, 0.9, 0.95)
    shown = [
        at for at, (name, _) in enumerate(columns) if name != "Weight" or not study.equal_weights
    ]
    return table(
        [columns[at] for at in shown], [widths[at] for at in shown],
        [[row[at] for at in shown] for row in rows],
    )  # fmt: skip


def total_row(study: SharingStudy) -> tuple[str, ...]:
    """Nodes and power of all jobs, in the columns of the table."""
    plan = study.plan
    return (
        "", f"all {jobs(len(study.problem.jobs))}", "", f"{plan.nodes:,} nodes", "",
        watts(plan.power_w), used_share(plan.power_w / study.problem.bound.bound_w),
    )  # fmt: skip
