"""Single jobs on the machine in a busy period; the position of a job has no meaning."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import FuncFormatter, MaxNLocator

from planner.formatting import own_unit, plural, words
from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.steps import jobs_waiting
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wait_text import jobs, one_unit
from reports.simulation.policy_looks import two, unit_of
from reports.simulation.window import JobBar, bars, overtook, running, window_of
from reports.style import BLUE, ORANGE, Picture, draw

_LOOKS: tuple[Any, Any] = (
    {"facecolor": BLUE, "edgecolor": "#004166"},
    {"facecolor": ORANGE, "edgecolor": "#7A5400", "hatch": "///"},
)
"""In order, and ahead of others; edges are darker, so that a job of a few dots is still seen."""


def pictures(study: SimulationStudy) -> list[Picture]:
    """One picture, if a job runs in the window."""
    window = window_of(study)
    policies = [policy for policy in two(study)
             if running(study.simulations[policy].schedule, *window).any()]  # fmt: skip
    if not policies:
        return []
    text = "; ".join(_told(study, policy) for policy in policies)
    return [
        draw("gantt", "04-gantt", finding(study),
             f"Jobs on the processors from {window[0]} s to {window[1]} s of the log. {text}.",
             (6.8, 0.85 + 1.35 * len(policies)), lambda figure: paint(figure, study, policies))
    ]  # fmt: skip


def _counts(study: SimulationStudy, policy: int) -> tuple[int, int]:
    """Jobs that run in the window, and those of them that overtook another."""
    schedule = study.simulations[policy].schedule
    there = running(schedule, *window_of(study))
    return int(there.sum()), int((there & overtook(schedule)).sum())


def _told(study: SimulationStudy, policy: int) -> str:
    number, ahead = _counts(study, policy)
    return (
        f"{in_prose(study.measures[policy].policy)}: {jobs(number)} run, {ahead:,} overtook another"
    )


def finding(study: SimulationStudy) -> str:
    """Return how many jobs in the window overtook another."""
    begin, end = window_of(study)
    size, unit = unit_of(end - begin)
    parts = []
    for policy in two(study):
        number, ahead = _counts(study, policy)
        parts.append(f"{ahead:,} of {plural(number, 'job')} under "
                     f"{in_prose(study.measures[policy].policy)}")  # fmt: skip
    busiest = "these" if study.window_s else "the busiest"
    return (
        f"In {busiest} {(end - begin) / size:,.3g} {unit}, {words(parts)} started before a job "
        "submitted earlier"
    )


def queue_text(study: SimulationStudy) -> str:
    """Return how many jobs wait at most in the window under the first policy."""
    begin, end = window_of(study)
    waiting = jobs_waiting(study.simulations[0].schedule)
    inside = waiting.value[(waiting.time_s >= begin) & (waiting.time_s < end)]
    queue = max(int(inside.max(initial=0)), int(waiting.at(np.array([begin]))[0]))
    name = in_prose(study.measures[0].policy)
    if queue < 2:
        return f"{'One' if queue else 'No'} job waits then under {name}."
    return f"At most {jobs(queue)} wait then under {name}."


def source(study: SimulationStudy) -> str:
    """Return what the caption adds: the stretch, its choice, and what is not drawn."""
    begin, end = window_of(study)
    whose = " of the first policy" if len(study.measures) > 1 else ""
    how = "as requested" if study.window_s else f"around the longest queue{whose}"
    omitted = [
        f"{plural(more, 'smaller job')} under {in_prose(study.measures[policy].policy)}"
        for policy in two(study)
        if (more := bars(study.simulations[policy].schedule, begin, end)[1])
    ]
    span = f"{begin} s to {end} s of the log"
    if study.window_s is None:
        first_s = int(study.simulations[0].schedule.submit_s.min())
        times = one_unit(begin - first_s, end - first_s)
        span = f"{times[0]} to {times[1]} after the first submission"
    text = (
        f"From {span}, {how}. "
        f"{queue_text(study)} A job that starts before one submitted earlier overtakes it. The "
        "vertical position of a job has no meaning, and a job may be shown in pieces."
    )
    if omitted:
        text += f" Not shown: {' and '.join(omitted)}."
    if len(study.measures) > len(two(study)):
        text += " Other policies are not shown."
    if study.settings.unavailable:
        text += " Unavailable processors are not shown."
    return text


def _at(study: SimulationStudy, time_s: int) -> str:
    """A time of the log, counted from its first submission."""
    return own_unit(max(0, time_s - int(study.simulations[0].schedule.submit_s.min())))


def paint(figure: Figure, study: SimulationStudy, policies: list[int]) -> None:
    """A panel for each policy."""
    begin, end = window_of(study)
    size, unit = unit_of(end - begin)
    panels = figure.subplots(len(policies), 1, sharex=True, squeeze=False)[:, 0]
    for axes, policy in zip(panels, policies, strict=True):
        schedule = study.simulations[policy].schedule
        boxes, _ = bars(schedule, begin, end)
        for ahead in (False, True):
            _boxes(axes, [bar for bar in boxes if bar.overtook == ahead], begin, end, size)
        axes.set_ylim(0, schedule.machine_processors)
        axes.set_xlim(0, (end - begin) / size)
        axes.set_ylabel(f"{in_prose(schedule.policy)}\nprocessors")
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.grid(visible=False)
    panels[-1].set_xlabel(f"{unit} from {_at(study, begin)} after the first submission")
    labels = ("in order of submission", "overtook a job that was submitted earlier")
    handles = [Patch(label=label, **kind) for label, kind in zip(labels, _LOOKS, strict=True)]
    figure.legend(handles=handles, loc="outside upper left", ncols=2)


def _boxes(axes: Axes, bars_shown: list[JobBar], begin_s: int, end_s: int, size: int) -> None:
    """Rectangles of one look, cut at the window."""
    boxes = []
    for bar in bars_shown:
        left, right = max(bar.start_s, begin_s), min(bar.end_s, end_s)
        corner, width = (left - begin_s) / size, (right - left) / size
        boxes += [Rectangle((corner, first), width, count) for first, count in bar.rows]
    ahead = bool(bars_shown) and bars_shown[0].overtook
    axes.add_collection(PatchCollection(boxes, linewidth=0.25, **_LOOKS[ahead]))
