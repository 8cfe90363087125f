"""Axes of a caller, painted on as if they were those of a figure of ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colorbar import Colorbar
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.legend import Legend
from numpy.typing import NDArray

_OUTSIDE = {
    "outside upper left": ("lower left", 0.0, 1.02),
    "outside upper right": ("lower right", 1.0, 1.02),
    "outside right upper": ("upper left", 1.02, 1.0),
}
"""Side of the legend that is fixed, and where: the place in shares of the axes."""

_OVER_TITLES = 0.1


@dataclass(frozen=True)
class GivenAxes:
    """What a painter asks of a figure, answered by given axes.

    Attributes
    ----------
    axes
        The panels, row by row.
    """

    axes: Sequence[Axes]

    @property
    def dpi(self) -> float:
        """Dots per inch of the figure around the axes."""
        return float(self.axes[0].figure.dpi)

    def draw_without_rendering(self) -> None:
        """Lay out the whole figure around the axes."""
        self._whole().draw_without_rendering()

    def subplots(
        self,
        rows: int = 1,
        columns: int = 1,
        *,
        sharex: bool | str = False,
        sharey: bool | str = False,
        squeeze: bool = True,
        **_sizes: Any,
    ) -> Any:
        """Return the given axes in rows and columns; their sizes are the caller's.

        Raises
        ------
        ValueError
            There are not as many as the figure has panels.
        """
        if len(self.axes) != rows * columns:
            many = f"{rows * columns} panel" + ("s" if rows * columns > 1 else "")
            raise ValueError(
                f"the figure has {many}, but {len(self.axes)} axes are given; give those of "
                f"plt.subplots({rows}, {columns})"
            )
        grid = np.array([*self.axes], dtype=object).reshape(rows, columns)
        for first, other in _sharing(grid, sharex):
            if not first.get_shared_x_axes().joined(first, other):
                other.sharex(first)
        for first, other in _sharing(grid, sharey):
            if not first.get_shared_y_axes().joined(first, other):
                other.sharey(first)
        if not squeeze:
            return grid
        return grid.item() if grid.size == 1 else grid.squeeze()

    def legend(self, handles: Any = None, labels: Any = None, *, loc: str, **look: Any) -> Legend:
        """Add a legend next to the axes; next to all panels only if the layout makes room."""
        if handles is None:
            pairs = [panel.get_legend_handles_labels() for panel in self.axes]
            handles = [*chain.from_iterable(handle for handle, _ in pairs)]
            labels = [*chain.from_iterable(label for _, label in pairs)]
        names = ("handles", "labels")
        labelled = (handles,) if labels is None else (handles, labels)
        entries = dict(zip(names, labelled, strict=False)) | look
        whole = self._whole()
        if len(self.axes) > 1 and isinstance(whole.get_layout_engine(), ConstrainedLayoutEngine):
            above: Legend = whole.legend(**entries, loc=loc)
            return above
        side, x, y = _OUTSIDE[loc]
        if y > 1 and any(panel.get_title(loc="left") or panel.get_title() for panel in self.axes):
            y += _OVER_TITLES
        panel: Any = self.axes[0 if x < 1 else -1]
        legend: Legend = panel.legend(**entries, loc=side, bbox_to_anchor=(x, y), borderaxespad=0.0)
        return legend

    def colorbar(self, mappable: Any, ax: Any, **look: Any) -> Colorbar:
        """Return a colour bar next to the axes."""
        made: Colorbar = self.axes[0].figure.colorbar(mappable, ax=ax, **look)
        return made

    def supylabel(self, text: str, **look: Any) -> None:
        """A label left of the first panel, in place of one for all."""
        self.axes[0].set_ylabel(text, **look)

    def _whole(self) -> Any:
        """Return the figure around the axes, not a part of it."""
        return self.axes[0].figure.canvas.figure


def _sharing(grid: NDArray[Any], how: bool | str) -> Iterator[tuple[Axes, Axes]]:  # noqa: FBT001 - as matplotlib has it
    """Pairs of axes that share a scale, as in ``plt.subplots``."""
    if not how:
        return
    groups = {"col": grid.T, "row": grid}.get(str(how), grid.reshape(1, -1))
    for first, *others in groups:
        yield from ((first, other) for other in others)
