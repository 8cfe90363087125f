"""Pairs of greatest gain, with the proof; and how the ways in use compare."""

from __future__ import annotations

import numpy as np

from planner.errors import InputError
from planner.sharing_nodes.pairs.plan import CoLocationPlan, plan_of
from planner.sharing_nodes.pairs.problem import MOST_MATCHED, PairingProblem
from scenarios.pairs.pair_table import Floats
from solvers.matching.engines import Engine
from solvers.matching.kinds import match_kinds
from solvers.matching.solve import Matched, match
from solvers.matching.weights import Weights


def matched(problem: PairingProblem, *, engine: Engine = "auto") -> tuple[CoLocationPlan, Matched]:
    """Pairs with the greatest sum of gains.

    Raises
    ------
    InputError
        An unknown engine, or one that is not installed.
    """
    result = matched_on(problem, problem.kind_gain, engine=engine)
    return plan_from(problem, "matching", result), result


def matched_on(problem: PairingProblem, kind_gain: Floats, *, engine: Engine = "auto") -> Matched:
    """A matching on other gains of applications than the measured ones, as on their lower ends.

    More than ``MOST_MATCHED`` jobs are matched by kinds; then ``engine`` has no effect.
    """
    useful = problem.useful(kind_gain)
    if problem.jobs > MOST_MATCHED:
        return match_kinds(problem.kind, useful)
    weights = problem.of_jobs(useful)
    np.fill_diagonal(weights, 0.0)
    try:
        return match(Weights(weights), engine=engine)
    except ValueError as error:
        raise InputError(str(error)) from None


def plan_from(problem: PairingProblem, method: str, matching: Matched) -> CoLocationPlan:
    """The plan of a matching."""
    return plan_of(problem, method, ((a, b) for a, b in matching.pairs.tolist()))
