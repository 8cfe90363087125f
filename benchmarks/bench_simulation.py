"""The simulator: jobs per second, first use, memory, curves, and rivals in the same run.

CPU of one core, loops warm, best of several runs, without reading. Where the published schedules
are there, all their starts are asserted; where they are not, only drawn logs are played.

    python benchmarks/bench_simulation.py [small] [--out FOLDER] [--accasim PYTHON]
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np

from benchmarks.simulation_cases import (
    check_references,
    have_traces,
    path_of,
    synthetic_log,
    timed,
    trace,
)
from benchmarks.simulation_curves import (
    LENGTHS,
    OVERLOADED,
    QUEUES,
    draw,
    over_changes,
    over_length,
    over_queue,
)
from benchmarks.simulation_processes import commands, memory
from benchmarks.simulation_rivals import (
    accasim,
    literal,
    plain_easy,
    same,
)
from planner.scheduling.simulation.checker import violations
from scenarios.job_logs.job_log import JobLog

MILLION = 1e6
TARGETS = (
    ("SDSC-SP2", "fcfs", 10.0),
    ("SDSC-BLUE", "fcfs", 10.0),
    ("SDSC-SP2", "easy", 8.0),
    ("SDSC-BLUE", "easy", 7.0),
    ("SDSC-SP2", "conservative", 1.0),
)
"""Trace, policy, million jobs per second; of conservative backfilling at least 0.3."""

OVERLOADED_JOBS, OVERLOAD = 60_000, 1.5
LITERAL_JOBS = 300
CHECKED = (("SDSC-SP2", "easy"), ("SDSC-BLUE", "easy"), ("SDSC-SP2", "conservative"))


def targets() -> None:
    for name, policy, target in TARGETS:
        if have_traces():
            show_rate(trace(name), name, policy, target)
    log = synthetic_log(OVERLOADED_JOBS, OVERLOAD)
    show_rate(log, f"Lublin, load {OVERLOAD}, {len(log):,} jobs", "easy", 1.0)
    if not have_traces():
        show_rate(log, f"Lublin, load {OVERLOAD}, {len(log):,} jobs", "fcfs", 10.0)
        show_rate(synthetic_log(20_000, 0.6), "Lublin, load 0.6", "conservative", 1.0)


def show_rate(log: JobLog, name: str, policy: str, target: float) -> None:
    run = timed(log, policy)
    print(
        f"  {policy} on {name}: {run.rate / MILLION:.2f} million jobs/s (target {target:g}), "
        f"mean queue {run.queue:,.0f}",
        flush=True,
    )


def rivals(python: str | None) -> None:
    log = trace("SDSC-SP2") if have_traces() else synthetic_log(50_000, 0.7)
    machine = log.machine_processors or 0
    ours = timed(log, "easy")
    starts, took = plain_easy(log, machine)
    same(starts, ours.schedule.start_s, "EASY in plain Python")
    show_ratio("EASY in plain Python, the queue scanned", log, took, ours.cpu_s)
    busy = synthetic_log(20_000, OVERLOAD)
    ours = timed(busy, "easy")
    starts, took = plain_easy(busy, busy.machine_processors or 0)
    same(starts, ours.schedule.start_s, "EASY in plain Python")
    show_ratio(f"the same, mean queue {ours.queue:,.0f}", busy, took, ours.cpu_s)
    few = log.take(np.arange(LITERAL_JOBS))
    for policy in ("easy", "conservative"):
        ours = timed(few, policy)
        starts, took = literal(few, machine, policy)
        same(starts, ours.schedule.start_s, f"the literal loop ({policy})")
        show_ratio(f"the literal loop of the tests, {policy}", few, took, ours.cpu_s)
    if python is None:
        print("  AccaSim: not asked for (--accasim PYTHON, of an environment that has it)")
        return
    log = trace("SDSC-SP2-10k") if have_traces() else synthetic_log(10_000, 0.7)
    for policy in ("fcfs", "easy"):
        took, our_s = accasim(python, log, log.machine_processors or 0, policy)
        show_ratio(f"AccaSim, {policy}, both with reading and writing", log, took, our_s)


def checkers() -> None:
    """Microseconds a job of the independent checkers, which must find nothing."""
    cases = [(name, trace(name), policy) for name, policy in CHECKED] if have_traces() else []
    drawn = synthetic_log(20_000, 0.7)
    cases += [("Lublin, load 0.7", drawn, policy) for policy in ("easy", "conservative")]
    for name, log, policy in cases:
        schedule = timed(log, policy).schedule
        least_s = float("inf")
        for _ in range(3):
            began = time.process_time()
            if violations(schedule, policy=policy):
                raise SystemExit(f"failed: {policy} on {name} breaks its own rules")
            least_s = min(least_s, time.process_time() - began)
        print(f"  {policy} on {name}: {MILLION * least_s / len(log):.2f} us a job", flush=True)


def show_ratio(rival: str, log: JobLog, theirs_s: float, ours_s: float) -> None:
    print(
        f"  {rival} ({len(log):,} jobs): {theirs_s:.3g} s, "
        f"{theirs_s / ours_s:,.0f} times as long as ours",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("size", nargs="?", choices=["small"])
    parser.add_argument("--out", type=Path, help="folder for the drawings")
    parser.add_argument("--accasim", help="a Python that has AccaSim")
    given = parser.parse_args()
    small = given.size == "small"
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if have_traces():
        print("published schedules")
        check_references()
    print("speed")
    targets()
    print("checkers")
    checkers()
    print("rivals")
    rivals(given.accasim)
    print("processes")
    traces = [str(path_of(name)) for name in ("SDSC-SP2", "SDSC-BLUE") if have_traces()]
    commands(["lublin", *traces])
    print("growth of memory, 300,000 jobs")
    memory(("easy",) if small else ("fcfs", "easy", "conservative", "easy++", "sjf-easy"))
    by_length = over_length(LENGTHS[:4] if small else LENGTHS)
    by_queue = over_queue(QUEUES[:5] if small else QUEUES)
    over_changes(OVERLOADED[:2] if small else OVERLOADED)
    if given.out:
        given.out.mkdir(parents=True, exist_ok=True)
        draw(by_length, "jobs in the log", given.out / "simulation-length")
        draw(by_queue, "mean number of waiting jobs", given.out / "simulation-queue")
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
