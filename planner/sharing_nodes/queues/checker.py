"""An independent checker of schedules with shared nodes.

No code is shared with the engine that makes schedules: halves, work and reservations are recomputed
from starts, ends and nodes alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from planner.errors import InputError
from planner.scheduling.violation import Violation, by_time, violation_at_ms
from planner.sharing_nodes.queues.problem import (
    MS,
    NEVER,
    Integers,
    SharedProblem,
    SharedSchedule,
)
from planner.sharing_nodes.queues.rules import SharingGate, SharingRule

Broken = tuple[tuple[str, Violation], ...]
"""What is wrong with the schedules of several rules: the rule with each violation."""

_MILLIONTH = 1e-6


@dataclass(frozen=True)
class _Stay:
    """A job on one node: it holds one half there, or both."""

    job: int
    start: int
    end: int
    halves: int


def violations(
    schedule: SharedSchedule,
    problem: SharedProblem,
    rule: SharingRule,
    *,
    reservations: bool = True,
) -> list[Violation]:
    """Return everything that is wrong with a schedule, in order of time.

    - A job runs if and only if the cluster has its nodes; it starts after its submission.
    - It has its nodes, or half of twice as many where it shares or the rule leaves halves idle, or
      a mix of both where it fills up. Each node is there once.
    - No node holds more than two halves, and no two jobs share one that the gate does not admit, or
      where one of them is predicted to run below its user's floor.
    - Starts add as much work per time, as predicted, as the rule wants, at every instant at which
      the order of ends and starts is certain.
    - Work is kept: speed over time adds up to the job's work in its last millisecond and not
      before.
    - A job at the head of the queue starts by its first reservation, and no start of another job
      puts it off, if no job outlasted its expected end before.

    Parameters
    ----------
    reservations
        Whether each start is checked against the head's reservation, which takes long on logs of
        thousands of jobs; that each job starts as promised is checked in any case.

    Raises
    ------
    InputError
        The schedule is of another number of jobs.
    """
    if len(schedule.start_ms) != len(problem.jobs):
        raise InputError(
            f"the schedule is of {len(schedule.start_ms):,} jobs, where the log has "
            f"{len(problem.jobs):,}; give the schedule of this log"
        )
    job_violations = _job_violations(schedule, problem, rule)
    if not job_violations:
        stays = _stays(schedule, problem)
        job_violations = _node_violations(stays, problem, rule)
    if not job_violations:
        job_violations = _work_violations(schedule, problem, stays)
        job_violations += _promise_violations(schedule, problem)
        if rule.least_gain is not None and rule.gate is not None:
            job_violations += _gain_violations(schedule, problem, rule.gate, rule.least_gain)
        if reservations:
            job_violations += _reservation_violations(schedule, problem, rule)
    return sorted(job_violations, key=by_time)


def _violation(
    problem: SharedProblem, job: int, kind: str, text: str, time_ms: int | None = None
) -> Violation:
    return violation_at_ms(time_ms, int(problem.jobs.number[job]), kind, text)


def nodes_of(schedule: SharedSchedule, job: int) -> list[int]:
    """Return nodes of a job."""
    first, last = schedule.node_first[job], schedule.node_first[job + 1]
    nodes: list[int] = schedule.node[first:last].tolist()
    return nodes


def _job_violations(
    schedule: SharedSchedule, problem: SharedProblem, rule: SharingRule
) -> list[Violation]:
    job_violations = []
    jobs = problem.jobs
    for job in range(len(jobs)):
        count, nodes = int(jobs.nodes[job]), nodes_of(schedule, job)
        start, end = int(schedule.start_ms[job]), int(schedule.end_ms[job])
        if (start != NEVER) != (count <= problem.nodes):
            text = "runs although it does not fit, or never runs although it fits"
            job_violations.append(_violation(problem, job, "rejection", text))
            continue
        if start == NEVER:
            continue
        if start < jobs.submit_ms[job] or end <= start:
            job_violations.append(_violation(problem, job, "time", f"is submitted at "
                                    f"{jobs.submit_ms[job]} ms, starts at {start} ms and ends at "
                                    f"{end} ms", start))  # fmt: skip
        wide = problem.halves_per_node * count <= problem.nodes
        split = int(schedule.split[job])
        per_node = problem.halves_per_node
        halves = split + per_node * (len(nodes) - split)
        if rule.layout == "half idle" and wide:
            halves = len(nodes)
        mixed = 0 < split < len(nodes) and not rule.fill
        if halves != per_node * count or len(set(nodes)) != len(nodes) or mixed:
            job_violations.append(_violation(problem, job, "nodes", f"has {len(nodes)} nodes, "
                                    f"{len(set(nodes))} different, and needs {count} whole ones "
                                    "or half of twice as many", start))  # fmt: skip
        elif min(nodes) < 0 or max(nodes) >= problem.nodes:
            job_violations.append(
                _violation(problem, job, "nodes", "has a node that is not there", start)
            )
        if schedule.shared[job] and rule.layout != "share":
            text = "shares under a rule that does not"
            job_violations.append(_violation(problem, job, "sharing", text, start))
    return job_violations


def _stays(schedule: SharedSchedule, problem: SharedProblem) -> list[list[_Stay]]:
    """Return who is on each node, in order of starts."""
    stays: list[list[_Stay]] = [[] for _ in range(problem.nodes)]
    for job in np.argsort(schedule.start_ms, kind="stable").tolist():
        if schedule.start_ms[job] == NEVER:
            continue
        start, end = int(schedule.start_ms[job]), int(schedule.end_ms[job])
        for index, node in enumerate(nodes_of(schedule, job)):
            stays[node].append(_Stay(job, start, end, 1 if index < schedule.split[job] else 2))
    return stays


def _node_violations(
    stays: list[list[_Stay]], problem: SharedProblem, rule: SharingRule
) -> list[Violation]:
    result = []
    for node, here in enumerate(stays):
        present: list[_Stay] = []
        for stay in here:
            present = [other for other in present if other.end > stay.start]
            taken = sum(other.halves for other in present) + stay.halves
            if taken > 2:
                result.append(_violation(problem, stay.job, "halves", "takes half of node "
                                         f"{node} where {taken} of 2 are then in use",
                                        stay.start))  # fmt: skip
            result += [
                _violation(problem, stay.job, "gate", f"shares node {node} with job "
                           f"{problem.jobs.number[other.job]}, which the gate or a floor does not "
                           "admit", stay.start)
                for other in present
                if rule.gate is None or not _may_share(rule, rule.gate, problem, stay, other)
            ]  # fmt: skip
            present.append(stay)
    return result


def _may_share(
    rule: SharingRule, gate: SharingGate, problem: SharedProblem, stay: _Stay, other: _Stay
) -> bool:
    """Whether the gate admits two jobs, and each is predicted to keep the floor of its user."""
    if not gate.admitted[problem.jobs.application[stay.job], problem.jobs.application[other.job]]:
        return False
    for job, next_to in ((stay.job, other.job), (other.job, stay.job)):
        application = problem.jobs.application[[job, next_to]]
        floor = rule.floors.get(int(problem.jobs.user[job]), rule.floor)
        if gate.lowest[application[0], application[1]] < floor - _MILLIONTH:
            return False
    return True


def _gain_violations(
    schedule: SharedSchedule, problem: SharedProblem, gate: SharingGate, least_gain: float
) -> list[Violation]:
    """Return violations where the jobs that start together add too little predicted work per time.

    What single starts add sums up over an instant: the paces of all jobs after it, less those
    before, against the nodes that were empty and the nodes on which two jobs newly meet. An instant
    with several ends, or with an end and a submission, is left out: starts may come between them.
    """
    result = []
    ran = schedule.runs
    for time in np.unique(schedule.start_ms[ran]).tolist():
        ends = int((schedule.end_ms[ran] == time).sum())
        if ends > 1 or (ends and (problem.jobs.submit_ms == time).any()):
            continue
        alive = ran & (schedule.end_ms > time)
        before = _on_nodes(schedule, np.flatnonzero(alive & (schedule.start_ms < time)))
        after = _on_nodes(schedule, np.flatnonzero(alive & (schedule.start_ms <= time)))
        gained = _paces(schedule, problem, gate, after) - _paces(schedule, problem, gate, before)
        taken = len(after) - len(before)
        met = sum(len(jobs) > 1 for jobs in after.values())
        met -= sum(len(jobs) > 1 for jobs in before.values())
        required = taken * 1_000_000 + met * round(least_gain * 1_000_000)
        if gained < required:
            job = int(np.flatnonzero(ran & (schedule.start_ms == time))[0])
            result.append(_violation(problem, job, "gain", f"and others that start then add "
                                    f"{gained} millionths of a node's work, of {required} needed",
                                    time))  # fmt: skip
    return result


def _on_nodes(schedule: SharedSchedule, jobs: Integers) -> dict[int, list[int]]:
    """Return jobs on each node in use."""
    here: dict[int, list[int]] = {}
    for job in jobs.tolist():
        for node in nodes_of(schedule, job):
            here.setdefault(node, []).append(job)
    return here


def _paces(
    schedule: SharedSchedule, problem: SharedProblem, gate: SharingGate, here: dict[int, list[int]]
) -> int:
    """Return the predicted work per time of all jobs on the nodes [millionths of a node]."""
    application = problem.jobs.application
    slowest: dict[int, float] = {}
    for jobs in here.values():
        for job in jobs:
            if len(jobs) > 1:
                other = jobs[0] if jobs[1] == job else jobs[1]
                speed = float(gate.relative[application[job], application[other]])
            elif schedule.split[job]:
                speed = float(gate.idle[application[job]])
            else:
                speed = 1.0
            whole = len(nodes_of(schedule, job)) > schedule.split[job]
            speed = min(speed, 1.0) if whole else speed
            slowest[job] = min(slowest.get(job, speed), speed)
    return sum(
        int(problem.jobs.nodes[job]) * max(round(1e6 * speed), 1) for job, speed in slowest.items()
    )


def _work_violations(
    schedule: SharedSchedule, problem: SharedProblem, stays: list[list[_Stay]]
) -> list[Violation]:
    """Integrate each job's speed on its own: at every instant that of its slowest node."""
    meetings = _neighbours(stays, len(problem.jobs))
    result = []
    for job in np.flatnonzero(schedule.start_ms != NEVER).tolist():
        done, last = _done(schedule, problem, job, meetings[job])
        work = int(problem.work[job])
        if not done - last < work <= done:
            result.append(_violation(problem, job, "work", f"has done {done} of {work} units at "
                                    f"its end, and {last} of them in its last millisecond",
                                    int(schedule.end_ms[job])))  # fmt: skip
    return result


