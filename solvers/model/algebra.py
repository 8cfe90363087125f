"""Models written as algebra in PuLP, converted once to a :class:`~solvers.model.milp.Milp`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from solvers.model.milp import Milp, MilpBuilder, ModelError

if TYPE_CHECKING:
    import pulp


def from_pulp(problem: pulp.LpProblem, columns: Sequence[pulp.LpVariable] = ()) -> Milp:
    """Convert a PuLP problem.

    Parameters
    ----------
    problem
        Built with ``problem.add_variable(...)``, the style that PuLP 3 and 4 share.
    columns
        Order of the columns. By default PuLP's own order, which is by name.

    Returns
    -------
    Milp
        The same program as arrays.

    Raises
    ------
    ModelError
        Special ordered sets, a variable missing from ``columns``, or no objective.
    """
    if problem.sos1 or problem.sos2:
        raise ModelError(f"{problem.name}: special ordered sets are not supported; use binaries")
    if problem.objective is None:
        raise ModelError(f"{problem.name}: the objective is missing; add one (0 is allowed)")
    variables = list(columns) or problem.variables()
    index = {variable.name: column for column, variable in enumerate(variables)}
    if len(index) < len(variables):
        raise ModelError(f"{problem.name}: two variables share a name")
    cost = np.zeros(len(variables))
    for variable, value in problem.objective.items():
        cost[_column(index, variable.name, problem.name)] += value
    build = MilpBuilder(
        "min" if problem.sense == 1 else "max",
        name=problem.name,
        constant=float(problem.objective.constant or 0.0),
    )
    build.add_columns(
        len(variables),
        cost=cost,
        lower=[-np.inf if v.lowBound is None else v.lowBound for v in variables],
        upper=[np.inf if v.upBound is None else v.upBound for v in variables],
        integer=[v.cat == "Integer" for v in variables],
        names=[v.name for v in variables],
    )
    triplets: list[tuple[int, int, float]] = []
    lower, upper, names = [], [], []
    for row, constraint in enumerate(problem.constraints()):
        for variable, value in constraint.expr.items():
            triplets.append((row, _column(index, variable.name, problem.name), value))
        right = -float(constraint.constant)
        lower.append(right if constraint.sense >= 0 else -np.inf)
        upper.append(right if constraint.sense <= 0 else np.inf)
        names.append(constraint.name or f"_C{row + 1}")  # PuLP leaves unnamed rows at None
    if names:
        parts = list(zip(*triplets, strict=True)) or [(), (), ()]
        build.add_rows(parts[0], parts[1], parts[2], lower=lower, upper=upper, names=names)
    return build.model()


def _column(index: dict[str, int], name: str, problem: str) -> int:
    if name not in index:
        raise ModelError(f"{problem}: variable {name} is used but not listed in columns")
    return index[name]
