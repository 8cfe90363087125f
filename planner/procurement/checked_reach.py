"""What is stated of a machine that misses requirements, derived anew: for the checker alone.

As in the checker, nothing is shared with what makes plans: rows are written out from the problem's
figures and handed to scipy, all modes included. The smallest number of missed requirements comes
from the other side: the least sum of missed shares bounds it, and where that leaves it open, sets
of requirements that clash are collected until the fewest that touch every set leave requirements
which all hold at once.

References
----------
J. Davies and F. Bacchus, Solving MAXSAT by solving a sequence of simpler SAT instances, CP 2011:
implicit hitting sets, here with linear programs for the satisfiability test.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.procurement.checked_site import Site
from planner.procurement.problem import HOURS_PER_YEAR, Problem

if TYPE_CHECKING:
    from planner.procurement.plan import Plan
    from planner.procurement.reach import Reach

TOLERANCE = 1e-6
"""Relative: allocations come from floating point."""

_MOST_STEPS, _MOST_CLASHES = 100_000, 30
"""Branches and clashes after which the search stops; the program's result is then accepted."""

Place = tuple[int, int]
"""Rating and workload."""


def reach_faults(problem: Problem, plan: Plan, reach: Reach) -> list[str]:
    """Everything that is stated wrongly of what a machine reaches; empty where it is sound."""
    machine = Reaching(Site(problem, plan))
    stated = {
        (requirement.demand, requirement.workload): requirement
        for requirement in reach.requirements
    }
    faults = [] if tuple(machine.waived) == reach.waived else [f"waived limits: {reach.waived}"]
    for key in machine.mandatory():
        rating, workload = key
        names = problem.rating_names[rating], problem.workloads[workload]
        reported = stated.get(names)
        if reported is None:
            faults.append(f"no word of {names[1]} in demand {names[0]}")
            continue
        alone = machine.alone(key)
        if not math.isclose(reported.alone or 0.0, alone, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
            faults.append(f"{names[1]} reaches {alone:.9g} alone, not {reported.alone}")
        minimum, together = float(problem.least_work[key]), machine.done(plan, key)
        if not math.isclose(
            reported.together or 0.0, together, rel_tol=TOLERANCE, abs_tol=TOLERANCE
        ):
            faults.append(f"{names[1]} reaches {together:.9g} together, not {reported.together}")
        if reported.missed != (together < minimum * (1 - TOLERANCE)):
            faults.append(
                f"{names[1]}: missed is {reported.missed} at {together:.9g} of {minimum:.9g}"
            )
    missed = sum(requirement.missed for requirement in reach.requirements if requirement.demand)
    fewest = machine.fewest_missed(plan)
    if fewest is not None and missed != fewest:
        faults.append(f"{missed} requirements are missed where {fewest} need to be")
    return [*faults, *_times(problem, plan, reach)]


def _times(problem: Problem, plan: Plan, reach: Reach) -> Iterator[str]:
    """Times to solution: the fastest of all partitions that the machine holds."""
    stated = {
        requirement.workload: requirement
        for requirement in reach.requirements
        if not requirement.demand
    }
    for capability, pick in zip(problem.capabilities, plan.partitions, strict=True):
        reported, time_s = stated.get(capability.name), None if pick is None else pick.time_s
        if reported is None:
            if time_s is None or time_s > capability.largest_time_s:
                yield f"no word of {capability.name}"
        elif reported.alone != time_s or reported.missed != (
            time_s is None or time_s > capability.largest_time_s
        ):
            yield f"{capability.name}: {reported.alone} s stated, {time_s} s planned"


@dataclass
class Reaching:
    """What a machine can do, from the figures of the problem and of the purchase alone."""

    site: Site
    waived: list[str] = field(default_factory=list)
    spare_w: list[float] = field(default_factory=list)
    spare_energy_w: float = math.inf

    def __post_init__(self) -> None:
        limits = self.site.problem.limits
        names = ("it_power_w", "liquid_w", "air_w")
        for name, provisioned_w in zip(names, self.site.provisioned_w(), strict=True):
            bound = getattr(limits, name)
            over = float(provisioned_w) - bound
            if over > 1e-9 * bound:
                self.waived.append(name)
            self.spare_w.append(math.inf if over > 1e-9 * bound else max(0.0, -over))
        prices = self.site.problem.prices
        if limits.operating < math.inf:
            per_w = self._price() * prices.feed_per_it * HOURS_PER_YEAR / 1000
            yearly, always_w = float(self.site.maintenance()), float(self.site.always_w())
            remaining = limits.operating - yearly - prices.staff
            remaining -= always_w * per_w
            if remaining < -1e-9 * limits.operating:
                self.waived.append("operating")
            elif per_w > 0 and remaining < self._most_w() * per_w:
                self.spare_energy_w = max(0.0, remaining) / per_w

    def _most_w(self) -> float:
        """More than all nodes can add on average, so that more energy than that limits nothing."""
        site, problem = self.site, self.site.problem
        most_w = 0.0
        for offer, count in enumerate(site.counts):
            drawn_w = max(
                (float(problem.drawn_w[mode].max(initial=0.0)) for mode in site.modes(offer)),
                default=0.0,
            )
            most_w += count * max(0.0, drawn_w - problem.offers[offer].idle_w)
        return (1 + TOLERANCE) * problem.prices.utilisation * most_w

    def _price(self) -> float:
        prices = self.site.problem.prices
        if prices.every_price:
            return max(price for price, _ in prices.energy_prices)
        return math.fsum(price * chance for price, chance in prices.energy_prices)

    def mandatory(self) -> list[Place]:
        """Every required throughput."""
        minimum = self.site.problem.least_work
        return [(int(r), int(w)) for r, w in zip(*np.nonzero(minimum), strict=True)]

    def done(self, plan: Plan, key: Place) -> float:
        """Throughput of a workload in a plan, over the reference machine's."""
        return math.fsum(
            group.nodes * self._rate(key, group.mode)
            for group in plan.at_work[key[0]]
            if group.workload == key[1]
        )

    def _rate(self, key: Place, mode: int) -> float:
        problem = self.site.problem
        demanded = float(problem.demand[key]) * problem.reference_nodes
        return float(problem.merit[mode, key[1]]) / demanded

    def alone(self, key: Place) -> float:
        """Most throughput of one workload where all else is idle."""
        rows = _Rows(self, [key])
        gain = {column: self._rate(key, mode) for column, mode in rows.modes(key)}
        return rows.maximised(gain) or 0.0

    def hold(self, keys: Sequence[Place]) -> bool:
        """Whether all of some required throughputs hold at once."""
        if not keys:
            return True
        rows = _Rows(self, keys)
        for key in keys:
            minimum = self._least(key) * (1 - TOLERANCE / 2)
            work = {c: -self._rate(key, mode) / minimum for c, mode in rows.modes(key)}
            rows.add(work, -1.0)
        return rows.maximised({}) is not None

    def fewest_missed(self, plan: Plan) -> int | None:
        """The smallest number of requirements that must be missed; ``None`` if not found."""
        groups = [self.mandatory()]
        if self.spare_energy_w == math.inf:  # then no rating has to do with another
            every = self.mandatory()
            groups = [[p for p in every if p[0] == r] for r in dict.fromkeys(r for r, _ in every)]
        fewest = [self._fewest(group, plan) for group in groups]
        proved = [count for count in fewest if count is not None]
        return sum(proved) if len(proved) == len(fewest) else None

    def _fewest(self, every: list[Place], plan: Plan) -> int | None:
        possible = [key for key in every if self.hold([key])]
        beyond = len(every) - len(possible)
        missed = sum(self.done(plan, p) < self._least(p) * (1 - TOLERANCE) for p in every)
        if beyond + math.ceil(self._partly_missed(possible) - TOLERANCE) >= missed:
            return missed
        clashes: list[frozenset[Place]] = []
        while len(clashes) < _MOST_CLASHES:
            touched = fewest_touching(clashes)
            if touched is None:
                return None
            rest = [key for key in possible if key not in touched]
            if self.hold(rest):
                return beyond + len(touched)
            clashes.append(frozenset(self._clash(rest)))
        return None

    def _least(self, key: Place) -> float:
        return float(self.site.problem.least_work[key])

    def _partly_missed(self, keys: list[Place]) -> float:
        """The least sum of missed shares: no fewer requirements are missed as a whole."""
        if not keys:
            return 0.0
        rows = _Rows(self, keys)
        shares = {key: rows.column() for key in keys}
        for key, share in shares.items():
            rows.add({share: 1.0}, 1.0)
            minimum = self._least(key)
            work = {c: -self._rate(key, mode) / minimum for c, mode in rows.modes(key)}
            rows.add(work | {share: -1.0}, -1.0 + TOLERANCE)
        return -(rows.maximised(dict.fromkeys(shares.values(), -1.0)) or 0.0)

    def _clash(self, keys: list[Place]) -> list[Place]:
        """A set that does not hold, of which every part does: one after the other leaves."""
        remaining = list(keys)
        for key in keys:
            fewer = [member for member in remaining if member != key]
            if not self.hold(fewer):
                remaining = fewer
        return remaining


def fewest_touching(sets: Sequence[frozenset[Any]]) -> set[Any] | None:
    """The fewest members that touch every set; ``None`` where the search takes too long.

    Examples
    --------
    >>> sorted(fewest_touching([frozenset("ab"), frozenset("bc"), frozenset("d")]))
    ['b', 'd']
    """
    steps = 0

    def within(maximum: int, chosen: set[Any]) -> set[Any] | None:
        nonlocal steps
        steps += 1
        open_ = next((members for members in sets if not members & chosen), None)
        if open_ is None:
            return chosen
        if maximum == 0 or steps > _MOST_STEPS:
            return None
        for member in sorted(open_):
            result = within(maximum - 1, chosen | {member})
            if result is not None:
                return result
        return None

    for maximum in range(len(sets) + 1):
        result = within(maximum, set())
        if result is not None:
            return result
        if steps > _MOST_STEPS:
            return None
    return None


class _Rows:
    """Inequalities over nodes in use, by rating, mode and workload."""

    def __init__(self, machine: Reaching, keys: Sequence[Place]) -> None:
        self.machine, self.rows, self.bounds = machine, list[dict[int, float]](), list[float]()
        site, problem = machine.site, machine.site.problem
        usable = [m for offer, n in enumerate(site.counts) if n for m in site.modes(offer)]
        self.columns = [(r, m, w) for r, w in keys for m in usable if problem.merit[m, w] > 0]
        self.width = len(self.columns)
        for rating in {r for r, _ in keys}:
            own = {c: m for c, (r, m, _) in enumerate(self.columns) if r == rating}
            for offer, count in enumerate(site.counts):
                if count:
                    mine = [c for c, m in own.items() if problem.modes[m].offer == offer]
                    self.add(dict.fromkeys(mine, 1.0 / count), 1.0)
            if problem.regime == "overprovisioned":
                self._power(own)
        if machine.spare_energy_w < math.inf:
            self._energy()

    def _power(self, own: dict[int, int]) -> None:
        problem = self.machine.site.problem
        coolings = (("liquid", "air"), ("liquid",), ("air",))
        for spare, which in zip(self.machine.spare_w, coolings, strict=True):
            if spare < math.inf:
                steps = {}
                for column, mode in own.items():
                    offer = problem.offers[problem.modes[mode].offer]
                    if offer.cooling in which:
                        steps[column] = (problem.modes[mode].node_w - offer.idle_w) / 1000
                self.add(steps, spare / 1000)

    def _energy(self) -> None:
        problem = self.machine.site.problem
        consumed_w = {}
        for column, (rating, mode, workload) in enumerate(self.columns):
            idle_w = problem.offers[problem.modes[mode].offer].idle_w
            more_w = float(problem.drawn_w[mode, workload]) - idle_w
            share = float(problem.energy_weight[rating]) * problem.prices.utilisation
            consumed_w[column] = share * more_w / 1000
        self.add(consumed_w, self.machine.spare_energy_w / 1000)

    def column(self) -> int:
        """One more column, of no node."""
        self.width += 1
        return self.width - 1

    def add(self, terms: dict[int, float], bound: float) -> None:
        """Append ``terms <= bound``."""
        self.rows.append(terms)
        self.bounds.append(bound)

    def modes(self, key: Place) -> list[tuple[int, int]]:
        """Columns of a workload in a rating, with their modes."""
        return [
            (column, mode)
            for column, (rating, mode, workload) in enumerate(self.columns)
            if (rating, workload) == key
        ]

    def maximised(self, gain: dict[int, float]) -> float | None:
        """The largest gain; ``None`` where the rows cannot hold."""
        from scipy.optimize import linprog
        from scipy.sparse import coo_matrix

        if not self.width:
            return 0.0 if all(bound >= 0 for bound in self.bounds) else None
        entries = [(r, c, value) for r, terms in enumerate(self.rows) for c, value in terms.items()]
        row, column, value = zip(*entries, strict=True) if entries else ((), (), ())
        matrix = coo_matrix((value, (row, column)), (len(self.rows), self.width))
        scale = max((abs(value) for value in gain.values()), default=1.0)
        cost = np.zeros(self.width)
        cost[list(gain)] = [-value / scale for value in gain.values()]
        solution = linprog(cost, matrix.tocsr(), self.bounds, method="highs")
        return -float(solution.fun) * scale if solution.status == 0 else None
