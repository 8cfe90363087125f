"""What is noted on certificates, from what solvers say and what proofs find, by hand.

Written from docs/solvers.md. Each case has the note that is due; a study passes notes on as they
are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any
from unittest import mock

import numpy as np

from planner.procurement.columns import Goal
from planner.procurement.task import Task
from solvers import Milp, Status, Stop, certify
from solvers.backends.protocol import Claim as Said
from solvers.choice import Choice, solve_choice
from solvers.model.milp import Floats
from solvers.model.note import Note
from solvers.process.client import WORKER, SolverError
from solvers.proofs.branching import Proof
from solvers.proofs.check import Point, check_point
from solvers.proofs.claim_set import combine_claims, settle, with_proof
from tests.solvers.test_battery import knapsack, two_columns
from tests.solvers.test_scales import one_dear_column

Claim = Callable[..., bool]
BEST = np.array([0.0, 1.0, 1.0])
"""Of the knapsack: 20."""
POORER = np.array([1.0, 0.0, 1.0])
"""17."""


@dataclass(frozen=True, eq=False)
class Proved(Proof):
    """What a proof found."""

    objective: Fraction | None = None
    bound: Fraction | None = None
    infeasible: bool = False
    unbounded: bool = False
    complete: bool = True
    nodes: int = 1
    point: tuple[Fraction, ...] | None = None


def _claims(*claims: Said, start: Floats | None = None) -> tuple[Note, ...]:
    """The notes on what back ends say of the knapsack."""
    model = knapsack()
    points = [None if each.x is None else _point(model, each.x) for each in claims]
    own = None if start is None else _point(model, start)
    return settle(combine_claims(model, claims, points, own), claims).notes


def _point(model: Milp, x: Floats) -> Point | None:
    found = check_point(model, x)
    return found if found.feasible else None


def _proof(claim: Said, proof: Proved, model: Milp | None = None) -> tuple[Note, ...]:
    """The notes of a proof on one claim."""
    model = model or knapsack()
    point = None if claim.x is None else _point(model, claim.x)
    return with_proof(model, combine_claims(model, [claim], [point], None), proof).notes


def _solved(model: Milp) -> tuple[Note, ...]:
    return certify.solve(model).certificate.notes


def _no_proof() -> tuple[Note, ...]:
    """The notes where the proof fails; solvers answer as they are."""
    ask = WORKER.ask

    def refuse(request: str, *given: Any, **limits: Any) -> Any:
        if request == "prove":
            raise SolverError("no memory")
        return ask(request, *given, **limits)

    with mock.patch.object(WORKER, "ask", refuse):
        return certify.solve(knapsack()).certificate.notes


def _choice(weights: Any, budgets: Any) -> tuple[Note, ...]:
    """The notes on two items of no cost in each of some classes."""
    classes = len(weights) // 2
    table = Choice(
        np.arange(classes + 1) * 2, np.ones(2 * classes), np.array(weights), np.array(budgets)
    )
    return solve_choice(table).certificate.notes


def _of(status: Status, stop: Stop = Stop.FINISHED, solver: str = "S 1", **more: Any) -> Said:
    return Said(status, stop, solver, **more)


Case = tuple[Callable[[], tuple[Note, ...]], str, Mapping[str, Any]]
"""What notes, and kind and values of one of its notes."""


def cases() -> Iterator[Case]:
    """Each kind of note."""
    heavy = _of(Status.OPTIMAL, x=np.ones(3), bound=30.0)
    yield lambda: _claims(heavy), "point-dropped", {"solver": "S 1"}
    stopped = _of(Status.UNKNOWN, Stop.ERROR, message="stopped")
    yield lambda: _claims(stopped), "solver-failed", {"solver": "S 1", "message": "stopped"}
    beaten = _of(Status.FEASIBLE, Stop.TIME, x=BEST, bound=19.0)
    yield lambda: _claims(beaten), "bound-dropped", {"solver": "S 1", "bound": 19.0}
    none = _of(Status.INFEASIBLE)
    yield (lambda: _claims(none, start=BEST), "status-denied",
           {"solver": "S 1", "status": "infeasible"})  # fmt: skip
    endless = _of(Status.UNBOUNDED, solver="S 2")
    said = {"solvers": ("S 1", "S 2"), "statuses": ("infeasible", "unbounded")}
    yield lambda: _claims(none, endless), "solvers-disagree", said
    yield lambda: _claims(none), "one-solver", {"solvers": ("S 1",), "statuses": ("infeasible",)}
    best = _of(Status.OPTIMAL, x=BEST, bound=20.0)
    yield lambda: _proof(best, Proved(infeasible=True)), "within-rounding", {"optimum": None}
    found = Proved(
        objective=Fraction(20), bound=Fraction(20), point=(Fraction(0), Fraction(1), Fraction(1))
    )
    yield (lambda: _proof(none, found), "proof-overrules",
           {"said": "infeasible", "proved": "feasible"})  # fmt: skip
    yield (lambda: _proof(endless, Proved(infeasible=True)), "proof-overrules",
           {"said": "unbounded", "proved": "infeasible"})  # fmt: skip
    open_yet = Proved(objective=Fraction(20), bound=Fraction(30), point=found.point, complete=False)
    poorer = _of(Status.OPTIMAL, x=POORER, bound=30.0)
    yield lambda: _proof(poorer, open_yet), "proof-better", {"objective": 17.0}
    for model, part, name, why in (
        (two_columns((1, 1), [], lower=(0, 5), upper=(1, 4)), "column", "x1", "crossing"),
        (two_columns((1, 1), [(1, 1, 5, 4)]), "row", "r0", "crossing"),
        (two_columns((1, 1), [(2, 2, 1, 1)], upper=(9, 9), integer=True), "row", "r0", "parity"),
    ):
        values = {"part": part, "name": name, "why": why}
        yield partial(_solved, model), "no-point", values
    yield (lambda: one_dear_column("never", cost=1e12).certificate.notes, "objective-small", {})
    yield _no_proof, "no-proof", {"message": "no memory"}
    lightest = {"resource": "resource 0", "least": 3.0, "budget": 2.0, "excess": 1.0}
    yield lambda: _choice([[3.0], [4.0]], [2.0]), "over-budget", lightest
    yield lambda: _choice([[0.0, 3.0], [3.0, 0.0]], [2.0, 2.0]), "class-unfit", {"number": 0}
    apart = [[0.0, 4.0], [4.0, 0.0]] * 3
    clash = {"resources": ("resource 0", "resource 1"), "prices": (1.0, 1.0), "excess": 2.0}
    yield lambda: _choice(apart, [5.0, 5.0]), "budgets-clash", clash
    sizes = (2.0, 4.0, 6.0, 8.0, 9.5)  # no part of them is between 14.5 and 15
    uneven = [use for size in sizes for use in ([0.0, size], [size, 0.0])]
    yield lambda: _choice(uneven, [15.0, 15.0]), "none-fits", {}
    yield _dropped, "bounds-dropped", {"bounds": 1}


def _dropped() -> tuple[Note, ...]:
    """The notes where a plan was found to beat a bound."""
    certificate = certify.solve(knapsack()).certificate
    task = Task(Goal.SCORE, None, None, None, "any", None, dropped=1)
    return task.outcome(Status.UNKNOWN, certificate).certificate.notes


KINDS = frozenset(kind for _, kind, _ in cases())


def _in_data(held: Any) -> Iterator[Mapping[str, Any]]:
    """The notes of every certificate in the data of a study."""
    for key, value in held.items() if isinstance(held, Mapping) else enumerate(held):
        if key == "notes":
            yield from value
        elif isinstance(value, Mapping | list | tuple):
            yield from _in_data(value)


def _of_certificate(kind: str) -> Claim:
    def claim(case: Any, **values: Any) -> bool:
        notes = _in_data(case.answer.study.data)
        return any(each["kind"] == kind and each["values"] == values for each in notes)

    return claim


FINDINGS: dict[str, Claim] = {kind: _of_certificate(kind) for kind in KINDS}
"""Whether a note of a study is on one of its certificates."""
