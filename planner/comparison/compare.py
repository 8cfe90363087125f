"""Compare the methods of a decision on given data: one function for each kind of data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from planner.comparison import sharing
from planner.comparison.outcomes import compare_all
from planner.comparison.study import ComparisonStudy
from planner.configurations.sharing.own import Heuristic
from planner.configurations.sharing.problem import Goal, Problem
from planner.errors import InputError

MOST_SIZE = 100_000


@dataclass(frozen=True)
class Budget:
    """How long exact methods may search.

    Attributes
    ----------
    node_limit
        Branch-and-bound nodes of a solver; ``None``: 500,000.
    time_limit_s
        Wall seconds of each method; with it results may differ from run to run.
    """

    node_limit: int | None = None
    time_limit_s: float | None = None

    def limits(self) -> dict[str, Any]:
        """As the solvers take them."""
        return {"node_limit": self.node_limit, "time_limit_s": self.time_limit_s}

    def settings(self) -> dict[str, Any]:
        """As a report shows them."""
        nodes = "500,000" if self.node_limit is None else f"{self.node_limit:,}"
        time = {} if self.time_limit_s is None else {"time limit (s)": self.time_limit_s}
        return ({} if time and self.node_limit is None else {"node limit": nodes}) | time


def compare_sharing(
    problem: Problem,
    *,
    goal: Goal = "weighted time",
    sizes: Sequence[int] = (),
    seeds: int = 1,
    heuristics: Sequence[Heuristic] = (),
    budget: Budget | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> ComparisonStudy:
    """Share nodes and watts among jobs by every method.

    Parameters
    ----------
    problem
        The jobs, the bound and the nodes.
    goal
        What is minimised.
    sizes, seeds
        With sizes, so many jobs are drawn from those of the problem, with replacement, once for
        each seed from 0 on. Watts and nodes grow with the number of jobs.
    heuristics
        Of the user's own.
    budget
        Limits of the exact methods.
    progress
        Called with the name of each instance.

    Raises
    ------
    InputError
        A size or number of seeds below 1, or a heuristic of the user's own fails.
    """
    budget = budget or Budget()
    check_sizes(sizes, seeds)
    decision = sharing.decision(goal)
    given = [(f"{len(problem.jobs)} jobs", problem, None)]
    drawn = list(sharing.drawn(problem, sorted(set(sizes)), range(seeds)))
    instances = [
        sharing.instance(name, each, goal, seed=seed, heuristics=heuristics, **budget.limits())
        for name, each, seed in drawn or given
    ]
    settings = {
        "power bound (W)": problem.bound.bound_w,
        "nodes": problem.nodes,
        "jobs": len(problem.jobs),
        **budget.settings(),
    }
    if drawn:
        settings |= {"seeds": seeds, "watts and nodes": "scaled with the number of jobs"}
    return ComparisonStudy(decision, compare_all(decision, instances, progress), settings)


def check_sizes(sizes: Sequence[int], seeds: int) -> None:
    """Refuse sizes that no instance can have.

    Raises
    ------
    InputError
        A size outside 1 to 100,000, or fewer than one seed.
    """
    for size in sizes:
        if not 1 <= size <= MOST_SIZE:
            raise InputError(f"a size of {size:,}; give sizes from 1 to {MOST_SIZE:,}")
    if seeds < 1:
        raise InputError(f"{seeds} seeds; give one or more")
