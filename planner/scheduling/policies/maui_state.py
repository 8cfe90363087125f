"""What the loop of the Maui-like scheduler works on. Arrays, by job unless said otherwise."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.fairshare import FairshareUsage
from planner.scheduling.policies.plan import ProcessorPlan
from planner.scheduling.policies.problem import JobArrays
from planner.scheduling.policies.running import MachineNow, RunningJobs

NONE = 1 << 60
"""No limit, or no time."""


class MauiRules(NamedTuple):
    """The configuration, by the numbers of the jobs' users, groups and queues.

    Attributes
    ----------
    machine, iteration
        Processors of the machine; length of an iteration [s].
    reservations, depth, overtakes, best_fit
        Rules of backfilling.
    queue_time, expansion, bypass, wall_time
        Weights: the weight of the component times that of the subcomponent.
    fixed
        The rest of the priority, from processors, credentials and fairshare targets.
    share
        Weight of each kind (user, group, queue) that counts for fairshare; shape ``(kinds,)``.
    shared_by
        The job's party of each of these kinds; shape ``(kinds, jobs)``.
    window_s
        Length of a window of fairshare [s].
    long_queue
        Waiting jobs from which on their order is kept from pass to pass; ``NONE``: never.
    account
        Number of the job's parties together, as far as their use counts; shape ``(jobs,)``.
    limited_by
        The job's party of each kind that is throttled; shape ``(throttled kinds, jobs)``.
    most_jobs, most_processors, most_idle
        Limits by throttled kind and party.
    extends
        Whether a job that exceeds its estimate continues with a longer one; else it is killed.
    factor
        Factor on the estimate when a killed job is submitted again; at most to the request.
    steps
        Time added to the first estimate [s] when the job exceeds it the first, second, ... time.
    """

    machine: int
    iteration: int
    reservations: int
    depth: int
    overtakes: bool
    best_fit: bool
    queue_time: float
    expansion: float
    bypass: float
    wall_time: float
    fixed: NDArray[np.float64]
    share: NDArray[np.float64]
    shared_by: NDArray[np.int32]
    window_s: int
    long_queue: int
    account: NDArray[np.int32]
    limited_by: NDArray[np.int32]
    most_jobs: NDArray[np.int64]
    most_processors: NDArray[np.int64]
    most_idle: NDArray[np.int64]
    extends: bool
    factor: float
    steps: NDArray[np.int64]


class MauiQueue(NamedTuple):
    """Jobs that wait.

    Attributes
    ----------
    job, priority
        Considered jobs, in order; and their priorities, until one of them starts.
    held
        Jobs that are not yet considered, in order of submission.
    again
        Killed jobs that are submitted again.
    """

    job: NDArray[np.int32]
    priority: NDArray[np.float64]
    held: NDArray[np.int32]
    again: NDArray[np.int32]


class MauiRecords(NamedTuple):
    """Records of the jobs' starts, kills and corrections.

    Attributes
    ----------
    planned
        The estimate that is planned with [s].
    first
        The estimate at submission [s].
    since
        When the queue time began [s].
    bypassed
        How often the job was overtaken.
    start
        The last start [s]; -1: none.
    attempts
        Starts that ended in a kill, or estimates that were outlived.
    lost
        Seconds that the job ran in vain.
    ended
        Jobs in the order of their ends.
    in_use, jobs_in_use, idle
        Processors, running jobs and considered waiting jobs by throttled kind and party.
    """

    planned: NDArray[np.int64]
    first: NDArray[np.int64]
    since: NDArray[np.int64]
    bypassed: NDArray[np.int64]
    start: NDArray[np.int64]
    attempts: NDArray[np.int32]
    lost: NDArray[np.int64]
    ended: NDArray[np.int32]
    in_use: NDArray[np.int64]
    jobs_in_use: NDArray[np.int64]
    idle: NDArray[np.int64]


class JobBlocks(NamedTuple):
    """Blocks of waiting jobs; by block and place in it, or by block.

    Attributes
    ----------
    job, account, processors, planned
        Values of the jobs.
    key
        Weight without overtakings.
    bypassed
        How often the job was overtaken, less ``passed`` of its block.
    after
        The next block; 0: none.
    filled
        Jobs of the block: at least 1, but 0 in blocks that are not in use.
    fewest, shortest
        Least processors and estimate of its jobs; ``fewest[0]``: of the whole queue.
    passed
        Overtakings of all its jobs.
    largest
        Largest part of a priority that neither time nor use changes; of shape ``(1,)``.
    shared, shared_at
        The part of the priority that the jobs of an account share, and its time [s]; by account.
    """

    job: NDArray[np.int32]
    account: NDArray[np.int32]
    processors: NDArray[np.int64]
    planned: NDArray[np.int64]
    key: NDArray[np.float64]
    bypassed: NDArray[np.int64]
    after: NDArray[np.int64]
    filled: NDArray[np.int64]
    fewest: NDArray[np.int64]
    shortest: NDArray[np.int64]
    passed: NDArray[np.int64]
    largest: NDArray[np.float64]
    shared: NDArray[np.float64]
    shared_at: NDArray[np.int64]


class MauiParts(NamedTuple):
    """What a run of the loop reads and fills in; no array of it is ever replaced.

    Attributes
    ----------
    plan
        Work space; empty where at most one job has a reservation.
    queue, blocks
        The waiting jobs are in one of the two. While they are in blocks, a start collects in
        ``queue.job`` the jobs that join the blocks anew.
    """

    jobs: JobArrays
    rules: MauiRules
    running: RunningJobs
    plan: ProcessorPlan
    queue: MauiQueue
    blocks: JobBlocks
    usage: FairshareUsage
    records: MauiRecords


class MauiState(NamedTuple):
    """The state of the loop.

    Attributes
    ----------
    now
        Free processors, and how many jobs have started, ended and been released.
    time
        Time of the last iteration [s].
    arrived, waiting, held, again, ended
        Jobs that have been read; that are in the queue, held back, to be submitted again, done.
    window_end
        End of the present window of fairshare [s].
    look
        When to look at the queue again, if nothing happens before [s].
    """

    now: MachineNow
    time: int
    arrived: int
    waiting: int
    held: int
    again: int
    ended: int
    window_end: int
    look: int


def nobody_queued(jobs: int) -> MauiQueue:
    """Return empty arrays with room for this number of jobs."""
    places = [np.empty(jobs + 1, np.int32) for _ in range(3)]
    return MauiQueue(places[0], np.empty(jobs + 1, np.float64), *places[1:])


def nothing_recorded(planned: NDArray[np.int64], limits: NDArray[np.int64]) -> MauiRecords:
    """Records of jobs that nobody has seen; ``limits`` gives the shape of what is throttled."""
    count = len(planned)
    columns = [np.zeros(count, np.int64) for _ in range(3)]
    throttled = [np.zeros(limits.shape, np.int64) for _ in range(3)]
    return MauiRecords(
        planned,
        planned.copy(),
        columns[0],
        columns[1],
        np.full(count, -1, np.int64),
        np.zeros(count, np.int32),
        columns[2],
        np.empty(count, np.int32),
        throttled[0],
        throttled[1],
        throttled[2],
    )
