"""The best configurations at the requested bound, at a lower and a higher one, and without one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from planner.configurations.degree import NodeCurve, node_curve
from planner.configurations.provisioning import Canonical, NodeMaximum, WorstCase, canonical
from planner.configurations.provisioning import worst_case as provisioned
from planner.configurations.selection import Bound, best
from planner.configurations.table import Configuration, ConfigurationTable

_LOWER, _HIGHER = Fraction(5, 7), Fraction(9, 7)
"""Ratios of neighbouring bounds: 2,500 W and 4,500 W for 3,500 W, as in the thesis."""


@dataclass(frozen=True, eq=False)
class AtNeighbour:
    """The best configuration and the rules of thumb at one bound.

    Attributes
    ----------
    bound_w
        The bound [W]; ``None``: no bound.
    requested
        Whether this is the bound that was asked for.
    best, canonical, worst_case, node_curve
        As in the answer; without a bound there is no worst case.
    """

    bound_w: float | None
    requested: bool
    best: Configuration
    canonical: tuple[Canonical, ...]
    worst_case: WorstCase | None
    node_curve: NodeCurve

    def relative(self, other: Configuration | None) -> float | None:
        """Return the performance relative to the best, at most 1 (best time over this time)."""
        return None if other is None else self.best.time_s / other.time_s


def neighbours(
    table: ConfigurationTable, bound: Bound, node: NodeMaximum, round_bounds_w: Sequence[float]
) -> tuple[AtNeighbour, ...]:
    """The bounds of a table like the thesis's Figure 3.5, ascending, the last without a bound.

    The table lists the requested bound and the round bounds nearest to 5/7 and 9/7 of it. A round
    bound is listed only if it allows some configurations and excludes others.

    References
    ----------
    Thesis, Figures 3.5 (2,500 W, 3,500 W, unlimited), 4.1 and 4.2 (3,500 W and 4,500 W).
    """
    largest_w = float(table.charged_w.max())
    bounds = {bound.bound_w}
    for factor in (_LOWER, _HIGHER):
        target_w = float(factor) * bound.bound_w
        near = min(round_bounds_w, key=lambda bound_w: abs(bound_w - target_w), default=None)
        if (
            near is not None
            and table.charged_w.min() <= Bound(near, bound.guard).usable_w < largest_w
        ):
            bounds.add(near)
    answers = [_at(table, Bound(bound_w, bound.guard), node, bound) for bound_w in sorted(bounds)]
    free = Bound(largest_w)
    grown = canonical(table, free)
    curve = node_curve(table, free)
    unbound = AtNeighbour(None, False, best(table, free), grown, None, curve)  # noqa: FBT003
    return (*answers, unbound)


def _at(
    table: ConfigurationTable, bound: Bound, node: NodeMaximum, requested: Bound
) -> AtNeighbour:
    return AtNeighbour(
        bound.bound_w,
        bound.bound_w == requested.bound_w,
        best(table, bound),
        canonical(table, bound),
        provisioned(table, bound, node),
        node_curve(table, bound),
    )
