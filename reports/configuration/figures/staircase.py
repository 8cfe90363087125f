"""Best time over every power bound, and where the winner takes other cores per node."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.study import ConfigurationStudy
from planner.formatting import run_times, seconds, watts
from reports.configuration.summary import answers, axis_unit, bound, name, titled
from reports.style import BLUE, GREY, PALETTE, Picture, draw, file_name
from scenarios.measurements.runs import Floats

_MARKERS = "osD^vPX*<>ph"
_MOST_CORES = 12


def pictures(study: ConfigurationStudy) -> list[Picture]:
    """One picture per application whose winner ever changes."""
    return [
        draw(
            f"staircase {answer.application}",
            file_name(f"staircase {number} {answer.application}", 4),
            titled(answer, finding(answer)),
            _alternative(answer),
            (6.8, 2.6),
            lambda figure, answer=answer: paint(figure, answer),  # type: ignore[misc]
        )
        for number, answer in enumerate(answers(study), 1)
        if len(answer.curve.winners) > 1
    ]


def finding(answer: ConfigurationAnswer) -> str:
    """How often the winner changes."""
    curve = answer.curve
    turns, cores = len(curve.winners) - 1, len(curve.core_changes)
    first, last = curve.winners[0], curve.winners[-1]
    cores_text = f"{_times(cores)} with a different core count" if cores else "never its core count"
    slow, fast = run_times(first.time_s, last.time_s)
    return (
        f"The best configuration of {name(answer, 28)} changes {_times(turns)} between "
        f"{watts(curve.from_w[0])} ({slow}) and {watts(curve.from_w[-1])} ({fast}), {cores_text}"
    )


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def _alternative(answer: ConfigurationAnswer) -> str:
    curve = answer.curve
    every = max(1, len(curve.winners) // 12)
    steps = list(zip(curve.from_w, curve.winners, strict=True))[::every]
    return "Best configuration by bound: " + "; ".join(
        f"from {watts(float(low))} {winner}, {seconds(winner.time_s)}" for low, winner in steps
    )


def paint(figure: Figure, answer: ConfigurationAnswer) -> None:
    """A falling staircase; markers say how many cores each winner takes."""
    axes = figure.subplots()
    curve, bound_w = answer.curve, answer.question.bound.bound_w
    times = np.array([winner.time_s for winner in curve.winners])
    last = float(curve.from_w[-1])
    right = 1.04 * (max(last, bound_w) if bound_w <= 1.5 * last else last)
    axes.step(np.r_[curve.from_w, right], np.r_[times, times[-1]], where="post", color=GREY,
              linewidth=1.2, zorder=2)  # fmt: skip
    handles = _dots(axes, answer, times)
    for index in curve.core_changes:
        axes.axvline(float(curve.from_w[index]), color="#DDDDDD", linewidth=0.6, zorder=0)
    if bound_w <= right:
        line = axes.axvline(bound_w, color=BLUE, linewidth=1.2, linestyle=(0, (5, 2)), zorder=1)
        line.set_label(f"requested: {bound(bound_w)}")
        handles.append(line)
    axes.grid(visible=False, axis="x")
    axes.set_xlim(right=right)
    if times[0] > 6 * times[-1]:
        _logarithmic(axes)
    else:
        axes.set_ylim(bottom=0)
    unit, size = axis_unit(right)
    axes.xaxis.set_major_formatter(lambda power_w, _: f"{power_w / size:,.6g}")
    axes.set_xlabel(f"power bound ({unit})")
    axes.set_ylabel("best run time (s)")
    figure.legend(handles=handles, loc="outside right upper", fontsize=8, handlelength=1.6)


def _dots(axes: Axes, answer: ConfigurationAnswer, times: Floats) -> list[Line2D]:
    """Every winner, by its cores per node; few kinds of them have a look of their own."""
    cores = np.array([winner.cores_per_node for winner in answer.curve.winners])
    kinds, counts = np.unique(cores, return_counts=True)
    named = np.sort(kinds[np.argsort(-counts, kind="stable")][:_MOST_CORES])
    handles: list[Line2D] = []
    for number, count in enumerate(named):
        (dots,) = axes.plot(
            answer.curve.from_w[cores == count], times[cores == count], _MARKERS[number], ms=4.5,
            color=PALETTE[number % len(PALETTE)], markeredgecolor="black", markeredgewidth=0.4,
            label=f"{count} cores per node", zorder=3,
        )  # fmt: skip
        handles.append(dots)
    rest = ~np.isin(cores, named)
    if rest.any():
        (dots,) = axes.plot(answer.curve.from_w[rest], times[rest], ".", color="black", ms=4,
                            label="other counts", zorder=3)  # fmt: skip
        handles.append(dots)
    return handles


def _logarithmic(axes: Axes) -> None:
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.6g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
