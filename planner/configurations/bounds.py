"""The same question at many bounds: what overprovisioning gains at each, and the line at each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from planner.configurations.degree import LineFit, line_fit, node_curve
from planner.configurations.gains import ConfigurationGain, gain
from planner.configurations.provisioning import NodeMaximum, packed_max, worst_case
from planner.configurations.selection import Bound, best
from planner.configurations.table import Configuration, ConfigurationTable
from planner.errors import PlanError
from solvers.portable import order_of_ten, ten_to_the

_MOST_BOUNDS = 12


@dataclass(frozen=True)
class BestAtBound:
    """The best configuration and the baselines at one bound.

    Attributes
    ----------
    bound_w
        The bound [W].
    best
        The fastest configuration within it.
    packed_max, worst_case
        What a machine provisioned for this application, or for the ratings of its nodes, would
        run; ``None`` where even its smallest does not fit or was not measured.
    line_fit
        Line through the best time over the node count, over the same counts at every bound.
    """

    bound_w: float
    best: Configuration
    packed_max: Configuration | None
    worst_case: Configuration | None
    line_fit: LineFit | None

    @property
    def gain(self) -> ConfigurationGain | None:
        """Return the gain of the best configuration over packed-max."""
        return None if self.packed_max is None else gain(self.packed_max, self.best)

    @property
    def gain_over_worst_case(self) -> ConfigurationGain | None:
        """Return the gain of the best configuration over worst-case provisioning."""
        return None if self.worst_case is None else gain(self.worst_case, self.best)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        over, rated = self.gain, self.gain_over_worst_case
        return {
            "bound_w": self.bound_w,
            "best": self.best.to_dict(),
            "packed_max": None if self.packed_max is None else self.packed_max.to_dict(),
            "worst_case": None if self.worst_case is None else self.worst_case.to_dict(),
            "gain_over_packed_max": None if over is None else asdict(over),
            "gain_over_worst_case": None if rated is None else asdict(rated),
            "line_fit": None if self.line_fit is None else asdict(self.line_fit),
        }


def at_bounds(
    table: ConfigurationTable,
    bounds_w: Sequence[float],
    node: NodeMaximum,
    *,
    guard: float = 0.0,
    line_from: int = 0,
) -> tuple[BestAtBound, ...]:
    """Answer at each bound that some configuration keeps to.

    ``line_from`` is the smallest node count of the lines.
    """
    bounds = []
    for bound_w in bounds_w:
        bound = Bound(bound_w, guard)
        try:
            fastest = best(table, bound)
        except PlanError:
            continue
        bounds.append(
            BestAtBound(
                bound_w,
                fastest,
                packed_max(table, bound).configuration,
                worst_case(table, bound, node).configuration,
                line_fit(node_curve(table, bound), line_from),
            )
        )
    return tuple(bounds)


def round_bounds(table: ConfigurationTable) -> tuple[float, ...]:
    """Return at most twelve round bounds from the least power of the table to beyond its largest.

    Examples
    --------
    >>> import numpy as np
    >>> ends = ConfigurationTable("a", np.array([8, 32]), np.array([4, 16]),
    ...     np.array([51.0, 115.0]), np.array([30.0, 4.0]), np.array([689.0, 6290.0]))
    >>> round_bounds(ends)[:3], round_bounds(ends)[-1]
    ((1000.0, 1500.0, 2000.0), 6500.0)
    """
    low, high = float(table.power_w.min()), float(table.power_w.max())
    power = order_of_ten(high) - 2
    steps = (
        base * ten_to_the(exponent) for exponent in range(power, power + 4) for base in (1, 2, 5)
    )
    for step in steps:
        first, last = math.ceil(low / step), math.ceil(high / step)
        if last - first < _MOST_BOUNDS:
            return tuple(number * step for number in range(first, last + 1))
    return (high,)
