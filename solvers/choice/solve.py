"""Solve a choice and say how far the answer can be trusted: the door to this package."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from decimal import Decimal
from typing import Literal, get_args

import numpy as np

from solvers import certify
from solvers.choice.dominance import Filtered, filtered
from solvers.choice.feasibility import show_infeasible
from solvers.choice.lagrangian import greedy_with_bound, lagrangian
from solvers.choice.outcome import ChoiceResult, Evidence
from solvers.choice.problem import Choice
from solvers.choice.program import program, read_choice
from solvers.choice.request import Request
from solvers.model.note import note
from solvers.model.result import Level, Status
from solvers.process.client import WORKER

ProofMode = Literal["auto", "always", "never"]

_LEAST_GAP = 1e-9
_AUTO_CLASSES = 20_000


def solve_choice(
    problem: Choice,
    *,
    method: str = "lagrangian",
    gap: float = 1e-6,
    time_limit_s: float | None = None,
    seed: int = 0,
    proof: ProofMode = "auto",
    node_limit: int | None = None,
    presolve: bool = True,
) -> ChoiceResult:
    """Choose one item of each class under the budgets.

    Parameters
    ----------
    method
        ``"lagrangian"``: dual bound and combinations of cheap changes. Where these leave a gap,
        samples of them, and HiGHS on the items that reduced costs leave. ``"greedy"``: the
        heuristic in use, compared with the Lagrangian bound. ``"highs"``, ``"cbc"``, ``"both"``:
        the integer program over the items that are not dominated.
    gap
        Gap relative to the objective at which the answer is good enough; never less than 1e-9.
    time_limit_s
        Wall seconds. Without it the same input and seed give the same answer.
    seed
        For ties, samples and the back ends.
    proof
        ``"always"``: the Lagrangian bound in exact decimals. ``"never"``: in floats rounded
        towards safety (level *verified*). ``"auto"``: exact up to 20,000 classes.
    node_limit, presolve
        For the methods ``"highs"``, ``"cbc"`` and ``"both"``, as in :func:`solvers.solve`.

    Raises
    ------
    ValueError
        An unknown method or proof mode, a gap or limit that is negative or NaN.
    """
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}; choose one of {', '.join(METHODS)}")
    if proof not in get_args(ProofMode):
        raise ValueError(f"unknown proof mode {proof!r}; choose auto, always or never")
    limits = {"gap": gap, "time_limit_s": time_limit_s, "seed": seed, "node_limit": node_limit}
    for name, value in limits.items():
        if value is not None and not 0 <= value < math.inf:
            raise ValueError(f"{name} = {value}; give a finite number of at least 0")
    began, cpu, worker = time.perf_counter(), time.process_time(), WORKER.cpu_s
    gap = max(gap, _LEAST_GAP)
    deadline = None if time_limit_s is None else began + time_limit_s
    request = Request(
        gap,
        deadline,
        seed,
        proof == "always" or (proof == "auto" and problem.classes <= _AUTO_CLASSES),
        node_limit,
        presolve,
    )
    evidence = Evidence(problem, solver=method)
    filtered_problem = filtered(problem)
    if not show_infeasible(evidence, filtered_problem):
        (METHODS[method] if problem.classes else _nothing_to_choose)(
            evidence, filtered_problem, request
        )
    cpu_s = time.process_time() - cpu + WORKER.cpu_s - worker
    return evidence.result(gap, seed, time.perf_counter() - began, cpu_s)


def _nothing_to_choose(evidence: Evidence, remaining: Filtered, request: Request) -> None:
    evidence.offer(remaining.item)
    evidence.raise_bound(Decimal(0), exact=request.exact)


def _by_program(name: str) -> Callable[[Evidence, Filtered, Request], None]:
    def run(evidence: Evidence, remaining: Filtered, request: Request) -> None:
        model = program(remaining)
        answer = certify.solve(
            model,
            solver=name,
            time_limit_s=request.remaining_s(),
            gap=request.gap,
            seed=request.seed,
            proof="auto" if request.exact else "never",
            node_limit=request.node_limit,
            presolve=request.presolve,
        )
        certificate = answer.certificate
        evidence.solver, evidence.options = certificate.solver, certificate.options
        evidence.nodes, evidence.stop = certificate.nodes, certificate.stop
        evidence.notes.extend(certificate.notes)
        evidence.infeasible = certificate.status is Status.INFEASIBLE
        proved = certificate.level is Level.PROVED
        if evidence.infeasible:
            evidence.exact_bound = proved
        if answer.x is not None and not evidence.offer(
            remaining.item[read_choice(remaining, answer.x)]
        ):
            evidence.notes.append(note("point-dropped", solver=(name, "id")))
        if certificate.bound is not None and np.isfinite(certificate.bound):
            evidence.raise_bound(Decimal(certificate.bound), exact=proved)

    return run


METHODS: dict[str, Callable[[Evidence, Filtered, Request], None]] = {
    "lagrangian": lagrangian,
    "greedy": greedy_with_bound,
    **{name: _by_program(name) for name in certify.SOLVERS},
}
"""Names that :func:`solve_choice` takes."""
