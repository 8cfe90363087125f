"""Queues that grow through a whole log, and which jobs a warm-up leaves out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.overload import growing_queue, submitted_work
from planner.scheduling.simulation.settings import SimulationSettings, Trim
from planner.scheduling.simulation.simulate import simulate
from planner.scheduling.simulation.study import study
from scenarios.job_logs.job_log import JobLog
from tests.planner.scheduling.sizing.logs import log_of


def stream(jobs: int, gap_s: int, run_s: int = 10) -> JobLog:
    """Jobs of the whole machine, one every ``gap_s`` seconds."""
    return log_of([(gap_s * job, run_s, 4, 0) for job in range(jobs)])


def test_a_machine_with_too_much_work_has_a_growing_queue() -> None:
    # A job of 10 s every 8 s: at the end of 200 jobs 40 wait, in quarters 5, 15, 25 and 35.
    schedule = simulate(stream(200, 8), POLICIES["fcfs"]).schedule
    assert growing_queue(schedule) == pytest.approx((5, 15, 25, 35), abs=0.7)
    assert submitted_work(schedule) == pytest.approx(1.25, rel=0.01)
    (risk,) = (
        each for each in study(stream(200, 8), [POLICIES["fcfs"]]).study.findings
        if each.kind == "overload"
    )  # fmt: skip
    assert risk.values["work"] == pytest.approx(1.256, abs=0.001)


def test_quarters_begin_at_the_first_submission() -> None:
    log = stream(200, 8)
    late = replace(log, submit_s=log.submit_s + 10**6)
    early, found = (
        growing_queue(simulate(each, POLICIES["fcfs"]).schedule) for each in (log, late)
    )
    assert found == pytest.approx(early)


@pytest.mark.parametrize(("jobs", "gap_s"), [(200, 10), (200, 12), (99, 8), (1, 8), (0, 8)])
def test_a_machine_that_keeps_up_or_a_short_log_has_none(jobs: int, gap_s: int) -> None:
    schedule = simulate(stream(jobs, gap_s), POLICIES["fcfs"], processors=4).schedule
    assert growing_queue(schedule) == ()


def measured(jobs: int, trim: Trim) -> list[tuple[object, object]]:
    """What is measured of how many, and what is left out at either end; empty where nothing is."""
    found = study(stream(jobs, 12), [POLICIES["fcfs"]], SimulationSettings(trim=trim))
    return [
        (fact.value, fact.note.values) for fact in found.study.facts
        if fact.key == "measured" and fact.note
    ]  # fmt: skip


def test_what_warm_up_and_cool_down_leave_out_is_said() -> None:
    assert measured(200, Trim()) == []
    assert measured(200, Trim(0.1, 0.05)) == [((170, 200), {"first": 20, "last": 10})]
    assert measured(2, Trim(0.5)) == [((1, 2), {"first": 1, "last": 0})]
    assert measured(200, Trim(None)) == []
