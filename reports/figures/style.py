"""One look for all figures: Okabe-Ito colours with a second cue, no mathematics in names."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, VERMILLION, SKY, PURPLE, GREY = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#CC79A7", "#666666",
)  # fmt: skip
DPI = 200
_LOOK: Any = {
    "font.family": "DejaVu Sans",
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


@dataclass(frozen=True)
class Picture:
    """A finished figure.

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
    png, svg
        File contents, the same for the same input.
    """

    kind: str
    name: str
    title: str
    alternative: str
    png: bytes
    svg: bytes


def draw(
    kind: str,
    name: str,
    title: str,
    alternative: str,
    size: tuple[float, float],
    paint: Callable[[Figure], None],
) -> Picture:
    """Paint on a new figure in the common look and save it in both formats."""
    with rc_context(_LOOK), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)
        paint(figure)
        png, svg = io.BytesIO(), io.BytesIO()
        figure.savefig(png, format="png", dpi=DPI, metadata={"Software": None})
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    return Picture(kind, name, title, alternative, png.getvalue(), svg.getvalue())


def file_name(text: str, place: int) -> str:
    """A safe, unique file name from any text."""
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in text.lower())
    short = "-".join(part for part in kept.split("-") if part)[:40]
    return f"{place:02d}-{short or 'figure'}"


def break_even_line(axes: Axes) -> None:
    """The line at a speedup of 1."""
    axes.axhline(1.0, color=VERMILLION, linewidth=1.2, linestyle=(0, (5, 2)), zorder=1)
