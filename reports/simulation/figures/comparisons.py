"""How policies differ job by job, and whether that may be chance: a dot with its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullLocator

from planner.formatting import capitalised, words
from planner.replications.batch_means import MeanInterval
from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.comparison import PolicyComparison
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.summary import difference
from planner.scheduling.simulation.wait_text import interval_ends
from reports.figures.axes import short_number, wait_unit
from reports.style import BLUE, ORANGE, VERMILLION, Picture, draw, rows_high
from solvers.portable import order_of_ten, ten_to_the

_WIDE = 20
"""From this ratio of the farthest end to the shortest interval the axis is logarithmic."""


def pictures(study: SimulationStudy) -> list[Picture]:
    """One picture, where there are intervals."""
    rows = study.every_comparison
    if not rows:
        return []
    text = "; ".join(
        f"{label(row)}: wait {' to '.join(interval_ends(row.differences['wait']))}, bounded "
        f"slowdown {' to '.join(interval_ends(row.differences['bounded_slowdown'], ''))}"
        for row in rows
    )
    height = 0.55 + rows_high(len(rows), 0.25, 0.5)
    return [
        draw("comparisons", "02-comparisons", finding(study),
             f"Differences with their 95 % intervals. {text}.", (6.8, height),
             lambda figure: paint(figure, rows))
    ]  # fmt: skip


def label(comparison: PolicyComparison) -> str:
    """Return the names of the two policies that are compared."""
    return f"{in_prose(comparison.second)} minus {in_prose(comparison.first)}"


def finding(study: SimulationStudy) -> str:
    """Which differences are more than chance."""
    return finding_of(study.comparisons, difference)


def finding_of(
    comparisons: Sequence[PolicyComparison], much: Callable[[PolicyComparison], str]
) -> str:
    """Which differences from the first policy are more than chance, and how ``much`` they are."""
    longer: list[str] = []
    shorter: list[str] = []
    unsure: list[str] = []
    alike: list[str] = []
    for comparison in comparisons:
        wait = comparison.differences["wait"]
        if wait.mean == 0 and wait.half_width == 0:
            alike.append(in_prose(comparison.second))
        elif not wait.tells_apart:
            unsure.append(in_prose(comparison.second))
        else:
            (longer if wait.mean > 0 else shorter).append(
                f"{in_prose(comparison.second)} (by {much(comparison)})"
            )
    first = in_prose(comparisons[0].first)
    parts = [
        f"{how} under {words(which)}"
        for how, which in (("longer", longer), ("shorter", shorter), ("equal", alike))
        if which
    ]
    text = f"Compared with {first}, mean waits are {'; '.join(parts)}" if parts else ""
    if unsure:
        verb = "difference" if len(unsure) == 1 else "differences"
        sentence = f"the {verb} of {words(unsure)} from {first} may be chance"
        text = f"{text}; {sentence}" if text else capitalised(sentence)
    return text


def paint(figure: Figure, rows: Sequence[PolicyComparison]) -> None:
    """Waits on the left, bounded slowdowns on the right."""
    left, right = figure.subplots(1, 2, sharey=True)
    waits = [row.differences["wait"] for row in rows]
    size, unit = wait_unit(max(abs(end) for wait in waits for end in (wait.low, wait.high)))
    _intervals(left, [_scaled(wait, size) for wait in waits])
    _intervals(right, [row.differences["bounded_slowdown"] for row in rows])
    left.set_yticks(range(len(rows)), [label(row) for row in rows])
    left.set_ylim(len(rows) - 0.4, -0.6)
    left.set_xlabel(f"difference in mean wait ({unit})" + _kind(left))
    right.set_xlabel("difference in bounded slowdown" + _kind(right))


def _scaled(interval: MeanInterval, size: int) -> MeanInterval:
    return replace(interval, mean=interval.mean / size, half_width=interval.half_width / size)


def _kind(axes: Axes) -> str:
    return ",\nlog scale except near 0" if axes.get_xscale() == "symlog" else ""


def _intervals(axes: Axes, intervals: Sequence[MeanInterval]) -> None:
    ends = [abs(end) for interval in intervals for end in (interval.low, interval.high)]
    halves = [interval.half_width for interval in intervals if interval.half_width > 0]
    if halves and max(ends) > _WIDE * min(halves):
        threshold = 3 * min(halves)
        axes.set_xscale("symlog", linthresh=threshold, linscale=1.5)
        axes.xaxis.set_minor_locator(NullLocator())
        low, high = (
            min(interval.low for interval in intervals),
            max(interval.high for interval in intervals),
        )
        _thinned(axes, threshold, min(0.0, low), max(0.0, high))
    else:
        axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.axvline(0, color=VERMILLION, linewidth=1.1, linestyle=(0, (5, 2)), zorder=1)
    for row, interval in enumerate(intervals):
        sure = interval.tells_apart
        colour = BLUE if sure else ORANGE
        axes.hlines(row, interval.low, interval.high, color=colour, linewidth=2, zorder=2)
        axes.plot([interval.mean], [row], "o" if sure else "s", color=colour, ms=4.5, zorder=3,
                  markerfacecolor=colour if sure else "white")  # fmt: skip
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: signed(value)))


def _thinned(axes: Axes, threshold: float, low: float, high: float) -> None:
    """Few ticks that do not run into each other."""
    decade = ten_to_the(order_of_ten(threshold))
    ticks = [decade * max(step for step in (1, 2, 5) if step * decade <= threshold * 1.001)]
    while ticks[-1] * 10 <= high * 1.2 or ticks[-1] * 10 <= -low * 1.2:
        ticks.append(ticks[-1] * 10)
    thinned = ticks[:: 1 + len(ticks) // 3]
    negative = [-tick for tick in reversed(thinned) if tick <= -low * 1.2]
    axes.set_xticks([*negative, 0, *(tick for tick in thinned if tick <= high * 1.2)])


def signed(value: float) -> str:
    """A number with its sign, for an axis."""
    text = short_number(abs(value))
    return text if value == 0 else f"{'+' if value > 0 else '−'}{text}"  # noqa: RUF001
