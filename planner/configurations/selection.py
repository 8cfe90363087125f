"""Which configurations a power bound allows, and which of them is the fastest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.configurations.table import Configuration, ConfigurationTable
from planner.errors import InputError, PlanError
from planner.finding import finding
from planner.formatting import enough, watts
from scenarios.measurements.runs import Floats, Indices

_SAME = 1e-12
"""Powers and times that differ by less than this share are the same number."""


@dataclass(frozen=True)
class Bound:
    """A power bound with its guard band.

    Attributes
    ----------
    bound_w
        What must never be exceeded [W].
    guard
        Share of it that a choice leaves free: 0 among measurements; some percent where power is
        predicted, since an error would break the bound.
    """

    bound_w: float
    guard: float = 0.0

    def __post_init__(self) -> None:
        if not 0 < self.bound_w < np.inf:
            raise InputError(f"the power bound is {self.bound_w:g} W; give one above 0")
        if not 0 <= self.guard < 1:
            raise InputError(
                f"the guard is {self.guard:.3g}; give a share of at least 0 and below 1"
            )

    @property
    def usable_w(self) -> float:
        """Return the bound less the guard band [W], rounded to the nanowatt."""
        return round(self.bound_w * (1 - self.guard), 9)

    def never_limits(self, largest_w: float) -> bool:
        """Whether even the largest power that counts against the bound keeps the guard free."""
        return largest_w < self.usable_w

    def holds(self, power_w: Floats) -> NDArray[np.bool_]:
        """Return which powers are within the bound, to twelve digits."""
        return np.asarray(power_w <= self.usable_w * (1 + _SAME))


@dataclass(frozen=True)
class NearOptimal:
    """A configuration that is nearly as fast as the best.

    ``slowdown`` is its time over the best one's, less 1; ``unused_w`` what it leaves of the bound.
    """

    configuration: Configuration
    slowdown: float
    unused_w: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = self.configuration.to_dict()
        return plain | {"slowdown": self.slowdown, "unused_w": self.unused_w}


def allowed(table: ConfigurationTable, bound: Bound) -> Indices:
    """Indices of the configurations within the bound, fastest first.

    Ties in time are broken by less power, then fewer nodes, fewer cores, and the lower cap.

    Raises
    ------
    PlanError
        No configuration is within the bound; the message names the one with the least power.

    References
    ----------
    Thesis, section 3.1: ``min t(n, c, p)`` subject to ``Pw(n, c, p) <= P_bound``.
    """
    inside = np.flatnonzero(bound.holds(table.charged_w))
    if not len(inside):
        raise _too_low(table, bound)
    order = np.lexsort((inside, table.power_w[inside], table.time_s[inside]))
    return inside[order]


def best(table: ConfigurationTable, bound: Bound) -> Configuration:
    """The fastest configuration within the bound.

    Raises
    ------
    PlanError
        There is none: names the configuration that draws least.

    Examples
    --------
    >>> import numpy as np
    >>> two = ConfigurationTable("a", np.array([8, 16]), np.array([16, 16]),
    ...     np.array([115.0, 115.0]), np.array([14.0, 7.3]), np.array([1640.0, 3230.0]))
    >>> str(best(two, Bound(3000)))
    '(8 x 16, 115 W)'
    """
    return table.row(int(allowed(table, bound)[0]))


def near_optimal(
    table: ConfigurationTable, bound: Bound, tolerance: float = 0.05
) -> tuple[NearOptimal, ...]:
    """All configurations within the bound that are nearly as fast as the best, fastest first.

    The best one is the first; the others are slower by at most ``tolerance``, a share of its time.

    Raises
    ------
    PlanError
        No configuration is within the bound.
    """
    order = allowed(table, bound)
    slowdowns = table.time_s[order] / table.time_s[order[0]] - 1
    near = slowdowns <= tolerance + _SAME
    return tuple(
        NearOptimal(row, float(slowdown), bound.bound_w - row.power_w)
        for row, slowdown in zip(table.rows(order[near]), slowdowns[near], strict=True)
    )


def violations(table: ConfigurationTable, bound: Bound, choice: Configuration) -> list[str]:
    """List what is wrong with a choice, recomputed from the table and the bound alone."""
    same = table.alike(choice)
    if not same.any():
        return [f"{choice} is not in the table of {table.application}"]
    charged = table.charged_w[same]
    if not bound.holds(charged).any():
        return [f"{choice} draws {watts(float(charged[0]))}, above {watts(bound.usable_w)}"]
    return []


def _too_low(table: ConfigurationTable, bound: Bound) -> PlanError:
    cheapest = table.row(int(np.lexsort((table.time_s, table.charged_w))[0]))
    guard = bound.guard or (table.guard if cheapest.predicted else 0.0)
    guarded = f" less a guard of {100 * guard:.3g} %" if guard else ""
    enough_w = enough(cheapest.power_w, guard)
    text = (
        f"no configuration of {table.application} fits {watts(bound.bound_w)}{guarded}: "
        f"the least power is {watts(cheapest.power_w)}, of {cheapest}. Raise the bound "
        f"to {watts(enough_w)}, or measure smaller configurations"
    )
    stated = finding(
        "risk", "too-low", application=(table.application, "text"),
        configuration=(cheapest.short, "exact"), power=(cheapest.power_w, "W in W"),
        enough=(enough_w, "W given"),
    )  # fmt: skip
    return PlanError(text, stated)
