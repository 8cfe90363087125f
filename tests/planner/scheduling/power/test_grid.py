"""``hr.schedule``: the golden case, own policies, resumed runs, and what is claimed of seeds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.power.events.event_driven import Choice, PowerEventDriven, PowerMoment
from planner.scheduling.power.results.comparisons import paired_by_seed, ratio_of
from planner.scheduling.power.results.result import JobOutcome, PolicyOutcome
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from scenarios.catalogue import load

PAGE = (Path(__file__).parents[4] / "docs" / "schedule.md").read_text(encoding="utf-8")


class Reckless(PowerEventDriven):
    """Takes the last row of the table, fitting or not."""

    @property
    def name(self) -> str:
        return "reckless"

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        return [Choice(job, len(now.details) - 1) for job in now.waiting]


def test_table_5_2_by_its_scenario() -> None:
    study = schedule("thesis-table-5-2")
    shown = [
        (one.policy, one.jobs[0].nodes, one.jobs[0].package_cap_w, one.mean_turnaround_s)
        for one in study.outcomes
    ]
    assert shown == [
        ("traditional", 6, 115.0, 1447.9),
        ("naive", 8, 65.0, 1415.3),
        ("adaptive", 8, 80.0, 439.2),
    ]
    assert study.confidence == "One case: no spread is known."


def test_the_policy_of_the_page_runs_from_a_file(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(from headroom.*?)```", PAGE, re.DOTALL)
    (tmp_path / "own.py").write_text(code, encoding="utf-8")
    own = f"{tmp_path / 'own.py'}:ShortestFirst"
    study = schedule("thesis-table-5-2", policies=["traditional", own])
    assert [one.mean_turnaround_s for one in study.outcomes] == [1447.9, 439.2]
    assert study.policies == ("traditional", "shortest-first")


def test_a_policy_that_takes_more_watts_than_are_free_is_refused() -> None:
    with pytest.raises(InputError, match=r"reckless starts .* 783.800 W, where 500.000 W"):
        schedule("thesis-table-5-2", policies=[Reckless()], bounds_w=[7750.0])


def test_a_log_has_the_same_jobs_whichever_others_are_run() -> None:
    options = {"policies": ["traditional"], "bounds_w": [8000.0], "seeds": 1}
    whole = schedule("thesis-rmap", **options)  # type: ignore[arg-type]
    part = schedule("thesis-rmap", logs=["random-2"], **options)  # type: ignore[arg-type]
    assert part.logs == ("random-2",)
    (one,), known = part.outcomes, {one.log: one for one in whole.outcomes}
    assert replace(one, decision_seconds=0) == replace(known["random-2"], decision_seconds=0)


def test_an_interrupted_run_goes_on_with_the_same_result(tmp_path: Path) -> None:
    def run(seeds: int, folder: Path | None) -> ScheduleStudy:
        return schedule(
            "thesis-rmap",
            policies=("traditional", "adaptive"),
            bounds_w=[8000.0],
            logs=["large"],
            seeds=seeds,
            folder=folder,
        )

    first = run(1, tmp_path)
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(kept) == 1
    both, fresh = run(2, tmp_path), run(2, None)
    assert both.to_dict() == fresh.to_dict()
    assert both.outcomes[:2] == first.outcomes
    assert kept.items() <= {path.name: path.read_bytes() for path in tmp_path.iterdir()}.items()


def test_an_object_cannot_be_kept(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="results cannot be kept in a folder"):
        schedule("thesis-table-5-2", policies=[Reckless()], folder=tmp_path)


def test_an_unknown_log_is_named() -> None:
    with pytest.raises(InputError, match="thesis-rmap has no log 'larg'; did you mean 'large'"):
        schedule("thesis-rmap", logs=["larg"])


def outcome(policy: str, seed: int, *turnarounds_s: float, bound_w: float = 1.0) -> PolicyOutcome:
    whole = schedule("thesis-table-5-2", policies=["traditional"]).outcomes[0]
    jobs = tuple(
        JobOutcome(number, "a", 1, 16, 115.0, 0.0, time_s)
        for number, time_s in enumerate(turnarounds_s)
    )
    mean = float(np.mean(turnarounds_s))
    return replace(
        whole, policy=policy, seed=seed, bound_w=bound_w, jobs=jobs, mean_turnaround_s=mean
    )


def study_of(*outcomes: PolicyOutcome) -> ScheduleStudy:
    return ScheduleStudy(load("thesis-table-5-2"), outcomes)


def test_a_seed_counts_once_however_many_bounds_it_has() -> None:
    mine = {("log", bound, 0): outcome("a", 0, 10 * bound) for bound in (1.0, 4.0)}
    theirs = {("log", bound, 0): outcome("b", 0, 10.0) for bound in (1.0, 4.0)}
    # ratios 1 and 4: their geometric mean is 2
    assert paired_by_seed(mine, theirs) == pytest.approx([2.0])


def test_the_interval_is_students() -> None:
    ratio = ratio_of([0.5, 2.0])
    assert ratio is not None
    assert ratio.mean == pytest.approx(1.0)
    # logs -ln 2 and ln 2: deviation sqrt 2 ln 2, error ln 2, t(0.975, 1) = 12.7062
    assert ratio.high == pytest.approx(np.exp(12.7062 * np.log(2)), rel=1e-4)
    assert not ratio.shows_difference


def test_no_winner_is_declared_within_the_noise() -> None:
    noisy = [
        one
        for seed, (first, second) in enumerate([(10, 9), (10, 11), (10, 10.2)])
        for one in (outcome("traditional", seed, first), outcome("adaptive", seed, second))
    ]
    assert study_of(*noisy).headline.startswith("No difference in mean turnaround is shown")


def test_a_clear_winner_is_named() -> None:
    clear = [
        one
        for seed, second in enumerate((5.0, 5.2, 4.9))
        for one in (outcome("traditional", seed, 10.0), outcome("adaptive", seed, second))
    ]
    headline = study_of(*clear).headline
    assert (
        headline
        == "adaptive has the shortest mean turnaround: 50 % shorter than under traditional."
    )
    assert len(headline.split()) <= 20


def test_users_who_gain_and_lose_are_counted() -> None:
    study = study_of(
        outcome("traditional", 0, 10.0, 10.0, 10.0), outcome("adaptive", 0, 9.0, 10.0, 12.0)
    )
    row = study.rows[1]
    assert (row.better, row.same, row.worse) == (1, 1, 1)


def test_one_seed_is_said_where_chance_has_a_part() -> None:
    study = schedule(
        "thesis-rmap", policies=["traditional", "naive"], bounds_w=[8000.0], logs=["large"], seeds=1
    )
    assert study.headline.startswith("On one seed, ")
    assert schedule("thesis-table-5-2").headline.startswith("adaptive has")
