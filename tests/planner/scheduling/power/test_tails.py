"""Long turnarounds and waits, and jobs.csv, from which a reader recomputes figures of a run."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from planner.scheduling.power.files import files
from planner.scheduling.power.results.jobs import uncapped_run_s
from planner.scheduling.power.results.result import with_users
from planner.scheduling.power.results.tail_rows import tails_by_case, tails_by_policy
from planner.scheduling.power.results.tails import tails_of
from planner.scheduling.power.schedule import schedule
from tests.planner.scheduling.power.outcomes import job_outcome, outcome, study_of
from tests.planner.scheduling.power.scenarios_of import scenario_of, simulated
from tests.planner.scheduling.power.test_measures import _problem

SWF = """; MaxProcs: 64
1 0 0 100 16 -1 -1 16 200 -1 1 7 1 -1 1 1 -1 -1
2 60 0 100 32 -1 -1 32 300 -1 1 9 1 -1 1 1 -1 -1
3 90 0 100 64 -1 -1 64 400 -1 1 -1 1 -1 1 1 -1 -1
"""


def test_tails_by_hand() -> None:
    # turnarounds 10 to 200 s: the 95th percentile lies 0.05 of a step of 10 s above 190 s. Requests
    # are 60 s; job 7 takes as long as it requested, and 14 jobs take longer. Base: 10 s.
    jobs = [job_outcome(number, 10.0 * number) for number in range(1, 21)]
    late = replace(jobs[3], start_s=50.0, end_s=90.0, turnaround_s=90.0)
    exact = replace(jobs[6], end_s=60.0, turnaround_s=60.0)
    tails = tails_of([*jobs[:3], late, *jobs[4:6], exact, *jobs[7:], job_outcome(30, None)])
    assert tails.p95_turnaround_s == pytest.approx(190.5)
    assert (tails.largest_turnaround_s, tails.longest_wait_s) == (200.0, 50.0)
    turnarounds = [10, 20, 30, 90, 50, 60, 60, *range(80, 201, 10)]
    assert tails.mean_bounded_slowdown == pytest.approx(np.mean(turnarounds) / 10)
    assert tails.jobs_beyond_request == 13


def test_a_job_that_runs_slowly_has_no_smaller_slowdown() -> None:
    quick, slow = job_outcome(1, 40.0), replace(job_outcome(1, 40.0), nodes=1, requested_nodes=64)
    assert quick.bounded_slowdown == slow.bounded_slowdown == 4.0
    assert replace(quick, uncapped_run_s=1.0).bounded_slowdown == 4.0  # bounded at 10 s
    assert replace(quick, uncapped_run_s=80.0).bounded_slowdown == 1.0
    assert job_outcome(1, None).bounded_slowdown is None


def test_the_base_of_the_slowdown_is_the_run_as_requested() -> None:
    # the first application takes 8 s with its highest cap, the other 10 s; twice the input
    problem = _problem()
    assert uncapped_run_s(problem).tolist() == [8.0, 10.0]
    jobs = replace(problem.jobs, time_scale=np.array([2.0, 1.0]))
    factors = replace(problem.truth, time_factor=np.array([1.0, 0.5]))
    assert uncapped_run_s(replace(problem, jobs=jobs, truth=factors)).tolist() == [16.0, 5.0]


def test_rows_take_means_of_runs_and_the_largest_of_all() -> None:
    runs = [outcome("a", 0, 10.0, 30.0), outcome("a", 1, 50.0, 70.0), outcome("b", 0, 90.0, 90.0)]
    first, second = tails_by_policy(runs)
    assert first.p95_turnaround_s == pytest.approx((29 + 69) / 2)
    assert (first.largest_turnaround_s, first.longest_wait_s) == (70.0, 0.0)
    assert first.jobs_beyond_request == pytest.approx(1 / 4)
    assert (second.policy, second.jobs_beyond_request) == ("b", 1.0)
    assert [(row.log, row.bound_w) for row in tails_by_case(runs)] == [("jobs", 1.0)] * 2
    assert tails_by_policy([replace(runs[0], jobs=(job_outcome(0, None),))])[0] == replace(
        first,
        p95_turnaround_s=None,
        largest_turnaround_s=None,
        longest_wait_s=None,
        mean_bounded_slowdown=None,
        jobs_beyond_request=None,
    )


def test_every_policy_has_a_row_of_tails_and_one_job_has_none() -> None:
    tables = study_of(outcome("a", 0, 10.0, 70.0)).tables()
    (row,) = tables["tails"]
    assert [*row.values()] == ["a", pytest.approx(67.0), 70.0, 0.0, pytest.approx(4.0), 0.5]
    assert "tails_by_case" not in tables
    assert "tails" not in study_of(outcome("a", 0, 10.0)).tables()


def test_every_figure_of_a_run_is_recomputed_from_its_jobs(tmp_path: Path) -> None:
    details = 'method = "model"\ntraining_share = 0.1'
    scenario = simulated(tmp_path, details=details)
    study = schedule(scenario, policies=["traditional", "adaptive"], bounds_w=[5000.0], seeds=2)
    made = {name: [*csv.DictReader(io.StringIO(text.decode()))]
            for name, text in files(study).items()}  # fmt: skip
    above = rounded_jobs = 0
    for run in made["runs.csv"]:
        key = (run["policy"], run["seed"])
        rows = [row for row in made["jobs.csv"] if (row["policy"], row["seed"]) == key]
        jobs = {name: np.array([float(row[name]) for row in rows])
                for name in rows[0] if name not in _WORDS}  # fmt: skip
        for name, value in recomputed(jobs, float(run["bound_w"])).items():
            assert float(run[name]) == pytest.approx(value, rel=1e-9, abs=1e-6), (key, name)
        above += int(run["bound_violations"])
        rounded = np.array([row["rounded"] == "True" for row in rows])
        assert int(run["rounded"]) == rounded.sum()
        rounded_jobs += int(rounded.sum())
        assert (jobs["charged_w"] > jobs["fair_share_w"])[rounded].all()
        if key[0] == "adaptive":
            assert (jobs["charged_w"] <= jobs["fair_share_w"])[~rounded].all()
    assert above > 0
    assert rounded_jobs > 0


_WORDS = ("log", "policy", "application", "killed", "rounded", "user")


def recomputed(jobs: dict[str, np.ndarray], bound_w: float) -> dict[str, float]:
    """What a reader makes of jobs.csv alone."""
    turnaround = jobs["end_s"] - jobs["submit_s"]
    run = jobs["end_s"] - jobs["start_s"]
    speed = jobs["requested_s"] / turnaround
    makespan = jobs["end_s"].max() - jobs["submit_s"].min()
    drawn = jobs["drawn_w"] * run
    times = np.unique([*jobs["submit_s"][:1], *jobs["start_s"], *jobs["end_s"]])
    runs_then = (jobs["start_s"][:, None] <= times[:-1]) & (jobs["end_s"][:, None] > times[:-1])
    excess = jobs["drawn_w"] @ runs_then - bound_w
    slowdown = np.maximum(1, turnaround / np.maximum(jobs["uncapped_run_s"], 10))
    return {
        "mean_turnaround_s": turnaround.mean(),
        "p95_turnaround_s": float(np.percentile(turnaround, 95)),
        "largest_turnaround_s": turnaround.max(),
        "longest_wait_s": (jobs["start_s"] - jobs["submit_s"]).max(),
        "mean_bounded_slowdown": slowdown.mean(),
        "jobs_beyond_request": (run > jobs["requested_s"] + 1e-9).sum(),
        "fairness": speed.sum() ** 2 / (len(speed) * (speed**2).sum()),
        "makespan_s": makespan,
        "energy_j": drawn.sum(),
        "mean_power_w": drawn.sum() / makespan,
        "largest_violation_w": max(0.0, excess.max()),
        "violation_s": np.diff(times)[excess > 1e-6].sum(),
    }


def test_jobs_of_a_file_name_their_users(tmp_path: Path) -> None:
    (tmp_path / "log.swf").write_text(SWF, encoding="utf-8")
    scenario = scenario_of(
        tmp_path,
        "[schedule]\nbounds_w = [9000.0]\n[schedule.cluster]\nnodes = 64\n"
        '[schedule.details]\nmethod = "oracle"\n[[schedule.applications]]\nname = "SC"\n'
        'problem = "D"\n[[schedule.logs]]\nname = "file"\nkind = "file"\nfile = "log.swf"\n',
    )
    study = schedule(scenario, policies=["adaptive"])
    rows = [*csv.DictReader(io.StringIO(files(study)["jobs.csv"].decode()))]
    assert [row["user"] for row in rows] == ["7", "9", ""]
    assert [row["submit_s"] for row in rows] == ["0.0", "60.0", "90.0"]
    assert [row["requested_s"] for row in rows] == ["200.0", "300.0", "400.0"]
    plain = outcome("a", 0, 10.0)
    assert with_users(plain, np.empty(0, np.int64)) is plain
