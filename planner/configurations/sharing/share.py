"""Share nodes and watts among jobs: one function for every goal and method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, get_args

from planner import formulations
from planner.configurations.sharing.equal_shares import EQUAL_SHARES, equal_shares
from planner.configurations.sharing.optimum import Solve, makespan, weighted_time
from planner.configurations.sharing.own import SharingHeuristic, plan_by
from planner.configurations.sharing.problem import Goal, SharingPlan, SharingProblem, violations
from planner.errors import InputError, PlanError
from planner.finding import Finding, cell, finding
from planner.parts import name_of, refuse_namesakes

_ROUNDING = 1e-12
"""Values are sums of floats, bounds exact: nearer than this they are the same."""
REFERENCES = {"reference": "cbc", "reference-highs": "highs"}
"""The readable PuLP model as a method, with its solver."""
RULES = ("greedy", EQUAL_SHARES)
"""Methods without a certificate, shown next to a method with one."""


def share(
    problem: SharingProblem,
    *,
    goal: Goal = "weighted time",
    method: str = "lagrangian",
    gap: float = 1e-6,
    time_limit_s: float | None = None,
    seed: int = 0,
) -> SharingPlan:
    """Choose a configuration for every job.

    Parameters
    ----------
    goal
        What is minimised.
    method
        ``"equal shares"``: each job its best within an equal part of watts and nodes.
        ``"greedy"``: from the lightest configurations on, what saves most time per watt and node.
        ``"lagrangian"``, ``"highs"``, ``"cbc"``, ``"both"``: as in
        :func:`solvers.choice.solve_choice`.
        ``"reference"``, ``"reference-highs"``: :mod:`planner.formulations.sharing` by CBC or HiGHS.
    gap, time_limit_s, seed
        The same.

    Raises
    ------
    PlanError
        No choice keeps to the watts and the nodes; says by how much.
    InputError
        An unknown goal or method.
    """
    if goal not in get_args(Goal):
        raise InputError(f"unknown goal {goal!r}; choose one of {', '.join(get_args(Goal))}")
    if method == EQUAL_SHARES:
        return equal_shares(problem, goal)
    if method in REFERENCES:
        return formulations.sharing.share(
            problem,
            goal=goal,
            solver=REFERENCES[method],
            gap=gap,
            time_limit_s=time_limit_s,
            seed=seed,
        )
    solve = Solve(method, gap, time_limit_s, seed)
    return makespan(problem, solve) if goal == "makespan" else weighted_time(problem, solve)


@dataclass(frozen=True, eq=False)
class Shared:
    """A plan with the rules of thumb that it is compared with.

    Attributes
    ----------
    plan
        Plan of the method that was asked for.
    rules
        Plans of the rules of thumb, by method.
    refused
        What is stated of a rule that gave none, by method.
    """

    plan: SharingPlan
    rules: dict[str, SharingPlan]
    refused: dict[str, Finding]

    @property
    def bound(self) -> float | None:
        """Return the best lower bound of all methods: no plan has less."""
        plans = (self.plan, *self.rules.values())
        bounds = [plan.certificate.bound for plan in plans if plan.certificate is not None]
        return max((bound for bound in bounds if bound is not None), default=None)

    def above_bound(self, plan: SharingPlan) -> float | None:
        """Return how far a plan lies above the best bound, as a share of the bound.

        ``None`` without a bound, or with one that is not above 0.
        """
        if self.bound is None or self.bound <= 0:
            return None
        above = plan.value / self.bound - 1
        return above if above > _ROUNDING else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "bound": self.bound,
            "plan": self.plan.to_dict(),
            "rules": {name: rule.to_dict() for name, rule in self.rules.items()},
            "refused": {name: cell(why) for name, why in self.refused.items()},
        }


def share_and_compare(
    problem: SharingProblem,
    *,
    goal: Goal = "weighted time",
    method: str = "lagrangian",
    gap: float = 1e-6,
    time_limit_s: float | None = None,
    seed: int = 0,
    heuristics: Sequence[SharingHeuristic] = (),
) -> Shared:
    """Share by one method and by the rules of thumb; every plan is checked.

    ``heuristics`` of the user's own follow the rules of thumb.

    Raises
    ------
    PlanError, InputError
        As :func:`share`.
    """
    ask = partial(share, problem, goal=goal, gap=gap, time_limit_s=time_limit_s, seed=seed)
    plan = ask(method=method)
    others: list[tuple[str, Callable[[], SharingPlan]]] = [
        (rule, partial(ask, method=rule)) for rule in RULES if rule != method
    ]
    others += [(name_of(own), partial(plan_by, own, problem, goal)) for own in heuristics]
    refuse_namesakes([method, *(name for name, _ in others)], "method")
    rules, refused = {}, {}
    for name, find in others:
        try:
            rules[name] = find()
        except InputError:
            raise
        except PlanError as error:
            refused[name] = _refusal(name, error)
    for checked in (plan, *rules.values()):
        broken = violations(checked)
        if broken:
            raise PlanError(f"the plan by {checked.method} is wrong: {'; '.join(broken)}")
    return Shared(plan, rules, refused)


def _refusal(name: str, error: PlanError) -> Finding:
    """Why there is no plan by a method; what a user's own one says is passed on."""
    why = error.stated if name in RULES else None
    if why is None:
        why = finding("risk", "no-plan", why=(str(error), "message"))
    values, units = {"rule": name, **why.values}, {"rule": "exact", **why.units}
    return replace(why, values=values, units=units)
