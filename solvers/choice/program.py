"""The same problem as an integer program, for the solvers that know nothing of classes."""

from __future__ import annotations

import numpy as np

from solvers.choice.dominance import Filtered, filtered
from solvers.choice.problem import Choice
from solvers.model.expressions import AlgebraicModel
from solvers.model.milp import Flags, Floats, Indices, Milp


def formulate(problem: Choice) -> Milp:
    """Integer program over the items that are not dominated.

    One binary column ``x_k`` per item left; a row ``class_c`` per class, a row ``budget_r`` per
    resource that can bind. The objective has the sense of the problem.
    """
    filtered_problem = filtered(problem)
    return program(filtered_problem, sense_of=problem)


def program(remaining: Filtered, keep: Flags | None = None, sense_of: Choice | None = None) -> Milp:
    """Integer program over some of the items left (all, if ``keep`` is not given)."""
    item = np.arange(len(remaining.cost)) if keep is None else np.flatnonzero(keep)
    group = np.searchsorted(remaining.starts, item, side="right") - 1
    negate = sense_of is not None and sense_of.sense == "max"
    m = AlgebraicModel("max" if negate else "min", name=sense_of.name if sense_of else "choice")
    cost = -remaining.cost[item] if negate else remaining.cost[item]
    x = m.variables("x", len(item), cost=cost, upper=1.0, integer=True)
    m.add("class", x.sum_by(group, remaining.classes).equals(1.0))
    for resource, weights, budget in zip(
        remaining.resource, remaining.weights, remaining.budgets, strict=True
    ):
        m.add(f"budget_{resource}", weights[item] @ x <= budget)
    return m.model()


def read_choice(remaining: Filtered, x: Floats, keep: Flags | None = None) -> Indices:
    """Item of each class (among the items left) that a point of the program chooses."""
    item = np.arange(len(remaining.cost)) if keep is None else np.flatnonzero(keep)
    taken = item[x > 0.5]
    group = np.searchsorted(remaining.starts, taken, side="right") - 1
    chosen = np.full(remaining.classes, -1, dtype=np.int64)
    chosen[group] = taken
    return chosen
