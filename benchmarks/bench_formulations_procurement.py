"""Procurement: the reference formulation by CBC and by HiGHS against the engine, in one run.

The bundled requests under each power regime, and rfp-center redrawn with more and more demand
scenarios (seed 0). Seconds are of the processor, of this process and its solvers; PuLP's building
of the model counts. Each round of the reference may take the limit in wall seconds. Ratios are to
the engine in this run. It ends with an error if a plan breaks a rule, or scores above the bound of
another method.

    python benchmarks/bench_formulations_procurement.py [--limit SECONDS] [--demands N,N,...]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from benchmarks.procurement_cases import varied
from planner.errors import PlanError, TooLargeError
from planner.formulations.procurement import procure, tangent_points
from planner.formulations.procurement_plan import nonzeros
from planner.procurement.checker import violations
from planner.procurement.from_scenario import problem_from
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import GAP, Options, Outcome
from planner.procurement.problem import REGIMES, Problem
from scenarios import load
from solvers.process.client import WORKER

SOLVERS = ("cbc", "highs")
ROUNDING = 1e-6
"""Of log S, as far as rows hold."""


@dataclass(frozen=True)
class Measured:
    """An outcome with its processor seconds."""

    outcome: Outcome
    cpu_s: float


def cases(demands: list[int]) -> Iterator[tuple[str, Problem]]:
    """Name and problem, the bundled requests first."""
    for name in ("rfp-center", "rfp-money-bound"):
        bundled = problem_from(load(name))
        for regime in REGIMES:
            yield f"{name}, {regime}", bundled.under(regime)
    for count in demands:
        yield f"rfp-center redrawn, demands: {count}", varied(0, count)


def measured(ask: Callable[[], Outcome]) -> Measured:
    """Ask once."""
    began = time.process_time() + WORKER.cpu_s
    outcome = ask()
    return Measured(outcome, time.process_time() + WORKER.cpu_s - began)


def by_engine(problem: Problem, limit_s: float) -> Outcome:
    """Return the engine, without anything that another solve has taught it."""
    optimiser = Optimiser(problem, Options(time_limit_s=limit_s))
    try:
        return optimiser.solve()
    finally:
        optimiser.close()


def cell(problem: Problem, solver: str, limit_s: float, engine: Measured) -> str:
    """Time of a reference and its ratio to the engine's, or why it has none."""
    try:
        result = measured(lambda: procure(problem, solver=solver, time_limit_s=limit_s))
    except TooLargeError:
        return "refused: too large"
    except PlanError:
        return f"no plan in {limit_s:g} s"
    check(problem, result.outcome, engine.outcome)
    ratio = f"{result.cpu_s:.1f} s, {result.cpu_s / engine.cpu_s:.1f} x"
    gap = result.outcome.gap
    return ratio if gap is not None and gap <= GAP else f"{ratio}; gap {gap:.2g}"


def check(problem: Problem, one: Outcome, other: Outcome) -> None:
    """See that both plans keep every rule, and that neither beats the other's bound."""
    for mine, theirs in ((one, other), (other, one)):
        wrong = [] if mine.plan is None else violations(problem, mine.plan)
        if wrong:
            raise SystemExit(f"failed: {problem.name}: {'; '.join(wrong)}")
        value, bound = mine.objective, theirs.bound
        if value is not None and bound is not None and value > bound + ROUNDING:
            raise SystemExit(f"failed: {value} is above {bound}")


def main() -> None:
    """Print a row for each case."""
    asks = argparse.ArgumentParser(description=__doc__)
    asks.add_argument("--limit", type=float, default=60.0)
    asks.add_argument("--demands", default="1,5,10,20")
    arguments = asks.parse_args()
    demands = [int(count) for count in arguments.demands.split(",")]
    by_engine(problem_from(load("rfp-money-bound")), arguments.limit)  # compiles and imports
    print("| decision | size | engine | reference by CBC | reference by HiGHS |")
    print("|---|---|---:|---:|---:|")
    for name, problem in cases(demands):
        engine = measured(partial(by_engine, problem, arguments.limit))
        size = nonzeros(problem, len(tangent_points()))
        cells = " | ".join(cell(problem, solver, arguments.limit, engine) for solver in SOLVERS)
        print(f"| {name} | {size:,} nonzeros | {engine.cpu_s:.1f} s | {cells} |", flush=True)


if __name__ == "__main__":
    main()
