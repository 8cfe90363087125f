"""A decision by its reference formulation and one or both solvers, as a method of a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from planner.errors import InputError, PlanError
from planner.formulations.solved import CertifiedPlan
from scenarios.formatting import nearest
from solvers import Certificate

ENGINE, REFERENCE = "engine", "reference"
SOLVERS = {"cbc": ("cbc",), "highs": ("highs",), "both": ("cbc", "highs")}
"""Who solves, by the value of ``--solver``."""
TITLES = {"cbc": "CBC", "highs": "HiGHS"}

P = TypeVar("P")


@dataclass(frozen=True)
class CertifiedChoice(Generic[P]):
    """The choice of a method, with the certificates of its solvers.

    Attributes
    ----------
    plan
        The choice itself.
    certificates
        Title and certificate of each solver that was used; none for a heuristic.
    """

    plan: P
    certificates: tuple[tuple[str, Certificate], ...] = ()


def check_method(method: str, heuristics: Sequence[str]) -> None:
    """Refuse an unknown method.

    Raises
    ------
    InputError
        It is neither the engine, nor the reference, nor one of the heuristics.
    """
    methods = (ENGINE, REFERENCE, *heuristics)
    if method not in methods:
        raise InputError(f"there is no method {method!r}; {nearest(method, list(methods))}")


def by_reference(ask: Callable[[str], CertifiedPlan[P]], solver: str) -> CertifiedChoice[P]:
    """Solve by each solver that is named; with two of them, both must choose the same.

    Parameters
    ----------
    ask
        Solves the reference formulation by the solver of this name.
    solver
        A key of :data:`SOLVERS`.

    Raises
    ------
    InputError
        An unknown solver.
    PlanError
        The solvers contradict each other.
    """
    if solver not in SOLVERS:
        raise InputError(f"there is no solver {solver!r}; {nearest(solver, list(SOLVERS))}")
    answers = [(TITLES[name], ask(name)) for name in SOLVERS[solver]]
    first = answers[0][1].plan
    for title, answer in answers[1:]:
        if answer.plan != first:
            raise PlanError(
                f"{answers[0][0]} chooses {first} and {title} {answer.plan}. One of them is wrong: "
                "use --method engine, and please report this case"
            )
    return CertifiedChoice(first, tuple((title, answer.certificate) for title, answer in answers))
