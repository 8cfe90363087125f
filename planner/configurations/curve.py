"""The best configuration at every power bound: where the winner changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.configurations.table import Configuration, ConfigurationTable
from scenarios.measurements.runs import Floats


@dataclass(frozen=True, eq=False)
class BoundCurve:
    """Best time over the power bound: a falling staircase.

    Attributes
    ----------
    application
        Whose.
    from_w
        Bounds from which each winner is allowed, ascending, shape ``(winners,)`` [W]; below the
        first there is no configuration.
    winners
        The fastest configuration from that bound to the next.
    """

    application: str
    from_w: Floats
    winners: tuple[Configuration, ...]

    def at(self, bound_w: float) -> Configuration | None:
        """Return the winner at one bound; ``None`` below the first."""
        index = int(np.searchsorted(self.from_w, bound_w, side="right"))
        return self.winners[index - 1] if index else None

    def to_dicts(self) -> list[dict[str, Any]]:
        """One row per winner, for JSON."""
        return [
            {"from_w": float(low), **winner.to_dict()}
            for low, winner in zip(self.from_w, self.winners, strict=True)
        ]


def curve(table: ConfigurationTable, guard: float = 0.0) -> BoundCurve:
    """Return the winners of all bounds: configurations that no other beats in time and power.

    With a guard band a configuration is allowed from its power over ``1 - guard`` on.

    Examples
    --------
    >>> import numpy as np
    >>> three = ConfigurationTable("a", np.array([8, 12, 16]), np.full(3, 16), np.full(3, 115.0),
    ...     np.array([14.0, 15.0, 7.0]), np.array([1600.0, 2000.0, 3200.0]))
    >>> [str(winner) for winner in curve(three).winners]
    ['(8 x 16, 115 W)', '(16 x 16, 115 W)']
    """
    charged_w = table.charged_w
    order = np.lexsort((np.arange(len(table)), table.time_s, charged_w))
    times = table.time_s[order]
    before = np.r_[np.inf, np.minimum.accumulate(times)[:-1]]
    winners = order[times < before]
    return BoundCurve(table.application, charged_w[winners] / (1 - guard), table.rows(winners))
