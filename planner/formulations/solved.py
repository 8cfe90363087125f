"""Solve a reference formulation: its size is limited, and its answer is checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypedDict, TypeVar, Unpack

import solvers
from planner.errors import InfeasibleError, InputError, PlanError, TooLargeError
from solvers import Certificate, Result, Status
from solvers.certify import ProofMode

if TYPE_CHECKING:
    import pulp

LARGEST = 200_000
"""Nonzero coefficients that a reference formulation may have."""
GAP = 1e-9
"""Gap relative to the objective at which a reference formulation is solved."""

P = TypeVar("P")


class SolveLimits(TypedDict, total=False):
    """Limits of a solve: arguments of :func:`solvers.solve`; the default gap is 1e-9."""

    gap: float
    node_limit: int | None
    time_limit_s: float | None
    seed: int


@dataclass(frozen=True)
class CertifiedPlan(Generic[P]):
    """A plan with the certificate of its formulation, where the plan's class holds none."""

    plan: P
    certificate: Certificate


@dataclass(frozen=True, eq=False)
class SolvedModel:
    """A solved PuLP model: the values of its variables with a certificate.

    Attributes
    ----------
    result
        Result in the model's columns, with its certificate.
    """

    result: Result
    _values: dict[str, float] = field(repr=False)

    @property
    def certificate(self) -> Certificate:
        """Return the certificate of the values."""
        return self.result.certificate

    def value(self, expression: pulp.LpVariable | pulp.LpAffineExpression) -> float:
        """Value of a variable, or of a sum of variables."""
        constant = float(getattr(expression, "constant", 0.0) or 0.0)
        return constant + sum(
            coefficient * self._values[variable.name]
            for variable, coefficient in _terms(expression)
        )

    def chosen(self, variable: pulp.LpVariable) -> bool:
        """Whether a binary variable is 1."""
        return self._values[variable.name] > 0.5


def solve(
    model: pulp.LpProblem,
    *,
    solver: str = "cbc",
    proof: ProofMode = "never",
    columns: Sequence[pulp.LpVariable] = (),
    **limits: Unpack[SolveLimits],
) -> SolvedModel:
    """Solve a reference formulation by CBC, HiGHS or both; nothing of an engine is used.

    Parameters
    ----------
    model
        Built with ``model.add_variable``.
    solver, proof
        As in :func:`solvers.solve`.
    columns
        Order of the columns, as in :func:`solvers.from_pulp`.
    limits
        See :class:`SolveLimits`.

    Raises
    ------
    InputError
        An unknown solver, or a limit, gap or seed out of its range.
    InfeasibleError
        There is no feasible point.
    PlanError
        The solver found none within its limits.
    """
    settings = SolveLimits(gap=GAP)
    settings.update(limits)
    try:
        result = solvers.solve(
            solvers.from_pulp(model, columns),
            solver=solver,
            proof=proof,
            **settings,
        )
    except ValueError as error:
        raise InputError(str(error)) from None
    if result.x is None:
        raise _no_point(model.name, solver, result)
    names = result.model.column_names
    return SolvedModel(result, dict(zip(names, result.x.tolist(), strict=True)))


def relaxed(model: pulp.LpProblem) -> pulp.LpProblem:
    """The linear relaxation of a model, which is changed: no variable has to be whole."""
    for variable in model.variables():
        variable.cat = "Continuous"
    return model


def refuse_large(name: str, nonzeros: int, instead: str) -> None:
    """Refuse a model that is too large for plain algebra, before it is built.

    Parameters
    ----------
    name
        Name of the decision.
    nonzeros
        Nonzero coefficients that the model would have.
    instead
        What to do instead, as ``"use --method engine"``.

    Raises
    ------
    TooLargeError
        More than :data:`LARGEST`.
    """
    if nonzeros > LARGEST:
        raise TooLargeError(
            f"the reference formulation of {name} would have {nonzeros:,} nonzeros, more than "
            f"{LARGEST:,}; {instead}"
        )


def _no_point(name: str, solver: str, result: Result) -> PlanError:
    if result.status is Status.INFEASIBLE:
        notes = "; ".join(map(str, result.certificate.notes))
        why = f" ({notes})" if notes else ""
        text = f"{name}: no choice satisfies all constraints, by {solver}{why}; loosen one of them"
        return InfeasibleError(text)
    stop = result.certificate.stop
    remedy = f"; {stop.remedy}" if stop.remedy else ""
    return PlanError(f"{name}: {solver} found no solution ({result.status}, {stop}){remedy}")


def _terms(
    expression: pulp.LpVariable | pulp.LpAffineExpression,
) -> list[tuple[pulp.LpVariable, float]]:
    items = getattr(expression, "items", None)
    return list(items()) if items is not None else [(expression, 1.0)]
