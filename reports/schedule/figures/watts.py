"""Watts over time of one seed under the lowest bound: true, charged, and the bound."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.formatting import durations, power, words
from planner.question import schedule_of
from planner.scheduling.power.headline import label
from planner.scheduling.power.results.result import PolicyOutcome, PowerSeries
from planner.scheduling.power.study import ScheduleStudy
from reports.style import BLUE, ORANGE, VERMILLION, Picture, draw

MOST_POLICIES = 3
MANY_STEPS = 30
"""Steps of a log above which only a part of it is shown."""
_SHARES = (1 / 100, 1 / 4)
"""Least and largest share of the time that is shown of many steps."""


def pictures(study: ScheduleStudy) -> list[Picture]:
    """Return the log with the largest excess or the highest power, under the first policies."""
    runs = _shown_runs(study)
    if not runs:
        return []
    return [
        draw(
            "watts",
            "29-watts-over-time",
            _finding(study, runs),
            f"{_where(study, runs[0])}: true and charged power of the running jobs, and the "
            f"bound. {_part(study, runs)}",
            (6.8, 0.7 + (0.95 if _own_windows(study, runs) else 0.8) * len(runs)),
            partial(_panels, study=study, runs=runs),
        )
    ]


def _where(study: ScheduleStudy, run: PolicyOutcome) -> str:
    """Return log, bound, and the seed where chance has a part."""
    seed = f", seed {run.seed}" if study.synthetic or study.by_chance or study.seeds > 1 else ""
    return f"Log {run.log}{seed}, {power(run.bound_w)}"


def _shown_runs(study: ScheduleStudy) -> list[PolicyOutcome]:
    outcomes = [
        outcome
        for outcome in study.outcomes
        if outcome.power is not None and len(outcome.power.true_w)
    ]
    if not outcomes:
        return []
    log = max(outcomes, key=partial(_rank, study)).log
    return [outcome for outcome in outcomes if outcome.log == log][:MOST_POLICIES]


def _rank(study: ScheduleStudy, run: PolicyOutcome) -> tuple[float, float]:
    """Return largest excess and largest true power [W]."""
    largest_w = max(run.power.true_w) if run.power else 0.0
    return max(largest_w - _limit_w(study, run), 0.0), largest_w


def note(study: ScheduleStudy) -> str:
    """Return what the figure leaves out, and what it includes in addition to the jobs."""
    runs = _shown_runs(study)
    schedule = schedule_of(study.scenario)
    load = "Power includes that of other work." if schedule.occupied else ""
    part = _part(study, runs) if runs and _is_part(runs) else ""
    return " ".join(filter(None, (load, part)))


def _is_part(runs: Sequence[PolicyOutcome]) -> bool:
    return any(run.power is not None and len(run.power.time_s) > MANY_STEPS for run in runs)


def _part(study: ScheduleStudy, runs: Sequence[PolicyOutcome]) -> str:
    if not _is_part(runs):
        return "power.csv has every log."
    around = "with the most energy"
    if _own_windows(study, runs):
        each = " of each policy" if len(runs) > 1 else ""
        around = f"around the largest excess{each}"
    return f"Only the time {around} is shown; power.csv has all times and logs."


def _own_windows(study: ScheduleStudy, runs: Sequence[PolicyOutcome]) -> bool:
    """Return whether each policy is shown around its own largest excess."""
    return _is_part(runs) and _excess(study, runs) is not None


def _excess(study: ScheduleStudy, runs: Sequence[PolicyOutcome]) -> tuple[float, float] | None:
    """Return begin and end of the step with the largest excess of all runs [s], if any."""
    worst, span = 0.0, None
    for run in runs:
        if run.power is not None and len(run.power.true_w):
            step = int(np.argmax(run.power.true_w))
            excess_w = run.power.true_w[step] - _limit_w(study, run)
            if excess_w > worst:
                worst, span = excess_w, (run.power.time_s[step], run.power.time_s[step + 1])
    return span


def _limit_w(study: ScheduleStudy, run: PolicyOutcome) -> float:
    """Return what running jobs may use together [W]."""
    return run.bound_w - study.reserved_w


def _finding(study: ScheduleStudy, runs: Sequence[PolicyOutcome]) -> str:
    where = _where(study, runs[0])
    long_s = [_above_s(run.power, _limit_w(study, run)) if run.power else 0.0 for run in runs]
    times = durations(*long_s, every_one=True)
    above = [f"{time} under {label(run.policy)}"
             for run, time, long in zip(runs, times, long_s, strict=True) if long]  # fmt: skip
    if not above:
        return f"{where}: true power never exceeds the bound"
    by = f"by at most {power(_rank(study, runs[0])[0])}, " if len(runs) == 1 else ""
    return f"{where}: true power exceeds the bound {by}for {words(above)}"


def _panel_title(study: ScheduleStudy, run: PolicyOutcome, runs: Sequence[PolicyOutcome]) -> str:
    """Return a policy, with its largest excess where there are several and any has one."""
    name = label(run.policy)
    excess_w, most_w = _rank(study, run)[0], max(_rank(study, other)[0] for other in runs)
    if len(runs) == 1 or not most_w:
        return name
    in_one_unit = power(excess_w, like=most_w)
    excess = power(excess_w) if in_one_unit == power(0.0, like=most_w) else in_one_unit
    return f"{name}: at most {excess} above the bound" if excess_w else f"{name}: never above"


def _above_s(series: PowerSeries, limit_w: float) -> float:
    return float(np.diff(series.time_s)[np.array(series.true_w) > limit_w].sum())


def _window_s(
    every: Sequence[PowerSeries], excess: tuple[float, float] | None
) -> tuple[float, float]:
    """Return the whole time, or of many steps the part around an excess or with most energy [s]."""
    start = min(series.time_s[0] for series in every)
    stop = max(series.time_s[-1] for series in every)
    if max(len(series.time_s) for series in every) <= MANY_STEPS:
        return start, stop
    if excess is not None:
        least, most = (share * (stop - start) for share in _SHARES)
        long_s = min(max(6 * (excess[1] - excess[0]), least), most)
        begin = max(min(sum(excess) / 2 - long_s / 2, stop - long_s), start)
        return begin, begin + long_s
    series = every[0]
    time = np.array(series.time_s)
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
    panels: list[Axes] = [
        *figure.subplots(len(runs), 1, squeeze=False, sharey=True,
                         sharex=not _own_windows(study, runs)).flat
    ]  # fmt: skip
    powered = [(run, run.power) for run in runs if run.power is not None]
    every = [series for _, series in powered]
    windows = [
        _window_s(every, _excess(study, [run]) or _excess(study, runs)) for run, _ in powered
    ]
    longest = max(stop - start for start, stop in windows)
    scale, unit = (3600.0, "h") if longest > 7200 else (60.0, "min")
    for axes, (run, whole), window in zip(panels, powered, windows, strict=True):
        series = _within(whole, *window)
        time = np.array(series.time_s) / scale
        true, charged = (np.array(watts) / 1000 for watts in (series.true_w, series.charged_w))
        axes.stairs(true, time, fill=True, color=BLUE, alpha=0.35, label="true (drawn)")
        axes.stairs(charged, time, color=ORANGE, linewidth=1.1,
                    label="charged (expected)")  # fmt: skip
        axes.axhline(_limit_w(study, run) / 1000, color=VERMILLION, linewidth=1.2,
                     linestyle=(0, (5, 2)), label="bound")  # fmt: skip
        axes.set_title(_panel_title(study, run, runs), loc="left")
        axes.set_xlim(window[0] / scale, window[1] / scale)
    figure.supylabel("power (kW)", fontsize=9)
    panels[0].set_ylim(bottom=0)
    panels[-1].set_xlabel(f"time ({unit})")
    panels[0].legend(loc="upper left", bbox_to_anchor=(1, 1))
