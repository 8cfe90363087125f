"""The command line as a user feels it: whole processes, against bare Python and an older checkout.

``python -m benchmarks.bench_cli`` prints the median wall time of several runs after a warm-up, and
the ratio to the rival in the same run. ``python -m benchmarks.bench_cli FOLDER`` compares the CPU
seconds of plans, all child processes included, with those of another checkout in FOLDER; the two
take turns, and the least of several runs counts. ``--full`` adds the long questions.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RUNS = 7
HERE = Path(__file__).resolve().parents[1]
PLANS = ((3, ("thesis-7kw",)), (2, ("rfp-center",)))
FULL = ((1, ("rfp-center", "--full")),)
_START = "import sys; sys.path.insert(0, {!r}); from headroom import run; run()"


def median_s(command: list[str], folder: str) -> float:
    """Median wall time of a command."""
    times = []
    for _ in range(RUNS + 1):
        began = time.perf_counter()
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        times.append(time.perf_counter() - began)
    return statistics.median(times[1:])


def cpu_s(checkout: Path, arguments: tuple[str, ...], folder: str) -> float:
    """CPU seconds of ``headroom plan`` from a checkout, its children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = _START.format(str(checkout))
    words = [sys.executable, "-P", "-c", start, "plan", *arguments, "-q", "-o", "out"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def against(checkout: Path, plans: tuple[tuple[int, tuple[str, ...]], ...]) -> None:
    """CPU seconds of plans, here and in another checkout, each in so many turns."""
    for turns, arguments in plans:
        times: dict[Path, list[float]] = {HERE: [], checkout: []}
        for _ in range(turns):
            for tree, times_s in times.items():
                with tempfile.TemporaryDirectory() as folder:
                    times_s.append(cpu_s(tree, arguments, folder))
        mine, rival = min(times[HERE]), min(times[checkout])
        name = " ".join(("headroom plan", *arguments))
        print(f"{name:<35} {mine:8.1f} CPU s  {mine / rival:6.2f} x {rival:.1f} CPU s")


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
    rivals = [Path(argument).resolve() for argument in sys.argv[1:] if argument != "--full"]
    if rivals:
        against(rivals[0], (*PLANS, *(FULL if "--full" in sys.argv else ())))
    else:
        main()
