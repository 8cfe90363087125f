"""What is told of jobs that ran on other processors than they asked for, by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from planner.errors import InputError
from planner.scheduling.policies.moldable import Moldable
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.policies.speedup import Amdahl
from planner.scheduling.simulation.checker import violations
from planner.scheduling.simulation.classes import by_processors, by_run_time
from planner.scheduling.simulation.clusters import as_one, simulate_clusters
from planner.scheduling.simulation.explain import explain
from planner.scheduling.simulation.job_measures import (
    bounded_slowdown,
    core_hours,
    slowdown,
    turnaround_s,
)
from planner.scheduling.simulation.measures import measure
from planner.scheduling.simulation.schedule_file import write_schedule
from planner.scheduling.simulation.simulate import simulate
from planner.scheduling.simulation.steps import processors_in_use, processors_waiting
from planner.scheduling.simulation.study import study
from scenarios.job_logs.lublin import lublin_log
from tests.planner.scheduling.simulation.test_explain import log_of

# On 6 processors, linear speedup. Job 1 runs on 4 until 100, on 8 it cannot. Job 2 asks for 6 from
# 1 on, has 100 reserved and would end at 160, and not before on 3, which are not free. Job 3 asks
# for 4 for 40 s, behind job 2 to end at 200: on 2 it runs from 2 to 82. Job 4 is too large.
ROWS = [(0, 100, 4, 110, 0), (1, 50, 6, 60, 1), (2, 40, 4, 45, 0), (3, 10, 7, 10, 1)]
LOG = replace(log_of(ROWS, 6), killed=np.array([False, False, True, False]))
LINEAR = Moldable(Amdahl(0))


def test_measures_are_of_what_was_used_and_slowdowns_of_what_was_asked_for() -> None:
    schedule = simulate(LOG, LINEAR).schedule
    assert schedule.start_s.tolist() == [0, 100, 2, -1]
    assert schedule.processors.tolist() == [4, 6, 2, 7]
    assert schedule.run_s.tolist() == [100, 50, 80, 10]
    assert schedule.requested_s.tolist() == [110, 60, 90, 10]
    assert schedule.asked_processors.tolist() == [4, 6, 4, 7]
    assert schedule.asked_run_s.tolist() == [100, 50, 40, 10]
    assert schedule.killed.tolist() == [False, False, True, False]
    assert schedule.estimate_s is None
    ran = schedule.take(schedule.started)
    assert turnaround_s(ran).tolist() == [100, 149, 80]
    assert slowdown(ran).tolist() == [1, 149 / 50, 80 / 40]
    assert bounded_slowdown(ran).tolist() == [1, 149 / 50, 80 / 40]
    assert (core_hours(ran) * 3600).tolist() == [400, 300, 160]
    late = replace(schedule, start_s=np.array([0, 100, 150, -1]))
    assert processors_waiting(late).largest() == 6 + 4
    assert processors_in_use(schedule).largest() == 6
    assert measure(schedule).jobs_killed == 1
    assert violations(schedule) == []


def test_classes_are_those_asked_for_under_every_policy() -> None:
    log = lublin_log(300, 64, 2, load=1.1)
    easy, molded = (simulate(log, item).schedule for item in (find_policy("easy"), LINEAR))
    for classes in (by_processors, by_run_time):
        first, second = (
            [(job_class.name, job_class.jobs) for job_class in classes(made)]
            for made in (easy, molded)
        )
        assert first == second


def test_who_gets_more_may_be_done_before_it_would_have_run() -> None:
    schedule = simulate(log_of([(0, 100, 2, 100, 0)], 4), LINEAR).schedule
    assert (schedule.processors.tolist(), schedule.run_s.tolist()) == ([4], [50])
    assert not schedule.killed.any()
    assert slowdown(schedule).tolist() == [0.5]
    assert bounded_slowdown(schedule).tolist() == [1]


def test_perfect_estimates_are_scaled_and_requests_beside_them() -> None:
    schedule = simulate(LOG, LINEAR, estimates="perfect").schedule
    assert schedule.estimate_s is not None
    assert schedule.estimate_s.tolist() == [100, 50, 80, 10]
    assert schedule.requested_s.tolist() == [110, 60, 90, 10]


def test_each_cluster_keeps_what_its_jobs_asked_for() -> None:
    rows = [(0, 100, 2, 100, 0), (0, 100, 1, 100, 0), (0, 100, 1, 100, 0)]
    log = replace(log_of(rows, 4), partition=np.array([0, 1, 2], np.int32))
    whole = as_one(log, simulate_clusters(log, LINEAR, {"0": 4, "1": 2})).schedule
    assert whole.processors.tolist() == [4, 2, 1]
    assert whole.asked_processors.tolist() == [2, 1, 1]
    assert whole.asked_run_s.tolist() == [100, 100, 100]
    assert whole.start_s.tolist() == [0, 0, -1]


def test_the_job_table_holds_both(tmp_path: Path) -> None:
    write_schedule(simulate(LOG, LINEAR).schedule, tmp_path / "jobs.csv")
    table = pd.read_csv(tmp_path / "jobs.csv")
    assert table["processors"].tolist() == [4, 6, 2, 7]
    assert table["asked_processors"].tolist() == [4, 6, 4, 7]
    assert table["asked_run"].tolist() == [100, 50, 40, 10]
    assert table["bounded_slowdown"].tolist()[:3] == [1, 149 / 50, 2]
    write_schedule(simulate(LOG, find_policy("easy")).schedule, tmp_path / "easy.csv")
    assert "asked_run" not in pd.read_csv(tmp_path / "easy.csv").columns


def test_a_study_says_that_waits_do_not_compare() -> None:
    result = study(LOG, [find_policy("easy"), LINEAR])
    (said,) = (each for each in result.study.findings if each.kind == "molded")
    assert dict(said.values) == {"policy": "moldable", "jobs": (1, 3)}
    # easy: 100, 149 and 150 + 40 - 2 s
    turnarounds = {row["policy"]: row["mean_turnaround_s"] for row in result.tables()["policies"]}
    assert turnarounds == {"easy": (100 + 149 + 188) / 3, "moldable": (100 + 149 + 80) / 3}
    first = result.study.headline
    assert dict(first.values)["quantity"] == "turnaround"
    assert dict(first.values)["mean"] == turnarounds["moldable"]
    alone = study(LOG, [find_policy("easy"), Moldable(Amdahl(0), (1.0,))])
    assert "molded" not in [each.kind for each in alone.study.findings]
    first = alone.study.headline
    assert dict(first.values)["quantity"] == "wait"


def test_its_reasons_are_not_known() -> None:
    with pytest.raises(InputError, match="moldable cannot be explained; choose one of fcfs, easy"):
        explain(simulate(LOG, LINEAR).schedule, 1)
