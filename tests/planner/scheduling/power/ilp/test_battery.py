"""Every ILP scheduler by its name: found, explained, checked; and changed rules are seen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.power.checked_run import _latest
from planner.scheduling.power.checking.checker import violations
from planner.scheduling.power.checking.requests import Latest
from planner.scheduling.power.events.moment import Choice, PowerMoment
from planner.scheduling.power.events.play import play
from planner.scheduling.power.ilp import candidates, options
from planner.scheduling.power.ilp.knapsack import KnapsackPolicy
from planner.scheduling.power.ilp.naming import ilp_name, ilp_names
from planner.scheduling.power.ilp.reservation import reservation_of
from planner.scheduling.power.policy_texts import OWN, policy_text
from planner.scheduling.power.problem import JobDetails, PowerJobs, PowerProblem
from planner.scheduling.power.registry import find_power_policy, power_policy_names
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.truth import PowerTruth
from scenarios.model.schedule import BY_PERCENT, POLICIES
from tests.planner.scheduling.power.ilp.passes import allowed, keeps_reservation
from tests.planner.scheduling.power.random_problems import random_problem
from tests.sizes import few

BY_SHARE = tuple(
    f"{name.removesuffix('-unfair')}-20{'-unfair' if name.endswith('-unfair') else ''}"
    for name in ilp_names()
    if "-any" not in name
)
EVERY = (*ilp_names(), *BY_SHARE)


@pytest.mark.parametrize("name", EVERY)
def test_every_ilp_policy_is_found_by_its_one_name(name: str) -> None:
    assert find_power_policy(name).name == name == str(ilp_name(name))
    assert (name in power_policy_names()) == (name in POLICIES) == (name not in BY_SHARE)
    assert (BY_PERCENT.fullmatch(name) is not None) == (name in BY_SHARE)
    assert policy_text(name) != OWN


def test_names_of_zero_per_cent_and_leading_zeros_are_one() -> None:
    assert find_power_policy("ilp-slots-cbc-00-unfair").name == "ilp-slots-cbc-unfair"
    assert find_power_policy("ilp-reserved-highs-020").name == "ilp-reserved-highs-20"
    for wrong in ("ilp-slots-engine", "ilp-highs-unfair-20", "ilp-highs-any-20", "ilp-highs-20000"):
        assert ilp_name(wrong) is None
        with pytest.raises(InputError, match="there is no power-aware policy"):
            find_power_policy(wrong)
    with pytest.raises(InputError, match=r"ilp-cbc is given 2 times \(ilp-cbc-0 is the same\)"):
        schedule("thesis-table-5-2", policies=["ilp-cbc", "ilp-cbc-0"])


@pytest.mark.parametrize("name", EVERY)
def test_every_ilp_policy_keeps_what_its_name_promises(name: str) -> None:
    program = ilp_name(name)
    assert program is not None
    for seed in range(few(10, 2)):
        problem = random_problem(seed + len(name), most_jobs=6)
        run = find_power_policy(name).schedule(problem)
        result = violations(
            run.schedule,
            problem,
            fair_share=program.fair_share,
            latest=_latest(find_power_policy(name)),
        )
        assert [str(violation) for violation in result] == [], seed


def beyond_their_request(policy: KnapsackPolicy, threshold: float = 0.0) -> int:
    """Violations of the rule on random logs."""
    latest = Latest(threshold, policy.fair_share)
    schedules = ((problem, policy.schedule(problem).schedule)
                 for problem in map(random_problem, range(12)))  # fmt: skip
    return sum(len(violations(made, problem, latest=latest)) for problem, made in schedules)


def test_any_run_time_breaks_the_promise_of_the_requested_time() -> None:
    assert beyond_their_request(KnapsackPolicy()) == 0
    assert beyond_their_request(KnapsackPolicy(threshold=None)) > 0
    assert beyond_their_request(KnapsackPolicy(threshold=2.0)) > 0
    assert beyond_their_request(KnapsackPolicy(threshold=2.0), 2.0) == 0
    assert beyond_their_request(KnapsackPolicy(fair_share=False)) == 0


@pytest.mark.parametrize("change", [3.0, 1e6])
def test_a_changed_limit_of_run_times_is_seen_by_the_checker(
    change: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    latest_ms = candidates.latest_ms
    monkeypatch.setattr(candidates, "latest_ms", lambda *args: int(latest_ms(*args) * change))
    assert beyond_their_request(KnapsackPolicy()) > 0


def test_a_slower_row_than_the_fastest_is_seen_where_none_ends_in_time() -> None:
    problem = stream(jobs=1)
    hurried = replace(problem, jobs=replace(problem.jobs, requested_ms=np.array([1_000])))
    made = KnapsackPolicy().schedule(hurried).schedule
    assert violations(made, hurried, latest=Latest(0.0)) == []
    slow = replace(made, row=np.array([1]), end_ms=np.array([20_000]))
    kinds = [error.kind for error in violations(slow, hurried, latest=Latest(0.0))]
    assert kinds == ["beyond its request"]
    assert violations(slow, hurried, latest=Latest(19.0)) == []


class Watched(KnapsackPolicy):
    """Notes every pass."""

    def decide(self, now: PowerMoment) -> list[Choice]:
        choices = super().decide(now)
        rows = allowed(now, now.waiting[0], fair_share=self.fair_share, threshold=self.threshold)
        self.kept = [*getattr(self, "kept", []), keeps_reservation(now, choices, rows)]
        return choices


def delays(reserved: bool) -> int:
    """Passes in which the first waiting job is delayed, over random logs."""
    count = 0
    for seed in range(few(60, 15)):
        policy = Watched(threshold=(0.0, 0.2, None)[seed % 3], reserved=reserved)
        play(policy, random_problem(seed))
        count += getattr(policy, "kept", []).count(False)
    return count


def test_the_first_waiting_job_is_never_delayed_by_others() -> None:
    assert delays(reserved=True) == 0
    assert delays(reserved=False) > 0


@pytest.mark.parametrize(
    "change", [{"start_ms": 1 << 40}, {"free_nodes": 1 << 20, "free_mw": 1 << 40}]
)
def test_a_changed_reservation_is_seen(
    change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        options, "reservation_of", lambda *args: replace(reservation_of(*args), **change)
    )
    assert delays(reserved=True) > 0


def stream(jobs: int = 40) -> PowerProblem:
    """Job 2 needs the whole cluster of 4 nodes; jobs of 2 nodes and 20 s come every 5 s."""
    details = JobDetails(
        ("small", "large"),
        np.array([0, 2, 3]),
        np.array([2, 2, 4]),
        np.full(3, 16),
        np.array([115.0, 51.0, 115.0]),
        np.array([10_000, 20_000, 10_000]),
        np.array([200_000, 150_000, 400_000]),
    )
    application = np.zeros(jobs, np.int64)
    application[1:2] = 1
    log = PowerJobs(
        np.arange(1, jobs + 1),
        5_000 * np.arange(jobs),
        application,
        np.where(application, 4, 2),
        np.full(jobs, 20_000),
        np.ones(jobs),
    )
    return PowerProblem(4, 400_000, log, details, PowerTruth(details.time_ms, details.charge_mw))


def test_a_job_that_starves_under_the_knapsack_starts_with_a_reservation() -> None:
    # job 1 ends at 10 s at the latest in 20 s; job 2 then gets all nodes. Without a reservation two
    # small jobs are worth more than it until its own wait outweighs them
    wait_s = {
        name: find_power_policy(name).schedule(stream()).schedule.start_ms[1] / 1000 - 5
        for name in ("ilp-engine", "ilp-reserved-engine", "adaptive")
    }
    assert wait_s["ilp-reserved-engine"] == wait_s["adaptive"] == 5
    assert wait_s["ilp-engine"] > 3 * wait_s["adaptive"]