def _neighbours(stays: list[list[_Stay]], jobs: int) -> list[list[tuple[int, int, int, int]]]:
    """Return each job's meetings: node, other job, begin and end."""
    neighbours: list[list[tuple[int, int, int, int]]] = [[] for _ in range(jobs)]
    for node, here in enumerate(stays):
        for index, stay in enumerate(here):
            for later in range(index + 1, len(here)):
                other = here[later]
                if other.start >= stay.end:
                    break
                end = min(stay.end, other.end)
                neighbours[stay.job].append((node, other.job, other.start, end))
                neighbours[other.job].append((node, stay.job, other.start, end))
    return neighbours


def _done(
    schedule: SharedSchedule,
    problem: SharedProblem,
    job: int,
    meetings: list[tuple[int, int, int, int]],
) -> tuple[int, int]:
    """Return the work that a job has done at its end, and its speed in the last millisecond."""
    start, end = int(schedule.start_ms[job]), int(schedule.end_ms[job])
    application, speeds = problem.jobs.application, problem.speeds
    mine = application[job]
    if not schedule.shared[job]:
        wide = len(nodes_of(schedule, job)) > problem.jobs.nodes[job]
        alone = round(1e6 * float(speeds.half[mine] if wide else speeds.full[mine]))
        return alone * (end - start), alone
    times = sorted({start, end, *(t for meeting in meetings for t in meeting[2:])})
    done = rate = 0
    idle = round(1e6 * float(speeds.half[mine]))
    for begin, until in pairwise(times):
        now = [(node, other) for node, other, since, to in meetings if since <= begin < to]
        rates = [round(1e6 * float(speeds.pair[mine, application[other]])) for _, other in now]
        if len({node for node, _ in now}) < schedule.split[job]:
            rates.append(idle)
        if len(nodes_of(schedule, job)) > schedule.split[job]:
            rates.append(round(1e6 * float(speeds.full[mine])))
        rate = min(rates)
        done += rate * (until - begin)
    return done, rate


