"""RMAP's policies: Traditional, Naive and Adaptive, with backfilling of nodes and watts.

With the configurations ``k`` of a job, their charges ``P(k)`` and times ``t(k)`` from the job
details table, the watts ``P_avail`` that no running job is charged, and the fair share
``P_job = w_prio n_req / N_cluster P_cluster``:

- **Traditional** chooses all cores of ``n_req`` nodes at the largest cap. If the job would draw
  more power than the bound, it chooses the largest number of nodes within the bound, ``n_max``.
- **Naive** chooses ``k* = argmin t(k)`` over ``P(k) <= P_job``.
- **Adaptive** (Algorithm 1) chooses as Naive. If ``P_job > P_avail``, it takes ``argmin t(k)`` over
  ``P(k) <= P_avail`` and ``nodes(k)`` at most the free nodes, and starts the job if
  ``t(k) <= (1 + th) t_req``.

Among equally fast configurations, a policy takes the one with least charge, then with fewest nodes,
then the first of the table.

The thesis leaves these points open; the policies follow these rules:

- D13: a job is charged ``P(k)`` of its configuration, not ``P_job``.
- D14: the deadline is the larger of ``t_req`` and ``t(k)`` under Naive and Adaptive, for any
  threshold, and ``t_req`` under Traditional. Jobs are ended at the deadline only if ``kill`` is
  ``"deadline"``.
- D15: a job without a configuration within ``P_job`` is rounded up to the one with least charge
  (the fastest of several), and counted. Only such a job exceeds its fair share. With
  ``small="reject"`` it is rejected.
- D16: the first waiting job has a reservation. This is the earliest time at which its configuration
  fits in nodes and watts, if running jobs end as the table says. Another job may overtake it if it
  ends by then, or takes only nodes and watts that are left over then. Under Adaptive the
  reservation holds ``P_job``, because this power must be free for Algorithm 1 to start the job.
  With ``backfill="conservative"`` each waiting job has such a reservation.

A job is rejected if it requests more nodes than the cluster has, or if no configuration of its
application fits the cluster and its bound.

References
----------
Patki (2015), sections 5.1 and 5.2, Algorithm 1 and Table 5.2.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.scheduling.policies.compiled import fixed
from planner.scheduling.power.acceptance import rounded_up
from planner.scheduling.power.loop.arrays import caps_of, least_charges, needs_of, world_of
from planner.scheduling.power.loop.choosing import (
    CONSERVATIVE,
    HEAD,
    NONE,
    Latest,
    PowerCluster,
    PowerFacts,
    PowerLogArrays,
    PowerRules,
)
from planner.scheduling.power.loop.lending import MEASURED, NOTHING, UNALLOCATED
from planner.scheduling.power.loop.lookup import stairs_of
from planner.scheduling.power.loop.play import run_log
from planner.scheduling.power.loop.reservations import empty_profile
from planner.scheduling.power.loop.state import (
    LATEST,
    JobStarts,
    Loans,
    NodeState,
    PowerNow,
    RowTable,
    RunningJobs,
)
from planner.scheduling.power.loop.waiting import nobody
from planner.scheduling.power.loop.wishes import naive, traditional
from planner.scheduling.power.policy import PowerRun
from planner.scheduling.power.problem import (
    NEVER,
    JobDetails,
    PowerJobs,
    PowerProblem,
    PowerSchedule,
)
from planner.scheduling.power.truth import PowerTruth

Backfill = Literal["head", "conservative", "none"]
Lends = Literal["nothing", "unallocated", "measured"]
Integers = NDArray[np.int64]

_LENDS = {"nothing": NOTHING, "unallocated": UNALLOCATED, "measured": MEASURED}
_BACKFILLS = {"none": NONE, "head": HEAD, "conservative": CONSERVATIVE}


@dataclass(frozen=True)
class PolicyMode:
    """One way to choose configurations.

    Attributes
    ----------
    wants
        ``traditional``: the packed configuration; ``naive``: the fastest within the fair share.
    adaptive
        Whether a job may start with what is free (Algorithm 1).
    threshold
        Slowdown that a job tolerates then, ``th``; ``None`` for any.
    """

    wants: Literal["traditional", "naive"] = "naive"
    adaptive: bool = True
    threshold: float | None = 0.0

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0 <= self.threshold < np.inf:
            raise InputError(
                f"threshold = {self.threshold:g} is not a share of the requested time; give 0 or "
                "more (0.1 tolerates 10 %), or none for any slowdown"
            )


@dataclass(frozen=True)
class Greedy:
    """A greedy policy of this module, or one that switches between two ways to choose.

    Attributes
    ----------
    mode
        How configurations are chosen.
    other
        How they are chosen while less than ``least_load`` of the watts is charged, or waiting jobs
        request less than ``least_request`` nodes on average; ``None`` for never.
    backfill
        Who has a reservation.
    best_fit
        Whether, of the jobs that may overtake, the one that leaves the fewest watts starts first.
    kill
        Whether jobs are ended at their deadline.
    small
        What happens to a job without a configuration within its fair share.
    node_order
        Nodes in order of preference; by default by number.
    lends
        What running jobs are lent while nobody needs it: nothing, watts that are not allocated, or
        also watts that jobs are charged but do not consume in their phase.
    efficient_first
        Whether jobs get the free nodes that consumed least in a calibration, where there was one;
        instead of ``node_order`` (thesis, section 7.3.1).
    """

    name: str
    mode: PolicyMode = PolicyMode()
    other: PolicyMode | None = None
    least_request: float = 0.0
    least_load: float = 0.0
    backfill: Backfill = "head"
    best_fit: bool = False
    kill: Literal["never", "deadline"] = "never"
    small: Literal["round", "reject"] = "round"
    node_order: tuple[int, ...] = ()
    lends: Lends = "nothing"
    efficient_first: bool = False

    def schedule(self, problem: PowerProblem) -> PowerRun:
        """Run the log."""
        _compile()
        wishes = self._wishes(problem)
        facts = self._facts(problem, wishes)
        profile = empty_profile(*self._most_steps(problem))
        change_limit = 64 * len(problem.jobs) if self.lends != "nothing" else 0
        # How many loans change is known only afterwards: the log then runs again with room for all.
        while True:
            cluster, now = _cluster(problem, self._order(problem), change_limit)
            began = time.perf_counter()
            run_log(facts, cluster, profile, now)
            seconds = time.perf_counter() - began
            if cluster.loans.counted[0] <= change_limit:
                return PowerRun(_schedule(problem, cluster), seconds)
            change_limit = int(cluster.loans.counted[0])

    @property
    def deadline(self) -> Literal["request", "configuration"]:
        """What a deadline is: the requested time, or at least the expected run time."""
        return "request" if self.mode.wants == "traditional" else "configuration"

    def _order(self, problem: PowerProblem) -> tuple[int, ...]:
        if self.efficient_first and len(problem.node_w):
            return tuple(np.argsort(problem.node_w, kind="stable").tolist())
        return self.node_order

    def _most_steps(self, problem: PowerProblem) -> tuple[int, int]:
        jobs = len(problem.jobs) if self.backfill == "conservative" else 0
        return jobs, problem.nodes + len(problem.occupied)

    def _modes(self) -> tuple[PolicyMode, PolicyMode]:
        return (self.other or self.mode), self.mode

    def _wishes(self, problem: PowerProblem) -> tuple[Integers, Integers]:
        rejects = self.small == "reject"
        wishes = {
            kind: traditional(problem) if kind == "traditional" else naive(problem, rejects=rejects)
            for kind in {mode.wants for mode in self._modes()}
        }
        low, high = (wishes[mode.wants] for mode in self._modes())
        return low, high

    def _facts(self, problem: PowerProblem, wishes: tuple[Integers, Integers]) -> PowerFacts:
        jobs, details, modes = problem.jobs, problem.details, self._modes()
        wish = _agreed(wishes)
        limit = np.array([_limit(problem, mode) for mode in modes])
        charge = np.where(wish == NEVER, 0, np.r_[details.charge_mw, 0][wish])
        share = problem.fair_share_mw
        adaptive = np.array([mode.adaptive for mode in modes])
        log = PowerLogArrays(
            jobs.submit_ms,
            jobs.application,
            jobs.nodes,
            jobs.time_scale,
            share,
            np.full(len(jobs), LATEST) if self.kill == "never" else jobs.requested_ms,
            wish,
            # D16: Algorithm 1 starts the head only where P_job is free, so Adaptive reserves that.
            np.where(adaptive[:, None], np.maximum(charge, share), charge),
            limit,
            np.array([least_charges(problem, row) for row in limit]),
        )
        rules = PowerRules(
            _BACKFILLS[self.backfill],
            self.best_fit,
            adaptive,
            np.array([mode.wants == "naive" for mode in modes]),
            self.least_request if self.other else 0.0,
            self.least_load if self.other else 0.0,
            _LENDS[self.lends],
        )
        return PowerFacts(
            fixed(log),
            fixed(RowTable(details.nodes, details.time_ms, details.charge_mw)),
            fixed(stairs_of(details, problem.nodes, problem.jobs_mw)),
            fixed(rules),
            fixed(world_of(problem)),
            fixed(caps_of(problem)),
            fixed(needs_of(problem, log, adaptive)),
            int(details.charge_mw.min()) if len(details) else 0,
            problem.jobs_mw,
        )


@cache
def _compile() -> None:
    """Compile or load the loop, so that its time is not a policy's."""
    none = np.empty(0, np.int64)
    jobs = PowerJobs(none, none, none, none, none, np.empty(0))
    details = JobDetails((), np.zeros(1, np.int64), none, none, np.empty(0), none, none)
    problem = PowerProblem(1, 1, jobs, details, PowerTruth(none, none))
    policy = Greedy("compile")
    facts = policy._facts(problem, policy._wishes(problem))  # noqa: SLF001 - of this module
    cluster, now = _cluster(problem, (), 0)
    run_log(facts, cluster, empty_profile(0, 1), now)


