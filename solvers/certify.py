"""Solve a model and say how far the answer can be trusted: the door to the solver layer."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from solvers.backends import BACKENDS, Claim, Limits
from solvers.check import Point, check_point, clipped, round_integers
from solvers.client import WORKER, SolverError
from solvers.milp import Floats, Milp
from solvers.result import Certificate, Level, Result, Status, Stop, gaps

SOLVERS = (*BACKENDS, "both")
"""Names that :func:`solve` takes."""

ProofMode = Literal["auto", "always", "never"]
OPTIMAL_GAP = 1e-6
"""Relative gap up to which a result is called optimal, unless a wider one was asked for."""

_AUTO_WORK = 20_000_000  # nonzeros times proof nodes: a few seconds
_AUTO_NODES = 5_000
_AUTO_NONZEROS = 200_000


@dataclass(frozen=True)
class _Evidence:
    """What is known while the certificate is being put together."""

    point: Point | None
    bound: float | None
    status: Status
    stop: Stop
    level: Level
    nodes: int
    proof_nodes: int
    notes: tuple[str, ...]


def solve(
    model: Milp,
    *,
    solver: str = "highs",
    time_limit_s: float | None = None,
    node_limit: int | None = None,
    gap: float = OPTIMAL_GAP,
    seed: int = 0,
    start: Floats | None = None,
    proof: ProofMode = "auto",
) -> Result:
    """Solve, recompute, and where the size allows prove.

    Parameters
    ----------
    model
        The problem.
    solver
        ``"highs"``, ``"cbc"`` or ``"both"`` (the best incumbent and the best bound of the two).
    time_limit_s
        Wall seconds per back end, and again for the proof. Without it, and with ``node_limit``
        instead, the same input gives the same result.
    node_limit
        Branch-and-bound nodes per back end.
    gap
        Relative gap (to ``max(1, |objective|)``) at which the answer is good enough.
    seed
        Passed to the back ends.
    start
        A full assignment to begin with, shape ``(columns,)``.
    proof
        ``"auto"``: try for small models within a fixed number of nodes. ``"always"``: until
        done or out of time. ``"never"``.

    Returns
    -------
    Result
        "Infeasible" and "unbounded" carry level *verified* only when a second, independent
        opinion agrees; "optimal" only when the gap was recomputed.

    Raises
    ------
    ValueError
        An unknown solver name, or a start of the wrong length.
    """
    if solver not in SOLVERS:
        raise ValueError(f"unknown solver {solver!r}; choose one of {', '.join(SOLVERS)}")
    if start is not None and len(start) != model.columns:
        raise ValueError(f"start has {len(start)} entries; the model has {model.columns} columns")
    began, cpu = time.perf_counter(), WORKER.cpu_s
    limits = Limits(time_limit_s, node_limit, min(gap, OPTIMAL_GAP) / 10, seed)
    crossed = _crossed(model)
    if crossed:
        evidence, claims = _crossed_evidence(crossed), []
    else:
        names = list(BACKENDS) if solver == "both" else [solver]
        claims = [ask_backend(name, model, limits, start) for name in names]
        evidence = _weigh(model, claims, start)
        evidence = _second_opinion(model, evidence, claims, limits, start)
        evidence = _prove(model, evidence, limits, proof)
    certificate = _certificate(model, evidence, claims, gap=gap, seed=seed)
    certificate = replace(
        certificate, wall_s=time.perf_counter() - began, cpu_s=WORKER.cpu_s - cpu
    )
    return Result(certificate, None if evidence.point is None else evidence.point.x, model)


def certify_claim(model: Milp, claim: Claim, *, gap: float, seed: int) -> Result:
    """Verify one claim without a second opinion or a proof."""
    evidence = _weigh(model, [claim], None)
    certificate = _certificate(model, evidence, [claim], gap=gap, seed=seed)
    return Result(certificate, None if evidence.point is None else evidence.point.x, model)


def _crossed(model: Milp) -> str:
    """Name of a row or column whose lower bound exceeds its upper one, or nothing."""
    columns = np.flatnonzero(model.column_lower > model.column_upper)
    if len(columns):
        return f"column {model.column_name(int(columns[0]))}"
    rows = np.flatnonzero(model.row_lower > model.row_upper)
    return f"row {model.row_name(int(rows[0]))}" if len(rows) else ""


def _crossed_evidence(where: str) -> _Evidence:
    note = f"{where} has a lower bound above its upper bound"
    return _Evidence(None, None, Status.INFEASIBLE, Stop.FINISHED, Level.PROVED, 0, 0, (note,))


def ask_backend(name: str, model: Milp, limits: Limits, start: Floats | None) -> Claim:
    """One back end's claim; a failure of the process is a claim of nothing."""
    try:
        claim: Claim = WORKER.ask(
            "solve", name, model, limits, start, time_limit_s=limits.time_limit_s
        )
    except TimeoutError as error:
        return Claim(Status.UNKNOWN, Stop.TIME, name, message=str(error))
    except SolverError as error:
        return Claim(Status.UNKNOWN, Stop.ERROR, name, message=str(error))
    return claim


