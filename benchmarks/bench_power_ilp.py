"""ILP schedulers under a power bound: time of a decision by queue length and solver, in one run.

Eight simulated applications of class D with 375 configurations each, 64 nodes of which up to half
are busy, bounds from 6,500 to 14,720 W in turn (simulated; seeds from 0 on). Each solver decides
the same moments. Asserted: what two solvers start is worth the same within both gaps.

    python benchmarks/bench_power_ilp.py [small] [optimum]

``small`` takes fewer moments and 1 s per time-indexed program; ``optimum`` bounds whole logs.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence

import numpy as np

from planner.scheduling.power.events.moment import PowerMoment
from planner.scheduling.power.ilp.budget import DecisionBudget
from planner.scheduling.power.ilp.knapsack import KnapsackPolicy
from planner.scheduling.power.ilp.naming import SolverName
from planner.scheduling.power.ilp.slot_policy import SlotPolicy
from planner.scheduling.power.offline import cpsat
from planner.scheduling.power.offline.optimum import Effort, optimum
from planner.scheduling.power.offline.problem import hindsight
from planner.scheduling.power.offline.schedule import Goal
from planner.scheduling.power.policy import SchedulerDecision
from solvers.backends.cbc import binary
from tests.planner.scheduling.power.ilp.cases import moment, simulated_log
from tests.planner.scheduling.power.ilp.passes import value_of_choices

GAP = 1e-3
TARGET_MS = {20: 30.0, 200: 500.0}
SOLVERS: tuple[SolverName, ...] = ("engine", "highs", "cbc")
GOALS: tuple[Goal, Goal] = ("makespan", "turnaround")


def process_start_ms() -> float:
    """Median time in which a CBC process starts and leaves."""
    times = []
    for _ in range(20):
        began = time.perf_counter()
        subprocess.run([binary(), "quit"], capture_output=True, check=True)
        times.append(time.perf_counter() - began)
    return 1000 * float(np.median(times))


def summary(made: Sequence[SchedulerDecision]) -> str:
    milliseconds = 1000 * np.array([one.seconds for one in made])
    gaps = [one.gap for one in made if one.gap is not None]
    fallbacks = sum(one.status == "fallback" for one in made)
    return (
        f"median {np.median(milliseconds):8.1f} ms, most {milliseconds.max():8.1f} ms, "
        f"solved {len(made) - fallbacks} of {len(made)}, fallbacks {fallbacks}, "
        f"largest gap {max(gaps, default=0.0):.1e}"
    )


def knapsacks(queue: int, moments: int, *, fair_share: bool) -> None:
    values: dict[SolverName, list[float]] = {}
    shown = "fair share" if fair_share else "no fair share"
    seen: list[PowerMoment] = [moment(queue, seed) for seed in range(moments)]
    for solver in SOLVERS:
        policy = KnapsackPolicy(solver, fair_share, threshold=None, budget=DecisionBudget(gap=GAP))
        policy.decide(seen[0])  # compiled loops and the worker are warm, the table is filtered
        policy.decisions().clear()
        values[solver] = [value_of_choices(now, policy.decide(now), policy.ageing) for now in seen]
        made = policy.decisions()
        target = TARGET_MS.get(queue)
        goal = f" (target {target:g} ms)" if target else ""
        print(f"  {queue:3} jobs, {shown}, {solver:6}: {summary(made)}{goal}", flush=True)
        agree(values["engine"], values[solver], made)


def agree(
    ours: Sequence[float], theirs: Sequence[float], made: Sequence[SchedulerDecision]
) -> None:
    """Both are within their gap of the optimum."""
    for first, second, one in zip(ours, theirs, made, strict=True):
        if one.status == "optimal" and abs(first - second) > 2 * GAP * max(first, second):
            raise SystemExit(f"failed: starts worth {first} and {second}")


def in_slots(queue: int, moments: int, slot_s: float, limit_s: float) -> None:
    solvers: tuple[SolverName, SolverName] = ("highs", "cbc")
    for solver in solvers:
        budget = DecisionBudget(gap=1e-2, time_limit_s=limit_s)
        policy = SlotPolicy(solver, slot_s=slot_s, budget=budget)
        for seed in range(moments):
            policy.decide(moment(queue, seed))
        made = policy.decisions()
        errors = [one.slot_error for one in made if one.slot_error is not None]
        rounding = f"{np.mean(errors):.1%}" if errors else "unknown"
        print(
            f"  {queue:2} jobs, slots of {slot_s:g} s, {solver:5}: {summary(made)}, "
            f"rounding adds {rounding} to run times",
            flush=True,
        )


def optima(jobs: int, seeds: int, limit_s: float) -> None:
    if not cpsat.available():
        print("OR-Tools is not installed: without CP-SAT")
    methods = Effort().methods if cpsat.available() else Effort().methods[:1]
    for seed in range(seeds):
        problem = hindsight(simulated_log(jobs, seed, whole_s=True))
        for goal in GOALS:
            began = time.perf_counter()
            result = optimum(problem, goal, Effort(methods, time_limit_s=limit_s, workers=4))
            print(
                f"  {jobs} jobs, seed {seed}, {goal}: {result.lower_ms / 1000:,.1f} to "
                f"{result.upper_ms / 1000:,.1f} s, gap {result.gap:.1%}, "
                f"{'optimal' if result.optimal else 'open'}, {time.perf_counter() - began:.0f} s; "
                f"bounds {in_seconds(result.bounds_ms)}; schedules {in_seconds(result.found_ms)}",
                flush=True,
            )


def in_seconds(values_ms: dict[str, float]) -> str:
    return ", ".join(f"{name} {value / 1000:,.1f}" for name, value in values_ms.items())


def main() -> None:
    small = "small" in sys.argv
    if "optimum" in sys.argv:
        print("Whole logs in hindsight, Poisson arrivals 60 s apart, whole seconds (simulated)")
        optima(5, 3, 10.0 if small else 60.0)
        optima(20, 1 if small else 2, 10.0 if small else 100.0)
        return
    print(f"A knapsack in every pass, to {GAP:.1%} of the proven limit (simulated)")
    print(f"  start and end of a CBC process alone: {process_start_ms():.1f} ms, in every decision")
    for queue in (5, 10, 20, 200):
        for fair_share in (True, False):
            knapsacks(queue, 5 if small or queue == 200 else 20, fair_share=fair_share)
    limit_s = 1.0 if small else 10.0
    print(f"The queue in slots, {limit_s:g} s per decision, to 1 % of the proven limit (simulated)")
    for queue in (5, 10, 20):
        for slot_s in (60.0, 120.0):
            in_slots(queue, 2 if small else 5, slot_s, limit_s)


if __name__ == "__main__":
    main()
