"""Cases: their identity, their outcome by hand, and what a predictor may know."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from planner.scheduling.estimates.cases import CaseOutcome, EstimateCase, Waits, case_of, play
from planner.scheduling.estimates.predictors.predictor import Integers, Rows
from planner.scheduling.estimates.tools import (
    BoundedErrorOracle,
    PredictorTool,
    Tool,
    overruns_of,
    predict_online,
)
from planner.scheduling.estimates.workload import EstimateWorkload, workload_of
from planner.scheduling.policies.maui import MauiRun
from tests.planner.scheduling.estimates.predictors.habits import habits, job_log
from tests.planner.scheduling.policies import maui_oracle
from tests.planner.scheduling.policies.test_maui import configuration
from tests.sizes import few

FAIR = configuration(
    priority={
        "service": {"queue_time": 1.0, "bypass": 1.0},
        "resource": {"processors": 1.0},
        "fairshare": {"user": 64.0},
    },
    fairshare={"windows": 3, "window_s": 3000, "decay": 0.5},
)
BY_WAIT = configuration(priority={"service": {"queue_time": 1.0}})
STRATEGIES = ("double", "request", "extend")


def busy(jobs: int, seed: int) -> EstimateWorkload:
    """Few processors, so that jobs wait."""
    return workload_of(habits(jobs, seed), 16)


def test_cases_that_are_one_simulation_are_one_case() -> None:
    tool = BoundedErrorOracle(0.3)
    assert case_of(tool, 0.0, 3) == case_of(None, 0.7, 4) == EstimateCase()
    assert case_of(tool, 1.0, 3) == case_of(tool, 1.0, 8) == EstimateCase(tool, 1.0)
    assert case_of(tool, 0.5, 3) != case_of(tool, 0.5, 8)
    assert (
        case_of(tool, 0.0, 3, "without bypass")
        == EstimateCase(variant="without bypass")
        != EstimateCase()
    )


def test_names_of_files_differ() -> None:
    tools: list[Tool] = [BoundedErrorOracle(e / 10) for e in range(11)]
    tools += [
        PredictorTool(name, overruns_of(strategy), margin)
        for name in ("last-two", "quantile")
        for strategy in STRATEGIES
        for margin in (1.0, 1.5)
    ]
    cases = {
        case_of(tool, uptake, seed, variant)
        for tool in tools
        for uptake in (0.0, 0.1, 0.55, 1.0)
        for seed in (0, 1, 11)
        for variant in ("as given", "without bypass")
    }
    assert len({case.key for case in cases}) == len(cases)
    assert all(set(case.key) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.") for case in cases)


def by_hand() -> EstimateWorkload:
    """Three users on 4 processors; the third job does not fit before the second by its request."""
    submit, run = np.array([0, 1, 2]), np.array([100, 60, 40])
    processors, requested = np.array([3, 4, 1]), np.array([100, 60, 130])
    log = replace(
        job_log(submit, run, processors, requested, np.arange(3)),
        name="three",
        machine_processors=4,
    )
    return workload_of(log, seed_group=1.0)


def test_waits_by_hand() -> None:
    # Job 0 runs from 0 to 100, seen at 120; job 2 asks for 130 s, so that at 30 it would delay job
    # 1, which runs from 120 to 180. Waits 0, 119, 178.
    result = play(by_hand(), BY_WAIT, EstimateCase(), [4])
    assert result.everybody == result.groups[4] == result.others
    assert result.everybody.jobs == 3
    assert result.everybody.mean_s == pytest.approx(99)
    assert result.everybody.p95_s == pytest.approx(119 + 0.9 * 59)
    assert result.everybody.max_s == 178
    slowdowns = 1, 179 / 60, 218 / 40
    assert result.everybody.mean_bounded_slowdown == pytest.approx(sum(slowdowns) / 3)
    assert result.tool_users == Waits(0, None, None, None, None)
    assert (result.kills, result.jobs_killed, result.corrections) == (0, 0, 0)
    assert result.core_hours == pytest.approx((300 + 240 + 40) / 3600)
    assert result.lost_core_hours == 0
    assert result.makespan_s == 180 + 40
    # With exact estimates job 2 fits in front from 30 to 70. Waits 0, 119, 28.
    exact = play(by_hand(), BY_WAIT, case_of(BoundedErrorOracle(0.0), 1.0, 0), [4, 5])
    assert exact.everybody.mean_s == pytest.approx(49)
    assert exact.tool_users == exact.everybody == exact.groups[4] == exact.groups[5]
    assert exact.others.jobs == 0
    assert exact.makespan_s == 180


def test_short_runs_count_as_ten_seconds_in_the_slowdown() -> None:
    submit, run = np.array([0, 1, 2]), np.array([40, 2, 0])
    ones = np.full(3, 4)
    log = job_log(submit, run, ones, np.array([40, 2, 1]), ones)
    everybody = play(workload_of(log, 4), BY_WAIT, EstimateCase(), [0]).everybody
    # Waits 0, 59, 88: slowdowns 1, 61 / 10, 88 / 10.
    assert everybody.mean_bounded_slowdown == pytest.approx((1 + 6.1 + 8.8) / 3)


def test_an_outcome_comes_back_from_json() -> None:
    workload = busy(80, 3)
    for case in (
        EstimateCase(),
        case_of(BoundedErrorOracle(0.5), 0.3, 2),
        case_of(PredictorTool("last-two", overruns_of("double")), 1.0, 0),
    ):
        outcome = play(workload, FAIR, case, [2, 5])
        text = json.dumps(outcome.to_dict(), allow_nan=False)
        assert CaseOutcome.from_dict(json.loads(text)) == outcome
        assert set(outcome.groups) == ({2} if case.seed == 2 else {2, 5})


def test_with_bounded_errors_nobody_is_killed_and_nobody_extended() -> None:
    for seed in range(few(100)):
        rng = random.Random(seed)
        workload = busy(rng.randint(1, 120), seed)
        tool = BoundedErrorOracle(rng.choice([0.0, 0.1, 0.5, 1.0, rng.random()]))
        uses = workload.tool_users(seed, rng.random())
        run = tool.play(workload, FAIR, uses)
        jobs = workload.problem.jobs
        assert (run.records.attempts == 0).all()
        assert (run.records.lost == 0).all()
        assert (run.records.planned >= np.maximum(jobs.run, 1)).all()
        assert (run.records.planned[~uses] == jobs.estimate[~uses]).all()
        ran = uses & (jobs.run > 0)
        bound = jobs.run[ran] * (1 + tool.most_error) * (1 + 1e-12)
        assert (run.records.planned[ran] <= bound).all()


def test_exact_estimates_for_all_do_not_hang_on_the_seed() -> None:
    workload = busy(150, 8)
    tool = BoundedErrorOracle(0.0)
    starts = [
        tool.play(workload, FAIR, workload.tool_users(seed, 1.0)).records.start.tolist()
        for seed in range(4)
    ]
    assert all(start == starts[0] for start in starts)
    outcome = play(workload, FAIR, case_of(tool, 1.0, 3), [0, 1, 2])
    jobs = {seed: workload.tool_users(seed, 0.2) for seed in range(3)}
    wait = np.array(starts[0]) - workload.problem.jobs.submit
    assert [outcome.groups[s].mean_s for s in range(3)] == [
        pytest.approx(wait[jobs[s]].mean()) for s in range(3)
    ]


# What a predictor may know.


@dataclass
class Diary:
    """Predicts the request, and writes down what it knew."""

    requested_s: Integers
    known: set[int] = field(default_factory=set)
    knew: dict[int, set[int]] = field(default_factory=dict)
    told_s: dict[int, int] = field(default_factory=dict)

    def predict(self, rows: Rows) -> Integers:
        self.knew |= {int(row): set(self.known) for row in rows}
        return np.maximum(self.requested_s[rows] // 2, 1)

    def learn(self, rows: Rows, run_s: Integers) -> None:
        assert not self.known & set(rows.tolist())
        self.known |= set(rows.tolist())
        self.told_s |= dict(zip(rows.tolist(), run_s.tolist(), strict=True))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_prediction_knows_the_ends_seen_at_earlier_iterations_and_no_other(strategy: str) -> None:
    for seed in range(few(12)):
        workload = busy(90, seed)
        jobs, length = workload.problem.jobs, FAIR.iteration_s
        uses = workload.tool_users(seed, 0.6)
        run = MauiRun(workload.problem, FAIR, jobs.estimate.copy(), overruns_of(strategy))
        diary = Diary(jobs.estimate)
        predict_online(run, diary, jobs.submit, jobs.run, uses)
        start = run.records.start
        # An end is seen at the next iteration; that of a job of no length not when it starts.
        seen = np.maximum(-(-(start + jobs.run) // length) * length, start + length)
        read = -(-jobs.submit // length) * length
        assert set(diary.knew) == set(np.flatnonzero(uses).tolist())
        for row, knew in diary.knew.items():
            assert knew == set(np.flatnonzero(uses & (seen < read[row])).tolist())
        assert all(jobs.run[row] == told for row, told in diary.told_s.items())
        assert (run.records.first[~uses] == jobs.estimate[~uses]).all()


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("predictor", ["last-two", "quantile"])
def test_run_times_that_nobody_has_seen_change_no_prediction(predictor: str, strategy: str) -> None:
    tool = PredictorTool(predictor, overruns_of(strategy))
    later_ones_change = 0
    for seed in range(4):
        workload = busy(120, seed)
        jobs, length = workload.problem.jobs, FAIR.iteration_s
        uses = workload.tool_users(seed, 0.7)
        plain = tool.play(workload, FAIR, uses).records
        read = -(-jobs.submit // length) * length
        cut = int(read[70])
        seen = np.maximum(-(-(plain.start + jobs.run) // length) * length, plain.start + length)
        poisoned = np.where(seen < cut, jobs.run, jobs.estimate)
        problem = replace(workload.problem, jobs=jobs._replace(run=poisoned))
        other = tool.play(replace(workload, problem=problem), FAIR, uses).records
        soon = read <= cut
        assert (other.first[soon] == plain.first[soon]).all()
        later_ones_change += int((other.first[~soon] != plain.first[~soon]).sum())
    assert later_ones_change > 0


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("predictor", ["last-two", "quantile"])
def test_kills_losses_and_starts_are_those_of_the_nine_stages(
    predictor: str, strategy: str
) -> None:
    tool = PredictorTool(predictor, overruns_of(strategy), margin=0.7)
    for seed in range(3):
        workload = busy(60, seed)
        jobs, log = workload.problem.jobs, workload.log
        records = tool.play(workload, FAIR, workload.tool_users(0, 1.0)).records
        columns = jobs.submit, jobs.run, jobs.processors, jobs.estimate, records.first
        parties = [
            {"user": str(u), "group": str(g), "queue": str(q)}
            for u, g, q in zip(log.user, log.group, log.queue, strict=True)
        ]
        rows = [
            (int(s), int(r), int(p), int(e), int(f), party)
            for s, r, p, e, f, party in zip(*columns, parties, strict=True)
        ]
        overruns = overruns_of(strategy)
        expected = maui_oracle.played(
            16, FAIR, rows, extends=overruns.then == "extend", factor=overruns.factor
        )
        assert records.start.tolist() == [job.start for job in expected]
        outcome = play(workload, FAIR, case_of(tool, 1.0, 0), [0])
        attempts = sum(job.attempts for job in expected)
        lost = sum(job.lost * job.processors for job in expected) / 3600
        assert attempts > 0
        if strategy == "extend":
            assert (outcome.kills, outcome.jobs_killed) == (0, 0)
            assert outcome.corrections == attempts
        else:
            assert (outcome.kills, outcome.corrections) == (attempts, 0)
            assert outcome.jobs_killed == sum(job.attempts > 0 for job in expected) > 0
        assert outcome.lost_core_hours == pytest.approx(lost)
        waits = [job.start - job.submit for job in expected]
        assert outcome.everybody.mean_s == pytest.approx(np.mean(waits))
        assert outcome.makespan_s == max(j.start + j.run for j in expected) - expected[0].submit