def _point(model: Milp, x: Floats | None) -> Point | None:
    """The claimed point after rounding, repaired by a linear program where it must be."""
    if x is None or (rounded := round_integers(model, x)) is None:
        return None
    point = check_point(model, clipped(model, rounded))
    if point.feasible or model.is_integer.all():
        return point if point.feasible else None
    fixed = replace(
        model,
        column_lower=np.where(model.is_integer, rounded, model.column_lower),
        column_upper=np.where(model.is_integer, rounded, model.column_upper),
        is_integer=np.zeros(model.columns, dtype=np.bool_),
    )
    again = ask_backend("highs", fixed, Limits(time_limit_s=60.0), None).x
    if again is None:
        return None
    point = check_point(model, clipped(model, np.where(model.is_integer, rounded, again)))
    return point if point.feasible else None


def _weigh(model: Milp, claims: Sequence[Claim], start: Floats | None) -> _Evidence:
    """Best verified point and best consistent bound of all claims."""
    sign = 1.0 if model.sense == "min" else -1.0
    notes: list[str] = []
    best = _point(model, start)
    for claim in claims:
        point = _point(model, claim.x)
        if claim.x is not None and point is None:
            notes.append(f"{claim.solver}: its point violates the model and was dropped")
        if point and (best is None or sign * point.objective < sign * best.objective):
            best = point
        if claim.stop is Stop.ERROR:
            notes.append(f"{claim.solver}: {claim.message or 'failed'}")
    bound: float | None = None
    for claim in claims:
        if claim.bound is None:
            continue
        if best is not None and sign * (claim.bound - best.objective) > _slack(best.objective):
            notes.append(f"{claim.solver}: its bound {claim.bound!r} is beaten by a verified point")
        elif bound is None or sign * claim.bound > sign * bound:
            bound = claim.bound
    status = Status.FEASIBLE if best is not None else Status.UNKNOWN
    finished = [claim for claim in claims if claim.stop is Stop.FINISHED]
    for claim in finished:
        if claim.status in (Status.INFEASIBLE, Status.UNBOUNDED):
            if best is not None and claim.status is Status.INFEASIBLE:
                notes.append(f"{claim.solver}: called infeasible, but a verified point exists")
            elif status is Status.UNKNOWN or claim.status is Status.UNBOUNDED:
                status = claim.status
    return _Evidence(
        best,
        bound,
        status,
        _stop(claims),
        Level.VERIFIED if best is not None else Level.CLAIMED,
        sum(claim.nodes for claim in claims),
        0,
        tuple(notes),
    )


def _stop(claims: Sequence[Claim]) -> Stop:
    """Finished if any back end finished, else the first other reason."""
    stops = [claim.stop for claim in claims]
    return Stop.FINISHED if Stop.FINISHED in stops else stops[0]


def _slack(value: float) -> float:
    return 1e-6 * max(1.0, abs(value))


def _second_opinion(
    model: Milp,
    evidence: _Evidence,
    claims: list[Claim],
    limits: Limits,
    start: Floats | None,
) -> _Evidence:
    """Nobody reads "infeasible", "unbounded" or an open answer on one solver's word."""
    if evidence.status is Status.FEASIBLE or evidence.stop in (Stop.TIME, Stop.NODES):
        return evidence
    asked = {claim.solver.partition(" ")[0].lower() for claim in claims}
    other = next((name for name in BACKENDS if name not in asked), None)
    plain = replace(limits, presolve=False)
    opinion = ask_backend(other, model, limits, start) if other else ask_backend("highs", model, plain, start)
    merged = _weigh(model, [*claims, opinion], start)
    claims.append(opinion)
    statuses = {c.status for c in claims if c.stop is Stop.FINISHED and c.status is not Status.UNKNOWN}
    agreed = statuses == {merged.status} and opinion.status is merged.status
    if merged.point is None and agreed:
        return replace(merged, level=Level.VERIFIED)
    if merged.point is None:
        words = ", ".join(f"{claim.solver} says {claim.status}" for claim in claims)
        note = f"the solvers disagree: {words}"
        status = merged.status if len(statuses) == 1 else Status.UNKNOWN
        return replace(merged, status=status, notes=(*merged.notes, note))
    return merged


