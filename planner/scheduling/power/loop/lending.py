"""Watts that no job needs, lent to running jobs until somebody does. Compiled.

After every pass the watts that are left over raise package caps of running jobs, whose nodes and
cores stay. All loans are called back at the next event, before anybody starts, so that a start
never waits for one. Each loan goes where it saves most expected time per watt.

With ``UNALLOCATED`` the charges that nobody holds are lent: all charges together stay within the
bound. With ``MEASURED`` so is what jobs are charged but do not draw in their present phase; then
the measured power stays within the bound, not the charges.

References
----------
Patki (2015), section 7.3.3 (further work).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled
from planner.scheduling.power.loop.choosing import PowerCluster, PowerFacts, expected_ms
from planner.scheduling.power.loop.state import LATEST, SLACK_MS, PowerNow, true_ms
from planner.scheduling.power.problem import NEVER, JobDetails
from planner.scheduling.power.truth import PHASE_SLACK_MS

NOTHING, UNALLOCATED, MEASURED = 0, 1, 2
"""What is lent: nothing; charges that no job holds; or also what running jobs do not draw."""


@lru_cache(maxsize=16)
def caps_above(details: JobDetails) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return rows that differ from each row in a larger package cap only, as offsets and rows."""
    count = len(details)
    application = np.repeat(np.arange(len(details.applications)), np.diff(details.first))
    keys = (details.package_cap_w, details.cores_per_node, details.nodes, application)
    # The last key counts most: rows of one application, nodes and cores follow each other by cap.
    order = np.lexsort(keys)
    same = np.ones(max(count - 1, 0), np.bool_)
    for key in keys[1:]:
        same &= np.diff(key[order]) == 0
    last = np.flatnonzero(np.r_[~same, True]) if count else np.empty(0, np.int64)
    group_end = last[np.searchsorted(last, np.arange(count))] + 1
    above = [order[index + 1 : group_end[index]] for index in range(count)]
    sizes = np.empty(count, np.int64)
    sizes[order] = [len(rows) for rows in above]
    by_row: list[NDArray[np.int64]] = [np.empty(0, np.int64)] * count
    for index, rows in zip(order.tolist(), above, strict=True):
        by_row[index] = rows
    return np.r_[0, np.cumsum(sizes)], np.concatenate([np.empty(0, np.int64), *by_row])


@compiled
def next_phase(facts: PowerFacts, cluster: PowerCluster, now: PowerNow) -> int:
    """Return when the next running job changes its phase; ``LATEST`` if none does."""
    time = LATEST
    # Only measured power sees phases: `UNALLOCATED` lends charges, which no phase changes.
    if facts.rules.lends != MEASURED or not len(facts.caps.intensity):
        return time
    jobs = len(facts.log.submit_ms)
    for index in range(now.running):
        job = cluster.running.job[U(index)]
        if job < jobs:
            done = 1.0 - cluster.loans.work_left[U(job)]
            phase = _phase(facts, cluster, job, done)
            if phase < facts.caps.phase_first[U(facts.caps.phase_of[U(job)] + 1)] - 1:
                rest = facts.caps.phase_end[U(phase)] - done
                length = int(np.ceil(rest * cluster.loans.length_ms[U(job)] - PHASE_SLACK_MS))
                # 1 ms on at least, so that rounding cannot hold the clock at the end of a phase.
                time = min(time, cluster.loans.since_ms[U(job)] + max(length, 1))
    return time


@compiled
def _phase(facts: PowerFacts, cluster: PowerCluster, job: int, done: float) -> int:
    sequence = facts.caps.phase_of[U(job)]
    phase = facts.caps.phase_first[U(sequence)]
    last = facts.caps.phase_first[U(sequence + 1)] - 1
    # The slack of `next_phase`: a phase that is to end at this millisecond is over.
    nearly = done + PHASE_SLACK_MS / cluster.loans.length_ms[U(job)]
    while phase < last and facts.caps.phase_end[U(phase)] <= nearly:
        phase += 1
    return int(phase)


@compiled
def advance(facts: PowerFacts, cluster: PowerCluster, now: PowerNow, time: int) -> None:
    """Note what running jobs have done since the last event."""
    loans, jobs = cluster.loans, len(facts.log.submit_ms)
    for index in range(now.running):
        job = U(cluster.running.job[U(index)])
        if job >= jobs:
            continue
        passed = time - loans.since_ms[job]
        expected = expected_ms(facts, job, loans.row[job])
        # A job does 1 / length of its work a millisecond; rounding may take the rest below 0.
        loans.work_left[job] = max(
            loans.work_left[job] - passed / max(loans.length_ms[job], 1), 0.0
        )
        loans.expected_left[job] = max(loans.expected_left[job] - passed / expected, 0.0)
        loans.since_ms[job] = time


