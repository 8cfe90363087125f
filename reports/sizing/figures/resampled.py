"""What logs of resampled weeks need: a dot for each, the interval, and the log's own answer."""

from __future__ import annotations

from collections import Counter

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from planner.formatting import capitalised, plural
from planner.scheduling.policies.display import in_prose
from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.summary import sized_in, unit_of
from reports.simulation.policy_looks import look
from reports.style import GREY, Picture, draw, rows_high


def pictures(study: SizingStudy) -> list[Picture]:
    """One picture, where weeks were resampled."""
    if not any(node is not None for resampled in study.resampled for node in resampled.nodes):
        return []
    text = "; ".join(
        f"{in_prose(draws.policy)}: "
        f"{', '.join('none' if n is None else f'{n:,}' for n in draws.nodes)}"
        for draws in study.resampled
    )
    tall = max(_tallest(study), 3)
    height = rows_high(len(study.resampled), 0.35 + 0.07 * tall, 0.8)
    text = f"{capitalised(_units(study))} of each log. {text}."
    return [
        draw("drawn", "02-drawn", finding(study), text, (6.8, height),
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def finding(study: SizingStudy) -> str:
    """How far apart the sizes are."""
    index = study.ranking[0] if study.ranking else 0
    resampled = study.resampled[index]
    ends = [end for end in (resampled.low, resampled.high) if end is not None]
    if len(ends) < 2:
        return (
            f"{resampled.without} of {plural(len(resampled.nodes), 'resampled log')} have no size "
            "that meets the target"
        )
    nodes = study.sizings[index].nodes
    own = "" if not nodes else f"; the log itself needs {nodes:,}"
    word = study.periods.word if study.periods else "week"
    need = "" if ends[0] == ends[1] else f"{ends[0]:,} to "
    return (
        f"Under {in_prose(resampled.policy)}, 90 % of the logs of resampled {word}s need "
        f"{need}{sized_in(ends[1], study)}{own}"
    )


def _units(study: SizingStudy) -> str:
    return f"{unit_of(study.rules.node_processors)}s"


def paint(figure: Figure, study: SizingStudy) -> None:
    """One row of dots for each policy; logs of one size are stacked."""
    axes = figure.subplots()
    high = max(_tallest(study), 3)
    for index, resampled in enumerate(study.resampled):
        colour, _, marker = look(index)
        base = -float(index)
        counts = Counter(node for node in resampled.nodes if node is not None)
        at = [(size, base + 0.62 * k / high) for size, n in counts.items() for k in range(n)]
        axes.plot([x for x, _ in at], [y for _, y in at], marker, color=colour, ms=4,
                  markerfacecolor="white")  # fmt: skip
        if resampled.low is not None and resampled.high is not None:
            axes.plot(
                [resampled.low, resampled.high], [base - 0.14] * 2, "-", color=colour, linewidth=2
            )
        if resampled.median is not None:
            axes.plot(
                [resampled.median], [base - 0.14], "|", color=colour, ms=11, markeredgewidth=2
            )
        nodes = study.sizings[index].nodes
        if nodes is not None:
            axes.plot([nodes] * 2, [base - 0.24, base + 0.68], ":", color=GREY, linewidth=1.4)
    axes.set_yticks([-float(k) for k in range(len(study.resampled))],
                    [in_prose(resampled.policy) for resampled in study.resampled])  # fmt: skip
    axes.set_ylim(0.4 - len(study.resampled), 0.85)
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(f"{_units(study)} that a log needs")


def _tallest(study: SizingStudy) -> int:
    counts = [
        Counter(resampled.nodes).most_common(1)[0][1]
        for resampled in study.resampled
        if resampled.nodes
    ]
    return max(counts, default=1)
