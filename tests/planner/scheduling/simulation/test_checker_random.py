"""The checker against many small random logs, in which jobs without length meet at one instant."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from planner.cli.simulate_inputs import broken_rules
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.checker import violations
from planner.scheduling.simulation.settings import SimulationSettings
from planner.scheduling.simulation.simulate import Estimates, simulate
from planner.scheduling.simulation.study import study
from scenarios.job_logs.job_log import JobLog
from tests.planner.scheduling.simulation.literal import conservative, made_log, schedule_of
from tests.sizes import few

POLICIES = ("fcfs", "easy", "conservative")
LOGS = few(500)
"""For each order of events and kind of estimates: 2,000 in all."""


def random_log(rng: random.Random, most: int = 25) -> tuple[JobLog, int]:
    """Many jobs of no length, equal submissions, equal ends, requests of 0 s; and a machine."""
    machine, scale = rng.randint(2, 8), rng.choice([2, 4, 10])
    short = rng.choice([0.2, 0.4, 0.6])
    time, rows = 0, []
    for _ in range(rng.randint(2, most)):
        time += rng.choice([0, 0, 0, 1, rng.randint(0, scale)])
        run = 0 if rng.random() < short else rng.randint(0, scale)
        spare = rng.choice([0, 1, rng.randint(0, 3 * scale)])
        rows.append((time, run, rng.randint(1, machine), run + spare))
    return made_log(rows), machine


@pytest.mark.parametrize("estimates", ["user", "perfect"])
@pytest.mark.parametrize("order", ["batch", "reference"])
def test_no_right_schedule_is_rejected(order: str, estimates: Estimates) -> None:
    """As the command checks them, under each policy: not one false accusation."""
    rng = random.Random(f"{order} {estimates}")
    policies = [find_policy(name, None) for name in POLICIES]
    for _ in range(LOGS):
        log, machine = random_log(rng)
        settings = SimulationSettings(processors=machine, event_order=order, estimates=estimates)  # type: ignore[arg-type]
        result = study(log, policies, settings)
        assert broken_rules(result, policies) == [], (log.submit_s, log.run_s, log.processors)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("order", ["batch", "reference"])
def test_every_moved_start_is_found(policy: str, order: str) -> None:
    """These policies leave no choice: whatever start is moved, the schedule is another's."""
    rng = random.Random(f"{policy} {order}")
    moved = 0
    for _ in range(few(150)):
        log, machine = random_log(rng)
        right = simulate(
            log, find_policy(policy, None), processors=machine, event_order=order  # type: ignore[arg-type]
        ).schedule  # fmt: skip
        for _ in range(4):
            row, by = rng.randrange(len(log)), rng.choice([-2, -1, 1, 2, 5])
            start = right.start_s.copy()
            start[row] += by
            wrong = replace(right, start_s=start)
            assert violations(wrong, policy=policy, event_order=order), (row, by, right.start_s)
            moved += 1
    assert moved == 4 * few(150)


@pytest.mark.parametrize("order", ["batch", "reference"])
def test_the_engine_and_the_literal_policy_plan_alike_where_jobs_have_no_length(order: str) -> None:
    """So what the checker accepts is conservative backfilling, and not what the engine makes."""
    rng = random.Random(order)
    for _ in range(few(300)):
        log, machine = random_log(rng, most=12)
        log = replace(log, requested_s=np.maximum(log.requested_s, 1))
        schedule = simulate(
            log, find_policy("conservative", None), processors=machine, event_order=order  # type: ignore[arg-type]
        ).schedule  # fmt: skip
        assert schedule.start_s.tolist() == conservative(log, machine, order).start_s.tolist()
        assert not violations(schedule_of(log, machine, schedule.start_s), policy="conservative",
                              event_order=order)  # fmt: skip
