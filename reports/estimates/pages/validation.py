"""How near the simulated scheduler comes to the recorded schedule."""

from __future__ import annotations

from planner.formatting import DASH, duration, plural
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.validation import Validation
from planner.scheduling.policies.display import in_table
from planner.scheduling.simulation.wait_text import share
from reports.blocks import Block, Drawn, Page, figures, grid, text
from reports.estimates.figures.completions import finding
from reports.estimates.gain_text import BOOK
from reports.grid import Table, table
from reports.numbers import fixed, shown

_SOURCE = (
    "Left: share of the compared jobs that have ended. Right: how many more have ended than "
    "recorded; line: mean of each interval, band: minimum and maximum. FCFS and starts at "
    "submission serve as references."
)


def page(study: EstimateStudy, drawings: Drawn) -> Page | None:
    """Completions and deviations; nothing without recorded waits, which the limits say."""
    validation = study.validation
    heading = "Does the simulated schedule match the recorded one?"
    if validation is None:
        return None
    blocks: list[Block] = [
        *figures(drawings, "completions", _SOURCE, title="Completions, simulated and recorded"),
        grid(_schedules(validation), "Schedules: the recorded one and those simulated", small=True),
        grid(
            _deviations(validation),
            f"Deviation from the recorded schedule; more in {BOOK}",
            small=True,
        ),
    ]
    if validation.jobs_left_out:
        blocks.append(text(f"Not compared: {plural(validation.jobs_left_out, 'job')} of the log."))
    blocks.append(
        text(
            "The paper judges such curves by eye and calls them very acceptable. Similar curves "
            "prove little: on a full machine, any schedule completes its work at about the same "
            "time. The waits of single jobs are a harder test."
        )
    )
    return Page(heading, f"{finding(validation)}.", tuple(blocks))


def unchecked(study: EstimateStudy) -> str:
    """Return why the simulated schedule is not compared with a recorded one."""
    start = "Whether the simulated schedule matches the recorded one is unknown:"
    log = study.workload.log
    if (log.wait_s >= 0).any():
        return (
            f"{start} runs were cut at the requested time, so their recorded ends are lost. Read "
            "the log with overruns kept."
        )
    return f"{start} the log has no recorded waits."


def _schedules(validation: Validation) -> Table:
    columns = (
        ("Schedule", False), ("Mean wait", True), ("Median", True), ("Utilis\u00adation", True),
        ("Most processors", True), ("Over the machine (h)", True), ("Waiting despite room", True),
        ("Nearly idle (h)", True),
    )  # fmt: skip
    rows = [
        (
            in_table(outcome.policy),
            duration(outcome.mean_wait_s),
            duration(outcome.median_wait_s),
            DASH if outcome.utilisation is None else share(outcome.utilisation),
            f"{outcome.most_processors:,}",
            shown(outcome.hours_over_machine),
            DASH if outcome.waiting_beside_room_percent is None
            else f"{fixed(outcome.waiting_beside_room_percent, 1)} %",
            shown(outcome.nearly_idle_hours),
        )
        for outcome in (validation.recorded, *validation.outcomes)
    ]  # fmt: skip
    return table(columns, (1.3, 1, 0.9, 0.9, 1, 1, 1, 1), rows)


def _deviations(validation: Validation) -> Table:
    columns = (
        ("Simulated", False), ("Distance of curves (h per job)", True), ("At most (jobs)", True),
        ("Ends earlier by (h)", True), ("Mean wait / recorded", True),
        ("Mean error of a job's wait", True), ("Median error", True), ("Corre\u00adlation", True),
        ("Rank corre\u00adlation", True),
    )  # fmt: skip
    rows = [
        (
            in_table(deviation.policy),
            fixed(deviation.area_h_per_job, 2),
            f"{deviation.largest_gap_jobs:,}",
            fixed(deviation.mean_lead_h, 2),
            fixed(deviation.mean_wait_ratio, 2),
            duration(deviation.mean_wait_error_s),
            duration(deviation.median_wait_error_s),
            fixed(deviation.wait_correlation, 2),
            fixed(deviation.rank_correlation, 2),
        )
        for deviation in validation.deviations
    ]
    return table(columns, (1.3, 1, 0.9, 1, 1, 1.1, 0.9, 1, 0.8), rows)