@compiled
def lend(facts: PowerFacts, cluster: PowerCluster, now: PowerNow, time: int) -> None:
    """Call back all loans and lend what is left over now."""
    loans, jobs, rest = cluster.loans, len(facts.log.submit_ms), float(now.free_mw)
    for index in range(now.running):
        job = cluster.running.job[U(index)]
        if job < jobs:
            base = cluster.starts.row[U(job)]
            # All loans are called back: what is lent begins at the rows of the starts.
            loans.next_row[U(job)] = base
            rest += (1 - _power_share(facts, cluster, job)) * facts.table.charge_mw[U(base)]
    # `rest` is the bound less what the running jobs draw, or are charged, in the configurations
    # that they are wanted in: a loan may take it up and no more.
    while True:
        job, row, cost = _best_loan(facts, cluster, now, rest)
        if row == NEVER:
            break
        loans.next_row[U(job)] = row
        rest -= cost
    for index in range(now.running):
        if cluster.running.job[U(index)] < jobs:
            _change(facts, cluster, index, time)
    # Loans change expected ends, and `shadow` needs these in order.
    _sort(cluster, now)


@compiled
def _power_share(facts: PowerFacts, cluster: PowerCluster, job: int) -> float:
    """Share of its charge that a job draws now, as the scheduler measures it."""
    if facts.rules.lends != MEASURED or not len(facts.caps.intensity):
        return 1.0
    phase = _phase(facts, cluster, job, 1.0 - cluster.loans.work_left[U(job)])
    return float(min(facts.caps.intensity[U(phase)], 1.0))


@compiled
def _best_loan(
    facts: PowerFacts, cluster: PowerCluster, now: PowerNow, rest: float
) -> tuple[int, int, float]:
    """Return job, row and watts of the loan within the rest that saves most time per watt."""
    loans, table, jobs = cluster.loans, facts.table, len(facts.log.submit_ms)
    best_job, best_row, best_cost, best = NEVER, NEVER, 0.0, 0.0
    for position in range(now.running):
        job = cluster.running.job[U(position)]
        if job >= jobs:
            continue
        row, power_share = loans.next_row[U(job)], _power_share(facts, cluster, job)
        for index in range(facts.caps.first[U(row)], facts.caps.first[U(row + 1)]):
            above = facts.caps.row[U(index)]
            saved = expected_ms(facts, job, row) - expected_ms(facts, job, above)
            cost = power_share * (table.charge_mw[U(above)] - table.charge_mw[U(row)])
            # Greedy by seconds saved per watt. A cap that costs nothing counts as 1 mW.
            value = loans.expected_left[U(job)] * saved / max(cost, 1.0)
            # Strictly better: of equal loans the first in the order of expected ends is made.
            if cost <= rest and value > best:
                best_job, best_row, best_cost, best = job, above, cost, value
    return best_job, best_row, best_cost


@compiled
def _change(facts: PowerFacts, cluster: PowerCluster, index: int, time: int) -> None:
    """Let a running job go on in the configuration that it is wanted in."""
    loans, running, starts = cluster.loans, cluster.running, cluster.starts
    job = U(running.job[U(index)])
    row, base = loans.next_row[job], starts.row[job]
    if row == loans.row[job]:
        return
    count = running.nodes[U(index)]
    loans.row[job] = row
    loans.length_ms[job] = true_ms(facts.world, cluster.nodes, job, row, count)
    # Rounded up once for each change, for which the checker allows a millisecond each.
    rest = int(np.ceil(loans.work_left[job] * loans.length_ms[job] - SLACK_MS))
    latest = starts.start_ms[job] + loans.deadline_ms[job]
    starts.killed[job] = time + rest > latest
    starts.end_ms[job] = min(time + rest, latest)
    running.end_ms[U(index)] = starts.end_ms[job]
    # By the row of the start: a loan may be called back, so no reservation counts on it.
    expected = loans.expected_left[job] * expected_ms(facts, job, base)
    running.expected_ms[U(index)] = time + int(np.ceil(expected - SLACK_MS))
    # Beyond the room changes are only counted, and `Greedy.schedule` runs the log again.
    if loans.counted[0] < len(loans.changes):
        change = loans.changes[U(loans.counted[0])]
        change[0], change[1], change[2] = job, time, row
    loans.counted[0] += 1


@compiled
def _sort(cluster: PowerCluster, now: PowerNow) -> None:
    """Bring running jobs back into the order of their expected ends."""
    keys = cluster.running.expected_ms
    # Insertion sort, stable: few jobs have changed places since the last event.
    for later in range(1, now.running):
        index = later
        while index > 0 and keys[U(index - 1)] > keys[U(index)]:
            for column in cluster.running:
                column[U(index - 1)], column[U(index)] = column[U(index)], column[U(index - 1)]
            index -= 1
