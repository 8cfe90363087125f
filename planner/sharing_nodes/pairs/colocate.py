"""Pair the jobs of a table in every way, and compare."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from planner.errors import PlanError
from planner.sharing_nodes.pairs.decide import matched, matched_on, plan_from
from planner.sharing_nodes.pairs.frontier import frontier
from planner.sharing_nodes.pairs.groups import grouped
from planner.sharing_nodes.pairs.guesses import Guesses
from planner.sharing_nodes.pairs.intervals import lower_gain, spread_of
from planner.sharing_nodes.pairs.memory import with_memory
from planner.sharing_nodes.pairs.outcome import group_outcome, mean_outcome, outcome
from planner.sharing_nodes.pairs.plan import CoLocationPlan, violations
from planner.sharing_nodes.pairs.policies import first_fit, greedy, nobody, random_pairs
from planner.sharing_nodes.pairs.prediction import filled, predict_for
from planner.sharing_nodes.pairs.problem import MOST_MATCHED, PairingProblem, problem_of
from planner.sharing_nodes.pairs.settings import PairingSettings
from planner.sharing_nodes.pairs.study import ColocationStudy
from planner.sharing_nodes.pairs.throughput import Aim, balanced
from planner.sharing_nodes.pairs.to_measure import Probe, probes
from scenarios.pairs.pair_table import PairTable

MOST_COMPARED = 2_000
"""Jobs up to which bottleneck matchings and the frontier are made: each takes many matchings."""


def study(
    table: PairTable,
    jobs: Sequence[str] = (),
    settings: PairingSettings | None = None,
    *,
    command: tuple[str, ...] = (),
    progress: Callable[[str], None] = lambda _: None,
) -> ColocationStudy:
    """Pair jobs for the greatest gain, and compare with the ways in use.

    Parameters
    ----------
    jobs
        Application of each job; by default one job of each application.
    command
        Words of the command behind ``headroom``.
    progress
        Called with the name of each part as it begins.

    Raises
    ------
    InputError
        A job that the table does not name, too many jobs, or a setting out of its range; a job
        whose memory is not given or above that of a node.
    PlanError
        No groups keep to their rules; or a plan fails its check.
    """
    settings = settings or PairingSettings()
    measured = replace(
        with_memory(problem_of(table, jobs), settings.memories),
        least_gain=settings.least_gain,
        least_speed=settings.least_speed,
    )
    prediction = predict_for(table, measured)
    problem, new = measured, np.zeros(measured.speed.shape, dtype=np.bool_)
    if settings.predict and prediction is not None:
        problem, new = filled(measured, prediction)
    if settings.rules is not None:
        settings.rules.check(problem.jobs)
    progress("matching (on first use, compiling takes some seconds)")
    plan, result = matched(problem)
    bound = result.certificate.bound or 0.0
    progress("comparing policies")
    drawn = random_pairs(problem, settings.draws, settings.seed)
    fixed = [nobody(problem), first_fit(problem), greedy(problem), plan]
    small = problem.jobs <= MOST_COMPARED
    aims: tuple[Aim, ...] = ("slowdown", "gain") if small else ()
    further = [balanced(problem, plan, aim, settings.share) for aim in aims]
    robust = None if settings.predict else _robust(table, problem)
    rows = [outcome(fixed[0], bound), mean_outcome(problem, drawn, bound)]
    rows += [outcome(candidate, bound) for candidate in fixed[1:]]
    rows += [outcome(candidate, bound, "kept") for candidate in further]
    if robust is not None:
        rows.append(outcome(robust, bound, "lower ends"))
    plans = (
        *fixed,
        *further,
        *([robust] if robust is not None else []),
    )
    for candidate in plans:
        if wrong := violations(problem, candidate):
            raise PlanError(f"{candidate.method}: {'; '.join(wrong[:3])}")
    groups = None
    if settings.rules is not None:
        progress("groups")
        limit = settings.time_limit_s
        groups = grouped(problem, settings.rules, solver=settings.solver, time_limit_s=limit)
        rows.append(group_outcome(groups))
    following: tuple[Probe, ...] = ()
    if problem.jobs <= MOST_MATCHED:
        following = probes(measured, result, prediction, settings.next_pairs)
    guesses = Guesses(settings.predict, new, prediction, following)
    return ColocationStudy(
        table,
        settings,
        plan,
        result,
        tuple(rows),
        plans,
        guesses,
        groups,
        frontier(problem, plan) if small else (),
        command,
    )


def _robust(table: PairTable, problem: PairingProblem) -> CoLocationPlan | None:
    """The matching on the lower ends of the gains, where repeated measurements tell a spread."""
    spread = spread_of(table)
    if spread is None:
        return None
    lower = lower_gain(table, problem, spread)
    return plan_from(problem, "robust", matched_on(problem, lower, engine="built-in"))
