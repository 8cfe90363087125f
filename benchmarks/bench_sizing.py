"""Sizing of a machine: bisection against a scan over all sizes, in the same run.

The scan tries every size from that for all work without a pause to a fifth above the answer; that
the answer and the one below it are as the scan has them is asserted. Loops warm, CPU of this
process, without reading.

    python benchmarks/bench_sizing.py [small]
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from benchmarks.simulation_cases import have_traces, synthetic_log, trace
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.settings import SimulationSettings
from planner.scheduling.simulation.simulate import simulate
from planner.scheduling.sizing.growth import LogGrowth, grow
from planner.scheduling.sizing.level import ServiceLevel, parse_level
from planner.scheduling.sizing.result import SizeFor
from planner.scheduling.sizing.sizing import bounds_of, size_for
from planner.scheduling.sizing.study import size
from scenarios.job_logs.job_log import JobLog

LEVEL = "p95-bounded-slowdown<=20"
GROWTH = 1.5
RESAMPLES = 20
_Thing = TypeVar("_Thing")


def timed(work: Callable[[], _Thing]) -> tuple[_Thing, float]:
    began = time.process_time()
    return work(), time.process_time() - began


def scan(
    log: JobLog, policy: str, level: ServiceLevel, rules: SimulationSettings, sizes: range
) -> dict[int, bool]:
    met = {}
    for nodes in sizes:
        processors = nodes * rules.node_processors
        schedule = simulate(
            log, POLICIES[policy], processors=processors, node_processors=rules.node_processors
        ).schedule
        met[nodes] = level.keeps(level.value(schedule))
    return met


def against_scan(name: str, log: JobLog, node_processors: int, policy: str) -> None:
    level, rules = parse_level(LEVEL), SimulationSettings(node_processors=node_processors)
    grown = grow(log, LogGrowth(GROWTH), np.random.default_rng(0)).log
    simulate(grown, POLICIES[policy], processors=node_processors * bounds_of(grown, 1).largest)
    result, ours_s = timed(lambda: size_for(grown, POLICIES[policy], level, rules))
    nodes = result.nodes or 0
    sizes = range(bounds_of(grown, node_processors).work, nodes + nodes // 5)
    met, scan_s = timed(lambda: scan(grown, policy, level, rules, sizes))
    if not met.get(nodes, False) or met.get(nodes - 1, False):
        raise RuntimeError(f"{name}: the scan has another answer beside {nodes}")
    missed = sorted(size_ for size_ in sizes if size_ > nodes and not met[size_])
    print(
        f"  {policy} on {name}, {len(grown):,} jobs: {nodes:,} nodes, {len(result.tried)} sizes in "
        f"{ours_s:.2f} s; a scan of {len(sizes)} sizes takes {scan_s / ours_s:.1f} times as long; "
        f"larger sizes that fail and were not tried: {missed or 'none'}",
        flush=True,
    )


def whole(name: str, log: JobLog, node_processors: int, policy: str) -> None:
    question = SizeFor(parse_level(LEVEL), LogGrowth(GROWTH), RESAMPLES)
    rules = SimulationSettings(node_processors=node_processors)
    study, took = timed(lambda: size(log, [POLICIES[policy]], question, rules))
    drawn_sizes = study.resampled[0]
    print(
        f"  {policy} on {name} with {RESAMPLES} draws: {took:.1f} s, "
        f"{study.sizings[0].nodes} nodes, nine in ten draws {drawn_sizes.low} to "
        f"{drawn_sizes.high}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("size", nargs="?", choices=["small"])
    small = parser.parse_args().size == "small"
    print(f"load of this machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{LEVEL} at {GROWTH:g} times the work")
    cases = [("Lublin, load 0.8", synthetic_log(8_000 if small else 30_000, 0.8), 1)]
    if have_traces():
        cases.append(("SDSC-SP2", trace("SDSC-SP2"), 1))
        cases += [] if small else [("SDSC-BLUE", trace("SDSC-BLUE"), 8)]
    for name, log, node_processors in cases:
        against_scan(name, log, node_processors, "easy")
        whole(name, log, node_processors, "easy")
    against_scan("Lublin, load 0.8", synthetic_log(8_000, 0.8), 1, "conservative")


if __name__ == "__main__":
    main()
