"""Lines over the power bound: one for each policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from planner.formatting import telling
from planner.scheduling.power.headline import label
from reports.style import look

MARKERS = "osD^vP*X"
REFERENCE_LOOK = "0.35"
"""Colour of the reference policy, which is also dashed."""

_SPREAD = 0.08
"""Room of the points of all policies under a bound, as a share of the axis."""


@dataclass(frozen=True)
class BoundPoint:
    """A value under a bound, with its interval if there is one."""

    bound_w: float
    value: float
    low: float | None = None
    high: float | None = None


def draw_lines(axes: Axes, lines: Mapping[str, Sequence[BoundPoint]], reference: str) -> None:
    """Draw a line for each policy, next to each other so that points do not cover each other.

    Bounds are equally far apart. Colours follow the order of the policies, without the reference
    policy.
    """
    bounds = sorted({point.bound_w for points in lines.values() for point in points})
    others = [policy for policy in lines if policy != reference]
    for policy, points in lines.items():
        if policy == reference:
            colour, marker, style, turn = REFERENCE_LOOK, "x", "--", 0.0
        else:
            index = others.index(policy)
            colour, marker, style = look(index)[0], MARKERS[index % len(MARKERS)], "-"
            turn = index - (len(others) - 1) / 2
        shift = turn * _SPREAD * max(len(bounds) - 1, 1) / max(len(others), 1)
        at = [bounds.index(point.bound_w) + shift for point in points]
        axes.plot(at, [point.value for point in points], style, color=colour, marker=marker,
                  markersize=4.5, linewidth=1.2, label=label(policy))  # fmt: skip
        for x, point in zip(at, points, strict=True):
            if point.low is not None and point.high is not None:
                axes.vlines(x, point.low, point.high, color=colour, linewidth=1, alpha=0.6)
    axes.set_xticks(range(len(bounds)), [telling(bound / 1000, 3) for bound in bounds])
