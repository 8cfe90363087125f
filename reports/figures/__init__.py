"""The kinds of figures: each draws what a study says, from a table of the study alone."""

from __future__ import annotations

from collections.abc import Callable

from matplotlib.figure import Figure as Canvas

from planner.figure import Figure, Limit
from planner.study import Study
from reports.figure_language import write_plain_ticks
from reports.figures import (
    bars,
    distribution,
    dots,
    gantt,
    graph,
    heat_map,
    intervals,
    lines,
    matrix,
    scatter,
    spans,
    stacks,
    stairs,
    steps,
)
from reports.figures.drawn import Drawn
from reports.style import Picture, draw
from reports.texts import Texts

KINDS: dict[str, tuple[Callable[[Canvas, Drawn], None], Callable[[Drawn], tuple[float, float]]]] = {
    "bars": (bars.paint, bars.size),
    "intervals": (intervals.paint, intervals.size),
    "lines": (lines.paint, lines.size),
    "distribution": (distribution.paint, distribution.size),
    "steps": (steps.paint, steps.size),
    "spans": (spans.paint, spans.size),
    "stairs": (stairs.paint, stairs.size),
    "dots": (dots.paint, dots.size),
    "stacks": (stacks.paint, stacks.size),
    "scatter": (scatter.paint, scatter.size),
    "map": (heat_map.paint, heat_map.size),
    "matrix": (matrix.paint, matrix.size),
    "gantt": (gantt.paint, gantt.size),
    "graph": (graph.paint, graph.size),
}
"""Painter, and width and height [inches], by kind."""


def pictures(study: Study) -> list[Picture]:
    """Every figure of a study that is of a known kind, in its order."""
    texts = Texts(study)
    return [
        picture(texts, figure, number)
        for number, figure in enumerate(study.figures, 1)
        if figure.kind in KINDS
    ]


def picture(texts: Texts, figure: Figure, number: int) -> Picture:
    """One figure, with its title and the text for readers who cannot see it."""
    data = Drawn.of(texts, figure)
    paint, size = KINDS[figure.kind]
    title = texts.catalogue.text("figures", figure.name)
    if figure.finding is not None:
        title = texts.finding(figure.finding).removesuffix(".")
    return draw(
        figure.name, f"{number:02d}-{figure.name}", title, alternative(data), size(data),
        lambda canvas: painted(canvas, data, paint),
    )  # fmt: skip


def painted(canvas: Canvas, data: Drawn, paint: Callable[[Canvas, Drawn], None]) -> None:
    """Paint a figure; plain ticks get the decimal mark of its language, all texts have it."""
    paint(canvas, data)
    if data.texts.study.language != "en":
        write_plain_ticks(canvas.axes)


def alternative(data: Drawn) -> str:
    """What a figure shows, for readers who cannot see it: its axes, and the ends of each series."""
    kind = data.texts.catalogue.text("labels", f"kind_{data.figure.kind}")
    parts = [f"{kind}: {data.texts.catalogue.text('figures', data.figure.name)}"]
    if data.figure.across and data.figure.finding is not None:
        return f"{parts[0]}; {data.texts.finding(data.figure.finding)}."
    for _, name, rows in data.series():
        for column in data.figure.y:
            known = [row for row in rows if row.get(column) is not None]
            if not known:
                continue
            ends = [
                f"{data.text(data.figure.x, row[data.figure.x])}: {data.text(column, row[column])}"
                for row in (known[0], known[-1])
            ]
            label = name or data.label(column)
            parts.append(f"{label}, {', '.join(dict.fromkeys(ends))}")
    parts += [
        f"{data.texts.catalogue.text('figures', limit.label)}: {_limit(data, limit)}"
        for limit in data.figure.limits
    ]
    return "; ".join(parts) + "."


_SIDEWAYS = ("intervals", "dots", "stacks", "distribution")
"""Kinds whose values lie along x."""


def _limit(data: Drawn, limit: Limit) -> str:
    """A limit in the unit of its axis."""
    along_x = limit.axis == "x" and data.figure.kind not in _SIDEWAYS
    return data.text(data.figure.x if along_x else data.figure.y[0], limit.value)
