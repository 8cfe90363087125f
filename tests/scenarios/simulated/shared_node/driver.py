"""Algorithms 1 to 3 over the literal node, repaired: what the compiled loop must equal."""

from __future__ import annotations

import numpy as np

from scenarios.simulated.shared_node.demand import Floats
from scenarios.simulated.shared_node.play import (
    PLACEBO,
    ShutterSchedule,
    ShutterWindows,
)
from tests.scenarios.simulated.shared_node.node import SharedNode


def is_placebo(number: int, share: float) -> bool:
    """Whether the round of a number pauses nobody: placebos lie evenly among the rounds.

    Examples
    --------
    >>> [is_placebo(number, 0.25) for number in range(5)]
    [False, False, False, True, False]
    """
    return int((number + 1) * share) > int(number * share)


def drive(node: SharedNode, schedule: ShutterSchedule) -> ShutterWindows:
    """Play the schedule on the node, call by call."""
    jobs = len(node.jobs)
    rounds: list[Floats] = []
    shuttered, times, turn = [], [], 0
    while any(not node.finished(job) for job in node.jobs):
        active = [job for job in node.jobs if not node.finished(job)]
        if len(active) >= 2:
            index = turn % len(active)
            placebo = is_placebo(len(rounds), schedule.placebo_share)
            alone = PLACEBO if placebo else active[index]
            turn = turn if placebo else (index + 1) % len(active)
            shuttered.append(alone)
            times.append(node.clock_us)
            parts = [around(node, schedule, active)]
            others = [job for job in active if alone not in {PLACEBO, job}]
            for job in others:
                node.pause(job)
            parts.append(measure(node, schedule, active if placebo else [alone]))
            for job in others:
                node.resume(job)
            parts.append(around(node, schedule, active))
            rounds.append(np.stack(parts, axis=1))
        node.sleep_us(schedule.gap_us)
        if len(rounds) == schedule.most_rounds:
            break
    shape = (3, 0, 3, schedule.measurements, jobs)
    windows = np.stack(rounds, axis=1) if rounds else np.zeros(shape)
    return ShutterWindows(
        windows[0],
        windows[1],
        windows[2],
        np.array(shuttered, dtype=np.int64),
        np.array(times),
        np.array([node.end_us(job) for job in node.jobs]),
        np.array([node.iterations(job) for job in node.jobs]),
        np.array([node.progress_us(job) for job in node.jobs]),
        node.clock_us,
    )


def around(node: SharedNode, schedule: ShutterSchedule, active: list[int]) -> Floats:
    """Lines 4 and 6 of Algorithm 3: one window for all, or one for each."""
    if schedule.loop == "parallel":
        return measure(node, schedule, active)
    result = np.full((3, schedule.measurements, len(node.jobs)), np.nan)
    for job in active:
        result[:, :, job] = measure(node, schedule, [job])[:, :, job]
    return result


def measure(node: SharedNode, schedule: ShutterSchedule, wanted: list[int]) -> Floats:
    """Algorithm 1: differences of instructions, cycles and waiting, ``(3, K, jobs)``."""
    result = np.full((3, schedule.measurements, len(node.jobs)), np.nan)
    for k in range(schedule.measurements):
        first = counters(node)
        node.sleep_us(schedule.length_us)
        result[:, k, wanted] = (counters(node) - first)[:, wanted]
    return result


def counters(node: SharedNode) -> Floats:
    """Instructions, cycles and waiting cycles, ``(3, jobs)``."""
    instructions, cycles = node.read()
    return np.stack([instructions, cycles, node.waiting_cycles()])
