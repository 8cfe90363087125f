"""A decision by its reference formulation and one or both solvers, as a method of a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from planner.errors import InputError, PlanError
from planner.formatting import words
from planner.formulations.solved import Certified
from scenarios.formatting import nearest
from solvers import Certificate

ENGINE, REFERENCE = "engine", "reference"
SOLVERS = {"cbc": ("cbc",), "highs": ("highs",), "both": ("cbc", "highs")}
"""Who solves, by the value of ``--solver``."""
TITLES = {"cbc": "CBC", "highs": "HiGHS"}

P = TypeVar("P")


@dataclass(frozen=True)
class Choice(Generic[P]):
    """What a method chooses.

    Attributes
    ----------
    plan
        The choice itself.
    certificates
        Title and certificate of each solver that was asked; none for a heuristic.
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
    known = (ENGINE, REFERENCE, *heuristics)
    if method not in known:
        raise InputError(f"no method is named {method!r}; {nearest(method, list(known))}")


def by_reference(ask: Callable[[str], Certified[P]], solver: str) -> Choice[P]:
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
        raise InputError(f"no solver is named {solver!r}; {nearest(solver, list(SOLVERS))}")
    found = [(TITLES[name], ask(name)) for name in SOLVERS[solver]]
    first = found[0][1].plan
    for title, each in found[1:]:
        if each.plan != first:
            raise PlanError(
                f"{found[0][0]} chooses {first} and {title} {each.plan}; one of them is wrong: "
                "use --method engine, and report this case"
            )
    return Choice(first, tuple((title, each.certificate) for title, each in found))


def solvers_said(choice: Choice[P]) -> str:
    """What the solvers say of the choice, in a sentence."""
    said = [
        f"{title} ({each.status.value}, {each.level.value})" for title, each in choice.certificates
    ]
    return f"Decided by the reference formulation: {words(said)}."
