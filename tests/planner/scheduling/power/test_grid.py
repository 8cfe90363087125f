"""``hr.schedule``: the golden case, own policies, resumed runs, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from planner.errors import InputError, PlanError
from planner.scheduling.power.events.event_driven import Choice, PowerEventDriven, PowerMoment
from planner.scheduling.power.inputs.build import replicate
from planner.scheduling.power.policy import PowerRun
from planner.scheduling.power.problem import PowerProblem
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from scenarios.faults import ScenarioError
from tests.planner.scheduling.power.scenarios_of import simulated

PAGE = (Path(__file__).parents[4] / "docs" / "schedule.md").read_text(encoding="utf-8")


class Reckless(PowerEventDriven):
    """Takes the last row of the table, fitting or not."""

    @property
    def name(self) -> str:
        return "reckless"

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        return [Choice(job, len(now.details) - 1) for job in now.waiting]


class Wrong:
    """Returns starts instead of a run."""

    name = "wrong"

    def schedule(self, problem: PowerProblem) -> list[int]:
        return [0] * len(problem.jobs)


class Empty:
    """Returns a run without a schedule."""

    name = "empty"

    def schedule(self, problem: PowerProblem) -> PowerRun:
        del problem
        nothing: Any = None
        return PowerRun(nothing)


def test_table_5_2_by_its_scenario() -> None:
    study = schedule("thesis-table-5-2")
    rows = [
        (
            outcome.policy,
            outcome.jobs[0].nodes,
            outcome.jobs[0].package_cap_w,
            outcome.mean_turnaround_s,
        )
        for outcome in study.outcomes
    ]
    assert rows == [
        ("traditional", 6, 115.0, 1447.9),
        ("naive", 8, 65.0, 1415.3),
        ("adaptive", 8, 80.0, 439.2),
    ]
    found = study.study.headline
    assert (found.kind, found.values["policies"]) == ("shortest", ("adaptive",))
    assert found.values["change"] == pytest.approx(439.2 / 1447.9 - 1)
    assert [each.kind for each in study.study.confidence] == ["simulated"]


def test_the_policy_of_the_page_runs_from_a_file(tmp_path: Path) -> None:
    (code,) = re.findall(r"```python\n(import headroom.*?)```", PAGE, re.DOTALL)
    (tmp_path / "own.py").write_text(code, encoding="utf-8")
    own = f"{tmp_path / 'own.py'}:ShortestFirst"
    study = schedule("thesis-table-5-2", policies=["traditional", own])
    assert [outcome.mean_turnaround_s for outcome in study.outcomes] == [1447.9, 439.2]
    assert study.policies == ("traditional", "shortest-first")


def test_a_policy_that_takes_more_watts_than_are_free_is_refused() -> None:
    with pytest.raises(InputError, match=r"reckless starts .* 783.800 W, where 500.000 W"):
        schedule("thesis-table-5-2", policies=[Reckless()], bounds_w=[7750.0])


def test_a_log_has_the_same_jobs_whichever_others_are_run() -> None:
    options = {"policies": ["traditional"], "bounds_w": [8000.0], "seeds": 1}
    whole = schedule("thesis-rmap", **options)  # type: ignore[arg-type]
    part = schedule("thesis-rmap", logs=["random-2"], **options)  # type: ignore[arg-type]
    assert part.logs == ("random-2",)
    (outcome,), outcomes = part.outcomes, {outcome.log: outcome for outcome in whole.outcomes}
    assert replace(outcome, decision_seconds=0) == replace(outcomes["random-2"], decision_seconds=0)


def test_an_interrupted_run_goes_on_with_the_same_result(tmp_path: Path) -> None:
    scenario, keep = simulated(tmp_path, details='method = "oracle"'), tmp_path / "keep"

    def run(seeds: int, folder: Path | None) -> ScheduleStudy:
        policies = ("traditional", "adaptive")
        return schedule(scenario, policies=policies, seeds=seeds, keep=folder)

    first = run(1, keep)
    stored = {path.name: path.read_bytes() for path in keep.iterdir()}
    assert len(stored) == 1
    both, fresh = run(2, keep), run(2, None)
    assert both.to_dict() == fresh.to_dict()
    assert both.outcomes[:2] == first.outcomes
    assert stored.items() <= {path.name: path.read_bytes() for path in keep.iterdir()}.items()


def test_an_object_cannot_be_kept(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="results cannot be kept in a folder"):
        schedule("thesis-table-5-2", policies=[Reckless()], keep=tmp_path)


def test_a_log_has_the_same_jobs_whether_others_run_or_not() -> None:
    def run(logs: list[str]) -> ScheduleStudy:
        return schedule("thesis-rmap", policies=["naive"], bounds_w=[8000.0], logs=logs, seeds=1)

    alone, both = run(["large"]), run(["small", "large"])
    assert [run.to_dict() for run in alone.outcomes] == [
        run.to_dict() for run in both.outcomes if run.log == "large"
    ]


def test_an_unknown_log_is_named() -> None:
    with pytest.raises(InputError, match="thesis-rmap has no log 'larg'; did you mean 'large'"):
        schedule("thesis-rmap", logs=["larg"])


def test_something_else_than_a_run_is_named() -> None:
    message = r"schedule\(\) of wrong returns list, not a PowerRun; return it, or derive"
    with pytest.raises(InputError, match=message):
        schedule("thesis-table-5-2", policies=[Wrong()])  # type: ignore[list-item]


def test_a_run_without_a_schedule_is_named() -> None:
    with pytest.raises(InputError, match="returns NoneType, not a PowerSchedule in its PowerRun"):
        schedule("thesis-table-5-2", policies=[Empty()])


@pytest.mark.parametrize("twice", [("adaptive", "adaptive-0"), ("adaptive-20", "adaptive-020")])
def test_a_policy_has_one_name(twice: tuple[str, str]) -> None:
    with pytest.raises(InputError, match=f"policy {twice[0]} is given 2 times"):
        schedule("thesis-table-5-2", policies=twice)
    assert schedule("thesis-table-5-2", policies=[twice[1]]).policies == (twice[0],)


def test_self_tuning_counts_once_too() -> None:
    with pytest.raises(InputError, match="policy self-tuning is given 2 times"):
        schedule("thesis-rmap", policies=["self-tuning", "self-tuning"])


def test_a_bound_below_every_configuration_has_no_plan(tmp_path: Path) -> None:
    scenario = simulated(tmp_path, details='method = "oracle"')
    details = replicate(scenario, 0).details
    power = f"{details.charge_mw.min() / 1000:,.1f} W"
    message = f"bound of 300.0 W no job of log random can run; .* needs {power}; raise the bound"
    with pytest.raises(PlanError, match=message) as caught:
        schedule(scenario, bounds_w=[300.0, 8000.0])
    assert not isinstance(caught.value, InputError)


def test_the_idle_watts_count_towards_the_least_bound(tmp_path: Path) -> None:
    cluster = "nodes = 64\nidle_node_w = 50"
    scenario = simulated(tmp_path, cluster=cluster, schedule='charge = "node"')
    with pytest.raises(PlanError, match=r"\(3,200.0 W of it for idle nodes\); raise the bound"):
        schedule(scenario, bounds_w=[3300.0])
    message = "3000 W does not exceed the idle power of 64 nodes, 3200"
    with pytest.raises(ScenarioError, match=message):
        schedule(scenario, bounds_w=[3000.0])


def test_watts_over_time_are_kept_of_the_first_seed_and_the_lowest_bound(tmp_path: Path) -> None:
    study = schedule("thesis-table-5-2", bounds_w=[8000.0, 9000.0], keep=tmp_path)
    again = schedule("thesis-table-5-2", bounds_w=[8000.0, 9000.0], keep=tmp_path)
    with_power = [outcome for outcome in study.outcomes if outcome.power is not None]
    assert {outcome.bound_w for outcome in with_power} == {8000.0}
    assert [outcome.power for outcome in study.outcomes] == [
        outcome.power for outcome in again.outcomes
    ]
    for outcome in with_power:
        assert outcome.power is not None
        joule = np.diff(outcome.power.time_s) @ np.array(outcome.power.true_w)
        assert joule >= outcome.energy_j  # with what was in use when the log began
