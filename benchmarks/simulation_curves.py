"""What the simulator costs over the length of the log and over the queue: tables and drawings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from benchmarks.simulation_cases import synthetic_log, timed
from planner.scheduling.policies.conservative import plans_made
from planner.scheduling.simulation.simulate import problem_of

POLICIES = ("fcfs", "easy", "conservative", "easy++", "sjf-easy")
LENGTHS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
MODERATE = 0.6
"""Load at which the queue does not grow with the length of the log."""

QUEUES = (
    *((20_000, load) for load in (0.3, 0.5, 0.7, 0.9, 1.1, 1.3, 2.0, 4.0)),
    *((150_000, load) for load in (1.1, 1.3, 1.5)),
)
"""Jobs and load; the queue of an overloaded log grows with its length."""

PATIENCE = 20_000
"""Conservative backfilling is spared longer ones of these."""

OVERLOAD, OVERLOADED = 1.3, (20_000, 50_000, 100_000)
"""Load, and jobs of the logs on which conservative backfilling and Maui are measured."""

Curve = list[tuple[float, float]]


def over_length(lengths: Sequence[int]) -> dict[str, Curve]:
    """Microseconds a job, by policy, over the number of jobs."""
    curves: dict[str, Curve] = {policy: [] for policy in POLICIES}
    print(f"microseconds a job over the length of a Lublin log of load {MODERATE}")
    print(f"{'jobs':>10}" + "".join(f"{policy:>14}" for policy in POLICIES))
    for jobs in lengths:
        for policy in POLICIES:
            run = timed(synthetic_log(jobs, MODERATE), policy)
            curves[policy].append((jobs, 1e6 / run.rate))
        shown = "".join(f"{curves[policy][-1][1]:14.3f}" for policy in POLICIES)
        print(f"{jobs:10,}{shown}", flush=True)
    return curves


def over_queue(logs: Sequence[tuple[int, float]]) -> dict[str, Curve]:
    """Microseconds a job, by policy, over the mean number of jobs that wait while others arrive."""
    curves: dict[str, Curve] = {policy: [] for policy in POLICIES}
    print("microseconds a job (mean queue) over jobs and load of a Lublin log")
    print(f"{'jobs':>8}{'load':>6}" + "".join(f"{policy:>18}" for policy in POLICIES))
    for jobs, load in logs:
        shown = ""
        for policy in POLICIES:
            if policy == "conservative" and jobs > PATIENCE:
                shown += f"{'-':>18}"
                continue
            run = timed(synthetic_log(jobs, load), policy)
            curves[policy].append((run.queue, 1e6 / run.rate))
            shown += f"{1e6 / run.rate:9.3f} ({run.queue:6.0f})"
        print(f"{jobs:8,}{load:6.1f}{shown}", flush=True)
    return curves


def over_changes(lengths: Sequence[int]) -> None:
    """Conservative backfilling and Maui under overload: CPU time, changed plans, exponents."""
    print(f"over the length of a Lublin log of load {OVERLOAD}, with exponents from row to row")
    titles = ("conservative (s)", "changed plans", "maui (s)")
    print(f"{'jobs':>10}" + "".join(f"{title:>17}{'exponent':>10}" for title in titles))
    before: tuple[float, ...] = ()
    for jobs in lengths:
        log = synthetic_log(jobs, OVERLOAD)
        changes = plans_made(problem_of(log)[0]) - jobs
        row = (timed(log, "conservative").cpu_s, float(changes), timed(log, "maui").cpu_s, jobs)
        exponents = [""] * 3
        if before:
            growth = [math.log(now / then) for now, then in zip(row, before, strict=True)]
            exponents = [f"{value / growth[-1]:.2f}" for value in growth[:-1]]
        columns = (f"{row[0]:17.2f}", f"{changes:17,}", f"{row[2]:17.3f}")
        shown = "".join(f"{a}{b:>10}" for a, b in zip(columns, exponents, strict=True))
        print(f"{jobs:10,}{shown}", flush=True)
        before = row


def draw(curves: dict[str, Curve], label: str, path: Path) -> None:
    """Draw curves on logarithmic scales, as PNG and SVG."""
    import logging

    from matplotlib.figure import Figure

    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.add_subplot()
    for policy, curve in curves.items():
        axes.plot(*zip(*sorted(curve), strict=True), marker="o", markersize=4, label=policy)
    axes.set(xscale="log", yscale="log", xlabel=label, ylabel="microseconds a job")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    for suffix in (".png", ".svg"):
        figure.savefig(path.with_suffix(suffix), dpi=150)
    print(f"  drawn: {path}.png, {path}.svg")
