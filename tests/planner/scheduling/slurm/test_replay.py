"""A small log through Slurm: charged watts keep the bound, and jobs start as EASY starts them.

``pytest -m slow -o log_cli=true --log-cli-level=INFO`` shows the figures of each replay.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest

from planner.configurations.table import Configuration
from planner.scheduling.slurm import agent
from planner.scheduling.slurm.decision import SlurmChoice, SlurmRequest, adapt, decide
from planner.scheduling.slurm.export import Rule, SlurmExport, charge_w
from tests.planner.scheduling.slurm.cluster import Cluster, missing, started
from tests.planner.scheduling.slurm.literal import (
    Job,
    easy_starts,
    forbidden_starts,
    order_differences,
)
from tests.planner.scheduling.slurm.simulated import Ran, simulated, swapped
from tests.sizes import few

_LOG = logging.getLogger(__name__)
slurm = pytest.mark.skipif(bool(missing()), reason=missing())

NODES, CORES, BOUND_W = 12, 8, 1500.4
SCALE = 60
"""Seconds of the tables for one second of sleep: time limits in minutes stay as they are."""

JOBS = 30
GAP_S = 0.8
BACKFILL_S = 1
PAIRS = [*combinations(range(JOBS), 2)]
SLEEP = """record=$(squeue --noheader --jobs=$SLURM_JOB_ID --Format=admin_comment:300)
time_s=$(awk -F, -v record="$record" '
    index(record, ":application=" $2 ",") &&
    index(record, ",nodes=" $3 ",cores_per_node=" $4 ",package_cap_w=" $5 ",") { print $6 / SCALE }
' headroom_jobs.csv)
sleep "$time_s"
""".replace("SCALE", str(SCALE))
"""A job looks up the time of its configuration, as it could look up the cap."""

TIE_S = BACKFILL_S + 1.0
"""Slurm decides once a second on its own, and learns of an end within a second."""


def easy_by_hand() -> tuple[list[Job], list[float]]:
    """Four nodes, 400 W. Job 1 waits for watts until 100 s, by job 0's limit.

    Job 2 ends after that and needs 100 W of the 0 W left then: it waits. Job 3 ends before. Job 0
    ends early at 60 s, so job 1 starts then, and job 2 at its end.
    """
    jobs = [
        Job(0, 60, 100, 1, 300),
        Job(1, 50, 50, 1, 400),
        Job(2, 90, 120, 1, 100),
        Job(3, 10, 90, 3, 100),
    ]
    return jobs, [0, 60, 110, 3]


def test_the_reference_starts_jobs_as_by_hand() -> None:
    jobs, starts = easy_by_hand()
    assert easy_starts(jobs, 4, 400) == starts
    assert easy_starts(jobs, 4, 401) == starts
    assert easy_starts(jobs, 4, 500) == [0, 60, 2, 92]  # 100 W are left beyond job 1's need


def test_differences_of_order_are_counted_beyond_ties() -> None:
    assert order_differences([0, 5, 10], [0, 5, 10], 1) == 0
    assert order_differences([0, 5, 10], [10, 5, 0], 1) == 3
    assert order_differences([0, 5, 10], [6, 5, 10], 1) == 0
    assert order_differences([0, 0.5, 10], [10, 0, 20], 1) == 0


def test_a_start_that_delays_the_first_in_the_queue_is_seen() -> None:
    jobs, starts = easy_by_hand()
    assert forbidden_starts(jobs, starts, 4, 400, 1) == []
    assert forbidden_starts(jobs, [0, 92.5, 2.5, 143], 4, 400, 1) == [2]  # limit: 122.5 s
    assert forbidden_starts(jobs, [0, 110, 60, 3], 4, 400, 1) == [2]  # job 1 fits at 60 s


def export_for(rule: Rule) -> SlurmExport:
    """Three made-up applications: one gains from cores, one from watts, one from neither."""
    tables = {
        name: [
            Configuration(
                n, c, cap, round(work / (n**0.9 * c**scales * (cap / 115) ** hungry), 3),
                round(n * (25 + 2.5 * c + 0.85 * cap * (0.4 + 0.6 * c / CORES)), 3),
            )
            for n in range(1, NODES + 1)
            for c in (4, 6, 8)
            for cap in (51.0, 80.0, 115.0)
        ]
        for name, work, scales, hungry in (
            ("packed", 3200, 0.9, 0.5), ("spread", 900, 0.1, 0.1), ("plain", 1500, 0.5, 0.2),
        )
    }  # fmt: skip
    return SlurmExport("replay", NODES, CORES, BOUND_W, tables, rule, "cheapest",
                       threshold=0.1, backfill_interval_s=BACKFILL_S)  # fmt: skip


def requests(export: SlurmExport, seed: int) -> list[SlurmRequest]:
    rng = np.random.default_rng(seed)
    names = sorted(export.applications)
    return [
        SlurmRequest(
            str(rng.choice(names)), int(rng.integers(1, NODES + 1)), int(rng.integers(2, 16))
        )
        for _ in range(JOBS)
    ]


def replay(cluster: Cluster, log: list[SlurmRequest], seed: int) -> dict[int, SlurmRequest]:
    """Submit a log of sleeping jobs, and wait until all have ended."""
    (cluster.folder / "sleep.sh").write_text(SLEEP)
    gaps = np.random.default_rng(seed).exponential(GAP_S, len(log))
    jobs = {}
    for request, gap in zip(log, gaps, strict=True):
        time.sleep(gap)
        words = request.nodes, request.minutes, request.application
        jobs[cluster.submit(*words, "sh sleep.sh")] = request
    cluster.wait("", "squeue", "--noheader", patience_s=180)
    return jobs


def most_charged_w(cluster: Cluster) -> int:
    """The most that was charged at any moment by the log, which equals the sum over its jobs."""
    charged, runs = cluster.charged(), cluster.runs()
    assert len(charged) == 2 * len(runs) == 2 * JOBS
    for moment, used in charged:
        changed = [run for run in runs if moment in {run.start_s, run.end_s}]
        running = [run.charge_w for run in runs if run.start_s <= moment < run.end_s]
        assert len(changed) > 1 or sum(running) == used
    return max(used for _, used in charged)


def check_order(cluster: Cluster, jobs: dict[int, SlurmRequest]) -> str:
    """Compare starts with the compiled policy's and with a literal EASY's.

    Both get the submissions and run times that the jobs had. The compiled policy chooses the
    configurations from the same tables; the literal EASY gets those of Slurm.
    """
    runs, export = cluster.runs(), cluster.export
    first, literal, ran = runs[0].submit_s, list[Job](), list[Ran]()
    for run in runs:
        request = jobs[run.number]
        choice = decide(export, request)
        assert isinstance(choice, SlurmChoice)
        assert choice.charge_w == run.charge_w
        took = run.submit_s - first, run.end_s - run.start_s
        literal.append(Job(*took, 60 * choice.minutes, choice.configuration.nodes, run.charge_w))
        ran.append(Ran(request, *took, choice.configuration, 60.0 * choice.minutes))
    starts = [run.start_s - first for run in runs]
    ours = simulated(export, ran)
    easy = easy_starts(literal, NODES, export.licences)
    differences = len(swapped(starts, ours.start_s, TIE_S))
    from_easy = order_differences(starts, easy, TIE_S)
    overtaken = sum(starts[i] > starts[j] + TIE_S for i, j in PAIRS)
    late = np.subtract(starts, ours.start_s)
    assert ours.charge_w == [run.charge_w for run in runs]
    assert forbidden_starts(literal, starts, NODES, export.licences, TIE_S) == []
    # Slurm lags, by more with each start: a job may backfill that comes before Slurm has ended
    # another, and after that in the simulator.
    assert max(differences, from_easy) <= 0.02 * len(PAIRS)
    assert overtaken > 0.05 * len(PAIRS)  # first come, first served alone would not pass
    return (
        f"{differences} of {len(PAIRS)} pairs in another order than by the compiled policy, "
        f"{from_easy} than by a literal EASY, {overtaken} overtaken; starts differ from the "
        f"compiled policy's by {late.min():.1f} to {late.max():.1f} s, median "
        f"{np.median(late):.1f} s"
    )


def adaptive_order(cluster: Cluster, jobs: dict[int, SlurmRequest]) -> str:
    """Compare starts and charges with those of the compiled Adaptive; both are only counted.

    The compiled policy decides at the moment of a start. It plans with expected times, where Slurm
    plans with limits in whole minutes.
    """
    runs, export = cluster.runs(), cluster.export
    first, ran = runs[0].submit_s, list[Ran]()
    for run in runs:
        request = jobs[run.number]
        nodes = int(cluster.field(run.number, "NumNodes"))
        rows = export.applications[request.application]
        (row, *_) = [
            charge for charge in rows if (charge.nodes, charge_w(charge)) == (nodes, run.charge_w)
        ]
        ran.append(Ran(request, run.submit_s - first, run.end_s - run.start_s, row, None))
    starts = [run.start_s - first for run in runs]
    ours = simulated(export, ran)
    differences = len(swapped(starts, ours.start_s, TIE_S))
    others = sum(charge != run.charge_w for charge, run in zip(ours.charge_w, runs, strict=True))
    return (
        f"{differences} of {len(PAIRS)} pairs in another order than by the compiled Adaptive, "
        f"{others} of {JOBS} jobs in another configuration"
    )


@contextmanager
def agent_running(cluster: Cluster) -> Iterator[list[int]]:
    """Passes of the agent, a few a second; the list gets the number of changes of each."""
    stop, changed = Event(), []

    def passes() -> None:
        while not stop.wait(0.2):
            changed.append(agent.pass_over(cluster.export, cluster.ask))

    thread = Thread(target=passes)
    thread.start()
    try:
        yield changed
    finally:
        stop.set()
        thread.join()


def print_replay(rule: str, cluster: Cluster, most_w: int, order: str) -> None:
    version = cluster.output_of("sinfo", "--version").strip()
    _LOG.info(
        "%s, %s: %d jobs, at most %d of %s W charged; %s",
        version, rule, JOBS, most_w, BOUND_W, order,
    )  # fmt: skip


@pytest.mark.parametrize("rule", ["traditional", "naive"])
def test_the_simulator_starts_random_jobs_as_a_literal_easy_does(rule: Rule) -> None:
    """Without Slurm: the compiled policy chooses and starts what both are compared with above."""
    export = export_for(rule)
    for seed in range(few(50)):
        rng, time_s = np.random.default_rng(seed), 0.0
        literal, ran = list[Job](), list[Ran]()
        for request in requests(export, seed):
            choice = decide(export, request)
            assert isinstance(choice, SlurmChoice)
            time_s, run_s = round(time_s + rng.exponential(20), 3), round(rng.uniform(5, 300), 3)
            limit_s, nodes = 60 * choice.minutes, choice.configuration.nodes
            literal.append(Job(time_s, min(run_s, limit_s), limit_s, nodes, choice.charge_w))
            row = choice.configuration
            ran.append(Ran(request, time_s, min(run_s, limit_s), row, float(limit_s)))
        ours = simulated(export, ran)
        assert ours.charge_w == [job.watts for job in literal]
        easy = easy_starts(literal, NODES, export.licences)
        assert ours.start_s == pytest.approx(easy, abs=0.05), seed  # each start rounds to 1 ms


@slurm
@pytest.mark.slow
@pytest.mark.parametrize("rule", ["traditional", "naive"])
def test_a_log_keeps_the_bound_and_starts_as_in_the_simulator(rule: Rule, tmp_path: Path) -> None:
    export = export_for(rule)
    with started(tmp_path, export) as cluster:
        jobs = replay(cluster, requests(export, 3), 3)
        most_w = most_charged_w(cluster)
        print_replay(rule, cluster, most_w, check_order(cluster, jobs))
    assert 0.5 * BOUND_W < most_w <= BOUND_W


@slurm
@pytest.mark.slow
def test_adaptive_keeps_the_bound_and_every_fair_share(tmp_path: Path) -> None:
    export = export_for("adaptive")
    with started(tmp_path, export) as cluster:
        with agent_running(cluster) as changed:
            jobs = replay(cluster, requests(export, 3), 3)
        most_w = most_charged_w(cluster)
        charges = {run.number: run.charge_w for run in cluster.runs()}
        stale = started_otherwise(cluster, jobs)
        print_replay("adaptive", cluster, most_w, (
            f"{sum(changed)} changes in {len(changed)} passes; jobs {stale} of {JOBS} started with "
            "another configuration than Algorithm 1 gives at their start; "
            f"{adaptive_order(cluster, jobs)}"
        ))  # fmt: skip
    assert 0.5 * BOUND_W < most_w <= BOUND_W
    naive = {number: decide(export, request) for number, request in jobs.items()}
    adapted = [number for number, choice in naive.items() if charged(choice) != charges[number]]
    assert adapted
    assert len(stale) <= JOBS / 2
    for number in adapted:
        assert charges[number] <= export.fair_share_w(jobs[number].nodes) + 1


def started_otherwise(cluster: Cluster, jobs: dict[int, SlurmRequest]) -> list[int]:
    """Jobs whose charge is not that of Algorithm 1 with the watts and nodes free at their start.

    The agent decides some time before Slurm starts a job: power can become free in between.
    """
    export, runs = cluster.export, cluster.runs()
    nodes = {run.number: int(cluster.field(run.number, "NumNodes")) for run in runs}
    stale = []
    for job in runs:
        running = [run for run in runs if run.start_s < job.start_s < run.end_s]
        free_w = export.licences - sum(run.charge_w for run in running)
        free_nodes = NODES - sum(nodes[run.number] for run in running)
        request = jobs[job.number]
        choice = adapt(export, request, free_w, free_nodes) or decide(export, request)
        if charged(choice) != job.charge_w:
            stale.append(job.number)
    return stale


def charged(choice: SlurmChoice | str) -> int:
    assert isinstance(choice, SlurmChoice)
    return choice.charge_w
