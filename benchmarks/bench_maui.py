"""The Maui-like scheduler: jobs per second, beside EASY and the literal loop; a case of a study.

CPU time of one core, loops warm, best of several runs, without reading. The starts of the literal
loop are asserted to be ours. Without the logs a drawn one is played.

    python benchmarks/bench_maui.py [small]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable

import numpy as np

from benchmarks.simulation_cases import (
    have_traces,
    synthetic_log,
    timed,
    trace,
)
from planner.scheduling.estimates.cases import case_of, play
from planner.scheduling.estimates.tools import BoundedErrorOracle
from planner.scheduling.estimates.workload import workload_of
from planner.scheduling.policies.maui import Maui
from planner.scheduling.simulation.simulate import problem_of
from scenarios.job_logs.job_log import JobLog
from scenarios.maui.reader import bundled_maui
from tests.planner.scheduling.policies import maui_oracle

MILLION = 1e6
TARGET = 0.5
"""Million jobs per second of the loop alone."""

LITERAL_JOBS, LITERAL_JOBS_SMALL = 1000, 200
CASES, CASES_WITHIN_S, CORES = 1210, 600, 2
"""Eleven uptakes, eleven errors and ten seeds of SDSC-BLUE in ten minutes on two cores."""

RUNS = 5


def cpu_s(work: Callable[[], object], runs: int = RUNS) -> float:
    """CPU seconds of the best run."""
    least = float("inf")
    for _ in range(runs):
        began = time.process_time()
        work()
        least = min(least, time.process_time() - began)
    return least


def rate(log: JobLog, name: str) -> None:
    """Jobs per second, and how many times as long as EASY takes."""
    ours, easy = timed(log, "maui"), timed(log, "easy")
    print(
        f"  maui on {name}: {ours.rate / MILLION:.2f} million jobs/s (target {TARGET:g}), mean "
        f"queue {ours.queue:,.0f}; {ours.cpu_s / easy.cpu_s:.1f} times as long as easy",
        flush=True,
    )


def one_case(log: JobLog, name: str) -> None:
    """A simulation of the study of estimates, with its estimates and its outcome."""
    workload, configuration = workload_of(log), bundled_maui()
    case = case_of(BoundedErrorOracle(0.1), 0.6, 0)
    took = cpu_s(lambda: play(workload, configuration, case, [0]))
    whole = took * CASES / CORES
    print(
        f"  a case of the study on {name}: {took:.3f} s; {CASES:,} of them on {CORES} cores in "
        f"{whole / 60:.1f} min (target {CASES_WITHIN_S / 60:g})",
        flush=True,
    )


def literal(log: JobLog, jobs: int) -> None:
    """The nine stages of the tests, every iteration and every job, on the first jobs."""
    few = log.take(np.arange(min(jobs, len(log))))
    few = few.take(few.processors <= (log.machine_processors or 0))
    problem, _ = problem_of(few)
    configuration = bundled_maui()
    rows = [
        (int(s), int(r), int(p), int(e), int(e), {"user": str(u), "group": "0", "queue": "0"})
        for s, r, p, e, u in zip(*problem.jobs, problem.user, strict=True)
    ]
    began = time.process_time()
    expected = maui_oracle.played(problem.processors, configuration, rows)
    theirs = time.process_time() - began
    schedule = Maui(configuration).schedule(problem)
    if schedule.start_s.tolist() != [job.start for job in expected]:
        raise SystemExit("failed: the literal loop starts jobs at other times")
    ours = cpu_s(lambda: Maui(configuration).schedule(problem), 50)
    print(
        f"  the literal loop of the tests ({len(few):,} jobs): {theirs:.3g} s, "
        f"{theirs / ours:,.0f} times as long as ours",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("size", nargs="?", choices=["small"])
    small = parser.parse_args().size == "small"
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    names = ("SDSC-SP2",) if small else ("SDSC-SP2", "SDSC-BLUE")
    logs = {name: trace(name) for name in names} if have_traces() else {}
    logs = logs or {"Lublin, load 0.8": synthetic_log(5_000 if small else 50_000, 0.8)}
    for name, log in logs.items():
        rate(log, name)
        one_case(log, name)
    literal(next(iter(logs.values())), LITERAL_JOBS_SMALL if small else LITERAL_JOBS)


if __name__ == "__main__":
    main()
