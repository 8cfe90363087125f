"""Which runs have a distance from the limit in hindsight, and from when makespans count."""

from __future__ import annotations

from pathlib import Path

import pytest

from planner.scheduling.power.schedule import schedule
from scenarios import Scenario
from tests.planner.scheduling.power.scenarios_of import scenario_of


def two_jobs(folder: Path, *, first: str = "") -> Scenario:
    """A runs 100 s at 50 W or 60 s at 100 W, B 20 s at 50 W; there are two nodes and 100 W."""
    return scenario_of(
        folder,
        f"""
[schedule]
bounds_w = [100.0]
thresholds = [1.0]
[schedule.cluster]
nodes = 2
cores_per_node = 16
variability = false
noise = false
[[schedule.applications]]
name = "a"
configurations = [
  {{ nodes = 1, cores_per_node = 16, package_cap_w = 51.0, time_s = 100.0, power_w = 50.0 }},
  {{ nodes = 1, cores_per_node = 16, package_cap_w = 115.0, time_s = 60.0, power_w = 100.0 }},
]
[[schedule.applications]]
name = "b"
configurations = [
  {{ nodes = 1, cores_per_node = 16, package_cap_w = 51.0, time_s = 20.0, power_w = 50.0 }},
]
[[schedule.applications]]
name = "large"
configurations = [
  {{ nodes = 1, cores_per_node = 16, package_cap_w = 51.0, time_s = 20.0, power_w = 500.0 }},
]
[[schedule.logs]]
name = "two"
kind = "listed"
jobs = [
  {first}
  {{ application = "a", nodes = 1, requested_s = 100.0, submit_s = 3600.0 }},
  {{ application = "b", nodes = 1, requested_s = 20.0, submit_s = 3600.0 }},
]
""",
    )


def test_a_run_that_lends_power_has_no_distance(tmp_path: Path) -> None:
    found = schedule(
        two_jobs(tmp_path), policies=["adaptive", "adaptive-lending"], optimum="turnaround"
    )
    plain, lending = found.outcomes
    assert plain.bound == pytest.approx(50.0, rel=1e-3)  # B, then A with all of the power
    assert plain.gap is not None
    assert plain.bound is not None
    assert lending.mean_turnaround_s is not None
    assert lending.mean_turnaround_s == pytest.approx((20 + 0.8 * 60 + 20) / 2, rel=1e-3)
    assert lending.mean_turnaround_s < plain.bound  # which keeps configurations to their ends
    assert (lending.bound, lending.gap) == (None, None)


def test_makespans_count_from_the_first_submission_also_of_a_rejected_job(tmp_path: Path) -> None:
    rejected = '{ application = "large", nodes = 1, requested_s = 20.0, submit_s = 0.0 },'
    found = schedule(two_jobs(tmp_path, first=rejected), policies=["adaptive"], optimum="makespan")
    (outcome,) = found.outcomes
    assert outcome.rejected == 1
    assert outcome.makespan_s == pytest.approx(3700.0, rel=1e-3)
    assert outcome.bound is not None
    assert 3680.0 - 1 < outcome.bound < 3700.0 + 1
    assert outcome.gap is not None
    assert outcome.gap < 0.01