def _prove(model: Milp, evidence: _Evidence, limits: Limits, mode: ProofMode) -> _Evidence:
    """Replace claims by an exact proof where that is asked for or cheap."""
    node_limit = 10**9
    if mode == "auto":
        node_limit = min(_AUTO_NODES, _AUTO_WORK // (model.nonzeros + model.columns + 1))
    if mode == "never" or (mode == "auto" and model.nonzeros > _AUTO_NONZEROS):
        return evidence
    starts = [] if evidence.point is None else [evidence.point.x]
    budget = limits.time_limit_s
    try:
        proof = WORKER.ask("prove", model, starts, node_limit, budget, time_limit_s=budget)
    except (SolverError, TimeoutError) as error:
        return replace(evidence, notes=(*evidence.notes, f"no proof: {error}"))
    return _with_proof(model, replace(evidence, proof_nodes=proof.nodes), proof)


def _with_proof(model: Milp, evidence: _Evidence, proof: Any) -> _Evidence:
    if proof.infeasible:
        return replace(
            _disagree(evidence, Status.INFEASIBLE),
            point=None,
            bound=None,
            status=Status.INFEASIBLE,
            stop=Stop.FINISHED,
            level=Level.PROVED,
        )
    if proof.unbounded:
        evidence = _disagree(evidence, Status.UNBOUNDED)
        return replace(
            evidence, point=None, bound=None, status=Status.UNBOUNDED, stop=Stop.FINISHED,
            level=Level.PROVED,
        )  # fmt: skip
    if proof.point is None or proof.bound is None:
        return evidence
    sign = 1.0 if model.sense == "min" else -1.0
    exact = Point(np.array([float(v) for v in proof.point]), float(proof.objective), 0.0)
    notes = evidence.notes
    old = evidence.point
    if old is not None and sign * (old.objective - exact.objective) > _slack(exact.objective):
        notes = (*notes, f"the proof found a better point than {old.objective!r}")
    if evidence.status in (Status.INFEASIBLE, Status.UNBOUNDED):
        notes = (*notes, f"the solvers said {evidence.status}; the proof holds a feasible point")
    loose = old is not None and sign * (exact.objective - old.objective) > _slack(exact.objective)
    if loose and not proof.complete:
        return evidence
    absolute, relative = gaps(exact.objective, float(proof.bound))
    if absolute is None or relative is None or (not proof.complete and relative > OPTIMAL_GAP):
        return replace(evidence, point=exact if old is None else old, notes=notes)
    return replace(
        evidence,
        point=exact,
        bound=float(proof.bound),
        status=Status.OPTIMAL,
        stop=Stop.FINISHED,
        level=Level.PROVED,
        notes=notes,
    )


def _disagree(evidence: _Evidence, truth: Status) -> _Evidence:
    """Note it where the proof contradicts what the solvers said."""
    if evidence.status in (truth, Status.UNKNOWN):
        return evidence
    note = f"the solvers said {evidence.status}; the proof says {truth}"
    return replace(evidence, notes=(*evidence.notes, note))


def _certificate(
    model: Milp, evidence: _Evidence, claims: Sequence[Claim], *, gap: float, seed: int
) -> Certificate:
    objective = None if evidence.point is None else evidence.point.objective
    absolute, relative = gaps(objective, evidence.bound)
    status = evidence.status
    if evidence.point is not None:
        close = relative is not None and relative <= max(gap, OPTIMAL_GAP)
        status = Status.OPTIMAL if close else Status.FEASIBLE
    options: dict[str, Any] = {}
    for claim in claims:
        options[claim.solver] = claim.options
    return Certificate(
        status=status,
        level=evidence.level,
        stop=evidence.stop,
        objective=objective,
        bound=evidence.bound,
        gap_absolute=absolute,
        gap_relative=relative,
        max_violation=None if evidence.point is None else evidence.point.violation,
        solver=" + ".join(dict.fromkeys(claim.solver for claim in claims)) or "none needed",
        options=options,
        seed=seed,
        model=model.name,
        model_digest=model.digest,
        nodes=evidence.nodes,
        proof_nodes=evidence.proof_nodes,
        notes=evidence.notes,
    )
