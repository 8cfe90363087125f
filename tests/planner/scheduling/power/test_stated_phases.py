"""Power phases of a scenario: whose they are, what they leave over, and who gets it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from planner.scheduling.power.checking.checker import violations
from planner.scheduling.power.inputs.build import replicate
from planner.scheduling.power.problem import PowerProblem
from planner.scheduling.power.registry import find_power_policy
from planner.scheduling.power.results.measures import measures
from planner.scheduling.power.rmap import adaptive_policy
from tests.planner.scheduling.power.random_problems import random_problem
from tests.planner.scheduling.power.scenarios_of import scenario_of
from tests.sizes import few

TWO_JOBS = """\
[schedule]
bounds_w = [100.0]
policies = ["adaptive"]
[schedule.cluster]
nodes = 2
[[schedule.applications]]
name = "a"
configurations = [
  { nodes = 1, cores_per_node = 16, package_cap_w = 51.0, time_s = 100.0, power_w = 50.0 },
  { nodes = 1, cores_per_node = 16, package_cap_w = 115.0, time_s = 50.0, power_w = 100.0 },
]
APPLICATION_PHASES
[[schedule.logs]]
name = "two"
kind = "listed"
jobs = [
  { application = "a", nodes = 1, requested_s = 1000.0JOB_PHASES },
  { application = "a", nodes = 1, requested_s = 1000.0 },
]
"""
HALVES = """[
  { work_share = 0.5, power_share = 0.5 }, { work_share = 0.5, power_share = 1.0 },
]"""


def two_jobs(folder: Path, *, of_application: str = "", of_job: str = "") -> PowerProblem:
    body = TWO_JOBS.replace("APPLICATION_PHASES", of_application and f"phases = {of_application}")
    body = body.replace("JOB_PHASES", of_job and f", phases = {of_job}")
    return replicate(scenario_of(folder, body), 0).problem(100.0, "two")


def sequences(problem: PowerProblem) -> list[list[tuple[float, float]]]:
    truth = problem.truth
    phases = [*zip(truth.phase_share.tolist(), truth.phase_intensity.tolist(), strict=True)]
    return [
        phases[truth.phase_first[of] : truth.phase_first[of + 1]] for of in truth.phase_of.tolist()
    ]


def test_a_scenario_without_phases_has_none(tmp_path: Path) -> None:
    truth = two_jobs(tmp_path).truth
    assert not len(truth.phase_first)
    assert not len(truth.phase_of)


def test_phases_of_a_job_replace_those_of_its_application(tmp_path: Path) -> None:
    halves, whole = [(0.5, 0.5), (0.5, 1.0)], "[{ work_share = 1.0, power_share = 0.8 }]"
    assert sequences(two_jobs(tmp_path, of_application=HALVES)) == [halves, halves]
    assert sequences(two_jobs(tmp_path, of_job=HALVES)) == [halves, [(1.0, 1.0)]]
    both = two_jobs(tmp_path, of_application=HALVES, of_job=whole)
    assert sequences(both) == [[(1.0, 0.8)], halves]


@pytest.mark.parametrize(
    ("policy", "ends_ms", "lent"),
    [
        ("adaptive", [100_000, 100_000], []),
        ("adaptive-lending", [100_000, 100_000], [[0, 0, 1], [0, 0, 0]]),
        (
            "adaptive-lending-measured",
            [75_000, 87_500],
            [[0, 0, 1], [0, 25_000, 0], [1, 75_000, 1]],
        ),
    ],
)
def test_watts_that_a_phase_leaves_over_are_lent_until_it_ends(
    policy: str, ends_ms: list[int], lent: list[list[int]], tmp_path: Path
) -> None:
    """Both jobs start with 50 of 100 W; the first draws half of them in the first half of its work.

    The 25 W left over let it go on with 100 W charged, of which it draws 50: half of the work takes
    25 s. The other half takes 50 s with 50 W. From 75 s on the second job has 100 W; the quarter
    that is left takes 12.5 s instead of 25.
    """
    problem = two_jobs(tmp_path, of_job=HALVES)
    schedule = find_power_policy(policy).schedule(problem).schedule
    assert schedule.end_ms.tolist() == ends_ms
    assert schedule.lent.tolist() == lent
    assert not violations(schedule, problem, lends_undrawn=True)
    assert measures(schedule, problem).above_by_power.count == 0


def test_energy_of_a_phase_is_its_share_of_the_watts(tmp_path: Path) -> None:
    """50 s of 25 W and 50 s of 50 W; the other job draws 50 W for 100 s."""
    problem = two_jobs(tmp_path, of_job=HALVES)
    result = measures(adaptive_policy().schedule(problem).schedule, problem)
    assert result.energy_j.tolist() == [3_750.0, 5_000.0]


def with_phases_of_jobs(seed: int) -> PowerProblem:
    """A random problem whose table is right and whose jobs, not applications, have phases."""
    problem = random_problem(seed, phases=True, law=False, exact=True)
    first = problem.truth.phase_first
    of = np.random.default_rng(seed).integers(len(first) - 1, size=len(problem.jobs))
    truth = replace(
        problem.truth,
        power_mw=problem.details.charge_mw,
        phase_intensity=np.minimum(problem.truth.phase_intensity, 1.0),
        phase_of=of,
    )
    return replace(problem, truth=truth)


def test_measured_loans_keep_true_power_within_the_bound_where_the_table_is_right() -> None:
    policy, lent = adaptive_policy(lends="measured"), 0
    for seed in range(few(300)):
        problem = with_phases_of_jobs(seed)
        schedule = policy.schedule(problem).schedule
        assert not violations(schedule, problem, lends_undrawn=True), seed
        above = measures(schedule, problem).above_by_power
        assert above.largest_w <= 0.001 * len(problem.jobs), seed  # watts are rounded to milliwatts
        lent += len(schedule.lent)
    assert lent > 0
