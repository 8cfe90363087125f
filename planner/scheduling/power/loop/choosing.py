"""The configuration that a waiting job would start in now, and its start. Compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled
from planner.scheduling.power.loop.lookup import Stairs, fastest_within
from planner.scheduling.power.loop.state import (
    Integers,
    JobStarts,
    Loans,
    NodeState,
    PowerNow,
    RowTable,
    RunningJobs,
    World,
    hold,
    put,
    scaled_ms,
    true_ms,
)
from planner.scheduling.power.loop.waiting import REQUESTED, Needs, WaitingJobs, drop
from planner.scheduling.power.problem import NEVER

NONE, HEAD, CONSERVATIVE = 0, 1, 2
"""Backfilling: nobody overtakes; the first job that waits has a reservation; all of them have."""


class PowerLogArrays(NamedTuple):
    """Jobs in order of submission; arrays of shape ``(jobs,)``, or ``(2, jobs)`` by mode.

    Attributes
    ----------
    submit_ms, application, nodes, scale
        Submit time, application, requested nodes, run time over that of the job details table.
    share_mw
        Fair share ``P_job``.
    deadline_ms
        Requested time, of which the deadline is made; ``LATEST`` where nothing is killed.
    wish
        By mode: row that is taken if the fair share is free; ``NEVER`` for a rejected job.
    reserved_mw
        By mode: watts of a reservation.
    limit_ms
        By mode: longest run time that Adaptive accepts.
    least_mw
        By mode: least charge of a row within that time.
    """

    submit_ms: Integers
    application: Integers
    nodes: Integers
    scale: NDArray[np.float64]
    share_mw: Integers
    deadline_ms: Integers
    wish: Integers
    reserved_mw: Integers
    limit_ms: Integers
    least_mw: Integers


class PowerRules(NamedTuple):
    """The rules of a policy, as the compiled loop reads them.

    Attributes
    ----------
    backfill
        ``NONE``, ``HEAD`` or ``CONSERVATIVE``.
    best_fit
        Whether the job that leaves the fewest watts starts first among the jobs that may overtake.
    adaptive
        By mode: whether the choice depends on free nodes and watts (Algorithm 1).
    stretches
        By mode: whether the deadline is at least the expected run time.
    least_request, least_load
        Mode 1 holds while waiting jobs request at least ``least_request`` nodes on average and at
        least the share ``least_load`` of the watts is charged. Otherwise mode 0 holds.
    lends
        What running jobs can borrow (:mod:`planner.scheduling.power.loop.lending`).
    """

    backfill: int
    best_fit: bool
    adaptive: NDArray[np.bool_]
    stretches: NDArray[np.bool_]
    least_request: float
    least_load: float
    lends: int


class Caps(NamedTuple):
    """Which package caps a running job can change to, and its phases.

    Attributes
    ----------
    first, row
        Rows with the nodes and cores of row ``r`` and a larger cap are
        ``row[first[r]:first[r + 1]]``.
    phase_of
        Sequence of phases of each job.
    phase_first, phase_end, intensity
        Phases of a sequence: share of the work at which each ends, and its power over that of the
        row.
    """

    first: Integers
    row: Integers
    phase_of: Integers
    phase_first: Integers
    phase_end: NDArray[np.float64]
    intensity: NDArray[np.float64]


class PowerFacts(NamedTuple):
    """Inputs that do not change while a log runs."""

    log: PowerLogArrays
    table: RowTable
    stairs: Stairs
    rules: PowerRules
    world: World
    caps: Caps
    needs: Needs
    cheapest_mw: int
    bound_mw: int


class Latest(NamedTuple):
    """The fastest row of each application within the nodes and watts of the latest look-up."""

    nodes: Integers
    mw: Integers
    row: Integers


class PowerCluster(NamedTuple):
    """State that changes while a log runs: running jobs, nodes, waiting jobs, and the starts.

    ``released`` has the ended jobs of this instant whose own events are still to come.
    """

    running: RunningJobs
    nodes: NodeState
    waiting: WaitingJobs
    latest: Latest
    starts: JobStarts
    loans: Loans
    released: Integers


@compiled
def mode_of(facts: PowerFacts, waiting: WaitingJobs, now: PowerNow) -> int:
    """Return the mode of a pass: 1 where large jobs wait and power is scarce."""
    rules = facts.rules
    # Patki (2015), section 7.3.4. Without switching points mode 1 is the policy itself.
    if rules.least_request <= 0 and rules.least_load <= 0:
        return 1
    if facts.bound_mw - now.free_mw < rules.least_load * facts.bound_mw:
        return 0
    requested = waiting.counters[U(REQUESTED)]
    return 1 if requested >= rules.least_request * now.waiting else 0


@compiled
def choice(facts: PowerFacts, latest: Latest, now: PowerNow, mode: int, job: int) -> int:
    """Return the row in which a job would start now; ``NEVER`` if it waits."""
    log, table = facts.log, facts.table
    # Algorithm 1, line 1: where P_job is free Adaptive is Naive, and waits if its row does not fit.
    if not facts.rules.adaptive[U(mode)] or log.share_mw[U(job)] <= now.free_mw:
        wish = log.wish[U(mode), U(job)]
        if table.nodes[U(wish)] <= now.free_nodes and table.charge_mw[U(wish)] <= now.free_mw:
            return int(wish)
        return NEVER
    # No row within the time limit is cheap enough, so the look-up can be left out.
    if log.least_mw[U(mode), U(job)] > now.free_mw:
        return NEVER
    # Lines 2 to 5: the fastest row within free watts and nodes, unless it is slower than allowed.
    row = _fastest(facts.stairs, latest, log.application[U(job)], now)
    if row != NEVER and expected_ms(facts, job, row) > log.limit_ms[U(mode), U(job)]:
        return NEVER
    return row


@compiled
def _fastest(stairs: Stairs, latest: Latest, application: int, now: PowerNow) -> int:
    """Return the fastest row of an application within what is free; cached by state."""
    at = U(application)
    # Within a pass what is free changes only by starts, so most look-ups repeat the latest one.
    if latest.nodes[at] != now.free_nodes or latest.mw[at] != now.free_mw:
        latest.nodes[at], latest.mw[at] = now.free_nodes, now.free_mw
        latest.row[at] = fastest_within(stairs, application, now.free_nodes, now.free_mw)
    return int(latest.row[at])


@compiled
def expected_ms(facts: PowerFacts, job: int, row: int) -> int:
    """Run time of a job in a row by the job details table [ms]."""
    return scaled_ms(facts.table.time_ms[U(row)], facts.log.scale[U(job)])


@compiled
def begin(
    facts: PowerFacts,
    cluster: PowerCluster,
    now: PowerNow,
    mode: int,
    job: int,
    row: int,
    time: int,
) -> PowerNow:
    """Let a job run from now on."""
    log, starts = facts.log, cluster.starts
    drop(facts.needs, cluster.waiting, job)
    count = facts.table.nodes[U(row)]
    now = hold(cluster.nodes, now, job, count)
    # Behind `hold`: the true time depends on the nodes that the job got.
    length = true_ms(facts.world, cluster.nodes, job, row, count)
    expected = expected_ms(facts, job, row)
    deadline = log.deadline_ms[U(job)]
    if facts.rules.stretches[U(mode)]:
        # D14: under Naive and Adaptive a job may run for the time that its row says.
        deadline = max(deadline, expected)
    starts.start_ms[U(job)] = time
    starts.row[U(job)] = row
    starts.killed[U(job)] = length > deadline
    if facts.rules.lends:
        lend_nothing(cluster.loans, job, row, length, time)
        cluster.loans.deadline_ms[U(job)] = deadline
    length = min(length, deadline)
    starts.end_ms[U(job)] = time + length
    charge = facts.table.charge_mw[U(row)]
    return put(cluster.running, now, job, time + expected, time + length, count, charge)


@compiled
def lend_nothing(loans: Loans, job: int, row: int, length_ms: int, time: int) -> None:
    """Note a job that starts without a loan."""
    loans.row[U(job)] = row
    loans.length_ms[U(job)] = length_ms
    loans.work_left[U(job)] = 1.0
    loans.expected_left[U(job)] = 1.0
    loans.since_ms[U(job)] = time
