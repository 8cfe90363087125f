"""Search among combinations of the cheapest changes, with a bound from what was left out.

A choice costs at least ``L + (sum of its regrets)``. If every combination of changes whose regrets
sum to at most ``reach`` was looked at, the optimum is the best of them or at least ``L + reach``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

import numpy as np

from solvers.choice.dominance import Filtered
from solvers.choice.exact import without_rounding
from solvers.choice.lists import Links, list_states, match, match_any
from solvers.choice.relaxed import Base
from solvers.model.milp import Floats, Indices
from solvers.portable import ten_to_the
from solvers.proofs.exact import decimal

_LARGEST_WHOLE = 10**18
_FLOAT_CARE = 1.0 - 1e-14


@dataclass(frozen=True, eq=False)
class Changes:
    """Items that a class may change to.

    Attributes
    ----------
    item
        Among the items left; those of one class ascend in regret. Shape ``(changes,)``.
    regret
        Shape ``(changes,)``, ascending over all.
    reach
        Only combinations with regrets up to this are examined. For the cheapest changes it is the
        least regret of any other change, so a choice with another change has at least this regret.
        It is infinite if there is no other change. For a sample it is only a limit, not a bound.
    """

    item: Indices
    regret: Floats
    reach: float

    def first(self, count: int) -> Changes:
        """Only the ``count`` cheapest."""
        if count >= len(self.item):
            return self
        return Changes(self.item[:count], self.regret[:count], float(self.regret[count]))


@dataclass(frozen=True, eq=False)
class Found:
    """Outcome of one round.

    Attributes
    ----------
    chosen
        The best combination (indices into the items left), or ``None`` if none fits.
    least
        A bound on the cost of all combinations of this round, beyond that of the base; ``None`` if
        none fits.
    reach
        The reach of the changes. With the cheapest changes, every choice outside the combinations
        of this round has a regret of at least this.
    length
        States in both lists.
    """

    chosen: Indices | None
    least: Decimal | None
    reach: float
    length: int


def combine(
    remaining: Filtered,
    base: Base,
    changes: Changes,
    largest_list: int,
    cutoff: Decimal | None = None,
) -> Found | None:
    """Best combination of changes; ``None`` if the lists grow beyond ``largest_list``.

    ``cutoff``: what does not cost less than this beyond the base is of no interest.
    """
    item = changes.item
    group = np.searchsorted(remaining.starts, item, side="right") - 1
    now = base.chosen[group]
    cost_places, cost, most = _whole(remaining.cost, item, now, cutoff or Decimal(0))
    resources = max(2, len(remaining.weights))
    weight = np.zeros((resources, len(item)), dtype=np.int64)
    room, prices = np.zeros(resources, dtype=np.int64), np.zeros(resources)
    for row, numbers in enumerate(remaining.weights):
        places, weight[row], room[row] = _whole(numbers, item, now, base.exact_slack[row])
        prices[row] = base.multipliers[row] * ten_to_the(cost_places - places)
    total = float(changes.regret.sum())
    reach = min(changes.reach, 2.0 * total + 1.0)
    # Sums of regrets stay below 2^60 in this unit, sums of costs and weights below 1e18: int64
    # holds them all. Regrets are rounded down, so no combination within the reach is left out.
    regret_unit = 2.0**60 / max(total + reach, 1e-290)
    regret = np.floor(changes.regret * regret_unit * _FLOAT_CARE).astype(np.int64)
    limit = int(np.floor(reach * regret_unit))
    halves = []
    for members, starts in _halves(group):
        parts = (regret[members], cost[members], np.ascontiguousarray(weight[:, members]))
        count, sums, parent, change = list_states(starts, *parts, limit, largest_list)
        if count < 0:
            return None
        halves.append((members, sums[:, :count], parent, change))
    first, second = halves[0][1], halves[1][1]
    length = first.shape[1] + second.shape[1]
    if resources == 2:
        least, a, b = match(first, second, room)
    else:
        # Without a cutoff: above the cost of every pair, and within int64.
        most = _LARGEST_WHOLE * 4 if cutoff is None else most
        unit = ten_to_the(cost_places) / regret_unit
        least, a, b = match_any(first, second, room, most, prices, unit)
    if a < 0:
        # `match_any` looks only below the cutoff: what it does not find costs at least that.
        none = None if cutoff is None or resources == 2 else cutoff
        return Found(None, none, changes.reach, length)
    chosen = base.chosen.copy()
    for (members, _, parent, change), state in zip(halves, (a, b), strict=True):
        for k in _trace(parent, change, state):
            chosen[group[members[k]]] = item[members[k]]
    return Found(chosen, Decimal(least).scaleb(-cost_places), changes.reach, length)


def _whole(
    numbers: Floats, item: Indices, now: Indices, right: Decimal
) -> tuple[int, Indices, int]:
    """Differences to the base and a right-hand side, in units of a power of ten, rounded down."""
    decimals = {value: decimal(value) for value in np.unique(numbers[np.r_[item, now]]).tolist()}
    with without_rounding():
        pairs = zip(numbers[item].tolist(), numbers[now].tolist(), strict=True)
        differences = [decimals[new] - decimals[old] for new, old in pairs]
        size = sum(map(abs, differences), abs(right)) or Decimal(1)
        # Floors on both sides: a combination that fits exactly also fits in whole numbers. The few
        # that fit in whole numbers alone are refused when they are offered.
        places = (Decimal(_LARGEST_WHOLE) / _ten_above(size)).adjusted()
        whole = [int(d.scaleb(places).to_integral_value(ROUND_FLOOR)) for d in differences]
        bound = int(right.scaleb(places).to_integral_value(ROUND_FLOOR))
    return places, np.array(whole, dtype=np.int64), bound


def _ten_above(size: Decimal) -> Decimal:
    return Decimal(1).scaleb(size.adjusted() + 1)


def _halves(group: Indices) -> Iterator[tuple[Indices, Indices]]:
    """Split the classes in two; of each half its changes by class, costly first, and the starts."""
    by_least_regret = list(dict.fromkeys(group.tolist()))
    for offset in (0, 1):
        position = {g: n for n, g in enumerate(by_least_regret[offset::2][::-1])}
        rank = np.array([position.get(g, -1) for g in group.tolist()], dtype=np.int64)
        mine = np.flatnonzero(rank >= 0)
        members = mine[np.argsort(rank[mine], kind="stable")]
        sizes = np.bincount(rank[mine], minlength=len(position))
        yield members, np.r_[0, np.cumsum(sizes)].astype(np.int64)


def _trace(parent: Links, change: Links, state: int) -> Iterator[int]:
    while state > 0:
        yield int(change[state])
        state = int(parent[state])
