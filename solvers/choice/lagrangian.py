"""Bound by prices, choice by combination: closes the gap without an integer solver where it can."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from solvers.choice.bound import verified_bound
from solvers.choice.core import Changes, Found, cheapest_changes, combine, sampled_changes
from solvers.choice.dominance import Filtered
from solvers.choice.dual import solve_dual
from solvers.choice.exact import lagrangian_bound, short_multipliers
from solvers.choice.feasibility import show_clash
from solvers.choice.lattice import Lattice, lattice
from solvers.choice.outcome import Evidence
from solvers.choice.relaxed import Base, base, rebased
from solvers.result import Stop

_FIRST_CHANGES = 24
_GRAINS = 10_000
_POLISHINGS, _POLISHED = 24, 32
_LARGEST_LIST = 1 << 20


@dataclass(frozen=True)
class Request:
    """What the caller asked for: a relative gap, a moment to stop at, a seed, exact bounds."""

    gap: float
    deadline: float | None
    seed: int
    exact: bool

    def remaining_s(self) -> float | None:
        """Seconds left, or ``None`` without a limit."""
        return None if self.deadline is None else max(0.0, self.deadline - time.perf_counter())

    def late(self) -> bool:
        """Whether the time is over."""
        return self.deadline is not None and time.perf_counter() >= self.deadline


def lagrangian(evidence: Evidence, left: Filtered, request: Request) -> None:
    """Dual, base, combinations; what remains goes to local search and an integer solver."""
    dual = solve_dual(left)
    multipliers = np.zeros(len(evidence.problem.budgets))
    multipliers[left.resource] = dual.multipliers
    multipliers = short_multipliers(multipliers)
    evidence.multipliers = multipliers
    if dual.short and show_clash(evidence, multipliers):
        return
    bound = lagrangian_bound if request.exact else verified_bound
    # prices rounded to fewer digits, budgets rounded down to what can be reached
    least = bound(evidence.problem, multipliers, left.reachable(evidence.problem))
    step = lattice(left.starts, left.cost)
    evidence.raise_bound(_raised(least, step), exact=request.exact)
    grain = request.gap * max(1.0, abs(float(least))) / _GRAINS
    start = base(left, dual, multipliers[left.resource], grain)
    evidence.offer(left.item[start.chosen])
    if evidence.closed(request.gap):
        return
    if left.budgets.size >= 0:
        for found in _rounds(left, start, request):
            evidence.nodes += found.length
            if found.chosen is not None:
                evidence.offer(left.item[found.chosen])
            evidence.raise_bound(
                _raised(_proved_by(found, least, start), step), exact=request.exact
            )
            if evidence.closed(request.gap) or evidence.bound == Decimal("Infinity"):
                break
        if evidence.bound == Decimal("Infinity"):
            evidence.infeasible, evidence.bound = True, None
            evidence.notes.append("every combination of items was looked at, and none fits")
            return
        if not evidence.closed(request.gap):
            _polish(evidence, left, start, request)
    if request.late():
        evidence.stop = Stop.TIME


def _raised(bound: Decimal, step: Lattice | None) -> Decimal:
    return bound if step is None or not bound.is_finite() else step.ceil(bound)


def _proved_by(found: Found, least: Decimal, start: Base) -> Decimal:
    """Every choice is a combination of the round, or has a regret of ``reach``."""
    reach = Decimal("Infinity") if found.reach == np.inf else least + Decimal(found.reach)
    return reach if found.least is None else min(reach, start.cost + found.least)


def _rounds(left: Filtered, start: Base, request: Request) -> Iterator[Found]:
    rng = np.random.default_rng(request.seed)
    listed, changes = 0, Changes(np.empty(0, dtype=np.int64), np.empty(0), 0.0)
    count = _FIRST_CHANGES
    while not request.late():
        if count > len(changes.item) and changes.reach < np.inf:
            listed = max(512, 8 * count)
            changes = cheapest_changes(left, start, listed, rng)
        found = combine(left, start, changes.first(count), _LARGEST_LIST)
        if found is None:
            return
        yield found
        if found.reach == np.inf:
            return
        count = int(count * (1.4 if found.length > 5000 else 2.0)) + 1


def _polish(evidence: Evidence, left: Filtered, start: Base, request: Request) -> None:
    """Combine samples of cheap changes around the best choice so far."""
    rng = np.random.default_rng(request.seed)
    for _ in range(_POLISHINGS):
        if request.late() or evidence.closed(request.gap):
            return
        worst = np.inf
        if evidence.cost is not None and evidence.bound is not None:
            worst = float(evidence.cost - evidence.bound)
            start = rebased(left, start, np.searchsorted(left.item, evidence.chosen))
        changes = sampled_changes(left, start, worst, rng, _POLISHED)
        found = combine(left, start, changes, _LARGEST_LIST)
        if found is not None and found.chosen is not None:
            evidence.offer(left.item[found.chosen])
