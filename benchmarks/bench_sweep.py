"""Sweeps of cheap cases: cases a second and memory, against a loop that only plans them.

The sweep answers 100,000 utilisations of hopper-2010 into a folder, in one process. The loop
replaces the value and plans, for 1,000 of the cases; that both have the same numbers is
asserted. Memory is the largest resident size of the process, before and after.

    python benchmarks/bench_sweep.py [small]
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from typing import TypeVar

import headroom as hr

SCENARIO, KEY, NUMBER = "hopper-2010", "machine.utilisation", "cost_per_core_hour"
PLANNED = 1000
_Thing = TypeVar("_Thing")


def timed(work: Callable[[], _Thing]) -> tuple[_Thing, float]:
    began = time.process_time()
    return work(), time.process_time() - began


def planned(values: list[float]) -> list[float]:
    scenario = hr.load(SCENARIO)
    cases = (hr.with_values(scenario, {KEY: value}) for value in values)
    return [hr.plan(case).numbers()[NUMBER] for case in cases]


def largest_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description="Sweeps of cheap cases.")
    parser.add_argument("size", nargs="?", default="whole", choices=["small", "whole"])
    count = 2_000 if parser.parse_args().size == "small" else 100_000
    values = [0.2 + 0.8 * place / count for place in range(count)]
    some = slice(None, None, count // PLANNED)
    planned(values[:10])
    few, loop_s = timed(lambda: planned(values[some]))
    before = largest_mib()
    with tempfile.TemporaryDirectory() as folder:
        frame, sweep_s = timed(lambda: hr.sweep(SCENARIO, {KEY: values}, keep=folder))
        again, read_s = timed(lambda: hr.sweep(SCENARIO, {KEY: values}, keep=folder))
    if frame[NUMBER].tolist()[some] != few or not again.equals(frame):
        raise RuntimeError("the sweep has other numbers than the loop")
    each, alone = sweep_s / count, loop_s / len(few)
    print(
        f"  {count:,} cases of {SCENARIO}: {1 / each:,.0f} a second of CPU, {each / alone:.2f} "
        f"times as long as planning alone; read back in {read_s:.1f} s; memory {before:.0f} MiB "
        f"before, at most {largest_mib():.0f} MiB"
    )


if __name__ == "__main__":
    main()
