"""Every combination of packages, one for each lot, rated and checked like the plan.

A combination takes the quantities with which it scores best within all rules; where none keeps
them, the quoted ones. Where there are very many combinations, only those are looked at that differ
from the plan in one lot. The plan, too, runs for the best score here, as all others do.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from planner.procurement.compared import Compared
from planner.procurement.heuristics import Counts
from planner.procurement.layout import Layout
from planner.procurement.optimise import Optimiser
from planner.procurement.package_heuristics import with_package
from planner.procurement.plan import Plan
from planner.procurement.problem import PackageOffer, Problem
from planner.procurement.program import Program

MOST = 100
"""Combinations that are all looked at."""

Choice = tuple[int, ...]
"""Indices of packages, in the order of the problem."""
Judge = Callable[[Sequence[int]], Compared]
"""Rates and checks nodes per slot."""


@dataclass(frozen=True)
class Combination:
    """Packages that are bought together.

    Attributes
    ----------
    packages
        Indices of the packages in the problem.
    is_plan
        Whether it is what the plan buys.
    compared
        Its best plan, and the rules that this breaks.
    """

    packages: Choice
    is_plan: bool
    compared: Compared

    @property
    def plan(self) -> Plan:
        """What is bought, and what it does."""
        return self.compared.plan

    @property
    def allowed(self) -> bool:
        """Whether it breaks no rule."""
        return not self.compared.wrong


def combinations(optimiser: Optimiser, plan: Plan, judge: Judge) -> tuple[Combination, ...]:
    """Every combination: first the plan's, then those that break no rule, the best first."""
    problem = optimiser.problem
    mine = tuple(sorted(plan.bill.packages))
    found = [
        Combination(choice, is_plan=False, compared=_best(optimiser, choice, judge))
        for choice in _choices(problem, mine)
        if choice != mine
    ]
    found.sort(key=lambda each: (not each.allowed, -each.plan.score, each.plan.bill.capital))
    return (Combination(mine, is_plan=True, compared=judge(plan.nodes)), *found)


def _choices(problem: Problem, mine: Choice) -> Iterator[Choice]:
    """At most one package of each group, and one of each lot that must have one."""
    lots = [
        [number for number, offer in enumerate(problem.packages) if offer.lot == lot]
        for lot in range(len(problem.lots))
    ]
    every: list[list[int | None]] = [
        [*numbers, *([None] if lot.optional else [])]
        for lot, numbers in zip(problem.lots, lots, strict=True)
    ]
    few = how_many(problem) <= MOST
    for chosen in itertools.product(*every) if few else _neighbours(every, lots, mine):
        choice = tuple(sorted(number for number in chosen if number is not None))
        groups = [group for n in choice if (group := problem.packages[n].package.group)]
        if choice and len(groups) == len({*groups}):
            yield choice


def how_many(problem: Problem) -> int:
    """Choices of one package for each lot, or of none for optional ones."""
    sizes = Counter(offer.lot for offer in problem.packages)
    return math.prod(sizes[at] + lot.optional for at, lot in enumerate(problem.lots))


def _neighbours(
    every: Sequence[Sequence[int | None]], lots: Sequence[Sequence[int]], mine: Choice
) -> Iterator[tuple[int | None, ...]]:
    """Choices that differ from the plan's in one lot."""
    bought = [next((n for n in numbers if n in mine), None) for numbers in lots]
    for lot, numbers in enumerate(every):
        for number in numbers:
            yield (*bought[:lot], number, *bought[lot + 1 :])


def _best(optimiser: Optimiser, choice: Choice, judge: Judge) -> Compared:
    """The best quantities within all rules; the quoted ones if none keep them."""
    problem, lay = optimiser.problem, optimiser.layout
    chosen = [problem.packages[number] for number in choice]
    if problem.free_offers or not all(_is_fixed(problem, offer) for offer in chosen):

        def fix(program: Program) -> None:
            for number, offer in enumerate(problem.packages):
                held = float(number in choice)
                column = int(program.columns.nodes[lay.slot_of(offer.carrier)])
                program.row(f"chosen_{number}", [(column, 1.0)], lower=held, upper=held)

        plan = optimiser.solve(extend=fix, method="combination").plan
        if plan is not None:
            return judge(plan.nodes)
    return judge(_quoted(problem, lay, chosen))


def _is_fixed(problem: Problem, offer: PackageOffer) -> bool:
    """Whether a package is sold in one size only."""
    return all(problem.offers[index].least == problem.offers[index].most for index in offer.nodes)


def sold_in_fixed_sizes(problem: Problem, packages: Iterable[int]) -> bool:
    """Whether these packages are sold in one size each, and nothing is sold besides packages."""
    return not problem.free_offers and all(
        _is_fixed(problem, problem.packages[number]) for number in packages
    )


def _quoted(problem: Problem, lay: Layout, chosen: Sequence[PackageOffer]) -> Counts:
    nodes: Counts = [0] * lay.slots
    for offer in chosen:
        nodes = with_package(problem, lay, nodes, offer)
    return nodes
