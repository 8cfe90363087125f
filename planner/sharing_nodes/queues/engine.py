"""Run a log under a sharing rule, and with a pairing of one's own."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np

from planner.errors import InputError
from planner.scheduling.policies.compiled import fixed, fixed_array
from planner.sharing_nodes.queues.loop import run_log, start_jobs, step
from planner.sharing_nodes.queues.problem import (
    NEVER,
    Integers,
    SharedJobs,
    SharedProblem,
    SharedSchedule,
)
from planner.sharing_nodes.queues.rolling import ALONE, RollingMatching
from planner.sharing_nodes.queues.rules import WHOLE, SharingGate, SharingRule
from planner.sharing_nodes.queues.speeds import PPM, Speeds, millionths
from planner.sharing_nodes.queues.state import (
    LATEST,
    SharedCluster,
    SharedFacts,
    SharedLog,
    SharedNow,
    SharedRules,
    StartedJobs,
)


class Pairing(Protocol):
    """Chooses partners among the waiting jobs, as by a matching."""

    def mates(self, waiting: Integers, time_ms: int) -> Integers:
        """Return the partner of each waiting job: a job, ``NEVER`` for any, ``ALONE`` for nobody.

        Parameters
        ----------
        waiting
            Jobs that wait, in order of submission, by their places in the problem.
        time_ms
            When.
        """
        ...


@dataclass(frozen=True, eq=False)
class SharedRun:
    """A schedule, and how long the loop took [s]."""

    schedule: SharedSchedule
    seconds: float


def schedule(
    problem: SharedProblem, rule: SharingRule = WHOLE, pairing: Pairing | None = None
) -> SharedRun:
    """Run the log.

    Parameters
    ----------
    pairing
        Function that chooses the partners with which jobs open nodes, called before each pass. It
        replaces the loop's own search among the waiting jobs, for rules whose unpaired jobs wait.

    Raises
    ------
    InputError
        The gate has other applications, or a pairing returns a job that is not a valid partner.
    """
    _compile()
    if pairing is not None and not (rule.layout == "share" and rule.unpaired == "wait"):
        raise InputError(f"{rule.name} opens no nodes in pairs; give a rule with unpaired = 'wait'")
    if rule.fill and problem.halves_per_node == 1:
        raise InputError(
            f"{rule.name} fills up with whole nodes, where jobs that share have all cores of a "
            "node anyway; give fill = False"
        )
    if pairing is None and rule.horizon and rule.gate is not None:
        pairing = RollingMatching(problem, rule, rule.gate, rule.horizon, rule.age_s)
    facts, (cluster, now) = _facts(problem, rule), _cluster(problem, rule)
    began = time.perf_counter()
    if pairing is None:
        run_log(facts, cluster, now)
    else:
        _run_paired(facts, cluster, now, pairing)
    return SharedRun(_schedule(facts, cluster), time.perf_counter() - began)


def _run_paired(
    facts: SharedFacts, cluster: SharedCluster, now: SharedNow, pairing: Pairing
) -> None:
    """Run the loop with a question to the pairing before each pass."""
    started = 0
    while now.arrived < len(facts.log.submit_ms) or now.running > 0:
        now, time_ms, first = _now_of(step(facts, cluster, now, started))
        started = now.started
        if now.waiting > 0:
            waiting = cluster.queue[: now.waiting].copy()
            mates = np.asarray(pairing.mates(waiting, time_ms), np.int64)
            if mates.shape != waiting.shape or not (mates < len(cluster.mate)).all():
                raise InputError(
                    f"a pairing of {len(waiting)} waiting jobs has {mates.size} partners, or an "
                    "unknown one; give a partner, NEVER or ALONE for each"
                )
            cluster.mate[waiting] = mates
            now = SharedNow(*start_jobs(facts, cluster, now, time_ms, first))


def _now_of(answer: tuple[SharedNow, int, int]) -> tuple[SharedNow, int, int]:
    now, time_ms, first = answer
    return SharedNow(*now), int(time_ms), int(first)


def needs(problem: SharedProblem, rule: SharingRule) -> tuple[Integers, Integers]:
    """Return how many nodes each job takes alone, 0 if rejected; and how many halves it may."""
    jobs, fits, per_node = problem.jobs, problem.fits, problem.halves_per_node
    wide = np.where(per_node * jobs.nodes <= problem.nodes, per_node * jobs.nodes, 0)
    alone, halves = jobs.nodes, np.zeros(len(jobs), np.int64)
    if rule.layout == "half idle":
        alone = np.where(wide > 0, wide, jobs.nodes)
    elif rule.gate is not None and rule.layout == "share":
        shares = np.any(rule.gate.admitted, axis=1)
        largest = per_node * jobs.nodes if rule.fill else wide
        keeps_floor = rule.gate.idle[jobs.application] >= rule.floor_of(jobs.user)
        halves = np.where(np.take(shares, jobs.application) & keeps_floor, largest, 0)
    return np.where(fits, alone, 0), np.where(fits, halves, 0)


def expected_shared_ms(problem: SharedProblem, rule: SharingRule) -> Integers:
    """Requested time times the stretch of the application, rounded up; at least the request."""
    jobs = problem.jobs
    if rule.gate is None:
        return jobs.requested_ms
    floor = np.maximum(rule.floor_of(jobs.user), 1e-9)
    slowest = np.maximum((1 + rule.gate.margin) / floor, 1.0)
    stretch = np.minimum(rule.gate.stretch[jobs.application], slowest)
    stretched = np.ceil(jobs.requested_ms * stretch)
    return np.maximum(stretched.astype(np.int64), jobs.requested_ms)


def _facts(problem: SharedProblem, rule: SharingRule) -> SharedFacts:
    jobs, speeds = problem.jobs, problem.speeds
    if rule.gate is not None and len(rule.gate.stretch) != len(speeds):
        raise InputError(
            f"the gate is of {len(rule.gate.stretch)} applications, where the speeds name "
            f"{len(speeds)}; make it from the same table"
        )
    alone, halves = needs(problem, rule)
    half, full = millionths(speeds.half), millionths(speeds.full)
    rate = np.where(alone > jobs.nodes, half[jobs.application], full[jobs.application])
    largest = np.maximum(alone, halves)
    log = SharedLog(
        jobs.submit_ms,
        jobs.application,
        problem.work,
        alone,
        rate,
        halves,
        jobs.requested_ms,
        expected_shared_ms(problem, rule),
        np.cumsum(largest) - largest,
        millionths(rule.floor_of(jobs.user)),
    )
    shares = rule.layout == "share"
    spreads = shares and rule.unpaired == "spread"
    nobody = np.zeros((len(speeds),) * 2, np.int64)
    gate = rule.gate if rule.gate is not None else SharingGate(nobody, np.ones(len(speeds)))
    rules = SharedRules(
        gate.level,
        int(gate.level.max()),
        spreads,
        shares and not spreads,
        shares and rule.fill,
        rule.cover,
        problem.halves_per_node,
        rule.least_gain is not None,
        round((rule.least_gain or 0.0) * PPM),
        millionths(gate.relative),
        millionths(gate.idle),
        millionths(gate.lowest),
    )
    return SharedFacts(
        fixed(log), fixed(rules), fixed_array(millionths(speeds.pair)), fixed_array(half)
    )


def _cluster(problem: SharedProblem, rule: SharingRule) -> tuple[SharedCluster, SharedNow]:
    jobs, nodes = len(problem.jobs), problem.nodes
    entries = int(np.maximum(*needs(problem, rule)).sum())
    table = StartedJobs(*(np.full(jobs, NEVER, np.int64) for _ in StartedJobs._fields))
    cluster = SharedCluster(
        jobs=table,
        running=np.empty(2 * nodes + 1, np.int64),
        occupant=np.full((nodes, 2), NEVER, np.int64),
        node=np.empty(entries, np.int64),
        open=np.zeros(len(problem.speeds), np.int64),
        queue=np.empty(jobs + 1, np.int64),
        mate=np.full(jobs, NEVER, np.int64),
        sweeps=np.zeros(1, np.int64),
    )
    return cluster, SharedNow(nodes, 0, 0, 0, 0, 0)


def _schedule(facts: SharedFacts, cluster: SharedCluster) -> SharedSchedule:
    jobs = cluster.jobs
    count = np.where(jobs.start_ms != NEVER, jobs.held, 0)
    first = np.r_[0, np.cumsum(count)].astype(np.int64)
    index = np.repeat(facts.log.first - first[:-1], count) + np.arange(first[-1])
    return SharedSchedule(
        jobs.start_ms,
        jobs.end_ms,
        np.where(jobs.start_ms != NEVER, jobs.split, 0),
        first,
        cluster.node[index],
        jobs.expected_ms,
        jobs.promised_ms,
    )


@cache
def _compile() -> None:
    """Compile or load the loop, so that its time is not a rule's."""
    none = np.empty(0, np.int64)
    jobs = SharedJobs(none, none, none, none, none, none, none)
    speeds = Speeds(("none",), np.ones((1, 1)), np.ones(1), np.ones(1))
    problem = SharedProblem(1, jobs, speeds)
    rule = SharingRule("compile", "share", SharingGate(np.ones((1, 1), np.int64), np.ones(1)))
    run_log(_facts(problem, rule), *_cluster(problem, rule))


__all__ = ["ALONE", "LATEST", "NEVER", "Pairing", "SharedRun", "expected_shared_ms", "schedule"]
