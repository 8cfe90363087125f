"""The least changes of rules, other than resources, that make a plan."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from planner.procurement.checker import violations
from planner.procurement.columns import Goal
from planner.procurement.optimise import Optimiser
from planner.procurement.plan import Plan
from planner.procurement.problem import Problem
from planner.procurement.relaxations import Relaxation
from planner.procurement.repairs import REPAIRED_GAP, Repair, cheapest_of_all, finite
from planner.procurement.rules import EVERY_THROUGHPUT, QUANTITIES, STOCK, THROUGHPUT
from solvers import Status


@dataclass(frozen=True)
class Changed:
    """A rule that gives way, by the least step that makes a plan.

    Attributes
    ----------
    rule, subject
        Which rule, and what it is about.
    value
        That suffices, as printed.
    words
        The change in words.
    least
        Whether the next milder value was proved not to suffice.
    """

    rule: str
    subject: str
    value: Any
    words: str
    least: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        value = self.value if isinstance(self.value, int | float) else str(self.value)
        return {
            "rule": self.rule,
            "subject": self.subject,
            "value": value,
            "least": self.least,
        }


@dataclass(frozen=True)
class Way:
    """Changes of rules, and growth of resources, that together make a plan.

    Attributes
    ----------
    changes
        Each needed: with any of them a step milder there is no plan.
    grown
        What resources need besides; ``None`` where nothing.
    plan
        The best plan that they allow.
    """

    changes: tuple[Changed, ...]
    grown: Repair | None
    plan: Plan

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "changes": [change.to_dict() for change in self.changes],
            "grown": [] if self.grown is None else self.grown.to_dict()["added"],
            "plan": self.plan.to_dict(),
        }


def single_ways(
    optimiser: Optimiser, choice: Sequence[Relaxation], clashing: Collection[str]
) -> tuple[Way, ...]:
    """Every rule that alone makes a plan by giving way, with its least step.

    Parameters
    ----------
    clashing
        An irreducible set of clashing rules: no rule outside of it makes a plan alone.
    """
    tried = [relaxation for relaxation in choice if relaxation.rule in clashing]
    ways = [way for relaxation in tried if (way := _way(optimiser, relaxation)) is not None]
    throughputs = [rule for rule in clashing if rule.startswith(THROUGHPUT)]
    if throughputs and not any(way.changes[0].rule.startswith(THROUGHPUT) for way in ways):
        joint = [relaxation for relaxation in choice if relaxation.rule == EVERY_THROUGHPUT]
        ways += [way for relaxation in joint if (way := _way(optimiser, relaxation)) is not None]
    return tuple(ways)


def combined_way(
    optimiser: Optimiser, choice: Sequence[Relaxation], unit_prices: Mapping[str, float]
) -> Way | None:
    """Changes of several rules that together make a plan, none of them farther than needed.

    Rules go back to what they were one after the other: quantities of quotes first, then
    requirements and policies, then what excludes quotes. What cannot go back stays at its least
    step. Resources grow only where no change of rules is enough.
    """
    problem = optimiser.problem
    choice = [relaxation for relaxation in choice if relaxation.rule != EVERY_THROUGHPUT]
    choice.sort(key=lambda relaxation: relaxation.rule not in {STOCK, QUANTITIES})
    names = finite(problem)
    chosen_index = {index: len(relaxation.values) - 1 for index, relaxation in enumerate(choice)}
    free = problem.limited(**{name: _MANY * getattr(problem.limits, name) for name in names})
    start = problem if _plan(optimiser, _applied(problem, choice, chosen_index)) else free
    if start is free and _plan(optimiser, _applied(free, choice, chosen_index)) is None:
        return None
    changes = []
    for index, relaxation in enumerate(choice):
        fixed = {other: value for other, value in chosen_index.items() if other != index}
        base = _applied(start, choice, fixed)
        if _plan(optimiser, base) is not None:
            del chosen_index[index]
            continue
        mildest = _mildest(
            optimiser,
            relaxation,
            lambda value, b=base, e=relaxation: e.at(b, value),  # type: ignore[misc]
        )
        if mildest is None:
            return None
        chosen_index[index] = mildest[0]
        changes.append(_changed(relaxation, mildest[0], least=mildest[2]))
    last = _applied(problem, choice, chosen_index)
    if start is problem:
        plan = _plan(optimiser, last)
        return None if plan is None else Way(tuple(changes), None, _best(optimiser, last, plan))
    grower = Optimiser(last, optimiser.options, optimiser.pool, optimiser.ledger)
    grown = cheapest_of_all(grower, unit_prices)
    grower.close()
    return None if grown is None else Way(tuple(changes), grown, grown.plan)


_MANY = 1e4


def _applied(
    problem: Problem, choice: Sequence[Relaxation], chosen_index: Mapping[int, int]
) -> Problem:
    for position, index in chosen_index.items():
        problem = choice[position].at(problem, choice[position].values[index])
    return problem


def _way(optimiser: Optimiser, relaxation: Relaxation) -> Way | None:
    mildest = _mildest(optimiser, relaxation, lambda value: relaxation.at(optimiser.problem, value))
    if mildest is None:
        return None
    index, plan, is_least = mildest
    changed = relaxation.at(optimiser.problem, relaxation.values[index])
    return Way(
        (_changed(relaxation, index, least=is_least),), None, _best(optimiser, changed, plan)
    )


def _changed(relaxation: Relaxation, index: int, *, least: bool) -> Changed:
    value = relaxation.values[index]
    return Changed(relaxation.rule, relaxation.subject, value, relaxation.words(value), least)


def _mildest(
    optimiser: Optimiser, relaxation: Relaxation, at: Callable[[Any], Problem]
) -> tuple[int, Plan, bool] | None:
    """Index of the mildest value with a plan, the plan, and whether milder ones have none."""
    low, high = 0, len(relaxation.values) - 1
    plan = _plan(optimiser, at(relaxation.values[high]))
    if plan is None:
        return None
    refuted = {-1}  # position before the mildest change: the unchanged rule
    while low < high:
        middle = (low + high) // 2
        result, status = _tried(optimiser, at(relaxation.values[middle]))
        if result is not None:
            high, plan = middle, result
            continue
        low = middle + 1
        if status is Status.INFEASIBLE:
            refuted.add(middle)
    return high, plan, high - 1 in refuted


def _plan(optimiser: Optimiser, problem: Problem) -> Plan | None:
    return _tried(optimiser, problem)[0]


def _tried(optimiser: Optimiser, problem: Problem) -> tuple[Plan | None, Status]:
    """A plan of a problem that keeps every rule, if one is found."""
    trial = Optimiser(problem, optimiser.options, optimiser.pool, optimiser.ledger)
    outcome = trial.solve(Goal.GIVEN, method="repair")
    trial.close()
    if outcome.plan is None or violations(problem, outcome.plan):
        return None, outcome.status
    return outcome.plan, outcome.status


def _best(optimiser: Optimiser, problem: Problem, plan: Plan) -> Plan:
    trial = Optimiser(problem, optimiser.options, optimiser.pool, optimiser.ledger)
    outcome = trial.variant(problem, gap=REPAIRED_GAP).solve(incumbent=plan, method="repair")
    trial.close()
    return outcome.plan or plan
