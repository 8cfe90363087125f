"""Measures of power-aware schedules: by hand, and against a count of every millisecond."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from planner.scheduling.power.problem import (
    NEVER,
    JobDetails,
    Occupied,
    PowerJobs,
    PowerProblem,
    PowerSchedule,
)
from planner.scheduling.power.results.measures import altruism, exceedance, jains_index, measures
from planner.scheduling.power.truth import NodeLaw, PowerTruth
from tests.planner.scheduling.power.literal import BACKFILLS, RULES, LiteralPolicy
from tests.planner.scheduling.power.random_problems import random_problem


def _problem(**truth: object) -> PowerProblem:
    """Two jobs of 10 s on 2 of 4 nodes; rows of 100 W and 150 W, which draw 120 W and 160 W."""
    details = JobDetails(
        applications=("one", "other"),
        first=np.array([0, 2, 3]),
        nodes=np.array([2, 2, 2]),
        cores_per_node=np.array([16, 16, 16]),
        package_cap_w=np.array([80.0, 115.0, 80.0]),
        time_ms=np.array([10_000, 8_000, 10_000]),
        charge_mw=np.array([100_000, 150_000, 100_000]),
    )
    jobs = PowerJobs(
        np.array([1, 2]), np.array([0, 1000]), np.array([0, 1]), np.array([2, 2]),
        np.array([20_000, 30_000]), np.ones(2),
    )  # fmt: skip
    truth_table = PowerTruth(
        np.array([10_000, 8_000, 10_000]), np.array([120_000, 160_000, 120_000])
    )
    return PowerProblem(4, 200_000, jobs, details, replace(truth_table, **truth))  # type: ignore[arg-type]


def _schedule(problem: PowerProblem, lent: object = ()) -> PowerSchedule:
    count = len(problem.jobs)
    return PowerSchedule(
        start_ms=np.array([0, 5_000]),
        end_ms=np.array([10_000, 15_000]),
        row=np.array([0, 2]),
        node_first=np.array([0, 2, 4]),
        node=np.array([0, 1, 2, 3]),
        rounded=np.zeros(count, np.bool_),
        killed=np.zeros(count, np.bool_),
        lent=np.array(lent, np.int64).reshape(-1, 3),
    )


def test_two_jobs_by_hand() -> None:
    # 120 W from 0 to 10 s and from 5 to 15 s: 240 W from 5 to 10 s, 40 W above the bound
    problem = replace(_problem(), idle_mw=50_000)
    result = measures(_schedule(problem), problem)
    assert result.turnaround_s.tolist() == [10, 14]
    assert result.wait_s.tolist() == [0, 4]
    assert (result.mean_turnaround_s, result.mean_wait_s, result.makespan_s) == (12, 2, 15)
    assert result.energy_j.tolist() == [1200, 1200]
    assert result.total_energy_j == 2400
    assert result.idle_energy_j == 4 * 50 * 15
    assert result.steps.time_ms.tolist() == [0, 5_000, 10_000, 15_000]
    assert result.steps.true_mw.tolist() == [120_000, 240_000, 120_000]
    assert result.steps.charge_mw.tolist() == [100_000, 200_000, 100_000]
    above = result.above_by_power
    assert (above.count, above.largest_w, above.duration_s) == (1, 40, 5)
    charge = result.above_by_charge
    assert (charge.count, charge.largest_w, charge.duration_s) == (0, 0, 0)
    assert result.mean_power_w == pytest.approx(160)
    assert result.power_utilisation == pytest.approx(0.8)
    # speeds 20/10 = 2 and 30/14: (2 + 15/7)^2 / (2 (4 + 225/49)) = 841 / 842
    assert result.fairness == pytest.approx(841 / 842)
    assert (result.rejected, result.killed, result.rounded) == (0, 0, 0)


def test_phases_change_power_and_not_the_charge() -> None:
    # a quarter of the work of the first application at half the power, then 1.2 times as much
    problem = _problem(
        phase_first=np.array([0, 2, 2]),
        phase_share=np.array([0.25, 0.75]),
        phase_intensity=np.array([0.5, 1.2]),
    )
    result = measures(_schedule(problem), problem)
    assert result.energy_j.tolist() == [60 * 2.5 + 144 * 7.5, 1200]
    assert result.steps.time_ms.tolist() == [0, 2_500, 5_000, 10_000, 15_000]
    assert result.steps.true_mw.tolist() == [60_000, 144_000, 264_000, 120_000]
    assert result.steps.charge_mw.tolist() == [100_000, 100_000, 200_000, 100_000]


def test_a_raised_cap_changes_power_and_charge_and_brings_phases_forward() -> None:
    # at 4 s the first job has done 0.4 of its work and goes on at 8 s a run: 0.6 x 8 = 4.8 s left.
    # Its second half begins after 0.1 x 8 = 0.8 s more, at 4.8 s.
    problem = _problem(
        phase_first=np.array([0, 2, 3]),
        phase_share=np.array([0.5, 0.5, 1.0]),
        phase_intensity=np.array([1.0, 0.5, 1.0]),
    )
    schedule = replace(_schedule(problem, [(0, 4_000, 1)]), end_ms=np.array([8_800, 15_000]))
    result = measures(schedule, problem)
    assert result.energy_j.tolist() == pytest.approx([120 * 4 + 160 * 0.8 + 80 * 4, 1200])
    assert result.steps.time_ms.tolist() == [0, 4_000, 4_800, 5_000, 8_800, 15_000]
    assert result.steps.true_mw.tolist() == [120_000, 160_000, 80_000, 200_000, 120_000]
    assert result.steps.charge_mw.tolist() == [100_000, 150_000, 150_000, 250_000, 100_000]
    above = result.above_by_charge
    assert (above.count, above.largest_w, above.duration_s) == (1, 50, 3.8)


def test_a_run_that_rounding_prolongs_stays_in_its_last_phase() -> None:
    problem = _problem(
        phase_first=np.array([0, 1, 2]),
        phase_share=np.array([1.0, 1.0]),
        phase_intensity=np.array([0.5, 1.0]),
    )
    schedule = replace(_schedule(problem, [(0, 4_000, 1)]), end_ms=np.array([8_801, 15_000]))
    assert measures(schedule, problem).energy_j[0] == pytest.approx(60 * 4 + 80 * 4.801)


def test_a_cap_that_changes_at_time_0_lasts_from_then_on() -> None:
    problem = _problem()
    schedule = replace(_schedule(problem, [(0, 0, 1)]), end_ms=np.array([8_000, 15_000]))
    assert measures(schedule, problem).energy_j.tolist() == [160 * 8, 1200]


def test_a_killed_job_draws_energy_until_it_is_ended() -> None:
    problem = _problem(
        phase_first=np.array([0, 2, 2]),
        phase_share=np.array([0.5, 0.5]),
        phase_intensity=np.array([1.0, 2.0]),
    )
    schedule = replace(
        _schedule(problem), end_ms=np.array([6_000, 15_000]), killed=np.array([True, False])
    )
    result = measures(schedule, problem)
    assert result.energy_j.tolist() == [120 * 5 + 240 * 1, 1200]
    assert result.killed == 1


def test_what_was_in_use_counts_to_its_end() -> None:
    problem = replace(_problem(), occupied=[Occupied(0, 90_000, 3_000), Occupied(0, 1, 99_000)])
    result = measures(_schedule(problem), problem)
    assert result.steps.time_ms.tolist() == [0, 3_000, 5_000, 10_000, 15_000]
    assert result.steps.true_mw.tolist() == [210_001, 120_001, 240_001, 120_001]
    assert result.above_by_power.count == 2
    assert result.energy_j.tolist() == [1200, 1200]


def test_the_law_of_nodes_gives_the_power() -> None:
    # rank loads 1 and 0.5: time max(4, 6 x 0.5) + 1 = 5 s; 10 + 20 W spinning and
    # (1 x 30 + 0.5 x 40) J / 5 s = 10 W above it: 40 W
    law = NodeLaw(
        compute_s=np.tile([4.0, 6.0, 4.0, 6.0], (3, 1)),
        extra_j=np.tile([30.0, 40.0, 30.0, 40.0], (3, 1)),
        spinning_w=np.tile([10.0, 20.0, 10.0, 20.0], (3, 1)),
        messages_s=np.ones(3),
        load_first=np.zeros(3, np.int64),
        load=np.array([1.0, 0.5]),
    )
    problem = _problem(law=law, power_factor=np.array([1.0, 1.5]))
    schedule = replace(_schedule(problem), end_ms=np.array([5_000, 10_000]))
    assert measures(schedule, problem).energy_j.tolist() == [200, 300]


def test_jobs_that_do_not_run_are_left_out_of_means() -> None:
    problem = _problem()
    schedule = replace(
        _schedule(problem),
        start_ms=np.array([0, NEVER]),
        end_ms=np.array([10_000, NEVER]),
        row=np.array([0, NEVER]),
        node_first=np.array([0, 2, 2]),
        node=np.array([0, 1]),
    )
    result = measures(schedule, problem)
    assert result.mean_turnaround_s == 10
    assert np.isnan(result.turnaround_s).tolist() == [False, True]
    assert np.isnan(result.energy_j).tolist() == [False, True]
    assert (result.rejected, result.fairness) == (1, 1.0)


def test_a_schedule_without_runs_has_measures() -> None:
    problem = replace(_problem(), bound_mw=50_000)
    result = measures(LiteralPolicy().schedule(problem).schedule, problem)
    assert (result.makespan_s, result.total_energy_j, result.mean_power_w) == (0, 0, 0)
    assert np.isnan([result.mean_turnaround_s, result.fairness]).all()
    assert result.above_by_power.count == 0


def test_an_exceedance_lasts_over_steps_without_a_gap() -> None:
    result = exceedance(np.array([0, 1_000, 3_000, 4_000, 9_000]), np.array([5, 7, 1, 9]), 4)
    assert (result.count, result.largest_w, result.duration_s) == (2, 0.005, 8)


def test_jains_index() -> None:
    assert jains_index(np.array([3.0, 3.0, 3.0])) == 1
    assert jains_index(np.array([1.0, 0.0, 0.0, 0.0])) == 0.25
    assert jains_index(np.array([1.0, 2.0])) == 0.9  # 9 / (2 x 5)


def test_gains_and_losses_against_a_baseline() -> None:
    result = altruism(np.array([5.0, 7.0, 9.0, np.nan]), np.array([8.0, 7.0, 4.0, 1.0]))
    assert (result.better, result.same, result.worse) == (1, 1, 1)


def _by_the_millisecond(problem: PowerProblem, schedule: PowerSchedule) -> list[float]:
    """Energy of every job in mJ, by a walk through its run."""
    truth, energy = problem.truth, []
    for job in np.flatnonzero(schedule.runs).tolist():
        row, nodes = int(schedule.row[job]), schedule.node[slice(*schedule.node_first[job:][:2])]
        time, watts = float(truth.time_ms[row]), truth.power_mw[row] / 1000
        if truth.law is not None:
            law = truth.law
            load = [law.load[law.load_first[row] + rank] for rank in range(len(nodes))]
            pairs = list(zip(nodes.tolist(), load, strict=True))
            seconds = max(law.compute_s[row, v] * x for v, x in pairs) + law.messages_s[row]
            watts = sum(
                law.spinning_w[row, v] + x * law.extra_j[row, v] / seconds for v, x in pairs
            )
            time = seconds * 1000
        if len(truth.time_factor):
            time *= truth.time_factor[job]
            watts *= truth.power_factor[job]
        time *= problem.jobs.time_scale[job]
        shares, factors = [1.0], [1.0]
        if len(truth.phase_first):
            part = slice(*truth.phase_first[problem.jobs.application[job] :][:2])
            shares, factors = truth.phase_share[part].tolist(), truth.phase_intensity[part].tolist()
        edges = np.cumsum(shares)[:-1]
        middle = (np.arange(schedule.end_ms[job] - schedule.start_ms[job]) + 0.5) / time
        energy.append(float((np.array(factors)[np.searchsorted(edges, middle)] * watts).sum()))
    return energy


@pytest.mark.parametrize("seed", range(25))
def test_energy_is_that_of_every_millisecond(seed: int) -> None:
    problem = random_problem(seed, phases=seed % 3 > 0, law=seed % 2 > 0)
    rule, backfill = RULES[seed % 3], BACKFILLS[seed // 3 % 3]
    policy = LiteralPolicy(rule, backfill, kill="deadline" if seed % 2 else "never")
    schedule = policy.schedule(problem).schedule
    result = measures(schedule, problem)
    expected = np.array(_by_the_millisecond(problem, schedule)) / 1000
    # a phase may begin half a millisecond early or late, at up to three times the power
    tolerance_j = result.steps.true_mw.max(initial=0) / 1000 * 0.001 * 5
    assert result.energy_j[schedule.runs] == pytest.approx(expected, abs=tolerance_j)
    length = np.diff(result.steps.time_ms) / 1000
    occupied_uj = sum(
        use.charge_mw
        * max(min(use.end_ms, result.steps.time_ms[-1]) - problem.jobs.submit_ms[0], 0)
        for use in problem.occupied
    )
    total = (result.steps.true_mw / 1000 * length).sum()
    expected_total = result.total_energy_j + (occupied_uj / 1e6 if schedule.runs.any() else 0)
    assert total == pytest.approx(expected_total)
    assert result.above_by_charge.count == 0
    speed = problem.jobs.requested_ms[schedule.runs] / 1000 / result.turnaround_s[schedule.runs]
    assert np.isnan(result.fairness) or result.fairness == pytest.approx(
        speed.mean() ** 2 / (speed.mean() ** 2 + speed.var())
    )
