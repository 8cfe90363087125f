"""Bound by prices, choice by combination: closes the gap without an integer solver where it can."""

from __future__ import annotations

import time
from decimal import Decimal

import numpy as np

from solvers.choice.combine import Changes, Found, combine
from solvers.choice.dominance import Filtered
from solvers.choice.dual import solve_dual
from solvers.choice.exact import (
    lagrangian_bound,
    short_multipliers,
    verified_bound,
    without_rounding,
)
from solvers.choice.feasibility import show_clash
from solvers.choice.greedy import greedy, repair
from solvers.choice.kinds import kinds_of, solve_kinds
from solvers.choice.lattice import Lattice, lattice
from solvers.choice.outcome import Evidence
from solvers.choice.problem import Choice
from solvers.choice.relaxed import Base, base, rebased
from solvers.choice.request import Request
from solvers.choice.residual import solve_residual
from solvers.choice.samples import balanced, cheap_and_best, cheapest_changes
from solvers.model.milp import Indices
from solvers.model.note import note
from solvers.model.result import Stop
from solvers.portable import log

_GRAINS = 10_000
_FIRST_CHANGES = 24
_LONGEST = {True: 1 << 20, False: 1 << 17}  # of a list, for up to two resources and for more
_SAMPLES = 24
_SAMPLED_TIES = (26, 34)  # classes changed, at first and at most
_SHARE = 0.9  # of the time that is left


def lagrangian(evidence: Evidence, remaining: Filtered, request: Request) -> None:
    """Dual, base, combinations; what remains goes to an integer solver."""
    search = begin(evidence, remaining, request)
    if search is None:
        return
    search.offer(search.start.chosen)
    if not search.done() and (kinds := kinds_of(remaining)) is not None:
        solve_kinds(evidence, remaining, kinds, request)
    if not search.done():
        repaired = search.start.chosen.copy()
        if len(remaining.budgets) > 2 and repair(
            remaining.starts, remaining.weights, remaining.budgets, search.start.regret, repaired
        ):
            search.offer(repaired)
        search.widen()
        search.sample()
    if not search.done() and (result := greedy(remaining)) is not None:
        search.offer(result)
    if not search.done():
        solve_residual(evidence, remaining, search.start, search.least, request)
    if request.late() and not evidence.closed(request.gap):
        evidence.stop = Stop.TIME


def greedy_with_bound(evidence: Evidence, remaining: Filtered, request: Request) -> None:
    """Run the heuristic, and compute the Lagrangian bound to compare it with."""
    search = begin(evidence, remaining, request)
    if search is not None and (result := greedy(remaining)) is not None:
        search.offer(result)


def begin(evidence: Evidence, remaining: Filtered, request: Request) -> Search | None:
    """Maximise the dual and recompute its bound; ``None`` if it shows that nothing fits."""
    dual = solve_dual(remaining)
    multipliers = np.zeros(len(evidence.problem.budgets))
    multipliers[remaining.resource] = dual.multipliers
    multipliers = short_multipliers(multipliers)
    if dual.short and show_clash(evidence, multipliers):
        return None
    evidence.multipliers = multipliers
    bound = lagrangian_bound if request.exact else verified_bound
    least = bound(evidence.problem, multipliers, remaining.reachable(evidence.problem))
    size = abs(float(least)) or _largest_cost(evidence.problem) or 1.0
    grain = request.gap * size / _GRAINS
    start = base(remaining, dual, multipliers[remaining.resource], grain)
    search = Search(evidence, remaining, request, start, least, grain)
    search.raise_bound(least)
    return search


def _largest_cost(problem: Choice) -> float:
    parts = (problem.costs_between(first, last) for first, last in problem.chunks())
    return max((float(np.abs(costs).max()) for costs in parts), default=0.0)


