"""What the rules of thumb give up: the objective and the time of every job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from planner.configurations.sharing.study import SharingStudy
from planner.formatting import capitalised, percent, seconds, total_seconds
from reports.sharing.summary import (
    BOOK,
    against,
    all_differ,
    changes,
    jobs,
    label,
    numbered,
    one_by_one,
    short,
)
from reports.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    VERMILLION,
    Picture,
    draw,
    rows_high,
)

_MOST_ROWS, _FEW_ROWS = 20, 12
_LOOKS = ((BLUE, "D"), (ORANGE, "^"), (GREEN, "s"))
_WIDE = 12
"""From this ratio of the longest time to the shortest the axis is logarithmic."""
_NEAR = 2
"""Up to this ratio the axis does not begin at nothing."""
_APART = 0.24
"""Distance between the marks of two methods, as a share of the height of a row."""


@dataclass(frozen=True)
class TimesRow:
    """A job, or all jobs of an application, with their times by each method [s].

    ``weight`` is the weighted time by the plan, by which rows are ranked.
    """

    name: str
    times_s: tuple[tuple[float, ...], ...]
    weight: float


def pictures(study: SharingStudy) -> list[Picture]:
    """Return one picture, if there is anything to compare the plan with."""
    if len(study.plans) == 1:
        return []
    selected, omitted = rows(study)
    text = "; ".join(f"{label(study, p)} {total_seconds(p.value)}" for p in study.plans)
    mean_times = "; ".join(
        f"{row.name}: " + ", ".join(seconds(_mean(times)) for times in row.times_s)
        for row in selected
    )
    alternative = (
        f"{study.plan.goal.capitalize()}: {text}. Time by {_order(study)}: {mean_times}"
        f"{f'; {omitted}' if omitted else ''}."
    )
    height = 1.0 + 0.2 * len(study.plans) + rows_high(len(selected), _row_high(selected), 0.45)
    return [
        draw("times", "02-times", changes(study), alternative, (6.8, height),
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def _row_high(selected: Sequence[TimesRow]) -> float:
    """Return the height of a row [inches]; many rows are closer, so that they share a sheet."""
    return 0.225 if len(selected) <= _FEW_ROWS else 0.185


def finding(study: SharingStudy) -> str:
    """What the rules give up."""
    text = against(study)
    return (
        f"{capitalised(text)} than the plan in {study.plan.goal}"
        if text and all_differ(study)
        else f"Compared with the plan's {study.plan.goal}, {text}"
        if text
        else "No rule of thumb has a plan"
    )


def _order(study: SharingStudy) -> str:
    return ", ".join(label(study, plan) for plan in study.plans)


def rows(study: SharingStudy) -> tuple[list[TimesRow], str]:
    """Jobs where they are few, else applications; and what is left out."""
    if one_by_one(study):
        names = numbered(study)
        return [_row(study, name, [index]) for index, name in enumerate(names)], ""
    indices_of: dict[str, list[int]] = {}
    for index, job in enumerate(study.problem.jobs):
        indices_of.setdefault(job.name, []).append(index)
    made = [
        _row(study, f"{short(name, 24)} ({jobs(len(where))})", where)
        for name, where in sorted(indices_of.items(), key=lambda pair: pair[0])
    ]
    made.sort(key=lambda row: -row.weight)
    selected, rest = made[:_MOST_ROWS], made[_MOST_ROWS:]
    remaining = sum(len(row.times_s[0]) for row in rest)
    message = f"{len(rest)} further applications with {jobs(remaining)}: see {BOOK}" if rest else ""
    return selected, message


def _row(study: SharingStudy, name: str, indices: Sequence[int]) -> TimesRow:
    times = tuple(
        tuple(plan.configurations[index].time_s for index in indices) for plan in study.plans
    )
    weights = [study.problem.jobs[index].weight for index in indices]
    return TimesRow(name, times, sum(w * t for w, t in zip(weights, times[0], strict=True)))


def paint(figure: Figure, study: SharingStudy) -> None:
    """The goal above, the times below."""
    selected, _ = rows(study)
    heights = [0.42 + 0.2 * len(study.plans), 0.45 + _row_high(selected) * len(selected)]
    above, below = figure.subplots(2, 1, height_ratios=heights)
    _goal(above, study)
    _times(below, study, selected)
    handles = [
        Line2D([], [], color=colour, marker=marker, ls="", markeredgecolor="black",
               markeredgewidth=0.5, label=label(study, plan))
        for plan, (colour, marker) in zip(study.plans, _LOOKS, strict=False)
    ]  # fmt: skip
    if study.shared.bound is not None:
        handles.append(Line2D([], [], color=VERMILLION, ls=(0, (5, 2)), label="proven limit"))
    figure.legend(handles=handles, loc="outside upper left", ncols=4, handlelength=1.6)


def _goal(axes: Axes, study: SharingStudy) -> None:
    values = [plan.value for plan in study.plans]
    bound = study.shared.bound
    every = values if bound is None else [bound, *values]
    low, high = min(every), max(every)
    wide = max(high - low, 0.02 * high)
    for row, (plan, (colour, marker)) in enumerate(zip(study.plans, _LOOKS, strict=False)):
        axes.hlines(row, values[0], plan.value, color=GREY, linewidth=0.8, zorder=1)
        axes.plot([plan.value], [row], marker, color=colour, ms=6, markeredgecolor="black",
                  markeredgewidth=0.5, zorder=3)  # fmt: skip
        more = plan.value / values[0] - 1
        text = seconds(plan.value)
        if row:
            text += f" ({percent(more, signed=True)})"
        axes.annotate(text, (plan.value, row), xytext=(7, 0), textcoords="offset points",
                      va="center", fontsize=8)  # fmt: skip
    if bound is not None:
        axes.axvline(bound, color=VERMILLION, linewidth=1.2, linestyle=(0, (5, 2)), zorder=1)
    axes.set_xlim(low - 0.06 * wide, high + 0.4 * wide)
    axes.set_yticks(range(len(values)), [label(study, plan) for plan in study.plans])
    axes.set_ylim(len(values) - 0.4, -0.6)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.6g}"))
    axes.set_xlabel(f"{study.plan.goal} (s), lower is better")


def _times(axes: Axes, study: SharingStudy, selected: Sequence[TimesRow]) -> None:
    every = [time for row in selected for times in row.times_s for time in times]
    if max(every) > _WIDE * min(every):
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        low = 0.0 if max(every) > _NEAR * min(every) else min(every)
        room = 0.06 * (max(every) - low) or 0.06 * low
        axes.set_xlim(max(0.0, low - room), max(every) + room)
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.6g}"))
    middle = (len(study.plans) - 1) / 2
    for index, row in enumerate(selected):
        for turn, (times, (colour, marker)) in enumerate(zip(row.times_s, _LOOKS, strict=False)):
            height = index + _APART * (turn - middle)
            axes.hlines(height, min(times), max(times), color=colour, linewidth=1.4, zorder=2)
            axes.plot([_mean(times)], [height], marker, color=colour, ms=4.2, zorder=3,
                      markeredgecolor="black", markeredgewidth=0.4)  # fmt: skip
    axes.set_yticks(
        range(len(selected)), [row.name for row in selected], fontsize=8, parse_math=False
    )
    axes.set_ylim(len(selected) - 0.4, -0.6)
    unit = "s, logarithmic scale" if axes.get_xscale() == "log" else "s"
    what = "time of each job" if one_by_one(study) else "time of the jobs: mean and range"
    axes.set_xlabel(f"{what} ({unit})")


def _mean(times: Sequence[float]) -> float:
    return sum(times) / len(times)
