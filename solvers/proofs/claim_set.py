"""Weigh claims and proofs against each other; no solver runs in this module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from solvers.backends.protocol import Claim
from solvers.backends.scaling import least_cost
from solvers.model.milp import Milp
from solvers.model.note import Note, note
from solvers.model.result import Certificate, Level, Status, Stop, gaps
from solvers.proofs.check import Point, noise

if TYPE_CHECKING:
    from solvers.proofs.branching import Proof  # which loads HiGHS, in the child process alone

OPTIMAL_GAP = 1e-6
"""Relative gap up to which a result is called optimal, unless a wider one was asked for."""
ROUNDING = 1e-12
"""Violation of a row that the rounding of its coefficients alone can cause."""


@dataclass(frozen=True, eq=False)
class ClaimSet:
    """What is known while a certificate is being put together."""

    point: Point | None
    bound: float | None
    status: Status
    stop: Stop
    level: Level
    nodes: int = 0
    proof_nodes: int = 0
    notes: tuple[Note, ...] = ()


def combine_claims(
    model: Milp, claims: Sequence[Claim], points: Sequence[Point | None], start: Point | None
) -> ClaimSet:
    """Best verified point and best consistent bound of all claims.

    Parameters
    ----------
    model
        The problem.
    claims, points
        What each back end said, and its point where that was verified.
    start
        The caller's own start, where that was verified.
    """
    best, notes = start, list[Note]()
    for claim, point in zip(claims, points, strict=True):
        if claim.x is not None and point is None:
            notes.append(note("point-dropped", solver=(claim.solver, "id")))
        if point and (best is None or _gain(model, best.objective, point.objective) > 0):
            best = point
        if claim.stop is Stop.ERROR:
            notes.append(failed(claim.solver, claim.message))
    bound, beaten = _best_bound(model, claims, best)
    status, contradicted = _status(claims, best)
    return ClaimSet(
        best,
        bound,
        status,
        _stop(claims),
        Level.VERIFIED if best is not None else Level.CLAIMED,
        nodes=sum(claim.nodes for claim in claims),
        notes=(*notes, *beaten, *contradicted),
    )


def _gain(model: Milp, old: float, new: float) -> float:
    """How much better ``new`` is than ``old``."""
    return old - new if model.sense == "min" else new - old


def _slack(model: Milp, point: Point) -> float:
    """By how much a bound may be beaten before it counts as false."""
    return OPTIMAL_GAP * abs(point.objective) + _rounding(model, point)


def _rounding(model: Milp, point: Point) -> float:
    """What is rounding: of the terms, and around zero a millionth of the least cost."""
    terms = noise(model, point.x)
    at_zero = abs(point.objective) <= terms
    return max(terms, OPTIMAL_GAP * least_cost(model)) if at_zero else terms


def _best_bound(
    model: Milp, claims: Sequence[Claim], best: Point | None
) -> tuple[float | None, list[Note]]:
    """Tightest claimed bound that no verified point beats."""
    tightest: float | None = None
    notes = []
    for claim in claims:
        if claim.bound is None or not np.isfinite(claim.bound):
            continue
        if best and _gain(model, claim.bound, best.objective) > _slack(model, best):
            bound = (claim.bound, "number")
            notes.append(note("bound-dropped", solver=(claim.solver, "id"), bound=bound))
        elif tightest is None or _gain(model, claim.bound, tightest) > 0:
            tightest = claim.bound
    return tightest, notes


def statuses(claims: Sequence[Claim]) -> list[Status]:
    """Collect what the back ends that ran to their end made of the model."""
    done = (claim.status for claim in claims if claim.stop is Stop.FINISHED)
    return [status for status in done if status is not Status.UNKNOWN]


def _status(claims: Sequence[Claim], best: Point | None) -> tuple[Status, list[Note]]:
    words = set(statuses(claims))
    notes = []
    for claim in claims:
        said = claim.status if claim.stop is Stop.FINISHED else Status.UNKNOWN
        alone = said is Status.UNBOUNDED and len(words) > 1
        if best and (said is Status.INFEASIBLE or alone):
            status = (said.value, "status")
            notes.append(note("status-denied", solver=(claim.solver, "id"), status=status))
    if best:
        return Status.UNBOUNDED if words == {Status.UNBOUNDED} else Status.FEASIBLE, notes
    if words in ({Status.INFEASIBLE}, {Status.UNBOUNDED}):
        return words.pop(), notes
    return Status.UNKNOWN, notes


def _stop(claims: Sequence[Claim]) -> Stop:
    """Finished if any back end finished, else the first reason that is not a failure."""
    stops = [claim.stop for claim in claims]
    if Stop.FINISHED in stops:
        return Stop.FINISHED
    return next((stop for stop in stops if stop is not Stop.ERROR), Stop.ERROR)


def agreed(claims: Sequence[Claim]) -> bool:
    """Return whether at least two claims support one verdict and none contradicts it."""
    words = statuses(claims)
    return len(words) > 1 and len(set(words)) == 1


def settle(claim_set: ClaimSet, claims: Sequence[Claim]) -> ClaimSet:
    """Take "infeasible" and "unbounded" for true only where two say so and none denies it."""
    if agreed(claims) and claim_set.status in (Status.INFEASIBLE, Status.UNBOUNDED):
        return replace(claim_set, point=None, bound=None, level=Level.VERIFIED)
    kind = "solvers-disagree" if len(set(statuses(claims))) > 1 else ""
    if not kind and claim_set.point is None and len(statuses(claims)) == 1:
        kind = "one-solver"
    if kind:
        solvers = (tuple(claim.solver for claim in claims), "id")
        said = (tuple(claim.status.value for claim in claims), "status")
        claim_set = _noted(claim_set, note(kind, solvers=solvers, statuses=said))
    if claim_set.point is not None:
        return replace(claim_set, status=Status.FEASIBLE)
    return replace(claim_set, status=Status.UNKNOWN, bound=None)


def with_proof(model: Milp, claim_set: ClaimSet, proof: Proof) -> ClaimSet:
    """Let exact arithmetic overrule the claims."""
    claim_set = replace(claim_set, proof_nodes=proof.nodes)
    if _held_by_rounding(model, claim_set.point, proof):
        optimum = None if proof.objective is None else float(proof.objective)
        return _noted(claim_set, note("within-rounding", optimum=(optimum, "number")))
    if proof.infeasible:
        return _decided(claim_set, Status.INFEASIBLE)
    if proof.unbounded:
        return _decided(claim_set, Status.UNBOUNDED)
    bound = None if proof.bound is None else float(proof.bound)
    if proof.point is None or proof.objective is None:
        decided = claim_set.status in (Status.INFEASIBLE, Status.UNBOUNDED)
        return claim_set if decided else _with_bound(model, claim_set, bound)
    x = np.array([float(value) for value in proof.point], dtype=np.float64)
    exact = Point(x, float(proof.objective), 0.0)
    if claim_set.status is Status.INFEASIBLE:
        claim_set = _overruled(claim_set, Status.FEASIBLE)
    old = claim_set.point
    if old and _gain(model, old.objective, exact.objective) > _slack(model, exact):
        value = (old.objective, "number")
        claim_set = _noted(claim_set, note("proof-better", objective=value))
    relative = gaps(exact.objective, bound)[1]
    if relative is not None and (proof.complete or relative <= OPTIMAL_GAP):
        if claim_set.status is Status.UNBOUNDED:
            claim_set = _overruled(claim_set, Status.OPTIMAL)
        return replace(
            claim_set,
            point=exact,
            bound=bound,
            status=Status.OPTIMAL,
            stop=Stop.FINISHED,
            level=Level.PROVED,
        )
    if claim_set.status is Status.UNBOUNDED and bound is None:
        return claim_set
    if old is None or _gain(model, old.objective, exact.objective) > 0:
        claim_set = replace(claim_set, point=exact, status=Status.FEASIBLE, level=Level.VERIFIED)
    return _with_bound(model, claim_set, bound)


def _held_by_rounding(model: Milp, point: Point | None, proof: Proof) -> bool:
    """Whether exact decimals deny a point that only the rounding of its data keeps from holding.

    Data such as 1/3 have no short decimal, so that rows which agree in truth contradict each
    other by 1e-15. Who computed them wants the point; it stays *verified* and is not overruled.
    """
    if point is None or point.violation > ROUNDING:
        return False
    if proof.infeasible or proof.objective is None:
        return proof.infeasible
    return proof.complete and _gain(model, float(proof.objective), point.objective) > _slack(
        model, point
    )


def _with_bound(model: Milp, claim_set: ClaimSet, proved: float | None) -> ClaimSet:
    """Drop a claimed bound that the point beats; take the proved one where it is tighter."""
    point, bound = claim_set.point, claim_set.bound
    if point and bound is not None:
        beaten = _gain(model, bound, point.objective) > _slack(model, point)
        bound = None if beaten else bound
    if proved is not None and (bound is None or _gain(model, bound, proved) < 0):
        bound = proved
    return replace(claim_set, bound=bound)


def failed(solver: str, message: str) -> Note:
    """That a solver failed, and what it said."""
    return note("solver-failed", solver=(solver, "id"), message=(message or None, "message"))


def _noted(claim_set: ClaimSet, noticed: Note) -> ClaimSet:
    return replace(claim_set, notes=(*claim_set.notes, noticed))


def _overruled(claim_set: ClaimSet, truth: Status) -> ClaimSet:
    """Note that the proof contradicts the solvers."""
    said, proved = (claim_set.status.value, "status"), (truth.value, "status")
    return _noted(claim_set, note("proof-overrules", said=said, proved=proved))


def _decided(claim_set: ClaimSet, truth: Status) -> ClaimSet:
    if claim_set.status not in (truth, Status.UNKNOWN):
        claim_set = _overruled(claim_set, truth)
    return replace(
        claim_set,
        point=None,
        bound=None,
        status=truth,
        stop=Stop.FINISHED,
        level=Level.PROVED,
    )


def certificate(
    model: Milp, claim_set: ClaimSet, claims: Sequence[Claim], *, gap: float, seed: int
) -> Certificate:
    """Put the claim_set into its final form; "optimal" only by the recomputed gap."""
    point, bound = claim_set.point, claim_set.bound
    objective = None if point is None else point.objective
    if point is not None and bound is not None and claim_set.level is not Level.PROVED:
        equal = abs(point.objective - bound) <= _rounding(model, point)
        bound = point.objective if equal else bound
    absolute, relative = gaps(objective, bound)
    status = claim_set.status
    if point is not None and status is not Status.UNBOUNDED:
        close = relative is not None and relative <= max(gap, OPTIMAL_GAP)
        status = Status.OPTIMAL if close else Status.FEASIBLE
    return Certificate(
        status=status,
        level=claim_set.level,
        stop=claim_set.stop,
        objective=objective,
        bound=bound,
        gap_absolute=absolute,
        gap_relative=relative,
        max_violation=None if point is None else point.violation,
        solver=" + ".join(dict.fromkeys(claim.solver for claim in claims)) or "none needed",
        options=_options(claims),
        seed=seed,
        model=model.name,
        model_digest=model.digest,
        nodes=claim_set.nodes,
        proof_nodes=claim_set.proof_nodes,
        notes=claim_set.notes,
    )


def _options(claims: Sequence[Claim]) -> dict[str, dict[str, str | int | float | bool]]:
    """Return the options of each solver; a solver that ran twice has two entries."""
    options: dict[str, dict[str, str | int | float | bool]] = {}
    for claim in claims:
        again = f"{claim.solver}, second opinion"
        options[again if claim.solver in options else claim.solver] = dict(claim.options)
    return options
