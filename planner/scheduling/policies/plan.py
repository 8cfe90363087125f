"""The processors that are planned to be free, as steps over time. Compiled.

``free[k]`` processors are free from ``time[k]`` to ``time[k + 1]``, and all behind the last step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.policies.compiled import U, compiled, compiled_entry

# NEVER plus the length of a run still fits into 64 bits.
NEVER = 1 << 60
STRIDE = U(16)


class ProcessorPlan(NamedTuple):
    """Steps; the last one begins at ``NEVER``."""

    time: NDArray[np.int64]
    free: NDArray[np.int64]


def empty_plan(capacity: int) -> ProcessorPlan:
    """Return empty arrays for the steps of at most ``capacity`` jobs at once."""
    # A job changes the plan at its start and its end; the first step and that at NEVER come on top.
    return ProcessorPlan(np.empty(2 * capacity + 4, np.int64), np.empty(2 * capacity + 4, np.int64))


@compiled_entry
def begin_plan(plan: ProcessorPlan, time: int, machine: int) -> int:
    """Let all processors be free from a time on; how many steps there are."""
    plan.time[U(0)] = time
    plan.free[U(0)] = machine
    plan.time[U(1)] = NEVER
    plan.free[U(1)] = machine
    return 2


@compiled
def forget_past(plan: ProcessorPlan, steps: int, time: int) -> int:
    """Let the first step begin now; how many steps there are."""
    gone = 0
    # The step at NEVER ends the loop; the last step that begins by now is kept.
    while plan.time[U(gone + 1)] <= time:
        gone += 1
    if gone > 0:
        steps -= gone
        for step in range(steps):
            plan.time[U(step)] = plan.time[U(step + gone)]
            plan.free[U(step)] = plan.free[U(step + gone)]
    plan.time[U(0)] = time
    return steps


@compiled
def first_from(plan: ProcessorPlan, step: int, steps: int, time: int) -> int:
    """Return the first step from ``step`` on that begins at a time or later."""
    at = U(step)
    # Strides first: one by one, the search would take as long as all else that a move does.
    while at + STRIDE < U(steps) and plan.time[at + STRIDE] < time:
        at += STRIDE
    while plan.time[at] < time:
        at += U(1)
    return at


@compiled_entry
def earliest(plan: ProcessorPlan, processors: int, length: int) -> int:
    """Return the earliest time from which ``processors`` are free for ``length``.

    The loop does not branch on which job fits where: a CPU could not predict such a branch.
    """
    # A run without length would be taken to fit where no step has been looked at.
    length = max(length, 1)
    step = U(0)
    start = until = int(plan.time[step])
    # No start before `start` fits, and from `start` to `until` enough processors are free. A step
    # with too few rules out every start up to its end: each of these runs is longer than `until -
    # start`, so it meets the step.
    while until - start < length:
        until = int(plan.time[step + U(1)])
        start = until if plan.free[step] < processors else start
        step += U(1)
    return start


@compiled
def note_least(plan: ProcessorPlan, least: ProcessorPlan) -> None:
    """Make a plan of the least that is free from now up to each time.

    A run from now on fits in it exactly if it fits in the plan, which has many more steps.
    """
    least.time[U(0)] = plan.time[U(0)]
    least.free[U(0)] = plan.free[U(0)]
    steps = step = U(0)
    # Steps up to `step` are taken in; the last step of `least` is the lowest of them.
    while plan.time[step + U(1)] < NEVER and least.free[steps] > 0:
        step += U(1)
        if plan.free[step] < least.free[steps]:
            steps += U(1)
            least.time[steps] = plan.time[step]
            least.free[steps] = plan.free[step]
    least.time[steps + U(1)] = NEVER
    least.free[steps + U(1)] = least.free[steps]


@compiled
def fits(plan: ProcessorPlan, processors: int, length: int) -> bool:
    """Return whether ``processors`` are free from now on for ``length``."""
    step = U(0)
    until = plan.time[step] + length
    # All steps before `step` have room. The step at NEVER begins behind the end of every run.
    while plan.free[step] >= processors:
        step += U(1)
        if plan.time[step] >= until:
            return True
    return False


@compiled_entry
def earlier(
    plan: ProcessorPlan,
    processors: int,
    length: int,
    planned: int,
    freed_from: int,
    freed_until: int,
) -> int:
    """The earliest start of a job of the plan, which is not later than where it is now.

    From the planned start on its own processors are free for it. Runs that do not meet the stretch
    in which something was freed are known not to fit and need not be tried.
    """
    length = max(length, 1)
    step = U(0)
    # A run from such a step ends before the stretch: the job's last try has shown that it fails.
    while plan.time[step + U(1)] + length <= freed_from:
        step += U(1)
    start = until = int(plan.time[step])
    # As in `earliest`, but a run that reaches `planned` fits from there on: its own processors are
    # still in the plan. A start at `freed_until` or later does not meet the stretch.
    latest = min(planned, freed_until)
    while until - start < length and until < planned and start < latest:
        until = int(plan.time[step + U(1)])
        start = until if plan.free[step] < processors else start
        step += U(1)
    return min(start, planned) if start < latest else planned


@compiled_entry
def back_from(plan: ProcessorPlan, steps: int, processors: int, planned: int) -> int:
    """Return from when on ``processors`` are free until a time."""
    step = first_from(plan, 0, steps, planned)
    start = planned
    # The steps between `start` and `planned` have room.
    while step > U(0) and plan.free[step - U(1)] >= processors:
        step -= U(1)
        start = plan.time[step]
    return start


@compiled_entry
def add(plan: ProcessorPlan, steps: int, first: int, last: int, processors: int) -> int:
    """Change the free processors from one time to another; how many steps there are.

    Neighbouring steps stay different.
    """
    if first >= last:
        return steps
    time, free = plan.time, plan.free
    # `first` is not before the first step, so a new step always has one before it.
    step = first_from(plan, 0, steps, first)
    if time[step] > first:
        steps = _insert(plan, steps, step, first, free[step - U(1)] + processors)
        step += U(1)
    elif step > U(0) and free[step] + processors == free[step - U(1)]:
        # `step` is then the one behind the merged step, which is still to be changed.
        steps = _delete(plan, steps, step)
    else:
        free[step] += processors
        step += U(1)
    while time[step] < last:
        free[step] += processors
        step += U(1)
    if time[step] > last:
        return _insert(plan, steps, step, last, free[step - U(1)] - processors)
    # The step at NEVER ends every scan, so it is never merged.
    if free[step] == free[step - U(1)] and last < NEVER:
        return _delete(plan, steps, step)
    return steps


@compiled
def _insert(plan: ProcessorPlan, steps: int, step: int, time: int, free: int) -> int:
    last = U(steps)
    # Counted up, and so compiled into moves of several steps at once.
    for moved in range(last - step):
        plan.time[last - moved] = plan.time[last - moved - U(1)]
        plan.free[last - moved] = plan.free[last - moved - U(1)]
    plan.time[step] = time
    plan.free[step] = free
    return steps + 1


@compiled
def _delete(plan: ProcessorPlan, steps: int, step: int) -> int:
    for at in range(step, U(steps - 1)):
        plan.time[at] = plan.time[at + U(1)]
        plan.free[at] = plan.free[at + U(1)]
    return steps - 1
