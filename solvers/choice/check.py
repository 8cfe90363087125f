"""What is wrong with a choice: a checker that shares nothing with the solver."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from solvers.choice.problem import Choice
from solvers.proofs.exact import decimal


def violations(problem: Choice, chosen: ArrayLike) -> list[str]:
    """List every rule that a choice breaks; empty if it is feasible.

    Totals are summed in fractions over the decimals that the numbers stand for: there is no
    tolerance.

    Parameters
    ----------
    chosen
        For each class the index of its item among all items, shape ``(classes,)``.
    """
    items: Sequence[int] = np.asarray(chosen).tolist()
    if len(items) != problem.classes:
        return [f"{len(items)} items for {problem.classes} classes"]
    faults = []
    for group, item in enumerate(items):
        first, beyond = int(problem.starts[group]), int(problem.starts[group + 1])
        if not first <= item < beyond:
            faults.append(f"class {group}: item {item} lies outside {first}..{beyond - 1}")
    if faults:
        return faults
    weights = problem.weights_of(np.array(items, dtype=np.int64))
    for resource, budget in enumerate(problem.budgets.tolist()):
        if budget == np.inf:
            continue
        total = sum(map(Fraction, map(decimal, weights[:, resource].tolist())), Fraction(0))
        over = total - Fraction(decimal(budget))
        if over > 0:
            name = problem.resource_name(resource)
            faults.append(f"{name}: {float(total):.15g} is {float(over):.6g} over {budget:.15g}")
    return faults