def _agreed(wishes: tuple[Integers, Integers]) -> Integers:
    """Return wishes by mode; a job that one mode rejects is rejected."""
    rows = np.array(wishes)
    agreed = np.where((rows == NEVER).any(axis=0), NEVER, rows)
    return np.asarray(agreed, np.int64)


def _limit(problem: PowerProblem, mode: PolicyMode) -> Integers:
    requested = problem.jobs.requested_ms
    if mode.threshold is None:
        return np.full(len(requested), LATEST)
    # The slack keeps a whole product that rounding leaves below a millisecond.
    limit: Integers = np.floor(requested * (1 + mode.threshold) + 1e-6).astype(np.int64)
    return limit


def _cluster(
    problem: PowerProblem, order: tuple[int, ...], changes: int
) -> tuple[PowerCluster, PowerNow]:
    """Return an empty cluster but for what is in use when the log begins."""
    jobs, uses, count = len(problem.jobs), problem.occupied, problem.nodes
    room = count + len(uses)
    running = RunningJobs(*(np.empty(room, np.int64) for _ in range(5)))
    preferred = np.array(order or range(count), np.int64)
    nodes = NodeState(
        np.ones(count, np.bool_),
        preferred,
        np.empty(jobs + len(uses), np.int64),
        np.empty(_most_nodes(problem), np.int64),
        np.empty(jobs + len(uses), np.int64),
    )
    by_preference = np.argsort(preferred, kind="stable")
    taken = 0
    # `running` is in order of expected ends, so what is in use enters in order of its ends.
    for position, index in enumerate(np.argsort([use.end_ms for use in uses], kind="stable")):
        use = uses[int(index)]
        # By number, not by preference: earlier entries hold the first nodes of the cluster.
        held = by_preference[sum(other.nodes for other in uses[: int(index)]) :][: use.nodes]
        nodes.free[held] = False
        nodes.taken[taken : taken + use.nodes] = held
        nodes.started[jobs + position], nodes.first[position] = position, taken
        columns = (jobs + position, use.end_ms, use.end_ms, use.nodes, use.charge_mw)
        for array, value in zip(running, columns, strict=True):
            array[position] = value
        taken += use.nodes
    charged = sum(use.charge_mw for use in uses)
    start, end, row = (np.full(jobs, NEVER, np.int64) for _ in range(3))
    starts = JobStarts(start, end, row, np.zeros(jobs, np.bool_))
    applications = len(problem.details.applications)
    latest = Latest(*(np.full(applications, NEVER, np.int64) for _ in range(3)))
    released = np.zeros(room + 1, np.int64)
    cluster = PowerCluster(
        running, nodes, nobody(jobs), latest, starts, _loans(jobs, changes), released
    )
    free_nodes, free_mw = count - taken, problem.jobs_mw - charged
    return cluster, PowerNow(free_nodes, free_mw, len(uses), 0, len(uses), taken)


