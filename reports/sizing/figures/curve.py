"""The sizing curve: the level's measure over the size of the machine, with the limit."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter, NullLocator

from planner.scheduling.policies.display import in_prose
from planner.scheduling.sizing.sizing import Sizing
from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.summary import sized_in, unit_of
from reports.simulation.policy_looks import look, short_number, times_axis, waits_axis
from reports.style import VERMILLION, Picture, draw

_APART = 1.04
"""Least ratio of sizes whose markers do not overlap on the axis of all sizes."""


def pictures(study: SizingStudy) -> list[Picture]:
    """One picture."""
    level = study.settings.level
    text = "; ".join(
        f"{in_prose(sizing.policy)}: "
        + ", ".join(f"{size:,}: {level.text(one.value)}" for size, one in sizing.tried.items())
        for sizing in study.sizings
    )
    return [
        draw("curve", "01-curve", finding(study), f"By {_units(study)}: {text}.", (6.8, 2.4),
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def finding(study: SizingStudy) -> str:
    """The answer, and what a much smaller machine gives."""
    if not study.ranking:
        return f"No machine size meets {study.settings.level.words}"
    best = study.sizings[study.ranking[0]]
    answer, smallest = best.answer, _smallest(study, best)
    if answer is None:
        return ""
    return (
        f"Every size tried from {sized_in(answer.nodes, study)} on meets the target under "
        f"{in_prose(best.policy)}{smallest}"
    )


def _units(study: SizingStudy) -> str:
    return f"{unit_of(study.rules.node_processors)}s"


def _smallest(study: SizingStudy, sizing: Sizing) -> str:
    worst = next(iter(sizing.tried.values()))
    answer = sizing.answer
    if answer is None or not worst.value or not answer.value or worst.nodes >= answer.nodes:
        return ""
    return (
        f"; with {sized_in(worst.nodes, study)} {study.settings.level.quantity} is "
        f"{study.settings.level.text(worst.value)}"
    )


def paint(figure: Figure, study: SizingStudy) -> None:
    """All sizes on the left, those around the answer on the right."""
    wide, close = figure.subplots(1, 2, width_ratios=(3, 2))
    for axes in (wide, close):
        for index, sizing in enumerate(study.sizings):
            _curve(axes, index, sizing, _near(study) if axes is wide else None)
        axes.axhline(
            study.settings.level.limit, color=VERMILLION, linewidth=1.1, linestyle=(0, (5, 2))
        )
        axes.set_xlabel(_units(study))
    values = [
        tried.value for sizing in study.sizings for tried in sizing.tried.values() if tried.value
    ]
    _values_axis(wide, study, [*values, study.settings.level.limit])
    wide.set_xscale("log")
    wide.set_xticks(_ticks(study))
    wide.xaxis.set_minor_locator(NullLocator())
    wide.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    wide.set_ylabel(study.settings.level.quantity.removeprefix("the "))
    _zoom(close, study)
    handles, labels = wide.get_legend_handles_labels()
    figure.legend([*handles, wide.lines[-1]], [*labels, "limit"], loc="outside upper left", ncols=6,
                  handlelength=1.9, columnspacing=1.2)  # fmt: skip


def _ticks(study: SizingStudy) -> list[float]:
    """Five round sizes in about equal ratios."""
    sizes = [size for sizing in study.sizings for size in sizing.tried]
    low, high = min(sizes), max(sizes)
    round_ones = [float(f"{low * (high / low) ** (k / 4):.2g}") for k in range(5)]
    return list(dict.fromkeys(round_ones))


def _near(study: SizingStudy) -> tuple[int, int] | None:
    """The sizes around the smallest answer, all of which were tried; none without an answer."""
    if not study.ranking:
        return None
    best = study.sizings[study.ranking[0]]
    nodes, looked = best.nodes or 0, best.search.looked
    return nodes - looked, nodes + looked


def _curve(axes: Axes, index: int, sizing: Sizing, bare: tuple[int, int] | None) -> None:
    """A policy's line; without markers over the ``bare`` sizes, and few where sizes are dense."""
    colour, dashes, marker = look(index)
    there = [(size, tried.value) for size, tried in sizing.tried.items() if tried.value is not None]
    sizes, values = [size for size, _ in there], [value for _, value in there]
    axes.plot(sizes, values, color=colour, linestyle=dashes, marker=marker, ms=3.2, linewidth=1.2,
              markevery=_marked(sizes, bare), markerfacecolor="white",
              label=in_prose(sizing.policy))  # fmt: skip
    answer = sizing.answer
    if answer is not None and answer.value is not None:
        axes.plot([answer.nodes], [answer.value], marker, color=colour, ms=6.5)
        axes.axvline(answer.nodes, color=colour, linewidth=0.8, linestyle=":")


def _marked(sizes: list[int], bare: tuple[int, int] | None) -> list[int]:
    """Indices of sizes with a marker: none over the bare ones, others at least 4 % apart.

    Examples
    --------
    >>> _marked([100, 300, 304, 308, 400, 404], (303, 309)), _marked([1, 2], None)
    ([0, 1, 4], [0, 1])
    """
    if bare is None:
        return list(range(len(sizes)))
    marked: list[int] = []
    for index, size in enumerate(sizes):
        apart = not marked or size > _APART * sizes[marked[-1]]
        if apart and not bare[0] <= size <= bare[1]:
            marked.append(index)
    return marked


def _values_axis(axes: Axes, study: SizingStudy, values: list[float]) -> None:
    if study.settings.level.is_time:
        waits_axis(axes, "y", max(values))
        return
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: short_number(value)))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _zoom(axes: Axes, study: SizingStudy) -> None:
    """Sizes near the smallest answer, all of which were tried."""
    if not study.ranking:
        axes.set_visible(False)
        return
    best, (low, high) = study.sizings[study.ranking[0]], _near(study) or (0, 0)
    near = [tried.value for size, tried in best.tried.items() if low <= size <= high]
    span = [value for value in (*near, study.settings.level.limit) if value is not None]
    room = 0.08 * (max(span) - min(span)) or 0.5
    axes.set_xlim(low - 0.6, high + 0.6)
    axes.set_ylim(min(span) - room, max(span) + room)
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    if study.settings.level.is_time:
        unit = times_axis(axes.yaxis, *axes.get_ylim())
        axes.set_ylabel(f"{study.settings.level.quantity.removeprefix('the ')} ({unit})")
