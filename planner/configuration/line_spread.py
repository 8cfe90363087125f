"""How much the line through time over nodes depends on the power bound."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.configuration.degree import LineFit
from scenarios.measurements import Floats


@dataclass(frozen=True)
class LineSpread:
    """How much lines of different bounds differ: largest less least, over the mean's size.

    Attributes
    ----------
    from_w, to_w
        Ends of the bounds [W].
    lines
        How many.
    slope, intercept
        As shares; ``inf`` where the mean is 0.
    """

    from_w: float
    to_w: float
    lines: int
    slope: float
    intercept: float


def line_spread(fits: Sequence[LineFit], like: LineFit | None) -> LineSpread | None:
    """Compare lines over the same node counts as one of them.

    A bound that allows fewer nodes has a line over fewer counts, which differs for that alone;
    ``None`` with fewer than two that compare.

    References
    ----------
    Thesis, section 4.4.3: slope and intercept "nearly constant" ("less than 2% difference across
    6 different system power bounds ranging from 2500W to 6500 W").

    Examples
    --------
    >>> fits = [LineFit(w, 8, 32, slope, 10.0, 0.1) for w, slope in ((3e3, -1.9), (4e3, -2.1))]
    >>> found = line_spread(fits, fits[0])
    >>> found.lines, round(found.slope, 6), found.intercept
    (2, 0.1, 0.0)
    """
    if like is None:
        return None
    ends = like.from_nodes, like.to_nodes
    same = [fit for fit in fits if (fit.from_nodes, fit.to_nodes) == ends]
    if len(same) < 2:
        return None
    slopes = np.array([fit.slope_s_per_node for fit in same])
    intercepts = np.array([fit.intercept_s for fit in same])
    return LineSpread(
        min(fit.bound_w for fit in same),
        max(fit.bound_w for fit in same),
        len(same),
        _range_over_mean(slopes),
        _range_over_mean(intercepts),
    )


def _range_over_mean(values: Floats) -> float:
    mean = abs(float(values.mean()))
    return float(np.ptp(values)) / mean if mean else float("inf")
