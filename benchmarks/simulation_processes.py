"""What a user waits for and what memory it takes: whole processes."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.simulation_cases import synthetic_log

FIRST_TARGET_S = 10.0
NEXT_TARGET_S = 1.0
MEMORY_TARGET_MB = 60.0
MEMORY_JOBS = 300_000
MEMORY_LOAD = 0.6

_READ = """
import sys, time
from scenarios.job_logs.reader import read_job_log
began = time.perf_counter(), time.process_time()
read_job_log(sys.argv[1])
print(time.perf_counter() - began[0], time.process_time() - began[1])
"""

_MEMORY = """
import sys
from dataclasses import replace
import numpy as np
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.measures import measure
from planner.scheduling.simulation.simulate import simulate
from scenarios.job_logs.lublin import lublin_log
small = lublin_log(100, 256, 0, load=0.6)
policy = find_policy(sys.argv[2])
measure(simulate(small, policy).schedule)
def most():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
before = most()
with np.load(sys.argv[1]) as arrays:
    log = replace(small, **arrays)
held = most()
found = simulate(log, policy)
simulated = most()
measure(found.schedule)
print(held - before, simulated - before, most() - before)
"""
_ARRAYS = (
    "number", "submit_s", "run_s", "processors", "requested_s", "user", "group", "queue",
    "partition", "wait_s",
)  # fmt: skip


def commands(traces: list[str]) -> None:
    """The first command after installation and the next ones; wall and CPU."""
    for trace in traces:
        with tempfile.TemporaryDirectory() as cache:
            command = [sys.executable, "-m", "planner", "simulate", trace, "--quiet"]
            first = _process(command, cache)
            later = min(_process(command, cache) for _ in range(5))
            reading = (0.0, 0.0)
            if trace != "lublin":
                text = [sys.executable, "-c", _READ, trace]
                reading = min(_printed(text, cache) for _ in range(5))
        name = Path(trace).name.removesuffix(".swf.gz")
        print(
            f"  {name}: first {first[0]:.2f} s, CPU {first[1]:.2f} s (target "
            f"{FIRST_TARGET_S:g} s); next {later[0]:.2f} s, CPU {later[1]:.2f} s, of which "
            f"reading {reading[0]:.2f} s: {later[0] - reading[0]:.2f} s above it, CPU "
            f"{later[1] - reading[1]:.2f} s (target {NEXT_TARGET_S:g} s)"
        )


def _environment(cache: str) -> dict[str, str]:
    return os.environ | {"NUMBA_CACHE_DIR": cache}


def _process(command: list[str], cache: str) -> tuple[float, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=_environment(cache))
    took = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return took, cpu


def _printed(command: list[str], cache: str) -> tuple[float, float]:
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, env=_environment(cache)
    )
    wall, cpu = done.stdout.split()
    return float(wall), float(cpu)


def memory(policies: tuple[str, ...]) -> None:
    """Growth of a child over what it took with everything imported and compiled.

    Linux says what the process itself took at most; ``ru_maxrss`` counts the parent's, too.
    """
    if not Path("/proc/self/status").exists():
        print("  not measured: this system has no /proc")
        return
    log = synthetic_log(MEMORY_JOBS, MEMORY_LOAD)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.npz"
        np.savez(path, **{name: getattr(log, name) for name in _ARRAYS})
        for policy in policies:
            command = [sys.executable, "-c", _MEMORY, str(path), policy]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            held, simulated, measured = map(float, done.stdout.split())
            print(
                f"  {policy}: {simulated:.0f} MB (target {MEMORY_TARGET_MB:g} MB), of which the "
                f"log {held:.0f} MB; {measured:.0f} MB with the measures"
            )