def _loans(jobs: int, changes: int) -> Loans:
    room = jobs if changes else 1
    row, length, since, deadline, next_row = (np.full(room, NEVER, np.int64) for _ in range(5))
    remaining, expected = np.ones(room), np.ones(room)
    rows, count = np.empty((changes, 3), np.int64), np.zeros(1, np.int64)
    return Loans(row, length, remaining, expected, since, deadline, next_row, rows, count)


def _most_nodes(problem: PowerProblem) -> int:
    """Return how many nodes all jobs have together, each on its most."""
    details = problem.details
    largest = np.zeros(len(details.applications) + 1, np.int64)
    for application in range(len(details.applications)):
        counts = details.nodes[details.rows(application)]
        largest[application] = min(int(counts.max(initial=0)), problem.nodes)
    # Room for each job on its most nodes, so that the loop never runs out of it; never empty.
    used = sum(use.nodes for use in problem.occupied)
    return int(largest[problem.jobs.application].sum()) + used + 1


def _schedule(problem: PowerProblem, cluster: PowerCluster) -> PowerSchedule:
    starts, nodes, jobs = cluster.starts, cluster.nodes, len(problem.jobs)
    ran = starts.row != NEVER
    count = np.where(ran, np.r_[problem.details.nodes, 0][starts.row], 0)
    first = np.r_[0, np.cumsum(count)]
    # A job that did not run has no nodes, so any valid start number will do for it.
    began = nodes.first[np.where(ran, nodes.started[:jobs], 0)]
    index = np.repeat(began - first[:-1], count) + np.arange(first[-1])
    return PowerSchedule(
        starts.start_ms,
        starts.end_ms,
        starts.row,
        first,
        nodes.order[nodes.taken[index]],
        rounded_up(problem, starts.row),
        starts.killed,
        cluster.loans.changes[: cluster.loans.counted[0]],
    )


def traditional_policy(name: str = "traditional", **options: Any) -> Greedy:
    """Return RMAP's Traditional policy (5.2.1)."""
    return Greedy(name, PolicyMode("traditional", adaptive=False), **options)


def naive_policy(name: str = "naive", **options: Any) -> Greedy:
    """Return RMAP's Naive policy (5.2.2)."""
    return Greedy(name, PolicyMode("naive", adaptive=False), **options)


def adaptive_policy(
    threshold: float | None = 0.0, name: str = "adaptive", **options: Any
) -> Greedy:
    """Return RMAP's Adaptive policy (5.2.3, Algorithm 1); threshold ``None``: any slowdown."""
    return Greedy(name, PolicyMode("naive", adaptive=True, threshold=threshold), **options)
