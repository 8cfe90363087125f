"""How much the line through time over nodes depends on the power bound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.configurations.degree import LineFit
from scenarios.measurements.runs import Floats


@dataclass(frozen=True)
class LineSpread:
    """The spread of lines over bounds: largest less least, over the size of the mean.

    Attributes
    ----------
    from_w, to_w
        Ends of the bounds [W].
    from_nodes, to_nodes
        Ends of the node counts.
    lines
        How many.
    slope, intercept
        As shares; ``inf`` where the mean is 0.
    slopes_s_per_node, intercepts_s
        The least and the largest.
    """

    from_w: float
    to_w: float
    from_nodes: int
    to_nodes: int
    lines: int
    slope: float
    intercept: float
    slopes_s_per_node: tuple[float, float] = (0.0, 0.0)
    intercepts_s: tuple[float, float] = (0.0, 0.0)


def line_spread(fits: Sequence[LineFit]) -> LineSpread | None:
    """Compare the lines over the node counts that most bounds allow.

    A bound that allows fewer nodes has a line over fewer counts, which differs for that alone;
    of ranges that are equally frequent the widest counts. ``None`` with fewer than two lines.

    References
    ----------
    Thesis, section 4.4.3: slope and intercept "nearly constant" ("less than 2% difference across
    6 different system power bounds ranging from 2500W to 6500 W").

    Examples
    --------
    >>> fits = [LineFit(w, 8, 32, slope, 10.0, 0.1, 4) for w, slope in ((3e3, -1.9), (4e3, -2.1))]
    >>> found = line_spread([*fits, LineFit(2e3, 8, 10, 0.5, 3.0, 0.0, 2)])
    >>> found.lines, round(found.slope, 6), found.intercept
    (2, 0.1, 0.0)
    """
    ends = Counter((fit.from_nodes, fit.to_nodes) for fit in fits)
    chosen = max(ends, key=lambda pair: (ends[pair], pair[1] - pair[0]), default=None)
    same = [fit for fit in fits if (fit.from_nodes, fit.to_nodes) == chosen]
    if len(same) < 2:
        return None
    slopes = np.array([fit.slope_s_per_node for fit in same])
    intercepts = np.array([fit.intercept_s for fit in same])
    return LineSpread(
        min(fit.bound_w for fit in same),
        max(fit.bound_w for fit in same),
        same[0].from_nodes,
        same[0].to_nodes,
        len(same),
        _range_over_mean(slopes),
        _range_over_mean(intercepts),
        (float(slopes.min()), float(slopes.max())),
        (float(intercepts.min()), float(intercepts.max())),
    )


def _range_over_mean(values: Floats) -> float:
    mean = abs(float(values.mean()))
    return float(np.ptp(values)) / mean if mean else float("inf")
