"""Rivals of the simulator: a queue scanned in plain Python, the literal loop of the tests, AccaSim.

AccaSim runs in an environment of its own (``pip install accasim``), whose Python is named. Its last
release, 1.1.3, imports abstract classes from ``collections``, which Python 3.10 took away; they are
put back before it is imported. It reads and writes while it simulates; so what it takes is compared
with ours with reading and writing. It writes through child processes, whose CPU, three times its
own, is not counted.
"""

from __future__ import annotations

import heapq
import json
import subprocess
import tempfile
import time
from bisect import bisect_left, insort
from pathlib import Path

import numpy as np

from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.schedule_file import write_schedule
from planner.scheduling.simulation.simulate import simulate
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log
from scenarios.job_logs.write_swf import write_swf
from tests.planner.scheduling.policies import oracle

_ACCASIM = """
import collections, collections.abc, resource
for name in ("Callable", "Iterable", "Mapping", "MutableMapping", "Sequence"):
    setattr(collections, name, getattr(collections.abc, name))
from accasim.base.allocator_class import FirstFit
from accasim.base.scheduler_class import EASYBackfilling, FirstInFirstOut
from accasim.base.simulator_class import Simulator
def used():
    use = resource.getrusage(resource.RUSAGE_SELF)
    return use.ru_utime + use.ru_stime
policy = {"easy": EASYBackfilling, "fcfs": FirstInFirstOut}[POLICY](FirstFit())
began = used()
Simulator("log.swf", "machine.json", policy, LOG_LEVEL="ERROR").start_simulation()
print("took", used() - began)
"""


def plain_easy(log: JobLog, machine: int) -> tuple[list[int], float]:
    """EASY over lists and a heap; the whole queue is scanned at every pass. Starts and CPU [s]."""
    arrays = (log.submit_s, log.run_s, log.processors, log.requested_s)
    submit, run, wanted, estimate = (array.tolist() for array in arrays)
    count = len(submit)
    began = time.process_time()
    starts, expected = [-1] * count, [0] * count
    ends: list[tuple[int, int, int]] = []
    held: list[tuple[int, int]] = []
    waiting: list[int] = []
    free, arrived, counter, now = machine, 0, 0, 0

    def start(job: int) -> None:
        nonlocal free, counter
        starts[job], expected[job] = now, now + estimate[job]
        counter += 1
        heapq.heappush(ends, (now + run[job], counter, job))
        insort(held, (expected[job], job))
        free -= wanted[job]

    while arrived < count or ends:
        arrival = arrived < count and (not ends or submit[arrived] <= ends[0][0])
        now = submit[arrived] if arrival else ends[0][0]
        while held and held[0][0] <= now:
            free += wanted[held.pop(0)[1]]
        if arrival:
            waiting.append(arrived)
            arrived += 1
            if wanted[waiting[-1]] > free:
                continue
        else:
            job = heapq.heappop(ends)[2]
            if expected[job] > now:
                del held[bisect_left(held, (expected[job], job))]
                free += wanted[job]
        while waiting and wanted[waiting[0]] <= free:
            start(waiting.pop(0))
        if not waiting or free == 0:
            continue
        extra, at = free - wanted[waiting[0]], 0
        shadow = now
        while extra < 0 or (at < len(held) and held[at][0] == shadow):
            shadow = held[at][0]
            extra += wanted[held[at][1]]
            at += 1
        remaining = waiting[:1]
        for job in waiting[1:]:
            short = now + estimate[job] <= shadow
            if wanted[job] <= free and (short or wanted[job] <= extra):
                start(job)
                extra -= 0 if short else wanted[job]
            else:
                remaining.append(job)
        waiting = remaining
    return starts, time.process_time() - began


def literal(log: JobLog, machine: int, policy: str) -> tuple[list[int], float]:
    """Return the event loop that the tests compare with; starts and CPU [s]."""
    columns = (log.submit_s, log.run_s, log.processors, log.requested_s, log.user)
    submit, run, processors, requested, user = (column.tolist() for column in columns)
    rows = list(zip(submit, run, processors, requested, user, strict=True))
    began = time.process_time()
    return oracle.starts(machine, rows, policy), time.process_time() - began


def accasim(python: str, log: JobLog, machine: int, policy: str) -> tuple[float, float]:
    """CPU of AccaSim and ours [s], with reading and writing; one node with all processors."""
    with tempfile.TemporaryDirectory() as folder:
        write_swf(Path(folder) / "log.swf", log)
        system = {
            "groups": {"node": {"core": machine}},
            "resources": {"node": 1},
            "equivalence": {"processor": {"core": 1}},
            "start_time": 0,
        }
        (Path(folder) / "machine.json").write_text(json.dumps(system))
        text = _ACCASIM.replace("POLICY", repr(policy))
        done = subprocess.run(
            [python, "-c", text], cwd=folder, capture_output=True, text=True, check=False
        )
        ours = min(_from_file_to_file(Path(folder), policy) for _ in range(5))
    took = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("took ")]
    if not took:
        raise SystemExit(f"failed: AccaSim: {done.stderr.strip()[-300:]}")
    return float(took[0]), ours


def _from_file_to_file(folder: Path, policy: str) -> float:
    began = time.process_time()
    result = simulate(read_job_log(folder / "log.swf"), find_policy(policy))
    write_schedule(result.schedule, folder / "schedule.csv")
    return time.process_time() - began


def same(starts: list[int], expected: object, rival: str) -> None:
    """Stop if two answers differ."""
    if not np.array_equal(np.asarray(starts), np.asarray(expected)):
        raise SystemExit(f"failed: {rival} starts jobs at other times")
