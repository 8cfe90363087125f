"""A shared node under a shutter, in one compiled loop: Algorithms 1 to 3 until jobs are done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from scenarios.simulated.shared_node.applications import SharedApplication
from scenarios.simulated.shared_node.demand import Floats, Integers, InterferenceLaw
from scenarios.simulated.shared_node.law import CacheAndBandwidth
from scenarios.simulated.shared_node.machine import (
    NODE,
    SharedNodeMachine,
    advance,
    all_done,
    new_state,
    read,
    start,
    toggle,
)
from scenarios.simulated.shared_node.occurrences import seeds_of
from scenarios.simulated.shared_node.settings import NodeSettings
from scenarios.simulated.shared_node.tables import (
    constants_of,
    jobs_of,
    phases_of,
    table_of,
    width_of,
)
from solvers.compiled import compiled, counted, counted_entry

PLACEBO = -1
BEFORE, DURING, AFTER = range(3)
_CHUNK = 512


@dataclass(frozen=True)
class ShutterSchedule:
    """When the shutter measures.

    Attributes
    ----------
    length_us
        S, the length of one measurement [us]; the paper chooses 3,200.
    gap_us
        P, the time between two rounds [us]; the paper's value is 200,000.
    measurements
        K, measurements in a row; the paper does not give its value.
    loop
        ``parallel``: all jobs are measured in one window, as equation 9 counts. ``literal``: one
        job after another before and after, as the paper's algorithm is printed.
    placebo_share
        Share of rounds in which no job is paused.
    most_rounds
        Stop after this number of rounds; None to stop only when all jobs have completed their
        iterations.
    """

    length_us: float = 3200.0
    gap_us: float = 200_000.0
    measurements: int = 1
    loop: Literal["parallel", "literal"] = "parallel"
    placebo_share: float = 0.0
    most_rounds: int | None = None

    def __post_init__(self) -> None:
        if not 0 < self.length_us < float("inf"):
            raise ValueError(f"length_us = {self.length_us}; give more than 0 us")
        if not 0 <= self.gap_us < float("inf"):
            raise ValueError(f"gap_us = {self.gap_us}; give 0 us or more")
        if self.measurements < 1:
            raise ValueError(f"measurements = {self.measurements}; measure at least once")
        if self.loop not in {"parallel", "literal"}:
            raise ValueError(f"loop = {self.loop!r}; give parallel or literal")
        if not 0 <= self.placebo_share < 1:
            raise ValueError(f"placebo_share = {self.placebo_share}; give a share below 1")
        if self.most_rounds is not None and self.most_rounds < 1:
            raise ValueError(f"most_rounds = {self.most_rounds}; give at least 1")


@dataclass(frozen=True, eq=False)
class ShutterWindows:
    """What the shutter measured.

    Attributes
    ----------
    instructions, cycles, waiting
        Differences of the counters, ``(rounds, 3, K, jobs)``: before, during and after; NaN where a
        job was paused or had left. Waiting holds the cycles in MPI that a sampler saw.
    shuttered
        The job that ran alone, or ``PLACEBO``, ``(rounds,)``.
    time_us
        The node's clock when the round began [us], ``(rounds,)``.
    end_us
        When each job completed its last required run [us], ``(jobs,)``; NaN if it did not.
    iterations
        Runs that each job has completed, ``(jobs,)``.
    progress_us
        Work that each job has done, in time alone [us], ``(jobs,)``; for scoring.
    clock_us
        Length of the whole measurement [us].
    """

    instructions: Floats
    cycles: Floats
    waiting: Floats
    shuttered: Integers
    time_us: Floats
    end_us: Floats
    iterations: Integers
    progress_us: Floats
    clock_us: float


class _Plan(NamedTuple):
    length_us: float
    gap_us: float
    measurements: int
    literal: bool
    placebo_share: float
    most_rounds: int


class _Record(NamedTuple):
    windows: Floats
    shuttered: Integers
    time_us: Floats
    counts: Integers


def build(
    applications: Sequence[SharedApplication],
    settings: NodeSettings,
    law: InterferenceLaw,
    seeds: Sequence[int],
) -> SharedNodeMachine:
    """Return the compiled node, with all jobs begun."""
    width = width_of(settings, len(applications))
    machine = SharedNodeMachine(
        jobs_of(applications, seeds),
        phases_of(applications, width, law.bandwidth_scale),
        table_of(tuple(applications), law, width),
        constants_of(settings, len(applications), law),
        new_state(len(applications)),
        np.zeros(1, dtype=NODE),
    )
    start(machine)
    return machine


def play(
    applications: Sequence[SharedApplication],
    schedule: ShutterSchedule | None = None,
    settings: NodeSettings | None = None,
    law: InterferenceLaw | None = None,
    seed: int = 0,
    job_seeds: Sequence[int] | None = None,
) -> ShutterWindows:
    """Run jobs on a node under a shutter until all have completed their iterations.

    Parameters
    ----------
    applications
        Two to four jobs, one of each, in this order; the same application may appear again.
    settings, law
        The node, and the law of interference.
    seed
        Seed of the noise and of the occurrences of phases.
    job_seeds
        Seeds of the occurrences of each job's phases, instead of those that follow from ``seed``.
    schedule
        The shutter; by default that of the paper.

    Raises
    ------
    ValueError
        Jobs that do not fit on the node.

    Examples
    --------
    >>> from scenarios.simulated.shared_node.applications import find_shared_application
    >>> pair = [find_shared_application("LAMMPS"), find_shared_application("MILC")]
    >>> windows = play(pair, ShutterSchedule(most_rounds=4))
    >>> windows.instructions.shape, windows.shuttered.tolist()
    ((4, 3, 1, 2), [0, 1, 0, 1])
    """
    schedule = ShutterSchedule() if schedule is None else schedule
    law = CacheAndBandwidth() if law is None else law
    settings = NodeSettings() if settings is None else settings
    seeds = seeds_of(seed, len(applications)) if job_seeds is None else job_seeds
    machine = build(applications, settings, law, seeds)
    plan = _Plan(
        float(schedule.length_us),
        float(schedule.gap_us),
        schedule.measurements,
        schedule.loop == "literal",
        float(schedule.placebo_share),
        -1 if schedule.most_rounds is None else schedule.most_rounds,
    )
    return _windows(machine, _records(machine, plan, np.random.default_rng(seed)))


def _records(machine: SharedNodeMachine, plan: _Plan, rng: np.random.Generator) -> list[_Record]:
    """Simulate in chunks; noise that a chunk did not need goes to the next one."""
    jobs = machine.constants.jobs
    around = jobs if plan.literal else 1
    per_round = 3 * jobs * 2 * plan.measurements * (2 * around + 1)
    noise, records, rounds = np.empty(0), [], 0
    turn = np.zeros(1, dtype=np.int64)
    while True:
        noise = np.concatenate([noise, rng.standard_normal(_CHUNK * per_round - len(noise))])
        record = _Record(
            np.full((3, _CHUNK, 3, plan.measurements, jobs), np.nan),
            np.zeros(_CHUNK, dtype=np.int64),
            np.zeros(_CHUNK),
            np.zeros(2, dtype=np.int64),
        )
        over = play_rounds(machine, plan, record, noise, rounds, turn)
        records.append(record)
        rounds += int(record.counts[0])
        noise = noise[int(record.counts[1]) :]
        if over:
            return records


def _windows(machine: SharedNodeMachine, records: Sequence[_Record]) -> ShutterWindows:
    state = machine.state
    windows = np.concatenate([record.windows[:, : record.counts[0]] for record in records], axis=1)
    return ShutterWindows(
        windows[0],
        windows[1],
        windows[2],
        np.concatenate([record.shuttered[: record.counts[0]] for record in records]),
        np.concatenate([record.time_us[: record.counts[0]] for record in records]),
        state["end_us"].copy(),
        state["runs"].copy(),
        state["progress_us"].copy(),
        float(machine.node[0]["clock_us"]),
    )


@counted_entry
def play_rounds(
    machine: SharedNodeMachine,
    plan: _Plan,
    record: _Record,
    noise: Floats,
    number: int,
    turn: Integers,
) -> bool:
    """Fill in a chunk of rounds from round ``number`` on; whether the measurement is over."""
    drawn, rounds = record.counts[1], 0
    over = False
    while rounds < len(record.time_us):
        over = all_done(machine)
        if over:
            break
        active = np.flatnonzero(~machine.state["finished"])
        if len(active) >= 2:
            alone = -1
            share = plan.placebo_share
            if int((number + rounds + 1) * share) <= int((number + rounds) * share):
                index = turn[0] % len(active)
                alone = active[index]
                turn[0] = (index + 1) % len(active)
            record.shuttered[rounds] = alone
            record.time_us[rounds] = machine.node[0].clock_us
            windows = record.windows[:, rounds]
            drawn = _around(machine, plan, windows[:, 0], noise, drawn, active)
            drawn = _shutter(machine, plan, windows[:, 1], noise, drawn, active, alone)
            drawn = _around(machine, plan, windows[:, 2], noise, drawn, active)
            rounds += 1
        advance(machine, plan.gap_us)
        if number + rounds == plan.most_rounds:
            over = True
            break
    record.counts[0], record.counts[1] = rounds, drawn
    return over


@compiled
def _around(
    machine: SharedNodeMachine,
    plan: _Plan,
    windows: Floats,
    noise: Floats,
    drawn: int,
    active: Integers,
) -> int:
    """Return the windows before or after: all jobs at once, or one after another."""
    if plan.literal:
        for index in range(len(active)):
            drawn = _measure(machine, plan, windows, noise, drawn, active[index : index + 1])
        return drawn
    return _measure(machine, plan, windows, noise, drawn, active)


@counted
def _shutter(
    machine: SharedNodeMachine,
    plan: _Plan,
    windows: Floats,
    noise: Floats,
    drawn: int,
    active: Integers,
    alone: int,
) -> int:
    """Algorithm 2, or a placebo of it."""
    if alone < 0:
        return _measure(machine, plan, windows, noise, drawn, active)
    for job in active:
        if job != alone:
            toggle(machine, job)
    drawn = _measure(machine, plan, windows, noise, drawn, np.array([alone]))
    for job in active:
        if job != alone:
            toggle(machine, job)
    return drawn


@compiled
def _measure(
    machine: SharedNodeMachine,
    plan: _Plan,
    windows: Floats,
    noise: Floats,
    drawn: int,
    jobs: Integers,
) -> int:
    """Algorithm 1: K differences of the counters of some jobs, ``windows`` is (3, K, jobs)."""
    state = machine.state
    for k in range(plan.measurements):
        drawn = read(machine, noise, drawn)
        for job in jobs:
            windows[0, k, job] = state[job].reported_instructions
            windows[1, k, job] = state[job].reported_cycles
            windows[2, k, job] = state[job].reported_waiting
        advance(machine, plan.length_us)
        drawn = read(machine, noise, drawn)
        for job in jobs:
            windows[0, k, job] = state[job].reported_instructions - windows[0, k, job]
            windows[1, k, job] = state[job].reported_cycles - windows[1, k, job]
            windows[2, k, job] = state[job].reported_waiting - windows[2, k, job]
    return drawn
