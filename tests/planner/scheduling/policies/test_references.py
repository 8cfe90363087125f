"""Every start of published reference schedules; skipped where the logs are missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.simulate import Estimates, simulate
from scenarios.job_logs.reader import read_job_log
from tests.shared_data import TRACES, needs_data

pytestmark = needs_data


def play(log: str, policy: str, estimates: Estimates | None = None) -> JobSchedule:
    jobs = read_job_log(TRACES / f"{log}.swf.gz")
    return simulate(jobs, find_policy(policy), estimates=estimates).schedule


def differing(schedule: JobSchedule, reference: str) -> int:
    """How many starts differ from those of a reference."""
    table = pd.read_csv(TRACES / f"{reference}.csv.gz").sort_values("job")
    order = np.argsort(schedule.number)
    assert (schedule.number[order] == table["job"]).all()
    return int((schedule.start_s[order] != table["start"]).sum())


@pytest.mark.parametrize(
    ("log", "jobs", "processors", "mean_wait_s"),
    [("SDSC-SP2", 54_006, 128, 20_497.7610), ("SDSC-BLUE", 232_542, 1152, 7_690.8443)],
)
def test_easy_starts_every_job_as_published(
    log: str, jobs: int, processors: int, mean_wait_s: float
) -> None:
    result = play(log, "easy")
    assert (len(result), result.machine_processors) == (jobs, processors)
    assert differing(result, f"{log}_EASY_pyss-predictsim-2015") == 0
    assert result.wait_s.mean() == pytest.approx(mean_wait_s, abs=5e-5)


@pytest.mark.parametrize(
    ("log", "mean_wait_s"), [("SDSC-SP2", 17_337.1056), ("SDSC-BLUE", 7_336.3152)]
)
def test_easy_with_perfect_estimates_starts_every_job_as_published(
    log: str, mean_wait_s: float
) -> None:
    result = play(log, "easy", "perfect")
    assert differing(result, f"{log}_EASY-clairvoyant_pyss-predictsim-2015") == 0
    assert result.wait_s.mean() == pytest.approx(mean_wait_s, abs=5e-5)


@pytest.mark.parametrize(
    ("policy", "reference", "mean_wait_s"),
    [
        ("fcfs", "fcfs", 26_898.4466),
        ("easy", "easy", 6_719.4663),
        ("conservative", "cons", 6_841.7904),
    ],
)
def test_ten_thousand_jobs_start_as_published(
    policy: str, reference: str, mean_wait_s: float
) -> None:
    result = play("SDSC-SP2-10k", policy)
    assert differing(result, f"SDSC-SP2-10k_{reference}_pyss-2007") == 0
    assert result.wait_s.mean() == pytest.approx(mean_wait_s, abs=5e-5)


def test_the_other_order_of_events_moves_the_mean_wait_by_a_few_percent() -> None:
    jobs = read_job_log(TRACES / "SDSC-SP2.swf.gz")
    batch = simulate(jobs, find_policy("easy"), event_order="batch").schedule
    assert batch.wait_s.mean() / 20_497.7610 - 1 == pytest.approx(0.0, abs=0.11)
    both = [
        simulate(jobs, find_policy("easy"), event_order=order, estimates="perfect").schedule
        for order in ("reference", "batch")
    ]
    assert (both[0].start_s == both[1].start_s).all()
