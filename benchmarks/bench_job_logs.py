"""Reading job logs: lines per second against pandas and plain Python, memory, length.

All readers of a run read the same file, compiled loops warm; all must find the same jobs. Times
are the best of several, since other programs only ever lengthen them.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from scenarios.job_logs.reader import read_job_log
from scenarios.job_logs.swf import read_swf
from tests.shared_data import TRACES

TRACE = TRACES / "SDSC-BLUE.swf.gz"
TARGET = 3e6
LENGTHS = (10_000, 100_000, 1_000_000, 10_000_000)
Columns = NDArray[np.int64]

GROWTH = """
import sys
from pathlib import Path
from scenarios.job_logs.swf import read_swf
from tests.shared_data import TRACES

def kib(name):
    status = Path("/proc/self/status").read_text()
    return int(status.split(name + ":")[1].split()[0])

read_swf(sys.argv[1])
Path("/proc/self/clear_refs").write_text("5")
before = kib("VmRSS")
log = read_swf(sys.argv[2])
print((kib("VmHWM") - before) / 1024)
"""
"""Peak of a reading over what the process held before; ru_maxrss would be the parent's."""


def draw(path: Path, jobs: int) -> None:
    """A log as its lines usually are, from a fixed seed."""
    rng = np.random.default_rng(jobs)
    submit = np.cumsum(rng.integers(0, 600, jobs))
    requested = 60 * rng.integers(1, 2000, jobs)
    run = np.maximum(1, (requested * rng.random(jobs)).astype(np.int64))
    processors = 2 ** rng.integers(0, 10, jobs)
    user = rng.integers(1, 400, jobs)
    columns = (np.arange(1, jobs + 1), submit, run, processors, requested, user)
    with gzip.open(path, "wb", compresslevel=3) as stream:
        stream.write(b"; MaxProcs: 1152\n")
        for first in range(0, jobs, 100_000):
            rows = zip(
                *(column[first : first + 100_000].tolist() for column in columns), strict=True
            )
            lines = (
                f"{n} {s} -1 {r} {p} -1 -1 {p} {q} -1 1 {u} -1 -1 -1 -1 -1 -1\n"
                for n, s, r, p, q, u in rows
            )
            stream.write("".join(lines).encode())


PRINTED = "JobID|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|ReqMem|State|User|Partition"


def draw_printed(path: Path, jobs: int, steps: int) -> None:
    """What sacct prints of such a log, each job with so many steps."""
    rng = np.random.default_rng(jobs)
    submit = np.datetime64("2026-01-01T00:00:00") + np.cumsum(rng.integers(0, 60, jobs))
    start = submit + rng.integers(0, 20_000, jobs)
    run, limit = rng.integers(1, 90_000, jobs), 1800 * rng.integers(1, 48, jobs)
    processors, user = 2 ** rng.integers(0, 8, jobs), rng.integers(0, 300, jobs)
    columns = (submit, start, start + run, run, limit, processors, user)
    clock = [f"{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}" for s in range(90_000)]
    with path.open("w", encoding="utf-8") as stream:
        stream.write(f"{PRINTED}\n")
        for number, row in enumerate(zip(*columns, strict=True)):
            sent, began, ended, took, asked, cpus, who = row
            times = f"{sent}|{began}|{ended}|{clock[took]}|{clock[asked]}"
            rest = f"{cpus}|{2 * cpus}G|COMPLETED|u{who}|p{who % 4}\n"
            stream.write(f"{number}|{times}|{rest}")
            stream.writelines(f"{number}.{step}|{times}|{rest}" for step in range(steps))


def printed(folder: Path, jobs: int) -> None:
    """CPU of sacct's tables, with dates and spans of time as numbers, against pandas."""
    path = folder / "jobs.txt"
    draw_printed(path, 20_000, 0)
    read_job_log(path)
    for steps in (0, 3):
        draw_printed(path, jobs, steps)
        lines = jobs * (1 + steps)
        began = time.process_time()
        found = len(read_job_log(path))
        mine = time.process_time() - began
        began = time.process_time()
        table = pd.read_csv(path, sep="|", parse_dates=["Submit", "Start", "End"])
        for spans in ("Elapsed", "Timelimit"):
            table[spans] = pd.to_timedelta(table[spans])
        split = len(table)
        if (found, split) != (jobs, lines):
            raise SystemExit("failed: jobs or lines were lost")
        theirs = time.process_time() - began
        print(
            f"sacct, {lines:,} lines, {steps} steps a job: {lines / mine:,.0f} lines a second; "
            f"pandas {lines / theirs:,.0f}, we take {mine / theirs:.1f} times as long"
        )


def ours(path: Path) -> Columns:
    log = read_swf(path)
    return np.array([log.number, log.submit_s, log.run_s, log.processors, log.requested_s])


def with_pandas(path: Path) -> Columns:
    table = pd.read_csv(path, sep=" ", comment=";", header=None, dtype=np.int64)
    return table[[0, 1, 3, 7, 8]].to_numpy().T


def plainly(path: Path) -> Columns:
    jobs = []
    with gzip.open(path, "rt") as stream:
        for line in stream:
            if line[0] != ";":
                cells = line.split()
                jobs.append([int(cells[index]) for index in (0, 1, 3, 7, 8)])
    return np.array(jobs).T


def best(read: Callable[[Path], object], path: Path, times: int) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        read(path)
        taken.append(time.perf_counter() - began)
    return min(taken)


def unpack(path: Path) -> None:
    zlib.decompress(path.read_bytes(), 31)


def rivals(path: Path, name: str) -> None:
    columns = ours(path)
    for read in (with_pandas, plainly):
        if not np.array_equal(columns, read(path)):
            raise SystemExit(f"failed: {read.__name__} finds other jobs")
    lines = columns.shape[1]
    mine = best(read_swf, path, 15)
    print(
        f"{name}: {lines:,} jobs in {mine * 1e3:.0f} ms, {lines / mine / 1e6:.2f} million lines a "
        f"second (target {TARGET / 1e6:g}); zlib alone takes {best(unpack, path, 15) * 1e3:.0f} ms"
    )
    for read, words in ((with_pandas, "pandas.read_csv"), (plainly, "plain Python")):
        theirs = best(read, path, 3)
        print(f"  {words}: {theirs * 1e3:.0f} ms, {theirs / mine:.1f} times as long")


def growth(small: Path, path: Path, name: str) -> None:
    """Memory beyond the process that has read a small log, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", GROWTH, str(small), str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    print(f"{name}: memory grows by {float(done.stdout):.0f} MiB")


def main() -> None:
    lengths = LENGTHS[:2] if "small" in sys.argv else LENGTHS
    with tempfile.TemporaryDirectory() as folder:
        printed(Path(folder), 100_000 if "small" in sys.argv else 1_000_000)
        small = Path(folder) / "small.swf.gz"
        draw(small, 100)
        read_swf(small)
        if TRACE.is_file():
            rivals(TRACE, "SDSC-BLUE")
            growth(small, TRACE, "SDSC-BLUE")
        drawn = Path(folder) / "drawn.swf.gz"
        for jobs in lengths:
            draw(drawn, jobs)
            if jobs == 100_000:
                rivals(drawn, "drawn")
            mine = best(read_swf, drawn, 3)
            print(f"{jobs:,} drawn jobs: {mine:.3f} s, {mine / jobs * 1e9:.0f} ns a job")
            growth(small, drawn, f"{jobs:,} drawn jobs")


if __name__ == "__main__":
    main()
