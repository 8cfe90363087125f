"""From scenarios to problems: the thesis's example, what a seed decides, and what it does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.power.events.play import play
from planner.scheduling.power.inputs.build import Replication, files_of, replicate
from planner.scheduling.power.inputs.logs import KEPT, ROUNDED_UP, TOO_LARGE
from planner.scheduling.power.inputs.model_errors import model_errors
from planner.scheduling.power.outcome import Placed, true_powers_mw, true_times_ms
from planner.scheduling.power.problem import PowerProblem
from planner.scheduling.power.rmap import adaptive_policy
from scenarios import load
from scenarios.reading.replaced import with_values
from scenarios.simulated import SimulatedCluster, find_application, grid
from scenarios.simulated.law import outcome
from scenarios.simulated.parallel import loads
from tests.planner.scheduling.power.literal import LiteralPolicy, Rule
from tests.planner.scheduling.power.scenarios_of import scenario_of, simulated
from tests.shared_data import RZMERL, TRACES, needs_data


def golden() -> PowerProblem:
    return replicate(load("thesis-table-5-2"), 0).problem(8000.0, "one-job")


@pytest.mark.parametrize(
    ("rule", "turnaround_ms", "nodes"),
    [("traditional", 1_447_900, 6), ("naive", 1_415_300, 8), ("adaptive", 439_200, 8)],
)
def test_the_bundled_example_gives_table_5_2(rule: Rule, turnaround_ms: int, nodes: int) -> None:
    problem = golden()
    assert problem.fair_share_mw.tolist() == [800_000]
    schedule = play(LiteralPolicy(rule), problem).schedule
    assert schedule.end_ms.tolist() == [turnaround_ms]
    assert problem.details.nodes[schedule.row].tolist() == [nodes]


@pytest.fixture(scope="module")
def thesis() -> Replication:
    return replicate(load("thesis-rmap"), 0)


def test_the_bundled_study_has_the_grid_of_class_d(thesis: Replication) -> None:
    details = thesis.details
    assert details.applications == ("SPhot", "BT-MZ", "SP-MZ", "LU-MZ", "SC", "NSC", "SM", "NSM")
    assert np.diff(details.first).tolist() == [375] * 8
    nodes, cores, caps = grid("D")
    for application in range(8):
        rows = details.rows(application)
        assert details.nodes[rows].tolist() == nodes.tolist()
        assert details.cores_per_node[rows].tolist() == cores.tolist()
        assert details.package_cap_w[rows].tolist() == caps.tolist()
    assert details.source == "model"
    assert [*thesis.logs] == ["small", "large", "random-1", "random-2"]
    assert all(log.counts[KEPT] == len(log.jobs) == 30 for log in thesis.logs.values())
    assert all(log.counts[ROUNDED_UP] == 0 for log in thesis.logs.values())
    first, second = thesis.logs["random-1"].jobs, thesis.logs["random-2"].jobs
    assert first.nodes.tolist() != second.nodes.tolist()


def test_the_regression_errs_less_than_the_thesis_says_in_run_times(thesis: Replication) -> None:
    for errors in model_errors(thesis.details, thesis.truth)[:-1]:
        assert errors.rows == 375
        assert 0.0001 < errors.time_mean < 0.10
        assert errors.time_median < 0.077
        assert errors.time_third_quartile < 0.132
        assert errors.time_max < 0.33


def test_jobs_of_a_replication_are_the_same_under_every_bound(thesis: Replication) -> None:
    low, high = thesis.problem(6500.0, "large"), thesis.problem(14_720.0, "large")
    assert low.jobs is high.jobs
    assert low.truth.time_factor.tolist() == high.truth.time_factor.tolist()
    assert low.truth.power_factor.tolist() == high.truth.power_factor.tolist()
    other = thesis.problem(6500.0, "small").truth.time_factor
    assert other.tolist() != low.truth.time_factor.tolist()
    assert (low.bound_mw, high.bound_mw) == (6_500_000, 14_720_000)


def test_run_to_run_factors_scatter_as_a_campaign_does(tmp_path: Path) -> None:
    truth = replicate(simulated(tmp_path), 0).problem(9000.0, "random").truth
    assert truth.time_factor == pytest.approx(np.ones(30), abs=0.04)
    assert 0.001 < np.log(truth.time_factor).std() < 0.015


def test_the_truth_is_the_law_on_the_nodes_that_a_job_gets(tmp_path: Path) -> None:
    made = replicate(simulated(tmp_path, cluster="nodes = 64\nnoise = false"), 3)
    problem = made.problem(9000.0, "random")
    assert made.cluster is not None
    rng = np.random.default_rng(0)
    rows = np.array([40, 200, 374, 375, 600, 700])
    jobs = np.zeros(len(rows), np.int64)
    sizes = problem.details.nodes[rows]
    chosen = [rng.permutation(64)[:count] for count in sizes]
    placed = Placed(jobs, rows, np.cumsum([0, *sizes]), np.concatenate(chosen))
    times, powers = true_times_ms(problem, placed), true_powers_mw(problem, placed)
    for run, row in enumerate(rows.tolist()):
        time_s, power_w = law_of(made.cluster, problem, row, chosen[run].tolist())
        assert times[run] == pytest.approx(time_s * 1000, abs=1)
        assert powers[run] == pytest.approx(power_w * 1000, abs=1)


def law_of(
    cluster: SimulatedCluster, problem: PowerProblem, row: int, nodes: list[int]
) -> tuple[float, float]:
    details = problem.details
    name = details.applications[int(row >= details.first[1])]
    application = find_application(name, "D")
    shape = (1, 2 * len(nodes))
    true = outcome(
        cluster.machine,
        application,
        len(nodes),
        details.cores_per_node[[row]],
        np.full(shape, details.package_cap_w[row]),
        cluster.leakage[nodes].reshape(shape),
        np.repeat(loads(application, len(nodes)), 2)[None],
    )
    return float(true.time_s[0]), float(true.package_power_w[0])


def test_without_variability_and_noise_an_oracle_knows_everything(tmp_path: Path) -> None:
    made = replicate(
        simulated(
            tmp_path,
            details='method = "oracle"',
            cluster="nodes = 64\nvariability = false\nnoise = false",
        ),
        0,
    )
    assert made.truth.law is None
    assert made.details.time_ms.tolist() == made.truth.time_ms.tolist()
    assert made.details.charge_mw.tolist() == made.truth.power_mw.tolist()
    truth = made.problem(9000.0, "random").truth
    assert set(truth.time_factor.tolist()) == set(truth.power_factor.tolist()) == {1.0}


def test_without_scatter_measured_runs_on_typical_nodes_are_the_truth(tmp_path: Path) -> None:
    cluster = "nodes = 64\nvariability = false\nnoise = false"
    made = replicate(simulated(tmp_path, cluster=cluster), 0)
    assert made.details.source == "measured"
    assert np.abs(made.details.time_ms - made.truth.time_ms).max() <= 1
    assert np.abs(made.details.charge_mw - made.truth.power_mw).max() <= 1


def test_measured_runs_scatter_little_and_none_of_them_straggles(tmp_path: Path) -> None:
    made = replicate(simulated(tmp_path), 1)
    errors = model_errors(made.details, made.truth)[-1]
    assert 0.001 < errors.time_mean < 0.02
    assert errors.time_max < 0.2  # a straggler takes 1.85 times as long


def test_a_seed_draws_nodes_runs_and_logs_and_repeats_them(tmp_path: Path) -> None:
    scenario = simulated(tmp_path, details='method = "model"')
    first, again, other = (replicate(scenario, seed) for seed in (0, 0, 1))
    assert first.details.time_ms.tolist() == again.details.time_ms.tolist()
    assert first.details.time_ms.tolist() != other.details.time_ms.tolist()
    assert first.truth.time_ms.tolist() == other.truth.time_ms.tolist()
    assert first.truth.law is not None
    assert other.truth.law is not None
    assert (first.truth.law.compute_s != other.truth.law.compute_s).any()
    logs = [made.logs["random"].jobs.submit_ms.tolist() for made in (first, again, other)]
    assert logs[0] == logs[1] != logs[2]


def test_what_the_scheduler_knows_changes_neither_jobs_nor_truth(tmp_path: Path) -> None:
    scenario = simulated(tmp_path)
    made = [
        replicate(with_values(scenario, {"schedule.details.method": method}), 0)
        for method in ("measured", "model", "oracle")
    ]
    for other in made[1:]:
        problems = [replication.problem(9000.0, "random") for replication in (made[0], other)]
        first, second = (problem.truth for problem in problems)
        assert first.law is not None
        assert second.law is not None
        assert (first.law.compute_s == second.law.compute_s).all()
        assert (first.time_factor == second.time_factor).all()
        assert (problems[0].jobs.requested_ms == problems[1].jobs.requested_ms).all()
        assert (problems[0].details.time_ms != problems[1].details.time_ms).any()


def test_the_rate_of_arrivals_can_be_swept(tmp_path: Path) -> None:
    scenario = simulated(tmp_path)
    slow, fast = (
        replicate(with_values(scenario, {"schedule.logs.random.offered_load": load}), 0)
        for load in (0.5, 1.0)
    )
    gaps = [made.logs["random"].mean_gap_s for made in (slow, fast)]
    assert gaps[0] == pytest.approx(2 * (gaps[1] or 0.0))
    sizes = [made.logs["random"].jobs.nodes.tolist() for made in (slow, fast)]
    assert sizes[0] == sizes[1]


def test_priorities_of_applications_are_those_of_their_jobs(tmp_path: Path) -> None:
    jobs = replicate(simulated(tmp_path), 0).logs["random"].jobs
    assert jobs.weight.tolist() == np.array([1.0, 2.0])[jobs.application].tolist()


def test_a_charge_by_node_counts_memory_and_takes_idle_watts_off(tmp_path: Path) -> None:
    cluster = "nodes = 64\nidle_node_w = 20.0\nvariability = false\nnoise = false"
    oracle = 'method = "oracle"'
    by_node = simulated(tmp_path, details=oracle, cluster=cluster, schedule='charge = "node"')
    problem = replicate(by_node, 0).problem(9000.0, "random")
    assert problem.jobs_mw == 9_000_000 - 64 * 20_000
    packages = replicate(simulated(tmp_path, details=oracle, cluster=cluster), 0)
    more_w = (problem.details.charge_mw - packages.details.charge_mw) / 1000
    idle_w = 2 * packages.details.nodes * 4.892  # of the memory of a socket, in machine.toml
    assert (more_w >= idle_w - 0.01).all()
    assert (more_w <= 4 * idle_w).all()


def test_every_node_count_is_pruned_and_keeps_what_traditional_needs(tmp_path: Path) -> None:
    every = 'method = "oracle"\nnode_counts = "every"'
    made = replicate(simulated(tmp_path, details=every, cluster="nodes = 40"), 0)
    details = made.details
    assert len(details) < 2 * 40 * 25 / 2
    for application in range(2):
        rows = details.rows(application)
        packed = (details.cores_per_node[rows] == 16) & (details.package_cap_w[rows] == 115)
        assert details.nodes[rows][packed].tolist() == list(range(1, 41))
    assert made.truth.law is not None
    assert made.truth.law.compute_s.shape == (len(details), 40)
    assert len(made.truth.time_ms) == len(details)
    assert made.logs["random"].counts[TOO_LARGE] > 0


@pytest.mark.parametrize(
    ("cluster", "details", "message"),
    [
        ("nodes = 4", "", "SC: the thesis measured from 8 nodes on, and the cluster has 4"),
        (
            "nodes = 64",
            'method = "model"\ntraining_share = 0.02',
            "SC: log-polynomial needs 10 different configurations, but the file has 8",
        ),
        ("nodes = 513", 'node_counts = "every"', "give at most 512 nodes, or node_counts"),
        ("nodes = 10000", 'method = "oracle"', "set variability = false"),
    ],
)
def test_what_cannot_be_built_is_refused_with_a_remedy(
    tmp_path: Path, cluster: str, details: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        replicate(simulated(tmp_path, cluster=cluster, details=details), 0)


def test_another_question_and_an_unknown_log_are_refused(thesis: Replication) -> None:
    with pytest.raises(InputError, match="thesis-7kw asks what to buy, not how to schedule"):
        replicate(load("thesis-7kw"), 0)
    with pytest.raises(InputError, match="unknown log 'medium'; there are small, large"):
        thesis.problem(8000.0, "medium")


MEASURED = """\
[schedule]
bounds_w = [5000.0]
[schedule.cluster]
nodes = 32
[schedule.details]
file = "runs.csv"
{details}
[[schedule.logs]]
name = "blue"
kind = "{kind}"
{log}
"""


@needs_data
def test_measured_runs_are_table_and_truth_in_one(tmp_path: Path) -> None:
    shutil.copy(RZMERL, tmp_path / "runs.csv")
    body = MEASURED.format(details="", kind="small", log="")
    made = replicate(scenario_of(tmp_path, body), 0)
    assert made.cluster is None
    assert made.truth.law is None
    assert made.details.time_ms.tolist() == made.truth.time_ms.tolist()
    assert set(made.problem(5000.0, "blue").truth.time_factor.tolist()) == {1.0}
    assert "BT-MZ" in made.details.applications
    row = (made.details.nodes == 8) & (made.details.cores_per_node == 16)
    row &= made.details.package_cap_w == 115
    assert (made.details.charge_mw[row] > 8 * 2 * 60_000).all()


@needs_data
def test_a_model_of_measured_runs_errs_against_them(tmp_path: Path) -> None:
    shutil.copy(RZMERL, tmp_path / "runs.csv")
    details = 'method = "model"\nguard = 0.1'
    body = MEASURED.format(details=details, kind="small", log="")
    made = replicate(scenario_of(tmp_path, body), 0)
    errors = model_errors(made.details, made.truth, guard=0.1)[-1]
    assert 0.001 < errors.time_mean < 0.3
    assert errors.charged_low < model_errors(made.details, made.truth)[-1].charged_low + 0.5


@needs_data
def test_a_log_file_is_read_once_and_runs_on_simulated_nodes(tmp_path: Path) -> None:
    shutil.copy(TRACES / "SDSC-SP2-10k.swf.gz", tmp_path / "log.swf.gz")
    scenario = simulated(tmp_path, details='node_counts = "every"', cluster="nodes = 64")
    text = (tmp_path / "s.toml").read_text().partition("[[schedule.logs]]")[0].partition("[")
    body = "[" + text[2] + '[[schedule.logs]]\nname = "sp2"\nkind = "file"\njob_count = 500\n'
    scenario = scenario_of(tmp_path, body + 'file = "log.swf.gz"\n')
    files = files_of(scenario)
    made = replicate(scenario, 0, files)
    log = made.logs["sp2"]
    assert (log.counts[KEPT], log.counts[ROUNDED_UP]) == (500, 0)
    read = files.logs["sp2"]
    truth = made.problem(9000.0, "sp2").truth
    packed_s = log.jobs.time_scale * made.truth.time_ms[rows_of(made)] / 1000
    assert packed_s == pytest.approx(read.run_s[:500].astype(float))
    assert truth.time_factor == pytest.approx(np.ones(500), abs=0.1)


def rows_of(made: Replication) -> np.ndarray:
    """The packed row of each job."""
    details, jobs = made.details, made.logs["sp2"].jobs
    packed = (details.cores_per_node == 16) & (details.package_cap_w == 115)
    application = np.repeat(np.arange(2), np.diff(details.first))
    return np.array(
        [
            np.flatnonzero(packed & (details.nodes == n) & (application == a))[0]
            for n, a in zip(jobs.nodes, jobs.application, strict=True)
        ]
    )


def test_nodes_are_calibrated_with_noise_and_the_least_hungry_ones_come_first(
    tmp_path: Path,
) -> None:
    """The order is that of the measurement, not of the hidden leakage, which it comes near."""
    made = replicate(simulated(tmp_path), 0)
    assert made.cluster is not None
    assert len(made.node_w) == 64
    leakage = made.cluster.leakage.sum(axis=1)
    assert 0.9 < np.corrcoef(made.node_w, leakage)[0, 1] < 1
    assert np.argsort(made.node_w).tolist() != np.argsort(leakage).tolist()
    problem = made.problem(9000.0, "random")
    schedule = adaptive_policy(efficient_first=True).schedule(problem).schedule
    first = int(np.argmin(np.where(schedule.runs, schedule.start_ms, schedule.start_ms.max())))
    nodes = schedule.node[schedule.node_first[first] : schedule.node_first[first + 1]]
    assert sorted(nodes) == sorted(np.argsort(made.node_w, kind="stable")[: len(nodes)])


def test_nodes_that_are_alike_are_not_calibrated(tmp_path: Path) -> None:
    made = replicate(simulated(tmp_path, cluster="nodes = 64\nvariability = false"), 0)
    assert not len(made.node_w)
    assert not len(replicate(load("thesis-table-5-2"), 0).problem(8000.0, "one-job").node_w)
