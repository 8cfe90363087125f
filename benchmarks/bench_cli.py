"""The command line as a user feels it: whole processes, against bare Python.

Prints the median of several runs after a warm-up and the ratio to the rival in the same run.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 7


def median_s(command: list[str], folder: str) -> float:
    """Median wall time of a command."""
    times = []
    for _ in range(RUNS + 1):
        began = time.perf_counter()
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:])


def main() -> None:
    headroom = [sys.executable, "-m", "planner"]
    with tempfile.TemporaryDirectory() as folder:
        bare = median_s([sys.executable, "-c", "pass"], folder)
        click = median_s([sys.executable, "-c", "import click"], folder)
        help_s = median_s([*headroom, "--help"], folder)
        check_s = median_s([*headroom, "check", "thesis-7kw"], folder)
        plan_s = median_s([*headroom, "plan", "thesis-7kw"], folder)
    print(f"bare Python                 {1000 * bare:8.1f} ms")
    print(f"import click                {1000 * click:8.1f} ms  {click / bare:6.1f} x bare")
    ratio = help_s / bare
    print(f"headroom --help             {1000 * help_s:8.1f} ms  {ratio:6.1f} x bare (target 5)")
    print(f"headroom check thesis-7kw   {1000 * check_s:8.1f} ms  {check_s / bare:6.1f} x bare")
    print(f"headroom plan thesis-7kw    {1000 * plan_s:8.1f} ms  (target 5,000 ms, with the PDF)")


if __name__ == "__main__":
    main()
