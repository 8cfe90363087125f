"""Power-aware scheduling: SDSC-SP2 under a bound, against the present policies, in one run.

SDSC-SP2 (54,006 jobs) runs on 128 simulated nodes: each job has an application of class C, every
node count has its configurations, and the job's time is scaled to that of the log (simulated;
seed 0). Printed are ratios of the time of the compiled loops, alternated five times. Asserted:
without a bound the starts are those of EASY.

    HEADROOM_DATA=... python benchmarks/bench_power.py
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from shutil import copyfile

import numpy as np

from planner.scheduling.policies.registry import find_policy
from planner.scheduling.power.inputs.build import Replication, files_of, replicate
from planner.scheduling.power.rmap import adaptive_policy, naive_policy, traditional_policy
from planner.scheduling.simulation.simulate import simulate
from scenarios.catalogue import load
from scenarios.job_logs.reader import read_job_log
from tests.planner.scheduling.power.test_rmap import easy_problem
from tests.shared_data import TRACES

ROUNDS = 5
BOUNDS_W = (6500.0, 10_000.0, 14_720.0, 29_440.0)
LOG = TRACES / "SDSC-SP2.swf.gz"

SCENARIO = """
format = 1
name = "sdsc-sp2"
title = "SDSC-SP2 on 128 simulated nodes"

[schedule]
bounds_w = [14720.0]
policies = ["adaptive"]

[schedule.cluster]
nodes = 128
cores_per_node = 16

[schedule.details]
method = "oracle"
node_counts = "every"

{applications}

[[schedule.logs]]
name = "sdsc-sp2"
kind = "file"
file = "SDSC-SP2.swf.gz"
"""
NAMES = ("SPhot", "BT-MZ", "SP-MZ", "LU-MZ")


def mapped(folder: Path) -> Replication:
    """Return the log on simulated applications."""
    parts = (f'[[schedule.applications]]\nname = "{name}"\nproblem = "C"' for name in NAMES)
    path = folder / "sdsc-sp2.toml"
    path.write_text(SCENARIO.format(applications="\n\n".join(parts)))
    copyfile(LOG, folder / LOG.name)
    scenario = load(path)
    return replicate(scenario, 0, files_of(scenario))


def alternated(*runs: Callable[[], float]) -> list[float]:
    """Median seconds of each of some runs that take turns."""
    times = np.array([[run() for run in runs] for _ in range(ROUNDS)])
    return [float(median) for median in np.median(times, axis=0)]


def easy() -> None:
    log = read_job_log(LOG)
    problem, policy = easy_problem(log, 128), traditional_policy()
    schedule = policy.schedule(problem).schedule
    reference = simulate(log, find_policy("easy")).schedule
    order = np.argsort(problem.jobs.number), np.argsort(reference.number)
    if (schedule.start_ms[order[0]] // 1000 != reference.start_s[order[1]]).any():
        raise SystemExit("starts without a bound are not those of EASY")
    ours, theirs = alternated(
        lambda: policy.schedule(problem).seconds,
        lambda: simulate(log, find_policy("easy")).seconds,
    )
    print(f"EASY without a bound: {1e3 * ours:.0f} ms, {ours / theirs:.1f} x the loop of easy")


def bounded(replication: Replication) -> None:
    log, name = read_job_log(LOG), next(iter(replication.logs))
    for bound_w in BOUNDS_W:
        problem = replication.problem(bound_w, name)
        for policy in (traditional_policy(), naive_policy(), adaptive_policy()):
            ours, moldable = alternated(
                lambda: policy.schedule(problem).seconds,  # noqa: B023 - called at once
                lambda: simulate(log, find_policy("moldable")).seconds,
            )
            print(
                f"{bound_w:,.0f} W, {policy.name}: {len(problem.jobs) / ours:,.0f} jobs/s, "
                f"{ours / moldable:.2f} x the loop of moldable without a bound"
            )


def thesis() -> None:
    scenario = load("thesis-rmap")
    replication = replicate(scenario, 0)
    problem, policy = replication.problem(8000.0, "random-1"), adaptive_policy()
    whole, loop = [], []
    for _ in range(200):
        began = time.perf_counter()
        run = policy.schedule(problem)
        whole.append(time.perf_counter() - began)
        loop.append(run.seconds)
    print(
        f"30 jobs of the thesis, Adaptive: {1e3 * np.median(whole):.2f} ms, of which the loop "
        f"{1e3 * np.median(loop):.3f} ms"
    )


def main() -> None:
    import tempfile

    easy()
    thesis()
    with tempfile.TemporaryDirectory() as folder:
        bounded(mapped(Path(folder)))


if __name__ == "__main__":
    main()
