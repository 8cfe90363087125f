"""One look for all figures: Okabe-Ito colours with a second cue, no mathematics in names."""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, TypeVar, cast

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.image import imsave
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.text import Text
from numpy.typing import NDArray

from planner.formatting import clipped
from reports.given_axes import GivenAxes

DPI = 200
_IMAGES_DPI = 100  # of pixels inside a vector file
_STYLES = re.compile(rb"style=\"[^\"<]*\"")
_FAMILY = re.compile(rb"font-family: [^;\"]*")
_PRINTED_FAMILY = b"font-family: 'Libertinus Serif'"
_LAYOUTS = 3
_MOST_OVER = 0.1  # of the figure; what reaches farther has no room inside either
_LOOK: Any = {
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "text.parse_math": False,
    "svg.hashsalt": "headroom",
    "svg.fonttype": "path",
    "path.simplify": False,
}


_Given = TypeVar("_Given")
_FALLBACKS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Source Han Sans", "WenQuanYi Micro Hei", "IPAGothic",
    "Droid Sans Fallback", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari",
)  # fmt: skip


@cache
def families() -> list[str]:
    """DejaVu Sans, and fonts of this machine for letters that it lacks."""
    here = {font.name for font in fontManager.ttflist}
    return ["DejaVu Sans", *(name for name in _FALLBACKS if name in here)]


@dataclass(frozen=True, eq=False, repr=False)
class Picture:
    """A painted figure, whose files are made when they are first read.

    Two pictures are equal if their words and files are.

    Attributes
    ----------
    kind
        Key of ``FIGURES``.
    name
        File name without ending.
    title
        The finding, as a sentence.
    alternative
        What a reader who cannot see it needs to know.
    figure
        What was painted.
    paint
        Paints it once more.
    """

    kind: str
    name: str
    title: str
    alternative: str
    figure: Figure
    paint: Callable[[Figure], None]

    @property
    def panels(self) -> tuple[int, int]:
        """Rows and columns of its panels, as ``plt.subplots`` takes them."""
        subplot = self.figure.axes[0].get_subplotspec()
        return (1, 1) if subplot is None else subplot.get_gridspec().get_geometry()

    def draw(self, ax: _Given) -> _Given:
        """Draw it on given axes, for a document of one's own.

        Parameters
        ----------
        ax
            Axes; for a figure of several panels as many as it has, as
            ``plt.subplots(*picture.panels)`` makes them.

        Returns
        -------
        Axes, or array of Axes
            What was given. It has no title yet: ``title`` is one.

        Raises
        ------
        ValueError
            There are not as many axes as panels.
        """
        panels: list[Axes] = [*np.asarray(ax, dtype=object).flat]
        earlier_texts = {text for panel in panels for text in panel.findobj(Text)}
        with _in_our_look():
            self.paint(cast("Figure", GivenAxes(panels)))
        for text in (text for panel in panels for text in panel.findobj(Text)):
            if isinstance(text, Text) and text not in earlier_texts:
                text.set_parse_math(False)  # names may hold what looks like mathematics
        return ax

    @cached_property
    def png(self) -> bytes:
        """Pixels under the title, the same bytes for the same input."""
        stream = io.BytesIO()
        with _in_our_look():
            heading = _heading(self.title, self._laid_out.get_figwidth())
            pixels = np.vstack([_pixels(heading), _pixels(self._laid_out)])
            imsave(stream, pixels, format="png", dpi=DPI, metadata=self._about | {"Software": None})
        return stream.getvalue()

    @cached_property
    def svg(self) -> bytes:
        """Vectors, the same bytes for the same input; the title is in the metadata."""
        with _in_our_look():
            return self._vectors()

    @cached_property
    def printed(self) -> bytes:
        """Vectors for the document: words are words, which it sets in its own typeface."""
        with _in_our_look(), rc_context({"svg.fonttype": "none"}):
            return _STYLES.sub(
                lambda style: _FAMILY.sub(_PRINTED_FAMILY, style[0]), self._vectors()
            )

    @cached_property
    def _laid_out(self) -> Figure:
        """The figure as it is written: the layout takes half of the time, and is made once."""
        with _in_our_look():
            figure = self.figure
            _lay_out(figure)
        return figure

    @property
    def _about(self) -> Any:
        return {"Title": self.title, "Description": self.alternative}

    def _vectors(self) -> bytes:
        stream, figure = io.BytesIO(), self._laid_out
        figure.set_dpi(_IMAGES_DPI)
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(stream, metadata={"Date": None, "Creator": None} | self._about)
        return stream.getvalue()

    def __repr__(self) -> str:
        return f"<Picture {self.name}: {self.title}>"

    def _repr_png_(self) -> bytes:
        return self.png

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and self._contents() == other._contents()

    def __hash__(self) -> int:
        return hash((self.kind, self.name, self.title, self.alternative))

    def _contents(self) -> tuple[str | bytes, ...]:
        return self.kind, self.name, self.title, self.alternative, self.png, self.svg, self.printed


