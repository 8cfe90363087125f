"""CPU of whole commands in rulers, against a budget each: warm, and at the first use.

``python -m benchmarks.bench_budgets`` runs every command with its loops compiled before, and
``--first`` with an empty cache; words after it choose the commands that contain them. A ruler is
20 million additions in a Python function, the least of three in the same run. CPU seconds count all
processes. ``--with PYTHON`` takes another environment, such as one with the wheel.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.shared_data import COMMUNICATION, TRACES

SP2 = TRACES / "SDSC-SP2-10k.swf.gz"
LU = COMMUNICATION / "lu.W.64.p2p.bytes.csv"
RUNS = "sample/runs.csv"
PAIRS = "pair,a,b,c,d\na,.9,.8,.7,.6\nb,.9,.8,.7,.6\nc,.9,.8,.7,.6\nd,.9,.8,.7,.6\n"

BUDGETS: tuple[tuple[str, float, float], ...] = (
    ("plan rfp-center -o out", 16, 16),
    ("plan rfp-center", 10, 10),
    ("plan thesis-7kw -o out", 2.5, 2.5),
    (f"simulate {SP2}", 1.2, 13),
    ("simulate lublin --jobs 2000 --processors 64", 4, 4),
    ("schedule thesis-table-5-2", 4, 4),
    ("schedule thesis-rmap --seeds 1 -o out", 6, 28),
    (f"place {LU} --ranks-per-node 8", 2.5, 45),
    (f"configure {RUNS} --power-bound 3500 -o out", 5, 5),
    (f"share {RUNS} --power-bound 6000 --nodes 64 -o out", 5, 15),
    ("aggregate lu -o out", 5, 15),
    ("colocate pairs.csv -o out", 5, 15),
    ("price poppa-12-codes -o out", 20, 38),
)
"""Command, and its budgets [rulers] warm and at the first use from a checkout."""


def ruler() -> float:
    """CPU seconds of 20 million additions, the least of three."""
    return min(_additions() for _ in range(3))


def _additions() -> float:
    began = time.process_time()
    total = 0
    for number in range(20_000_000):
        total += number
    return time.process_time() - began


def cpu_s(python: str, words: list[str], folder: str, cache: str) -> float:
    """CPU seconds of a command and its children, with compiled loops in a folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [python, "-m", "planner", *words],
        cwd=folder,
        env=os.environ | {"NUMBA_CACHE_DIR": cache},
        check=True,
        capture_output=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(python: str, line: str, *, first: bool) -> float:
    """CPU seconds of a command at its first use, or of its second use."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
        cpu_s(python, ["init", "sample"], folder, cache)
        (Path(folder) / "pairs.csv").write_text(PAIRS)
        spent = cpu_s(python, line.split(), folder, cache)
        if first:
            return spent
        return cpu_s(python, [*line.replace("-o out", "-o again").split()], folder, cache)


def chosen(words: list[str]) -> Iterator[tuple[str, float, float]]:
    """The commands that contain one of the words; all where there are none."""
    for line, warm, cold in BUDGETS:
        if not words or any(word in line for word in words):
            yield line, warm, cold


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--with", dest="python", default=sys.executable)
    options = parser.parse_args()
    for line, warm, cold in chosen(options.words):
        unit = ruler()
        spent = measured(options.python, line, first=options.first) / unit
        budget = cold if options.first else warm
        print(f"{spent:7.1f} of {budget:5.1f} rulers {'' if spent <= budget else '!'} {line}")


if __name__ == "__main__":
    main()
