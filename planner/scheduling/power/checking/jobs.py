"""Rules that a job of a power-aware schedule breaks by itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from planner.formatting import plural
from planner.scheduling.power.problem import MS, NEVER, PowerProblem, PowerSchedule
from planner.scheduling.violation import Violation, violation_at_ms

_SLACK_MW = 1e-6
"""What floating point may take off a fair share [mW]."""


def job_violations(schedule: PowerSchedule, problem: PowerProblem) -> Iterator[Violation]:
    """Yield starts, ends and rows that are impossible."""
    jobs, start, end, row = problem.jobs, schedule.start_ms, schedule.end_ms, schedule.row
    for job in _rows((start == NEVER) & ((end != NEVER) | (row != NEVER))):
        text = f"has no start, but ends at {end[job]} ms with row {row[job]}"
        yield _of(problem, job, None, "half a job", text, 1)
    ran = start != NEVER
    for job in _rows(ran & (start < jobs.submit_ms)):
        early = int(jobs.submit_ms[job] - start[job])
        text = f"starts {early / MS:,.3f} s before it is submitted"
        yield _of(problem, job, int(start[job]), "start before submission", text, early)
    first = problem.details.first
    own = (row >= first[jobs.application]) & (row < first[jobs.application + 1])
    for job in _rows(ran & ~own):
        application = problem.details.applications[jobs.application[job]]
        text = f"runs in row {row[job]}, which is not a configuration of {application}"
        yield _of(problem, job, int(start[job]), "row of another application", text, 1)


def acceptance_violations(
    schedule: PowerSchedule, problem: PowerProblem, *, may_reject: bool
) -> Iterator[Violation]:
    """Yield jobs that run though they are to be rejected, and jobs that can run but do not."""
    jobs, ran = problem.jobs, schedule.start_ms != NEVER
    for job in _rows(ran & (jobs.nodes > problem.nodes)):
        excess = int(jobs.nodes[job] - problem.nodes)
        text = f"requests {jobs.nodes[job]} nodes of {problem.nodes} but runs"
        yield _of(problem, job, int(schedule.start_ms[job]), "to be rejected", text, excess)
    if may_reject:
        return
    flags = [len(_fitting(problem, code)) > 0 for code in range(len(problem.details.applications))]
    can_run = np.array(flags, np.bool_)[jobs.application] & (jobs.nodes <= problem.nodes)
    for job in _rows(~ran & can_run):
        text = "never starts, although the cluster has nodes and power for it"
        yield _of(problem, job, None, "never started", text, 1)


def _fitting(problem: PowerProblem, application: int) -> NDArray[np.int64]:
    """Return charges of the configurations that fit the empty cluster [mW]."""
    begin, end = problem.details.first[application : application + 2]
    charge = problem.details.charge_mw[begin:end]
    few = problem.details.nodes[begin:end] <= problem.nodes
    return charge[few & (charge <= problem.jobs_mw)]


def node_list_violations(schedule: PowerSchedule, problem: PowerProblem) -> Iterator[Violation]:
    """Yield jobs with another number of nodes than their row, unknown nodes or repeated nodes."""
    count = np.diff(schedule.node_first)
    ran = schedule.start_ms != NEVER
    needed = np.zeros_like(count)
    needed[ran] = problem.details.nodes[schedule.row[ran]]
    if schedule.node_first[0] != 0 or schedule.node_first[-1] != len(schedule.node):
        text = "has nodes before the first one or after the last one of the list of nodes"
        yield _of(problem, 0, None, "node list", text, 1)
        return
    for job in _rows(count != needed):
        text = f"has {plural(int(count[job]), 'node')}, where its configuration has {needed[job]}"
        difference = abs(int(count[job] - needed[job]))
        yield _of(problem, job, _start(schedule, job), "number of nodes", text, difference)
    if (count < 0).any():
        return
    owner = np.repeat(np.arange(len(count)), count)
    for entry in _rows((schedule.node < 0) | (schedule.node >= problem.nodes)):
        text = (
            f"runs on node {schedule.node[entry]} of a cluster with nodes 0 to {problem.nodes - 1}"
        )
        job = int(owner[entry])
        yield _of(problem, job, _start(schedule, job), "unknown node", text, 1)
    order = np.lexsort((schedule.node, owner))
    twice = (np.diff(owner[order]) == 0) & (np.diff(schedule.node[order]) == 0)
    for entry in order[1:][twice].tolist():
        job = int(owner[entry])
        text = f"has node {schedule.node[entry]} twice"
        yield _of(problem, job, _start(schedule, job), "node twice", text, 1)


def fair_share_violations(schedule: PowerSchedule, problem: PowerProblem) -> Iterator[Violation]:
    """Yield charges at the start above the fair share, and wrong marks of rounded jobs."""
    jobs, ran = problem.jobs, schedule.start_ms != NEVER
    # Written anew, not `fair_share_mw`: an error there must not hide here.
    share = jobs.weight * jobs.nodes / problem.nodes * problem.jobs_mw
    share = np.minimum(share, problem.jobs_mw) + _SLACK_MW * np.maximum(1, share * 1e-6)
    none = np.iinfo(np.int64).max
    cheapest = [
        int(_fitting(problem, application).min(initial=none))
        for application in range(len(problem.details.applications))
    ]
    for job in _rows(ran):
        cheapest_mw = cheapest[jobs.application[job]]
        charge, begin = (
            int(problem.details.charge_mw[schedule.row[job]]),
            int(schedule.start_ms[job]),
        )
        rounds = cheapest_mw > share[job]
        if bool(schedule.rounded[job]) != rounds:
            text = "is marked as rounded" if schedule.rounded[job] else "is not marked as rounded"
            text += f", but its cheapest configuration is charged {cheapest_mw / MS:,.3f} W"
            text += f" and its fair share is {share[job] / MS:,.3f} W"
            yield _of(problem, job, begin, "rounded", text, 1)
        allowed_mw = cheapest_mw if rounds else int(share[job])
        if charge > allowed_mw:
            text = (
                f"is charged {charge / MS:,.3f} W, more than the allowed {allowed_mw / MS:,.3f} W"
            )
            yield _of(problem, job, begin, "above fair share", text, charge - allowed_mw)


def lending_violations(schedule: PowerSchedule, problem: PowerProblem) -> Iterator[Violation]:
    """Yield changes of package caps at wrong times, of unknown jobs, or of more than the cap."""
    details, latest = problem.details, None
    for job, time, row in schedule.lent.tolist():
        if not 0 <= job < len(problem.jobs) or not 0 <= row < len(details):
            text = f"at {time} ms job {job} changes to row {row}: one of them does not exist"
            yield violation_at_ms(time, -1, "unknown change", text, 1)
            continue
        if latest is not None and time < latest:
            text = f"changes its package cap at {time} ms, listed after a change at {latest} ms"
            yield _of(problem, job, time, "order of changes", text, latest - time)
        latest = time
        if (
            not schedule.start_ms[job] <= time <= schedule.end_ms[job]
            or _start(schedule, job) is None
        ):
            text = f"changes its package cap at {time} ms, when it does not run"
            yield _of(problem, job, time, "change of a job that does not run", text, 1)
            continue
        if not _same_but_cap(problem, int(schedule.row[job]), row):
            text = f"changes from row {schedule.row[job]} to row {row}: not only the cap differs"
            yield _of(problem, job, time, "change of nodes or cores", text, 1)


def _same_but_cap(problem: PowerProblem, row_before: int, row_after: int) -> bool:
    """Return whether two rows are of one application and have equal nodes and cores."""
    details = problem.details
    first, second = (int((details.first[1:] <= row).sum()) for row in (row_before, row_after))
    same = details.nodes[row_before] == details.nodes[row_after]
    cores = details.cores_per_node[row_before] == details.cores_per_node[row_after]
    return first == second and bool(same and cores)


def _of(
    problem: PowerProblem, job: int, time_ms: int | None, kind: str, text: str, amount: int
) -> Violation:
    return violation_at_ms(time_ms, int(problem.jobs.number[job]), kind, text, amount)


def _start(schedule: PowerSchedule, job: int) -> int | None:
    start = int(schedule.start_ms[job])
    return None if start == NEVER else start


def _rows(flags: NDArray[np.bool_]) -> Iterator[int]:
    return (int(row) for row in np.flatnonzero(flags))
