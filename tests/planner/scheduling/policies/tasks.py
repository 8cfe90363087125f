"""Tasks for tests: rows of (submit, run, processors, requested, user)."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from planner.scheduling.policies.problem import (
    EventOrder,
    JobArrays,
    SchedulingProblem,
    Unavailable,
)
from planner.scheduling.policies.registry import find_policy

Row = tuple[int, int, int, int, int]


def problem_of(
    machine: int,
    rows: Sequence[Row],
    event_order: EventOrder = "reference",
    estimates: str = "user",
    unavailable: Sequence[Unavailable] = (),
) -> SchedulingProblem:
    submit, run, processors, requested, user = np.array(rows, np.int64).reshape(-1, 5).T.copy()
    estimate = run if estimates == "perfect" else requested
    jobs = JobArrays(submit, run, processors, np.maximum(estimate, 1))
    predicts = estimates == "tsafrir"
    return SchedulingProblem(
        jobs, user.astype(np.int32), machine, event_order, unavailable, predicts
    )


def starts_of(
    policy: str,
    machine: int,
    rows: Sequence[Row],
    event_order: EventOrder = "reference",
    estimates: str = "user",
    reservations: int | None = None,
) -> list[int]:
    scheduler = find_policy(policy, reservations)
    starts: list[int] = scheduler.schedule(
        problem_of(machine, rows, event_order, estimates)
    ).start_s.tolist()
    return starts


def random_rows(rng: random.Random, machine: int, most: int = 25) -> list[Row]:
    """Jobs that often meet at one instant, some of no length, with short and long estimates."""
    rows: list[Row] = []
    time, scale = 0, rng.choice([3, 10, 60])
    for _ in range(rng.randint(1, most)):
        time += rng.choice([0, 0, 1, rng.randint(0, scale)])
        run = rng.randint(0, scale) * rng.choice([1, 1, 40])
        spare = rng.choice([0, 0, 1, rng.randint(0, 2 * scale), 50 * rng.randint(0, 2 * scale)])
        rows.append((time, run, rng.randint(1, machine), run + spare, rng.randint(0, 2)))
    return rows
