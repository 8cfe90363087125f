"""The shared node, compiled: time, pausing and counters. State lies in arrays.

*Progress.* An average rank computes while the slowest one does, and polls for the rest. With
the stretch x of computing, waiting share w, its part t for the network, and uneven share u, a
microsecond of work takes (1 - t) x + t. An average rank computes (1 - w)(1 + (1 - u)(x - 1)) of
it and polls the rest. Computing executes the same instructions however long it takes.

*Pausing.* Lines that running jobs fetch push out free lines first, then those of paused jobs. A
job whose equilibrium share of the cache is larger than what it holds fetches the difference
with its own traffic; until then its misses are those of the mean of both. A job whose share
shrinks loses it at once. A change of phase has no such cost: the phase's own length holds it.

*Cost.* Signals and readings take time, in which the measuring program needs a core. Where the
jobs take all cores it delays each of them with equal probability: a job with a delayed rank
makes no progress, and its other ranks poll.

The tests have the same node in plain Python, with the same operations in the same order: all
numbers are the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np

from scenarios.simulated.shared_node.demand import Floats
from scenarios.simulated.shared_node.occurrences import uniform
from scenarios.simulated.shared_node.tables import Constants, Records
from solvers.compiled import compiled, compiled_entry, kept_on_disk

_Function = TypeVar("_Function", bound=Callable[..., Any])
_NOTHING = 1e-9

STATE = np.dtype(
    [
        *((name, np.int64) for name in ("phase", "occurrence", "done", "runs")),
        *((name, np.bool_) for name in ("paused", "finished", "fetches")),
        *(
            (name, np.float64)
            for name in (
                *("left_us", "waiting_share", "resident", "equilibrium", "fetch_left"),
                *("rate", "instruction_rate", "waiting_rate", "fetch_rate"),
                *("instructions", "cycles", "waiting", "progress_us", "end_us"),
                *("last_instructions", "last_cycles", "last_waiting"),
                *("reported_instructions", "reported_cycles", "reported_waiting"),
            )
        ),
    ],
    align=True,
)
"""Where a job is and how fast it goes, per microsecond; counters at the last reading, and as all
readings have reported them."""

NODE = np.dtype(
    [
        ("combination", np.int64),
        ("measuring", np.bool_),
        *((name, np.float64) for name in ("clock_us", "fetched", "free")),
    ],
    align=True,
)
"""The node: row of the table, whether the measuring program works, clock, lines fetched since the
running jobs changed, and free lines then. The flag is a field, since numba compiles a function anew
for each constant that it is called with."""


def inlined(function: _Function) -> _Function:
    """Compile into the caller, without reference counts: a call costs more than most of these."""
    return kept_on_disk(function, nogil=True, error_model="numpy", _nrt=False, inline="always")


class SharedNodeMachine(NamedTuple):
    """Everything that the compiled functions need: records, of which the last two change.

    Attributes
    ----------
    jobs, phases, table
        What does not change.
    constants
        The settings.
    state, node
        Records of all jobs, ``(jobs,)`` of `STATE`, and of the node, ``(1,)`` of `NODE`.
    """

    jobs: Records
    phases: Records
    table: Records
    constants: Constants
    state: Records
    node: Records


def new_state(jobs: int) -> Records:
    """Return jobs before anything runs; `start` begins them."""
    state = np.zeros(jobs, dtype=STATE)
    state["end_us"] = np.nan
    state["resident"] = 1.0
    return state


@compiled_entry
def start(machine: SharedNodeMachine) -> None:
    """Begin all jobs."""
    for job in range(machine.constants.jobs):
        _begin_occurrence(machine, job)
    _refresh(machine, True)  # noqa: FBT003 - numba


@inlined
def runs_now(machine: SharedNodeMachine, job: int) -> bool:
    """Return whether a job makes progress."""
    return not machine.state[job].paused and not machine.state[job].finished


@inlined
def running_jobs(machine: SharedNodeMachine) -> int:
    """Number of jobs that make progress."""
    count = 0
    for job in range(machine.constants.jobs):
        if runs_now(machine, job):
            count += 1
    return count


@compiled
def all_done(machine: SharedNodeMachine) -> bool:
    """Return whether every job has completed its iterations."""
    for job in range(machine.constants.jobs):
        if machine.state[job].runs < machine.constants.iterations:
            return False
    return True


@compiled
def toggle(machine: SharedNodeMachine, job: int) -> None:
    """Stop a job, or let it continue, after the time that signals take."""
    _work(machine, machine.constants.signal_us)
    _evict(machine)
    machine.state[job].paused = not machine.state[job].paused
    _refresh(machine, True)  # noqa: FBT003 - numba


@inlined
def _work(machine: SharedNodeMachine, us: float) -> None:
    machine.node[0].measuring = True
    advance(machine, us)
    machine.node[0].measuring = False


@compiled
def read(machine: SharedNodeMachine, noise: Floats, drawn: int) -> int:
    """Report the counters with noise from ``drawn`` on; where the next noise lies."""
    constants = machine.constants
    _work(machine, constants.read_us * running_jobs(machine))
    for job in range(constants.jobs):
        one = machine.state[job]
        cycles = one.cycles - one.last_cycles
        one.reported_instructions += (one.instructions - one.last_instructions) * (
            1.0 + constants.noise * noise[drawn]
        )
        one.reported_cycles += cycles * (1.0 + constants.noise * noise[drawn + 1])
        waiting = (one.waiting - one.last_waiting) + (
            constants.sampler_noise * noise[drawn + 2]
        ) * cycles
        one.reported_waiting += min(max(waiting, 0.0), cycles)
        one.last_instructions = one.instructions
        one.last_cycles = one.cycles
        one.last_waiting = one.waiting
        drawn += 3
    return drawn


@compiled_entry
def advance(machine: SharedNodeMachine, us: float) -> None:
    """Let time pass until ``us`` are over, from event to event."""
    remaining_us = us
    while remaining_us > 0.0:
        speed = _speed(machine)
        step = remaining_us
        for job in range(machine.constants.jobs):
            if runs_now(machine, job):
                step = min(step, machine.state[job].left_us / (machine.state[job].rate * speed))
                if machine.state[job].fetch_left > 0.0:
                    step = min(
                        step,
                        machine.state[job].fetch_left / (machine.state[job].fetch_rate * speed),
                    )
        _pass(machine, step, speed)
        remaining_us = remaining_us - step if step < remaining_us else 0.0
        _events(machine)


@inlined
def _speed(machine: SharedNodeMachine) -> float:
    if machine.node[0].measuring and machine.constants.crowded:
        running = running_jobs(machine)
        if running == machine.constants.jobs:
            return 1.0 - 1.0 / running
    return 1.0


@inlined
def _pass(machine: SharedNodeMachine, step: float, speed: float) -> None:
    constants, node = machine.constants, machine.node[0]
    node.clock_us += step
    per_us = constants.cycles_per_us
    for job in range(constants.jobs):
        one = machine.state[job]
        if not runs_now(machine, job):
            continue
        own = step * speed
        idle = step - own
        until = one.left_us / (one.rate * speed)
        if until <= step:
            one.left_us = 0.0
        else:
            one.left_us -= one.rate * own
        one.progress_us += one.rate * own
        one.instructions += per_us * (one.instruction_rate * own + machine.jobs[job].polling * idle)
        one.waiting += per_us * (one.waiting_rate * own + idle)
        one.cycles += per_us * step
        node.fetched += machine.table[node.combination, job].traffic * (
            own * constants.fills_per_us
        )
        if one.fetch_left > 0.0:
            until = one.fetch_left / (one.fetch_rate * speed)
            got = one.fetch_left if until <= step else one.fetch_rate * own
            one.fetch_left -= got
            one.resident += got


@inlined
def _events(machine: SharedNodeMachine) -> None:
    moved = ended = False
    for job in range(machine.constants.jobs):
        if not runs_now(machine, job):
            continue
        if machine.state[job].left_us <= 0.0:
            ended = _next_phase(machine, job) or ended
            moved = True
        elif machine.state[job].fetches and machine.state[job].fetch_left <= 0.0:
            moved = True
    if ended:
        _evict(machine)
    if moved:
        _refresh(machine, ended)


@inlined
def _next_phase(machine: SharedNodeMachine, job: int) -> bool:
    constants, one = machine.constants, machine.state[job]
    one.occurrence += 1
    one.done += 1
    one.phase += 1
    if one.phase == machine.jobs[job].phases:
        one.phase = 0
    if one.done == machine.jobs[job].per_run:
        one.done = 0
        one.runs += 1
        if one.runs == constants.iterations:
            one.end_us = machine.node[0].clock_us
            if not constants.restart:
                one.finished = True
                one.resident = 0.0
                return True
    _begin_occurrence(machine, job)
    return False


@inlined
def _begin_occurrence(machine: SharedNodeMachine, job: int) -> None:
    own, one = machine.jobs[job], machine.state[job]
    seed = own.seed
    first = uniform(seed, np.uint64(2 * one.occurrence))
    second = uniform(seed, np.uint64(2 * one.occurrence + 1))
    spread = 1.0 + own.length_spread * (2.0 * first - 1.0)
    one.left_us = machine.phases[job, one.phase].solo_us * spread
    one.waiting_share = own.waiting * (1.0 + own.waiting_spread * (2.0 * second - 1.0))


@inlined
def _evict(machine: SharedNodeMachine) -> None:
    held = 0.0
    for job in range(machine.constants.jobs):
        if machine.state[job].paused:
            held += machine.state[job].resident
    lost = min(max(machine.node[0].fetched - machine.node[0].free, 0.0), held)
    if lost > 0.0:
        for job in range(machine.constants.jobs):
            if machine.state[job].paused:
                machine.state[job].resident *= 1.0 - lost / held


@inlined
def _refresh(machine: SharedNodeMachine, other_jobs: bool) -> None:  # noqa: FBT001 - numba
    combination, node = 0, machine.node[0]
    for job in range(machine.constants.jobs):
        if runs_now(machine, job):
            combination += machine.jobs[job].stride * (machine.state[job].phase + 1)
    node.combination = combination
    held = 0.0
    for job in range(machine.constants.jobs):
        if runs_now(machine, job):
            _set_rates(machine, job, other_jobs)
        held += machine.state[job].resident
    if other_jobs:
        node.fetched = 0.0
        node.free = max(0.0, 1.0 - held)


@inlined
def _set_rates(machine: SharedNodeMachine, job: int, other_jobs: bool) -> None:  # noqa: FBT001 - numba
    constants, one = machine.constants, machine.state[job]
    phase = machine.phases[job, one.phase]
    answer = machine.table[machine.node[0].combination, job]
    stretch = answer.stretch
    equilibrium = answer.resident
    one.equilibrium = equilibrium
    missing = 0.0
    if one.fetch_left > 0.0 or (other_jobs and constants.refill):
        missing = max(equilibrium - one.resident, 0.0)
    one.fetches = missing > _NOTHING and phase.weight > 0.0
    misses = 1.0
    if one.fetches:
        one.fetch_left = missing
        whole = phase.whole
        middle = np.sqrt(whole / (0.5 * (one.resident + equilibrium)))
        end = np.sqrt(whole / equilibrium)
        latency = answer.latency
        stretch += phase.stall * (constants.miss_scale * (middle - end) * latency)
        misses = 1.0 + constants.miss_scale * (middle - 1.0)
    else:
        one.fetch_left = 0.0
        one.resident = equilibrium
    transfer = one.waiting_share * (1.0 - machine.jobs[job].imbalance)
    time = (1.0 - transfer) * stretch + transfer
    average = stretch
    if stretch > 1.0:
        average = 1.0 + (1.0 - constants.uneven) * (stretch - 1.0)
    waits = time - (1.0 - one.waiting_share) * average
    one.rate = 1.0 / time
    one.waiting_rate = one.rate * waits
    one.instruction_rate = one.rate * (
        (1.0 - one.waiting_share) * phase.ipc + machine.jobs[job].polling * waits
    )
    fetch_rate = phase.weight * misses
    one.fetch_rate = fetch_rate * (one.rate * constants.fills_per_us)


@compiled_entry
def run_free(machine: SharedNodeMachine, step_us: float) -> None:
    """Let jobs run without a shutter until all have completed their iterations."""
    while not all_done(machine):
        advance(machine, step_us)
