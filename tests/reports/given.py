"""Whether the figures of a study are the same on the axes of somebody else."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend

import headroom as hr
from planner.study import Study
from reports.style import Picture


def same_on_given_axes(study: Study) -> dict[str, tuple[int, int]]:
    """Draw every figure on new axes and compare; returns the panels of each."""
    found = hr.figures(study)
    for picture in found.values():
        _same(picture)
    return {name: picture.panels for name, picture in found.items()}


def _same(picture: Picture) -> None:
    rows, columns = picture.panels
    figure = Figure(figsize=picture.figure.get_size_inches().tolist())
    if columns > 1:
        figure.set_layout_engine("constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns)
    assert picture.draw(axes) is axes
    ours, theirs = picture.figure, figure
    for panel, other in zip(theirs.axes, ours.axes, strict=True):
        assert _content(panel) == _content(other), picture
    assert _legends(theirs) == _legends(ours)
    too_few = Figure().subplots(rows + 1, columns)
    with pytest.raises(ValueError, match=rf"give those of plt.subplots\({rows}, {columns}\)"):
        picture.draw(too_few)


def _content(panel: Axes) -> tuple[object, ...]:
    return (
        [line.get_xydata().tolist() for line in panel.lines],  # type: ignore[union-attr]
        [type(patch).__name__ for patch in panel.patches],
        [type(each).__name__ for each in panel.collections],
        [text.get_text() for text in panel.texts],
        panel.get_xlim(),
        panel.get_ylim(),
        panel.get_xscale(),
        panel.get_yscale(),
        panel.get_title(loc="left"),
    )


def _legends(figure: Figure) -> list[str]:
    legends: Iterable[Artist] = figure.findobj(Legend)
    return [
        text.get_text()
        for legend in legends
        if isinstance(legend, Legend)
        for text in legend.get_texts()
    ]