def draw(
    kind: str,
    name: str,
    title: str,
    alternative: str,
    size: tuple[float, float],
    paint: Callable[[Figure], None],
) -> Picture:
    """Paint on a new figure in the common look."""
    with _in_our_look():
        figure = _painted(size, paint)
    return Picture(kind, name, title, alternative, figure, paint)


def _painted(size: tuple[float, float], paint: Callable[[Figure], None]) -> Figure:
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    paint(figure)
    return figure


@contextmanager
def _in_our_look() -> Iterator[None]:
    with rc_context(_LOOK | {"font.family": families()}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield


def _lay_out(figure: Figure) -> None:
    """Lay a figure out once for all, with everything inside its edges.

    Ticks may change as axes take their final size, so that a label reaches over an edge; the
    layout then gets as much less room.
    """
    figure.set_dpi(DPI)
    engine = figure.get_layout_engine()
    low_x, bottom, right, top = 0.0, 0.0, 1.0, 1.0
    for _ in range(_LAYOUTS):
        if not isinstance(engine, ConstrainedLayoutEngine):
            break
        engine.execute(figure)  # as drawing would do, without the drawing
        box = figure.get_tightbbox()  # in inches
        width, height = figure.get_size_inches()
        over = (-box.x0 / width, -box.y0 / height, box.x1 / width - 1, box.y1 / height - 1)
        if not 1 / (DPI * width) <= max(over) < _MOST_OVER:
            break
        low_x, bottom = low_x + max(0.0, over[0]), bottom + max(0.0, over[1])
        right, top = right - max(0.0, over[2]), top - max(0.0, over[3])
        engine.set(rect=(low_x, bottom, right - low_x, top - bottom))
    figure.set_layout_engine("none")


def _heading(title: str, width: float) -> Figure:
    """Return the finding above a separate picture; a report sets it as a caption."""
    lines = textwrap.wrap(title, int(14 * width))
    height = 0.1 + 0.17 * len(lines)
    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    figure.text(0.06 / width, 1 - 0.06 / height, "\n".join(lines), va="top", linespacing=1.25)
    return figure


def _pixels(figure: Figure) -> NDArray[np.uint8]:
    """Return the figure as painted, shape ``(height, width, 4)``."""
    figure.set_dpi(DPI)
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def wrapped(text: str, width: int = 24, most_lines: int = 2) -> str:
    r"""Wrap a name for an axis into at most ``most_lines`` lines.

    Examples
    --------
    >>> wrapped("a very long name of an application that goes on", 16)
    'a very long name\nof an applicati…'
    """
    lines = textwrap.wrap(text, width, break_on_hyphens=False) or [""]
    if len(lines) > most_lines:
        rest = " ".join(lines[most_lines - 1 :])
        lines = [*lines[: most_lines - 1], clipped(rest, width)]
    return "\n".join(lines)


def rows_high(rows: int, row_high: float = 0.3, rest: float = 0.8, highest: float = 8.2) -> float:
    """Return the height [inches] of a figure with this number of rows."""
    return min(highest, rest + row_high * max(1, rows))
