"""A small log through Slurm: charged watts keep the bound, and jobs start as EASY starts them.

``pytest -m slow -o log_cli=true --log-cli-level=INFO`` shows the figures of each replay.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest

from planner.configurations.table import Configuration
from planner.scheduling.slurm import agent
from planner.scheduling.slurm.decision import Choice, Request, adapt, decide
from planner.scheduling.slurm.export import Rule, SlurmExport
from tests.planner.scheduling.slurm.cluster import Cluster, missing, started
from tests.planner.scheduling.slurm.literal import (
    Job,
    easy_starts,
    forbidden_starts,
    order_differences,
)

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


def requests(export: SlurmExport, seed: int) -> list[Request]:
    rng = np.random.default_rng(seed)
    names = sorted(export.applications)
    return [
        Request(str(rng.choice(names)), int(rng.integers(1, NODES + 1)), int(rng.integers(2, 16)))
        for _ in range(JOBS)
    ]


def replay(cluster: Cluster, log: list[Request], seed: int) -> dict[int, Request]:
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


def check_order(
    cluster: Cluster,
    jobs: dict[int, Request],
    expected_starts: Callable[[list[Job], int, int], list[float]],
) -> str:
    """Compare starts with those of a simulator that has the jobs' own submissions and run times."""
    runs = cluster.runs()
    first = runs[0].submit_s
    simulated = []
    for run in runs:
        choice = decide(cluster.export, jobs[run.number])
        assert isinstance(choice, Choice)
        assert choice.charge_w == run.charge_w
        simulated.append(
            Job(run.submit_s - first, run.end_s - run.start_s, 60 * choice.minutes,
                choice.configuration.nodes, run.charge_w)
        )  # fmt: skip
    expected = expected_starts(simulated, NODES, cluster.export.licences)
    starts = [run.start_s - first for run in runs]
    differences = order_differences(starts, expected, TIE_S)
    overtaken = sum(starts[i] > starts[j] + TIE_S for i, j in PAIRS)
    late = np.subtract(starts, expected)
    forbidden = forbidden_starts(simulated, starts, NODES, cluster.export.licences, TIE_S)
    assert forbidden == []
    assert differences <= 0.01 * len(PAIRS)
    assert overtaken > 0.05 * len(PAIRS)  # first come, first served alone would not pass
    return (
        f"{differences} of {len(PAIRS)} pairs in another order, {overtaken} overtaken; "
        f"starts differ by {late.min():.1f} to {late.max():.1f} s, median {np.median(late):.1f} s"
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


def shown(rule: str, cluster: Cluster, most_w: int, order: str) -> None:
    version = cluster.said("sinfo", "--version").strip()
    _LOG.info(
        "%s, %s: %d jobs, at most %d of %s W charged; %s",
        version, rule, JOBS, most_w, BOUND_W, order,
    )  # fmt: skip


@slurm
@pytest.mark.slow
@pytest.mark.parametrize("rule", ["traditional", "naive"])
def test_a_log_keeps_the_bound_and_starts_as_easy_does(rule: Rule, tmp_path: Path) -> None:
    export = export_for(rule)
    with started(tmp_path, export) as cluster:
        jobs = replay(cluster, requests(export, 3), 3)
        most_w = most_charged_w(cluster)
        shown(rule, cluster, most_w, check_order(cluster, jobs, easy_starts))
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
        shown("adaptive", cluster, most_w, (
            f"{sum(changed)} changes in {len(changed)} passes; jobs {stale} of {JOBS} started with "
            "another configuration than Algorithm 1 gives at their start"
        ))  # fmt: skip
    assert 0.5 * BOUND_W < most_w <= BOUND_W
    naive = {number: decide(export, request) for number, request in jobs.items()}
    adapted = [number for number, choice in naive.items() if charged(choice) != charges[number]]
    assert adapted
    assert len(stale) <= JOBS / 2
    for number in adapted:
        assert charges[number] <= export.fair_share_w(jobs[number].nodes) + 1


def started_otherwise(cluster: Cluster, jobs: dict[int, Request]) -> list[int]:
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


def charged(choice: Choice | str) -> int:
    assert isinstance(choice, Choice)
    return choice.charge_w
