"""Queues that grow through a whole log, and warm-ups in words."""

from __future__ import annotations

import pytest

from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.overload import growing_queue, submitted_work
from planner.scheduling.simulation.settings import SimulationSettings, Trim
from planner.scheduling.simulation.simulate import simulate
from planner.scheduling.simulation.study import study
from planner.scheduling.simulation.summary import measured_jobs
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lublin import lublin_log
from tests.planner.scheduling.sizing.logs import log_of


def stream(jobs: int, gap_s: int, run_s: int = 10) -> JobLog:
    """Jobs of the whole machine, one every ``gap_s`` seconds."""
    return log_of([(gap_s * job, run_s, 4, 0) for job in range(jobs)])


def test_a_machine_with_too_much_work_has_a_growing_queue() -> None:
    # A job of 10 s every 8 s: at the end of 200 jobs 40 wait, in quarters 5, 15, 25 and 35.
    schedule = simulate(stream(200, 8), POLICIES["fcfs"]).schedule
    assert growing_queue(schedule) == pytest.approx((5, 15, 25, 35), abs=0.7)
    assert submitted_work(schedule) == pytest.approx(1.25, rel=0.01)
    (warning,) = study(stream(200, 8), [POLICIES["fcfs"]]).warnings
    assert warning.startswith(
        "FCFS does not keep up with this log: the queue grows in every quarter of it (mean: "
    )
    assert "The submitted work is 126 % of what the machine can do in that time" in warning


@pytest.mark.parametrize(("jobs", "gap_s"), [(200, 10), (200, 12), (99, 8), (1, 8), (0, 8)])
def test_a_machine_that_keeps_up_or_a_short_log_has_none(jobs: int, gap_s: int) -> None:
    schedule = simulate(stream(jobs, gap_s), POLICIES["fcfs"], processors=4).schedule
    assert growing_queue(schedule) == ()


def said(trim: Trim) -> str:
    log = lublin_log(200, 64, 5, load=0.85)
    return measured_jobs(study(log, [POLICIES["easy"]], SimulationSettings(trim=trim)))


def test_what_warm_up_and_cool_down_leave_out_is_said() -> None:
    assert said(Trim()) == ""
    text = said(Trim(0.1, 0.05))
    assert text.startswith("The first 20 jobs (warm-up: ")
    assert text.endswith(
        "and the last 10 jobs (cool-down) are simulated but not measured; 170 jobs are measured."
    )
    assert said(Trim(None)) == "MSER-5 finds no warm-up. All 200 jobs are measured."


def test_one_measured_job_is_not_several() -> None:
    def of(jobs: int, trim: Trim) -> str:
        return measured_jobs(
            study(stream(jobs, 12), [POLICIES["fcfs"]], SimulationSettings(trim=trim))
        )

    assert of(1, Trim(0.1)) == "The only job is measured."
    assert of(2, Trim(0.5)).endswith("is simulated but not measured; 1 job is measured.")


def test_an_empty_warm_up_is_said() -> None:
    log = stream(200, 12)
    result = study(log, [POLICIES["fcfs"]], SimulationSettings(trim=Trim(None)))
    assert measured_jobs(result) == "MSER-5 finds no warm-up. All 200 jobs are measured."