def _excused_from(schedule: SharedSchedule) -> int:
    """Return from when reservations may be missed: the first expected end that a job outlasted."""
    late = schedule.expected_end_ms[schedule.runs & (schedule.end_ms > schedule.expected_end_ms)]
    return int(late.min()) if len(late) else 1 << 62


def _promise_violations(schedule: SharedSchedule, problem: SharedProblem) -> list[Violation]:
    """Return violations by jobs that miss their first reservation before any job was late."""
    result, excused_from = [], _excused_from(schedule)
    broken = (schedule.promised_ms != NEVER) & (schedule.start_ms > schedule.promised_ms)
    for job in np.flatnonzero(broken).tolist():
        promised = int(schedule.promised_ms[job])
        if promised < excused_from:
            result.append(_violation(problem, job, "promise", f"was promised a start at "
                                    f"{promised / MS:,.3f} s",
                                    int(schedule.start_ms[job])))  # fmt: skip
    return result


def _reservation_violations(
    schedule: SharedSchedule, problem: SharedProblem, rule: SharingRule
) -> list[Violation]:
    """Return violations by starts that put off the head of the queue, or a head without a promise.

    A job is the head from its submission on, or from when all earlier jobs have started. Whenever a
    job starts while it is, the head's whole nodes must still be free by its promise.
    """
    result = []
    excused_from, latest_start = _excused_from(schedule), NEVER
    starts = np.unique(schedule.start_ms[schedule.runs])
    for job in np.flatnonzero(schedule.runs).tolist():
        headed = max(latest_start, int(problem.jobs.submit_ms[job]))
        start, promised = int(schedule.start_ms[job]), int(schedule.promised_ms[job])
        latest_start = max(latest_start, start)
        if start <= headed:
            continue
        if promised == NEVER:
            result.append(_violation(problem, job, "reservation", "waits at the head of the queue "
                                    "without a reservation", headed))  # fmt: skip
            continue
        for time in (headed, *starts[(starts > headed) & (starts < start)].tolist()):
            free = _whole_nodes_at(schedule, problem, rule, time, job)
            if free > promised and time < excused_from:
                result.append(_violation(problem, job, "reservation", f"was promised a start at "
                                        f"{promised / MS:,.3f} s, and starts of others put it off "
                                        f"to {free / MS:,.3f} s", time))  # fmt: skip
                break
    return result


def _whole_nodes_at(
    schedule: SharedSchedule, problem: SharedProblem, rule: SharingRule, time: int, job: int
) -> int:
    """Return when enough whole nodes are free, by expected ends of what runs after an instant."""
    free_at = np.full(problem.nodes, time, np.int64)
    running = (schedule.start_ms <= time) & (schedule.end_ms > time) & schedule.runs
    for other in np.flatnonzero(running).tolist():
        ends = max(int(schedule.expected_end_ms[other]), time + 1)
        nodes = nodes_of(schedule, other)
        free_at[nodes] = np.maximum(free_at[nodes], ends)
    requested = int(problem.jobs.nodes[job])
    if rule.layout == "half idle" and 2 * requested <= problem.nodes:
        requested *= 2
    return int(np.sort(free_at)[requested - 1])
