"""Pairs of jobs that share nodes, checked and scored from the problem alone."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from planner.sharing_nodes.pairs.problem import PairingProblem


@dataclass(frozen=True, eq=False)
class CoLocationPlan:
    """A decision: which jobs share a node.

    Attributes
    ----------
    method
        Way of pairing.
    pairs
        Indices of jobs, each pair and all pairs ascending.
    """

    problem: PairingProblem
    method: str
    pairs: tuple[tuple[int, int], ...]

    @cached_property
    def alone(self) -> tuple[int, ...]:
        """Jobs that run alone."""
        paired = {job for pair in self.pairs for job in pair}
        return tuple(job for job in range(self.problem.jobs) if job not in paired)

    @cached_property
    def gains(self) -> tuple[float, ...]:
        """Gain of each pair."""
        return tuple(x + y - 1.0 for x, y in (self.problem.speeds(a, b) for a, b in self.pairs))

    @property
    def gain(self) -> float:
        """Sum of the gains."""
        return math.fsum(self.gains)

    @cached_property
    def max_slowdown(self) -> float:
        """Largest time together over time alone of any job; 1 if all run alone."""
        return max((1.0 / min(self.problem.speeds(a, b)) for a, b in self.pairs), default=1.0)

    @property
    def largest_discount(self) -> float:
        """Largest share of its time that a job loses, which a fair price would give back."""
        return max(0.0, 1.0 - 1.0 / self.max_slowdown)

    @property
    def nodes(self) -> int:
        """Nodes that the jobs take."""
        return self.problem.jobs - len(self.pairs)


def plan_of(
    problem: PairingProblem, method: str, pairs: Iterable[tuple[int, int]]
) -> CoLocationPlan:
    """A plan with its pairs in order."""
    return CoLocationPlan(problem, method, tuple(sorted((min(pair), max(pair)) for pair in pairs)))


def violations(problem: PairingProblem, plan: CoLocationPlan) -> list[str]:
    """Return the errors of a plan, found from the problem alone; empty if it has none."""
    errors = []
    seen: set[int] = set()
    for a, b in plan.pairs:
        if not (0 <= a < problem.jobs and 0 <= b < problem.jobs):
            errors.append(f"pair {a}, {b}: there are {problem.jobs} jobs")
            continue
        if a == b:
            errors.append(f"job {a} is paired with itself")
        errors += [f"job {job} is in two pairs" for job in {a, b} & seen]
        seen |= {a, b}
        if not all(math.isfinite(speed) for speed in problem.speeds(a, b)):
            errors.append(f"{problem.names[a]} with {problem.names[b]} was not measured")
        elif a != b and not problem.kind_allowed[problem.kind[a], problem.kind[b]]:
            errors.append(f"{problem.names[a]} with {problem.names[b]} breaks a limit")
    return errors
