"""Solve a model and say how far the answer can be trusted: the door to the solver layer."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from solvers.backends.protocol import BACKENDS, Claim, Limits
from solvers.backends.scaling import Scaled, finer_exponent, scaled, tells
from solvers.model.milp import Floats, Milp
from solvers.model.note import note
from solvers.model.result import Level, Result, Status, Stop, relative_gap
from solvers.process.client import WORKER, SolverError
from solvers.proofs.check import Point, check_point, clipped, noise, round_integers
from solvers.proofs.claim_set import (
    OPTIMAL_GAP,
    ClaimSet,
    agreed,
    certificate,
    combine_claims,
    settle,
    with_proof,
)
from solvers.proofs.exact import decimal
from solvers.proofs.parity import impossible_row

SOLVERS = (*BACKENDS, "both")
"""Names that :func:`solve` takes."""

ProofMode = Literal["auto", "always", "never"]

_AUTO_WORK = 10_000_000  # nonzeros times proof nodes: a few seconds
_AUTO_NODES = 5_000
_AUTO_NONZEROS = 200_000
_NODES = 500_000  # branch-and-bound nodes of a back end where the caller sets no limit
_PROOF_NODES = 1_000_000  # the same for a proof that is to go on until done
_FIRST_NODES = 200  # of the proof that is tried before wide models go to a back end
_WIDE = 1e6  # integer columns with more room than this keep engines busy outside their nodes
_STUCK_CPU_S = 60.0  # CPU seconds after which a back end that counts nothing is ended
_LOST = 1e-4  # relative gap of a point that is called optimal, beyond which others run
_RESCALED = 4  # times; each unit is chosen by the objective of the last
_STUCK = (
    "did not come back and was ended; bound the integer columns that can take over a million values"
)
_SEEDS = 2**31 - 1


def solve(
    model: Milp,
    *,
    solver: str = "highs",
    time_limit_s: float | None = None,
    node_limit: int | None = None,
    gap: float = OPTIMAL_GAP,
    seed: int = 0,
    start: ArrayLike | None = None,
    proof: ProofMode = "auto",
    doubt: bool = True,
    presolve: bool = True,
    heuristics: bool = True,
) -> Result:
    """Solve a model, recompute the answer, and prove it where the size allows.

    Parameters
    ----------
    model
        The problem.
    solver
        ``"highs"``, ``"cbc"`` or ``"both"`` (the best incumbent and the best bound of the two).
    time_limit_s
        Wall seconds per back end, and again for the proof. Without it the same input gives the
        same result.
    node_limit
        Branch-and-bound nodes per back end; without it and a time limit, 500,000.
    gap
        Gap relative to the objective at which the answer is good enough.
    seed
        Passed to the back ends.
    start
        A full assignment to begin with, shape ``(columns,)``.
    proof
        ``"auto"``: try for small models within a fixed number of nodes. ``"always"``: until
        done or out of time, at most 1,000,000 nodes. ``"never"``. If an integer column can take
        over a million values, a short proof is tried before any back end runs.
    doubt
        Whether other solvers check a claim of "infeasible" by every back end. Without the check,
        the result stays *unknown* on one solver's word. That suffices if nothing depends on it.
    presolve
        Whether the back ends simplify the model first. HiGHS compares the columns of a large
        choice in pairs there: off, such models are solved 3 to 8 times as fast.
    heuristics
        Whether HiGHS looks for points by smaller programs of its own, and restarts. Off, a program
        with a good ``start`` is solved about twice as fast; the bound is worth as much.

    Returns
    -------
    Result
        "Infeasible" and "unbounded" carry level *verified* only when a second opinion agrees;
        "optimal" is said only when the recomputed gap is closed.

    Raises
    ------
    ValueError
        An unknown solver or proof mode, a limit or gap that is negative or NaN, a seed that is
        negative, or a start of the wrong length.
    """
    _check_request(solver, proof, seed)
    _check_limits(time_limit_s=time_limit_s, node_limit=node_limit, gap=gap)
    point = None if start is None else _checked_start(model, start)
    began, cpu = time.perf_counter(), WORKER.cpu_s
    if node_limit is None and time_limit_s is None and model.is_integer.any():
        node_limit = _NODES
    limits = Limits(time_limit_s, node_limit, engine_gap(gap), seed, presolve, heuristics)
    claims: list[Claim] = []
    claim_set = _without_solver(model) or _by_parity(model, proof)
    if claim_set is None and proof != "never" and is_wide(model):
        claim_set = _without_back_end(model, limits, point)
    if claim_set is None:
        names = BACKENDS if solver == "both" else [solver]
        claim_set, claims = _asked(model, names, limits, point, doubt=doubt)
        claim_set = _prove(model, claim_set, limits, proof, gap if gap > OPTIMAL_GAP else 0.0)
    result = _result(model, claim_set, claims, gap, seed)
    wall_s, cpu_s = time.perf_counter() - began, WORKER.cpu_s - cpu
    return replace(result, certificate=replace(result.certificate, wall_s=wall_s, cpu_s=cpu_s))


def _asked(
    model: Milp,
    names: Sequence[str],
    limits: Limits,
    start: Floats | None,
    *,
    doubt: bool = True,
) -> tuple[ClaimSet, list[Claim]]:
    """Ask every back end; once more in a larger unit where the objective turns out too small."""
    scale = scaled(model)
    claims = [scale.original(ask_backend(name, scale.model, limits, start)) for name in names]
    claim_set = _combined(model, claims, start)
    if not doubt and claim_set.status is Status.INFEASIBLE:
        return settle(claim_set, claims), claims
    claim_set = _second_opinion(model, claim_set, claims, limits, start, scale)
    for _ in range(_RESCALED):
        point = claim_set.point
        if point is None:
            return claim_set, claims
        size = noise(model, point.x)
        exponent = finer_exponent(model, scale.cost_exponent, point.objective, size)
        if exponent == scale.cost_exponent:
            if tells(model, exponent, point.objective, size):
                return claim_set, claims
            break
        scale = scaled(model, exponent)
        claims = [scale.original(ask_backend(n, scale.model, limits, point.x)) for n in names]
        claim_set = _combined(model, claims, point.x)
        claim_set = _second_opinion(model, claim_set, claims, limits, point.x, scale)
    return replace(claim_set, bound=None, notes=(*claim_set.notes, note("objective-small"))), claims


def _duals(claims: list[Claim], objective: float | None) -> Floats | None:
    """Return the row duals of the engine whose optimum is nearest to the verified objective.

    Several engines answer where one alone does not suffice, and only HiGHS gives duals.
    """
    given = [claim for claim in claims if claim.duals is not None and claim.bound is not None]
    if objective is None or not given:
        return None
    return min(given, key=lambda claim: abs((claim.bound or 0.0) - objective)).duals


def engine_gap(gap: float) -> float:
    """What an engine is asked for: a wide gap as it is, a narrow one with room for rounding."""
    return gap if gap > OPTIMAL_GAP else gap / 10


def certify_claim(model: Milp, claim: Claim, *, gap: float, seed: int) -> Result:
    """Verify one claim without a second opinion or a proof."""
    return _result(model, settle(_combined(model, [claim], None), [claim]), [claim], gap, seed)


def certify_afresh(model: Milp, limits: Limits, start: Floats | None, *, gap: float) -> Result:
    """Solve from scratch with HiGHS, and with other solvers if HiGHS alone is not enough."""
    claim_set, claims = _asked(model, ["highs"], limits, start)
    return _result(model, claim_set, claims, gap, limits.seed)


def believable(result: Result) -> bool:
    """Whether one claim alone suffices: a point that solvers can tell from others, or a limit."""
    model, x, objective = result.model, result.x, result.objective
    if x is None or objective is None:
        return result.certificate.stop in (Stop.TIME, Stop.NODES)
    return scaled(model).model is model and tells(model, 0, objective, noise(model, x))


def _result(model: Milp, claim_set: ClaimSet, claims: list[Claim], gap: float, seed: int) -> Result:
    certified = certificate(model, claim_set, claims, gap=gap, seed=seed)
    x = None if claim_set.point is None else claim_set.point.x
    return Result(certified, x, model, _duals(claims, certified.objective))


def _check_request(solver: str, proof: str, seed: int) -> None:
    if solver not in SOLVERS:
        raise ValueError(f"unknown solver {solver!r}; choose one of {', '.join(SOLVERS)}")
    if proof not in get_args(ProofMode):
        raise ValueError(f"unknown proof mode {proof!r}; choose auto, always or never")
    if not 0 <= seed < _SEEDS:
        raise ValueError(f"seed = {seed}; the solvers take whole numbers from 0 to {_SEEDS - 1}")


def _check_limits(**limits: float | None) -> None:
    for name, limit in limits.items():
        if limit is not None and not 0 <= limit < math.inf:
            raise ValueError(f"{name} = {limit}; give a finite number of at least 0, or None")


def _checked_start(model: Milp, start: ArrayLike) -> Floats:
    point = np.asarray(start, dtype=np.float64)
    if point.shape != (model.columns,):
        raise ValueError(f"start has shape {point.shape}; the model has {model.columns} columns")
    return point


def _without_solver(model: Milp) -> ClaimSet | None:
    """Decide what bounds alone decide: sides that cross, and models without columns."""
    for part, low, high, name in (
        ("column", model.column_lower, model.column_upper, model.column_name),
        ("row", model.row_lower, model.row_upper, model.row_name),
    ):
        for index in np.flatnonzero(low > high).tolist():
            if decimal(low[index]) > decimal(high[index]):
                return _no_point("crossing", part, name(index))
    if model.columns:
        return None
    for row in np.flatnonzero((model.row_lower > 0) | (model.row_upper < 0)).tolist():
        return _no_point("empty", "row", model.row_name(row))
    point = Point(np.empty(0), model.constant, 0.0)
    return ClaimSet(point, model.constant, Status.OPTIMAL, Stop.FINISHED, Level.PROVED)


def _by_parity(model: Milp, mode: ProofMode) -> ClaimSet | None:
    """Find a row that whole numbers cannot meet; *verified* if the mode is ``"never"``."""
    row = impossible_row(model) if model.is_integer.any() else None
    if row is None:
        return None
    result = _no_point("parity", "row", model.row_name(row))
    return replace(result, level=Level.VERIFIED) if mode == "never" else result


def _without_back_end(model: Milp, limits: Limits, start: Floats | None) -> ClaimSet | None:
    """Prove at once what keeps engines busy without end: integer columns of huge range."""
    if model.nonzeros > _AUTO_NONZEROS:
        return None
    starts = [] if start is None else [start]
    wait = limits.time_limit_s
    try:
        proof = WORKER.ask("prove", model, starts, _FIRST_NODES, wait, 0.0, time_limit_s=wait)
    except (SolverError, TimeoutError):
        return None
    if not proof.complete:
        return None
    nothing = ClaimSet(None, None, Status.UNKNOWN, Stop.FINISHED, Level.CLAIMED)
    return with_proof(model, nothing, proof)


def is_wide(model: Milp) -> bool:
    """Whether an integer column can take more than a million values."""
    room = (model.column_upper - model.column_lower)[model.is_integer]
    return bool((room > _WIDE).any())


def _no_point(why: str, part: str, name: str) -> ClaimSet:
    """That no point satisfies a row or a column."""
    given = note("no-point", part=(part, "model-part"), name=(name, "id"), why=(why, "no-point"))
    return ClaimSet(None, None, Status.INFEASIBLE, Stop.FINISHED, Level.PROVED, notes=(given,))


def ask_backend(
    name: str, model: Milp, limits: Limits, start: Floats | None, *, watched: bool = False
) -> Claim:
    """One back end's claim; a failure of the process is a claim of nothing.

    On wide models engines stay in loops that no limit of nodes, and not even one of time, ends.
    Without a time limit of the caller such an engine, or one that is ``watched``, is ended after
    a minute of CPU time, as a failure.
    """
    alone = limits.time_limit_s is None and (watched or is_wide(model))
    wait, cpu = limits.time_limit_s, _STUCK_CPU_S if alone else None
    try:
        claim: Claim = WORKER.ask(
            "solve", name, model, limits, start, time_limit_s=wait, cpu_limit_s=cpu
        )
    except TimeoutError as error:
        claim = Claim(Status.UNKNOWN, Stop.TIME, name, message=str(error))
    except SolverError as error:
        return Claim(Status.UNKNOWN, Stop.ERROR, name, message=str(error))
    if alone and claim.stop is Stop.TIME:
        return replace(claim, stop=Stop.ERROR, message=_STUCK)
    return claim


def _combined(model: Milp, claims: list[Claim], start: Floats | None) -> ClaimSet:
    points = [_point(model, claim.x) for claim in claims]
    return combine_claims(model, claims, points, _point(model, start))


def _point(model: Milp, x: Floats | None) -> Point | None:
    """Round the claimed point, and repair it by a linear program where it must be."""
    if x is None or x.shape != (model.columns,) or (rounded := round_integers(model, x)) is None:
        return None
    point = check_point(model, clipped(model, rounded))
    if point.feasible or model.is_integer.all():
        return point if point.feasible else None
    fixed = scaled(model, rows_below=1.0).model.changed(
        column_lower=np.where(model.is_integer, rounded, model.column_lower),
        column_upper=np.where(model.is_integer, rounded, model.column_upper),
        is_integer=np.zeros(model.columns, dtype=np.bool_),
    )
    again = ask_backend("highs", fixed, Limits(), None, watched=True).x
    if again is None or again.shape != x.shape:
        return None
    point = check_point(model, clipped(model, np.where(model.is_integer, rounded, again)))
    return point if point.feasible else None


def _second_opinion(
    model: Milp,
    claim_set: ClaimSet,
    claims: list[Claim],
    limits: Limits,
    start: Floats | None,
    scale: Scaled,
) -> ClaimSet:
    """Ask on: nobody reads "infeasible", "unbounded" or no answer on one solver's word.

    A solver that failed by itself gives way to the others too, even where a start is known: it
    leaves no bound.
    """
    if claim_set.stop in (Stop.TIME, Stop.NODES):
        return claim_set
    if _stands(claim_set, claims, limits):
        return claim_set
    solver_names = {claim.solver.partition(" ")[0].lower() for claim in claims}
    further = [(name, limits) for name in BACKENDS if name not in solver_names]
    further.append(("highs", replace(limits, presolve=False)))
    for name, changed in further:
        if agreed(claims):
            break
        claims.append(scale.original(ask_backend(name, scale.model, changed, start)))
        claim_set = _combined(model, claims, start)
        if _stands(claim_set, claims, limits):
            return claim_set
    return settle(claim_set, claims)


def _stands(claim_set: ClaimSet, claims: Sequence[Claim], limits: Limits) -> bool:
    """Whether there is a point, and no reason to ask others for a better one.

    A back end that calls its point optimal, far from its own bound, has lost a point on the way:
    what its presolve accepts within a tolerance, its check afterwards may not.
    """
    if claim_set.status is not Status.FEASIBLE or _failed(claims):
        return False
    if claim_set.point is None or claim_set.bound is None:
        return True
    done = any(claim.stop is Stop.FINISHED and claim.status is Status.OPTIMAL for claim in claims)
    apart = relative_gap(claim_set.point.objective, claim_set.bound)
    return not done or apart <= max(_LOST, 2 * limits.gap)


def _failed(claims: Sequence[Claim]) -> bool:
    """Whether no back end came to an end, and none had to be ended on a wide model."""
    return all(claim.stop is Stop.ERROR and claim.message != _STUCK for claim in claims)


def _prove(
    model: Milp, claim_set: ClaimSet, limits: Limits, mode: ProofMode, gap: float
) -> ClaimSet:
    """Replace claims by an exact proof where that is asked for or cheap."""
    node_limit = _PROOF_NODES
    if mode == "auto":
        node_limit = min(_AUTO_NODES, _AUTO_WORK // (model.nonzeros + model.columns + 1))
    if mode == "never" or (mode == "auto" and model.nonzeros > _AUTO_NONZEROS):
        return claim_set
    starts = [] if claim_set.point is None else [claim_set.point.x]
    budget = limits.time_limit_s
    try:
        proof = WORKER.ask("prove", model, starts, node_limit, budget, gap, time_limit_s=budget)
    except (SolverError, TimeoutError) as error:
        unproved = note("no-proof", message=(str(error), "message"))
        return replace(claim_set, notes=(*claim_set.notes, unproved))
    return with_proof(model, claim_set, proof)
