"""Whether the figures of a study are the same on the axes of somebody else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend

from reports.style import Picture


def same_on_given_axes(drawn: Sequence[Picture]) -> bool:
    """Draw a figure of each kind on new axes, and compare."""
    kinds = {picture.kind.split()[0]: picture for picture in reversed(drawn)}
    for picture in kinds.values():
        _same(picture)
    return bool(kinds)


def _same(picture: Picture) -> None:
    rows, columns = picture.panels
    figure = Figure(figsize=picture.figure.get_size_inches().tolist())
    if columns > 1:
        figure.set_layout_engine("constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    with pytest.raises(ValueError, match=rf"give those of plt.subplots\({rows}, {columns}\)"):
        picture.draw([*axes.flat, axes[0, 0]])
    assert picture.draw(axes) is axes
    for panel, other in zip(figure.axes, picture.figure.axes, strict=True):
        assert _content(panel) == _content(other), picture
    assert _legends(figure) == _legends(picture.figure)


def _content(panel: Axes) -> tuple[object, ...]:
    return (
        [line.get_xydata().tolist() for line in panel.lines],  # type: ignore[union-attr]
        [type(patch).__name__ for patch in panel.patches],
        [type(collection).__name__ for collection in panel.collections],
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
