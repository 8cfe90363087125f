"""Queue and machine over time: mean, least and most in each stretch, so that no peak is lost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from numpy.typing import NDArray

from planner.formatting import words
from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.measures import Measures
from planner.scheduling.simulation.steps import jobs_waiting, processors_in_use
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wait_text import jobs, share
from reports.figures.axes import look, short_number
from reports.simulation.policy_looks import policies_in_figure, policies_in_text, unit_of
from reports.simulation.series import BinnedSeries, binned
from reports.style import Picture, draw


def pictures(study: SimulationStudy) -> list[Picture]:
    """One picture, with the policies that wait least where there are many."""
    policies = policies_in_figure(study)
    text = "; ".join(
        f"{in_prose(measure.policy)}: at most {jobs(measure.max_jobs_waiting)} wait, utilisation "
        f"{'-' if measure.utilisation is None else share(measure.utilisation)}"
        for measure in study.measures
    )
    return [
        draw("over time", "03-over-time", finding(study),
             f"Jobs waiting and processors in use over time. {text}.",
             (6.8, _height(len(policies))), lambda figure: paint(figure, study))
    ]  # fmt: skip


def _height(policies: int) -> float:
    """Return the height of the figure [inches]: few policies have high panels."""
    return 0.75 + policies * min(1.3, max(0.95, 3.9 / policies))


def finding(study: SimulationStudy) -> str:
    """How much of the machine is used, and the longest queue."""
    every = [study.measures[policy] for policy in policies_in_text(study)]
    queue = f"at most {_queues(every)}"
    if not any(measures.max_jobs_waiting for measures in every):
        queue = "no job waits"
    used = [
        f"{share(measures.utilisation)} under {in_prose(measures.policy)}"
        for measures in every
        if measures.utilisation is not None
    ]
    if len(used) < len(every):
        return f"Utilisation is unknown; {queue}"
    return f"Utilisation is {words(used)}; {queue}"


def _queues(every: Sequence[Measures]) -> str:
    """The longest queue under each policy."""
    by_queue: dict[int, list[str]] = {}
    for measures in every:
        by_queue.setdefault(measures.max_jobs_waiting, []).append(in_prose(measures.policy))
    numbers = sorted(by_queue)
    text = f"{numbers[0]:,} {'job waits' if numbers[0] == 1 else 'jobs wait'} at a time"
    if len(numbers) == 1:
        return text
    others = [f"{number:,} under {words(by_queue[number])}" for number in numbers[1:]]
    return f"{text} under {words(by_queue[numbers[0]])}, {words(others)}"


def trimmed(study: SimulationStudy) -> bool:
    """Return whether some of the time of submissions is not measured."""
    return not study.measured.jobs.all()


def paint(figure: Figure, study: SimulationStudy) -> None:
    """A row for each policy: queue on the left, machine on the right."""
    policies = policies_in_figure(study)
    grid = figure.subplots(len(policies), 2, sharex=True, sharey="col", squeeze=False)
    schedules = [study.simulations[policy].schedule for policy in policies]
    first = int(schedules[0].submit_s.min())
    last = max(int(schedule.end_s.max()) for schedule in schedules)
    size, unit = unit_of(last - first)
    for row, (policy, schedule) in enumerate(zip(policies, schedules, strict=True)):
        queue, machine = grid[row]
        series = binned(jobs_waiting(schedule), first, last)
        _band(queue, series, policy, first, size)
        series = binned(processors_in_use(schedule), first, last)
        _band(machine, series, policy, first, size, 100 / schedule.machine_processors)
        queue.set_ylabel(in_prose(schedule.policy).replace(" ", "\n", 1))
        queue.yaxis.set_major_locator(MaxNLocator(4, integer=True, min_n_ticks=2))
        queue.yaxis.set_major_formatter(FuncFormatter(lambda value, _: short_number(value)))
        machine.set_ylim(0, 104)
        machine.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))
    grid[0, 0].set_ylim(0, max(1.0, grid[0, 0].get_ylim()[1]))
    grid[0, 0].set_title("jobs waiting", loc="left")
    grid[0, 1].set_title("processors in use", loc="left")
    for axes in grid[-1]:
        axes.set_xlabel(f"{unit} since the first submission")
    if not trimmed(study):
        return
    measured = study.measured
    submitted_last = int(schedules[0].submit_s.max())
    for begin, end in ((first, measured.start_s), (measured.end_s, submitted_last)):
        for axes in grid.flat:
            if end > begin:
                axes.axvspan(
                    (begin - first) / size, (end - first) / size, color="0.85", zorder=0, lw=0
                )


def _band(
    axes: Axes, series: BinnedSeries, policy: int, first_s: int, size: int, factor: float = 1.0
) -> None:
    colour, _, _ = look(policy)
    x = (series.edges_s - first_s) / size
    axes.fill_between(x, factor * _closed(series.low), factor * _closed(series.high), step="post",
                      color=colour, alpha=0.35, linewidth=0.4)  # fmt: skip
    axes.step(x, factor * _closed(series.mean), where="post", color=colour, linewidth=0.9)


def _closed(values: NDArray[np.int64] | NDArray[np.float64]) -> NDArray[np.float64]:
    """The last bin's value once more, for its right edge."""
    array = np.asarray(values, float)
    return np.append(array, array[-1])