class Search:
    """The evidence so far, and the state of the search for more.

    Attributes
    ----------
    least
        ``L`` at the multipliers of the base.
    step
        Lattice of the objective, to which bounds are raised.
    count
        How many of the cheapest changes the next round combines; where widening has ended, those of
        the round that was the last or would have been too long.
    """

    def __init__(
        self,
        evidence: Evidence,
        remaining: Filtered,
        request: Request,
        start: Base,
        least: Decimal,
        grain: float,
    ) -> None:
        self.evidence, self.left, self.request = evidence, remaining, request
        self.start, self.least, self.grain = start, least, grain
        self.step: Lattice | None = lattice(remaining.starts, remaining.cost)
        self.rng = np.random.default_rng(request.seed)
        self.longest = _LONGEST[len(remaining.budgets) <= 2]
        self.sample_longest = self.longest // 4
        self.count = _FIRST_CHANGES
        self.pool = Changes(np.empty(0, dtype=np.int64), np.empty(0), 0.0)

    def done(self) -> bool:
        """Whether there is nothing left to search for, or no time."""
        closed = self.evidence.closed(self.request.gap)
        return closed or self.evidence.infeasible or self.request.late()

    def offer(self, chosen: Indices) -> None:
        """Take a choice of items left, if it is feasible and better."""
        self.evidence.offer(self.left.item[chosen])

    def raise_bound(self, bound: Decimal) -> None:
        """Take a bound, raised to a value that the objective can have."""
        if self.step is not None and bound.is_finite():
            bound = self.step.ceil(bound)
        self.evidence.raise_bound(bound, exact=self.request.exact)

    def gap(self) -> float:
        """Distance of the best cost and the Lagrangian bound."""
        cost = self.evidence.cost
        return float("inf") if cost is None else max(0.0, float(cost - self.least))

    def cutoff(self) -> Decimal | None:
        """Cost beyond that of the base which a choice must stay below."""
        cost = self.evidence.cost
        return None if cost is None else cost - self.start.cost

    def widen(self) -> None:
        """Combine ever more of the cheapest changes, until all are in or lists grow too long."""
        while not self.done():
            if self.count > len(self.pool.item) and self.pool.reach < np.inf:
                listed = max(512, 8 * self.count)
                self.pool = cheapest_changes(self.left, self.start, listed, self.rng)
            if self._ties(self.pool) and self._too_many(self.pool):
                return
            changes = self.pool.first(self.count)
            result = combine(self.left, self.start, changes, self.longest, self.cutoff())
            if result is None:
                return
            self._learn(result)
            if result.reach == np.inf:
                return
            self.count = int(self.count * (1.3 if result.length > 5000 else 2.0)) + 1

    def _ties(self, changes: Changes) -> bool:
        """Whether no change is any dearer than another, so that no list is cut short."""
        return len(changes.item) == 0 or bool(changes.regret[-1] <= self.grain)

    def _too_many(self, changes: Changes) -> bool:
        """Whether half of the classes has more states than a list, if none is cut short."""
        group = np.searchsorted(self.left.starts, changes.item, side="right") - 1
        doublings = log(1.0 + np.bincount(group)).sum() / 2
        return bool(doublings > log(float(self.longest)))

    def _learn(self, result: Found) -> None:
        """Every choice is a combination of the round, or has a regret of at least its reach."""
        self.evidence.nodes += result.length
        if result.chosen is not None:
            self.offer(result.chosen)
        complete = result.reach == np.inf
        with without_rounding():
            # Outside this round a choice costs at least L + reach, inside it at least its least.
            reach = Decimal("Infinity") if complete else self.least + Decimal(result.reach)
            if result.least is not None:
                reach = min(reach, self.start.cost + result.least)
        if reach.is_finite():
            self.raise_bound(reach)
        else:
            self.evidence.infeasible, self.evidence.exact_bound = True, self.request.exact
            self.evidence.notes.append(note("none-fits"))

    def sample(self) -> None:
        """Combine samples of cheap changes, until it is time for something else."""
        middle = None
        if (remaining := self.request.remaining_s()) is not None:
            middle = time.perf_counter() + _SHARE * remaining
        tried, size = 0, float(self.count)
        while not self.done():
            tried += 1
            if (middle is None and tried > _SAMPLES) or (middle and time.perf_counter() > middle):
                return
            if self._ties(self.pool.first(self.count)):
                self._sample_ties(tried)
                continue
            best = self.evidence.chosen
            if best is not None:
                best = np.searchsorted(self.left.item, best)
            sampled = cheap_and_best(self.start, self.pool, best, self.gap(), self.rng, int(size))
            result = combine(self.left, self.start, sampled, self.sample_longest, self.cutoff())
            if result is None:
                size = max(4.0, 0.93 * size)
                tried -= 1
                continue
            if result.length < self.sample_longest // 2:
                size *= 1.03
            if result.chosen is not None:
                self.offer(result.chosen)

    def _sample_ties(self, tried: int) -> None:
        """One round around the best choice; early ones have four times as many pairs in turn."""
        around = self.start
        if self.evidence.chosen is not None:
            chosen = np.searchsorted(self.left.item, self.evidence.chosen)
            around = rebased(self.left, self.start, chosen)
        first, most = _SAMPLED_TIES
        most = min(first + 2 * (tried - 1), most)
        sampled = balanced(self.left, around, self.gap(), self.rng, most)
        cutoff = None if self.evidence.cost is None else self.evidence.cost - around.cost
        result = combine(self.left, around, sampled, self.longest, cutoff)
        if result is not None and result.chosen is not None:
            self.offer(result.chosen)
