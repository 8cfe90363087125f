"""The matching of greatest weight, with a certificate that does not rest on who found it."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from solvers.matching.check import dual_bound, dual_violations, matching_violations
from solvers.matching.duals import Duals, proved
from solvers.matching.engines import Engine, chosen, found_by
from solvers.matching.weights import Weights
from solvers.model.milp import Indices
from solvers.model.result import Certificate, Level, Status, Stop, gaps
from solvers.proofs.claim_set import failed

GAP = 1e-9
"""Relative gap up to which a matching is called optimal: that of whole weights is far below."""


@dataclass(frozen=True, eq=False)
class Matched:
    """Pairs with their certificate.

    Attributes
    ----------
    pairs
        Vertices of each pair, ascending, shape ``(pairs, 2)``.
    duals
        What the bound follows from.
    exponent
        Dual values are in units of 2 to minus this power, doubled.
    rejected
        Why the pairs of an engine were replaced by the built-in ones: ``not a matching`` or
        ``not optimal``; empty where they were not.
    """

    pairs: Indices
    certificate: Certificate
    duals: Duals = field(repr=False)
    exponent: int = 0
    rejected: str = ""


def match(weights: Weights, *, engine: Engine = "auto") -> Matched:
    """Find a matching of greatest weight and prove it.

    Dual values come from the built-in primal-dual algorithm, even if another engine finds the
    pairs. They are checked separately (:mod:`solvers.matching.check`). The bound is theirs, plus
    what the rounding of the weights to whole numbers can hide.

    Raises
    ------
    ValueError
        An unknown engine, or one that is not installed.
    """
    name = chosen(engine, weights.vertices)
    began, cpu = time.perf_counter(), time.process_time()
    pairs, duals = proved(weights)
    rejected = ""
    if name != "built-in":
        theirs = found_by(name, weights)
        if matching_violations(weights, theirs):
            rejected = "not a matching"
        elif _whole(weights, theirs) < _whole(weights, pairs):
            rejected = "not optimal"
        else:
            pairs = theirs
    wrong = [*matching_violations(weights, pairs), *dual_violations(weights, duals)]
    objective = weights.pair_weight(pairs)
    bound = None if wrong else _bound(weights, duals, objective)
    content = weights.weight.tobytes()
    certificate = certified(objective, bound, content, (began, cpu), name, wrong)
    return Matched(pairs, certificate, duals, weights.exponent, rejected)


def certified(
    objective: float, bound: float | None, content: bytes, began: tuple[float, float],
    solver: str = "built-in", wrong: Sequence[str] = (),
) -> Certificate:  # fmt: skip
    """The certificate of a matching, whose bound has been checked.

    The digest is of ``content``; ``began`` has wall and CPU time [s]; ``wrong`` has the errors of
    pairs and dual values.
    """
    absolute, relative = gaps(objective, bound)
    closed = relative is not None and relative <= GAP
    return Certificate(
        status=Status.OPTIMAL if closed else Status.FEASIBLE,
        level=Level.CLAIMED if bound is None else Level.PROVED,
        stop=Stop.FINISHED,
        objective=objective,
        bound=bound,
        gap_absolute=absolute,
        gap_relative=relative,
        max_violation=None if wrong else 0.0,
        solver=solver,
        options={},
        seed=0,
        model="matching",
        model_digest=hashlib.sha256(content).hexdigest(),
        notes=tuple(failed(solver, each) for each in wrong),
        wall_s=time.perf_counter() - began[0],
        cpu_s=time.process_time() - began[1],
    )


def _bound(weights: Weights, duals: Duals, objective: float) -> float:
    if not weights.largest:
        return 0.0
    return max(objective, weights.from_whole(dual_bound(duals)) + weights.rounding)


def _whole(weights: Weights, pairs: Indices) -> int:
    return sum(weights.whole[pairs[:, 0], pairs[:, 1]].tolist())
