"""Jobs completed over time, recorded and simulated, and how far they are apart."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from planner.formatting import plural, words
from planner.scheduling.estimates.deviation import completions
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.validation import AT_SUBMISSION, Validation
from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.steps import Steps
from reports.figures.axes import look, short_number
from reports.numbers import fixed
from reports.simulation.policy_looks import unit_of
from reports.simulation.series import BINS, binned
from reports.style import GREY, Picture, draw


def pictures(study: EstimateStudy) -> list[Picture]:
    """One picture, where the log has waits."""
    validation = study.validation
    if validation is None:
        return []
    text = "; ".join(
        f"{in_prose(deviation.policy)}: at most {plural(deviation.largest_gap_jobs, 'job')} apart, "
        f"{fixed(deviation.area_h_per_job, 2)} h per job on average"
        for deviation in validation.deviations
    )
    return [
        draw("completions", "06-completions", finding(validation),
             f"Completed jobs, recorded and simulated. {text}.", (6.8, 2.7),
             lambda figure: paint(figure, validation))
    ]  # fmt: skip


def finding(validation: Validation) -> str:
    """Whether the simulated schedule is nearer to the recorded one than both baselines."""
    ours, *others = validation.deviations
    names = {AT_SUBMISSION: "starts at submission"}
    rivals = [
        f"{fixed(outcome.area_h_per_job, 2)} h under "
        f"{names.get(outcome.policy, in_prose(outcome.policy))}"
        for outcome in others
    ]
    nearer = sum(ours.area_h_per_job < outcome.area_h_per_job for outcome in others)
    how = "nearer than" if nearer == len(others) else "not nearer than both"
    return (
        f"Simulated completions under {in_prose(ours.policy)} are off by "
        f"{fixed(ours.area_h_per_job, 2)} h per job: {how} {words(rivals)}{_otherwise(validation)}"
    )


def _otherwise(validation: Validation) -> str:
    """By which other measures a baseline is as near: what a single measure would hide."""
    ours, *others = validation.deviations
    lost = []
    if any(outcome.largest_gap_jobs <= ours.largest_gap_jobs for outcome in others):
        lost.append("by the largest gap")
    if any(outcome.mean_wait_error_s <= ours.mean_wait_error_s for outcome in others):
        lost.append("by the mean error of a job's wait")
    return f"; {words(lost)}, one of these is nearer" if lost else ""


def paint(figure: Figure, validation: Validation) -> None:
    """Shares of completed jobs on the left; on the right how many more than recorded."""
    left, right = figure.subplots(1, 2)
    recorded, *others = validation.schedules
    first = int(recorded.submit_s.min())
    last = max(int(schedule.end_s.max()) for schedule in validation.schedules)
    size, unit = unit_of(last - first)
    curves = [completions(schedule) for schedule in validation.schedules]
    times = np.unique(np.linspace(first, last, BINS + 1).astype(np.int64))
    x = (times - first) / size
    styles = [("black", "-", ""), *(look(index) for index in range(len(others)))]
    for schedule, curve, (colour, dashes, _) in zip(
        validation.schedules, curves, styles, strict=True
    ):
        left.plot(x, 100 * curve.at(times) / validation.jobs, color=colour, linestyle=dashes,
                  linewidth=1.2, label=schedule.policy)  # fmt: skip
    for curve, (colour, dashes, _) in zip(curves[1:], styles[1:], strict=True):
        apart = binned(_difference(curve, curves[0]), first, last)
        edges = (apart.edges_s - first) / size
        right.fill_between(edges, np.append(apart.low, apart.low[-1]),
                           np.append(apart.high, apart.high[-1]), step="post", color=colour,
                           alpha=0.25, linewidth=0)  # fmt: skip
        right.step(edges, np.append(apart.mean, apart.mean[-1]), where="post", color=colour,
                   linestyle=dashes, linewidth=0.9)  # fmt: skip
    right.axhline(0, color=GREY, linewidth=0.8)
    left.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
    right.yaxis.set_major_formatter(
        FuncFormatter(lambda value, _: ("−" if value < 0 else "") + short_number(abs(value)))  # noqa: RUF001
    )
    left.set_ylabel("jobs completed")
    right.set_ylabel("jobs more than recorded")
    for axes in (left, right):
        axes.set_xlabel(f"{unit} since the first submission")
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=4,
                  handlelength=2.4)  # fmt: skip


def _difference(one: Steps, other: Steps) -> Steps:
    times = np.union1d(one.time_s, other.time_s)
    return Steps(times, one.at(times) - other.at(times))
