"""Check a user's own power-aware policy: that it repeats itself, and does not use the future.

As for policies without a bound (:mod:`planner.scheduling.simulation.own_policy`). The independent
checker checks every schedule. Here the first run of each log is repeated, and a part of the log is
replayed: without the jobs that are submitted after a moment, and with other run times of the jobs
that have not ended by then, other phases of the jobs and other nodes that have not been used. The
decisions up to the moment must not change. Jobs may wait for others that the part leaves out, and
then never start. Replays can prove that a policy uses what it cannot know; they cannot prove that
it never does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.parts import locate, name_of
from planner.scheduling.power.checked_run import checked_run
from planner.scheduling.power.events.event_driven import PowerEventDriven
from planner.scheduling.power.policy import PowerPolicy, PowerRun
from planner.scheduling.power.problem import (
    MS,
    NEVER,
    PowerJobs,
    PowerProblem,
    PowerSchedule,
)
from planner.scheduling.power.truth import Floats, Integers, NodeLaw, PowerTruth
from planner.scheduling.replayed_stretch import busiest_stretch

Flags = NDArray[np.bool_]

JOBS, MOMENTS, ARRIVALS = 200, 8, 4
"""Jobs of a replay, and replays at starts of jobs and at submissions."""
SCALE = 64.0
"""Factor on true times and powers of rows; a power of two, so that dividing by it is exact."""
_PART = "a part of the log, which is replayed"


def refuse_other_run(policy: PowerPolicy, problem: PowerProblem, run: PowerRun) -> None:
    """Run a log once more, and compare.

    Raises
    ------
    InputError
        The policy makes another schedule of the same log.
    """
    first, again = run.schedule, checked_run(policy, problem, "its second run").schedule
    if not all(
        np.array_equal(getattr(first, field.name), getattr(again, field.name))
        for field in fields(PowerSchedule)
    ):
        raise InputError(
            f"{locate(policy)}: {name_of(policy)} is not repeatable: two runs of the same jobs "
            "give different schedules; keep nothing outside self between runs, and use a fixed "
            "seed"
        )


def refuse_foreknowledge(policy: PowerPolicy, problem: PowerProblem, seed: int = 0) -> None:
    """Replay a part of a log without later jobs, and with other run times of unfinished ones.

    Parameters
    ----------
    problem
        The whole log; its busiest stretch is replayed.
    seed
        Seed of the moments and of the run times.

    Raises
    ------
    InputError
        The policy decides otherwise before it can know.
    """
    if not len(problem.jobs) or not len(problem.details):
        return
    rng = np.random.default_rng(seed)
    jobs = problem.jobs
    busiest = busiest_stretch(jobs.submit_ms, jobs.nodes * jobs.requested_ms, JOBS)
    part = _some_jobs(problem, busiest)
    first_run = checked_run(policy, part, _PART, part=True)
    first = first_run.schedule
    accepts = PowerEventDriven in type(policy).__mro__
    for moment_ms in _moments(part, first, rng):
        submitted = slice(int(np.searchsorted(part.jobs.submit_ms, moment_ms, "right")))
        changed = _some_jobs(_otherwise(part, first, moment_ms, rng), submitted)
        other_run = checked_run(policy, changed, _PART, part=True)
        waiting = {*first_run.waiting, *other_run.waiting}
        other = other_run.schedule
        for job in range(submitted.stop):
            before, after = (_decision(run, job, moment_ms) for run in (first_run, other_run))
            rejects = accepts and first.runs[job] != other.runs[job] and job not in waiting
            if before != after or rejects:
                raise InputError(_foresaw(policy, part, job, moment_ms))


def _some_jobs(problem: PowerProblem, rows: slice) -> PowerProblem:
    jobs, truth = problem.jobs, problem.truth
    some = PowerJobs(*(getattr(jobs, field.name)[rows] for field in fields(PowerJobs)))
    by_job = {name: getattr(truth, name) for name in ("time_factor", "power_factor", "phase_of")}
    cut = {name: values[rows] for name, values in by_job.items()}  # empty ones stay empty
    return replace(problem, jobs=some, truth=replace(truth, **cut))


def _moments(
    problem: PowerProblem, schedule: PowerSchedule, rng: np.random.Generator
) -> Iterator[int]:
    """Starts of jobs, if possible of those that waited while others were to come; submissions."""
    submit_ms, starts = problem.jobs.submit_ms, schedule.start_ms
    waited = starts > submit_ms
    kinds = (waited & (starts <= submit_ms[-1]), waited, schedule.runs)
    telling = next((starts[some] for some in kinds if some.any()), submit_ms)
    yield from map(int, rng.choice(telling, MOMENTS))
    yield from map(int, rng.choice(np.unique(submit_ms), ARRIVALS))


def _otherwise(
    problem: PowerProblem, schedule: PowerSchedule, moment_ms: int, rng: np.random.Generator
) -> PowerProblem:
    """Return the problem with another truth, which nobody can tell from the first by the moment.

    A job that runs ends right after the moment, or as late as the least precise row of the first
    run suggests; one that waits takes at most its first time, in one phase. The truth of some rows
    is scaled, for which the factors of the jobs that have started in them make up, and that of the
    nodes on which nothing has started.
    """
    started = schedule.runs & (schedule.start_ms <= moment_ms)
    truth = _on_other_nodes(problem, _nodes_of(schedule, started), rng)
    scaled = _scaled_rows(problem, schedule, rng)
    # A power of two cancels exactly, so what has started keeps its time and power to the last bit.
    kept = 1 / scaled[np.maximum(schedule.row, 0)]
    most = SCALE if truth.law is None else SCALE * SCALE  # by its row, and by its nodes
    waiting = rng.choice([0.1, 1.0], len(problem.jobs)) / most
    time = np.where(started, kept * _running(problem, schedule, moment_ms, rng), waiting)
    power = np.where(started, kept, waiting)
    changed = replace(
        _scaled(_in_one_phase(problem, truth, ~started, rng), scaled),
        time_factor=time * (truth.time_factor if len(truth.time_factor) else 1.0),
        power_factor=power * (truth.power_factor if len(truth.power_factor) else 1.0),
    )
    return replace(problem, truth=changed)


def _nodes_of(schedule: PowerSchedule, jobs: Flags) -> Integers:
    return schedule.node[np.repeat(jobs, np.diff(schedule.node_first))]


def _on_other_nodes(problem: PowerProblem, kept: Integers, rng: np.random.Generator) -> PowerTruth:
    """Return the truth with other times and powers of all nodes but those that are kept."""
    law = problem.truth.law
    if law is None:
        return problem.truth
    factor = rng.choice([1 / SCALE, 1.0, SCALE], law.compute_s.shape[1])
    factor[kept] = 1.0
    changed = replace(
        law,
        compute_s=law.compute_s * factor,
        extra_j=law.extra_j * factor * factor,
        spinning_w=law.spinning_w * factor,
    )
    return replace(problem.truth, law=changed)


def _in_one_phase(
    problem: PowerProblem, truth: PowerTruth, jobs: Flags, rng: np.random.Generator
) -> PowerTruth:
    """Return the truth with one phase of much or little power for some jobs."""
    if not len(truth.phase_first):
        return truth
    single = len(truth.phase_first) - 1
    return replace(
        truth,
        phase_first=np.append(truth.phase_first, len(truth.phase_share) + 1),
        phase_share=np.append(truth.phase_share, 1.0),
        phase_intensity=np.append(truth.phase_intensity, rng.choice([1 / SCALE, SCALE])),
        phase_of=np.where(jobs, single, truth.sequence_of(problem.jobs.application)),
    )


def _scaled_rows(
    problem: PowerProblem, schedule: PowerSchedule, rng: np.random.Generator
) -> Floats:
    """Return a factor for each row: some rows, or all rows of some applications, are scaled."""
    details = problem.details
    if len(schedule.lent):  # a lent cap runs one job in several rows
        return np.ones(len(details))
    if rng.random() < 0.5:
        return rng.choice([1.0, SCALE], len(details))
    by_application = rng.choice([1.0, SCALE], len(details.applications))
    return np.repeat(by_application, np.diff(details.first))


def _running(
    problem: PowerProblem, schedule: PowerSchedule, moment_ms: int, rng: np.random.Generator
) -> Floats:
    """Return factors on the times of jobs that run at a moment; 1 for all others."""
    start, end = schedule.start_ms, schedule.end_ms
    # What a killed job would have taken is not in the schedule. A policy that lends may measure the
    # power that jobs draw, whose phases would move with their times.
    free = schedule.runs & ~schedule.killed & (len(schedule.lent) == 0)
    took_ms = np.maximum(end - start, 1)
    row_ms = problem.details.time_ms[np.maximum(schedule.row, 0)]
    expected_ms = np.maximum(row_ms * problem.jobs.time_scale, 1)
    latest = (took_ms / expected_ms)[free].max(initial=1.0)
    # A time of n ms is above n - 1 before it is rounded up, which the shorter one rests on.
    short = (moment_ms - start + 1) / np.maximum(took_ms - 1, 1)
    long = np.maximum(np.floor(latest * expected_ms) / took_ms, 1.0)
    factor = np.where(rng.random(len(start)) < 0.5, short, long)
    return np.where(free & (start <= moment_ms) & (end > moment_ms), factor, 1.0)


def _scaled(truth: PowerTruth, factor: Floats) -> PowerTruth:
    """Return the truth with other times and powers of each row."""
    whole = factor.astype(np.int64)
    law = truth.law
    if law is not None:
        column = factor[:, None]
        law = NodeLaw(
            law.compute_s * column,
            law.extra_j * column * column,  # joules over a time that is longer as well
            law.spinning_w * column,
            law.messages_s * factor,
            law.load_first,
            law.load,
        )
    return replace(truth, time_ms=truth.time_ms * whole, power_mw=truth.power_mw * whole, law=law)


def _decision(run: PowerRun, job: int, moment_ms: int) -> tuple[object, ...]:
    """Return start, row, deadline and nodes of a job; nothing if it starts after the moment."""
    schedule = run.schedule
    start_ms = int(schedule.start_ms[job])
    if start_ms == NEVER or start_ms > moment_ms:
        return ()
    nodes = schedule.node[schedule.node_first[job] : schedule.node_first[job + 1]]
    deadline_ms = None if run.deadlines_ms is None else int(run.deadlines_ms[job])
    return start_ms, int(schedule.row[job]), deadline_ms, *nodes.tolist()


def _foresaw(policy: PowerPolicy, problem: PowerProblem, job: int, moment_ms: int) -> str:
    return (
        f"{locate(policy)}: {name_of(policy)} uses information from the future: events after "
        f"{moment_ms / MS:,.3f} s change what it decides by then on job "
        f"{problem.jobs.number[job]}. Plan with the job details table and with submitted jobs only"
    )
