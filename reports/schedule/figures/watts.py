"""Watts over time of one seed under the lowest bound: true, charged, and the bound."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.formatting import duration, power, words
from planner.scheduling.power.headline import label
from planner.scheduling.power.results.result import PolicyOutcome, PowerSeries
from planner.scheduling.power.study import ScheduleStudy
from reports.style import BLUE, ORANGE, VERMILLION, Picture, draw

MOST_POLICIES = 3
MANY_STEPS = 30
"""Steps of a log above which only its busiest quarter is shown."""


def pictures(study: ScheduleStudy) -> list[Picture]:
    """Return the log with the highest power, under the first policies."""
    outcomes = [
        outcome
        for outcome in study.outcomes
        if outcome.power is not None and len(outcome.power.true_w)
    ]
    if not outcomes:
        return []
    log = max(outcomes, key=lambda outcome: max(outcome.power.true_w) if outcome.power else 0.0).log
    runs = [outcome for outcome in outcomes if outcome.log == log][:MOST_POLICIES]
    return [
        draw(
            "watts",
            "29-watts-over-time",
            _finding(study, runs),
            f"Seed {runs[0].seed}, log {log}, {power(runs[0].bound_w)}: true and charged power of "
            f"the running jobs, and the bound. {_part(runs[0])}",
            (6.8, 0.7 + 1.0 * len(runs)),
            partial(_panels, study=study, runs=runs),
        )
    ]


def _part(run: PolicyOutcome) -> str:
    if run.power is None or len(run.power.time_s) <= MANY_STEPS:
        return "power.csv has every log."
    return "Only the quarter with the most energy is shown; power.csv has all times and logs."


def _limit_w(study: ScheduleStudy, run: PolicyOutcome) -> float:
    """Return what running jobs may use together [W]."""
    return run.bound_w - study.reserved_w


def _finding(study: ScheduleStudy, runs: Sequence[PolicyOutcome]) -> str:
    where = f"Log {runs[0].log}, seed {runs[0].seed}, {power(runs[0].bound_w)}"
    above = []
    for run in runs:
        long_s = _above_s(run.power, _limit_w(study, run)) if run.power else 0.0
        if long_s:
            above.append(f"{duration(long_s)} under {label(run.policy)}")
    if not above:
        return f"{where}: true power never exceeds the bound"
    return f"{where}: true power exceeds the bound for {words(above)}"


def _above_s(series: PowerSeries, limit_w: float) -> float:
    return float(np.diff(series.time_s)[np.array(series.true_w) > limit_w].sum())


def _window_s(series: PowerSeries) -> tuple[float, float]:
    """Return the whole time, or of many steps the quarter with the most energy [s]."""
    time = np.array(series.time_s)
    if len(time) <= MANY_STEPS:
        return float(time[0]), float(time[-1])
    energy = np.concatenate([[0.0], np.cumsum(np.diff(time) * np.array(series.true_w))])
    length = (time[-1] - time[0]) / 4
    begin = time[time <= time[-1] - length]
    gained = np.interp(begin + length, time, energy) - np.interp(begin, time, energy)
    first = float(begin[int(np.argmax(gained))])
    return first, first + float(length)


def _within(series: PowerSeries, begin_s: float, end_s: float) -> PowerSeries:
    """Return the steps that reach into a window."""
    time = np.array(series.time_s)
    first = max(0, int(np.searchsorted(time, begin_s, side="right")) - 1)
    last = max(first, int(np.searchsorted(time, end_s)))
    return PowerSeries(
        series.time_s[first : last + 1], series.true_w[first:last], series.charged_w[first:last]
    )


def _panels(figure: Figure, study: ScheduleStudy, runs: Sequence[PolicyOutcome]) -> None:
    panels: list[Axes] = [*figure.subplots(len(runs), 1, squeeze=False, sharex=True).flat]
    powered = [(run, run.power) for run in runs if run.power is not None]
    window = _window_s(powered[0][1])
    scale, unit = (3600.0, "h") if window[1] > 7200 else (60.0, "min")
    for axes, (run, whole) in zip(panels, powered, strict=True):
        series = _within(whole, *window)
        time = np.array(series.time_s) / scale
        true, charged = (np.array(watts) / 1000 for watts in (series.true_w, series.charged_w))
        axes.stairs(true, time, fill=True, color=BLUE, alpha=0.35, label="true")
        axes.stairs(charged, time, color=ORANGE, linewidth=1.1, label="charged")
        axes.axhline(_limit_w(study, run) / 1000, color=VERMILLION, linewidth=1.2,
                     linestyle=(0, (5, 2)), label="bound")  # fmt: skip
        axes.set_title(run.policy, loc="left")
        axes.set_ylabel("power (kW)")
    panels[0].set_xlim(window[0] / scale, window[1] / scale)
    panels[-1].set_xlabel(f"time ({unit})")
    panels[0].legend(loc="upper left", bbox_to_anchor=(1, 1))
