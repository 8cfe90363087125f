"""Reference formulations by CBC and by HiGHS against the engines, over size, in one run.

Processor seconds with solver processes included; PuLP's building of the model counts, for it is
part of what a reader pays. Every answer is checked and every finished pair must have the same
objective to 1e-9; an unfinished one may not beat the engine. The engine's proof of its own bound
counts too. A method that does not finish within the limit is not tried on larger sizes.

    python benchmarks/bench_formulations.py [small] [--limit SECONDS]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from benchmarks import formulation_cases as cases
from benchmarks.studies.distribution.distribution import distribute
from planner.aggregation import selection as patterns
from planner.configurations import degree as curves
from planner.configurations import selection
from planner.configurations.sharing.problem import Goal
from planner.configurations.sharing.share import share
from planner.designs import break_even as ranges
from planner.designs import overprovisioning
from planner.designs.design import OLDER, closed_form, forced, thesis_problem
from planner.errors import PlanError, TooLargeError
from planner.formulations import (
    aggregation,
    best_design,
    break_even,
    configuration,
    degree,
    designs,
    sharing,
    sockets,
)
from planner.formulations.solved import SolveLimits
from scenarios.aggregation.task_layout import Layout
from solvers.process.client import WORKER

SAME = 1e-9
ENOUGH_S = 0.5
_WHOLE = 10
SOLVERS = ("cbc", "highs")


@dataclass(frozen=True)
class Case:
    """One decision at one size: objectives of the engine, and of a reference by a solver."""

    decision: str
    size: str
    engine: Callable[[], float]
    reference: Callable[[str, SolveLimits], float]


def made(*, small: bool) -> list[Case]:
    """Return every decision, its sizes ascending."""
    cases = [_configuration(n) for n in (2, 20, 200, 1_000)]
    cases += [_sharing(n, "weighted time") for n in (4, 16, 64, 256)]
    cases += [_sharing(n, "makespan") for n in (4, 16, 64, 256)]
    cases += [_counts(n) for n in (1, 30, 1_000)]
    cases += [_best_design(n) for n in (1, 10, 100, 1_000)]
    cases += [_break_even(n) for n in (1, 10, 100)]
    cases += [_degree(n) for n in (2, 8, 32)]
    cases += [_sockets(n, convex=True) for n in (4, 16, 64, 256)]
    cases += [_sockets(n, convex=False) for n in (4, 16, 64, 256)]
    cases += [_aggregation(node) for node in (Layout(2, 2, 2), Layout(4, 4, 8), Layout(8, 16, 32))]
    firsts = {case.decision: case for case in reversed(cases)}
    return [case for case in cases if not small or case is firsts[case.decision]]


def _configuration(counts: int) -> Case:
    table = cases.table(counts)
    bound = cases.bound(table)
    return Case(
        "configuration",
        f"{len(table):,} configurations",
        lambda: selection.best(table, bound).time_s,
        lambda solver, limits: (
            configuration.best(table, bound, solver=solver, **limits).plan.time_s
        ),
    )


def _sharing(jobs: int, goal: Goal) -> Case:
    problem = cases.sharing(jobs)
    return Case(
        f"sharing, {goal}",
        f"{jobs} jobs x 70",
        lambda: share(problem, goal=goal, gap=SAME).value,
        lambda solver, limits: sharing.share(problem, goal=goal, solver=solver, **limits).value,
    )


def _counts(pieces: int) -> Case:
    case = cases.design(pieces)
    return Case(
        "designs (4.1-4.7)",
        f"{case.power_bound_w / 1e3:,.0f} kW",
        lambda: _speedup(case),
        lambda solver, limits: designs.compare(case, solver=solver, **limits).plan.speedup,
    )


def _speedup(case: overprovisioning.DesignCase) -> float:
    overprovisioning._node_counts.cache_clear()  # noqa: SLF001 - else the cache would be timed
    return overprovisioning.compare(case).speedup


def _best_design(pieces: int) -> Case:
    problem = forced(thesis_problem(cases.design(pieces)), OLDER)
    return Case(
        "best design",
        f"{pieces:,} pieces",
        lambda: closed_form(problem).time_s,
        lambda solver, limits: (
            best_design.solve(
                problem, solver=solver, proof="never", gap=SAME, time_limit_s=limits["time_limit_s"]
            ).plan.time_s
        ),
    )


def _break_even(pieces: int) -> Case:
    case = cases.design(pieces)
    return Case(
        "break-even",
        f"{pieces:,} pieces",
        lambda: float(ranges.break_even((case,), "made").nodes or 0),
        lambda solver, limits: float(break_even.fewest_nodes(case, solver=solver, **limits) or 0),
    )


def _degree(counts: int) -> Case:
    table = cases.table(counts)
    bound = cases.bound(table)

    def by_engine() -> float:
        degree = curves.degree(curves.node_curve(table, bound), 8, fixed_cost_nodes=10.0)
        return _sum(degree)

    return Case(
        "degree, three readings",
        f"{len(table):,} configurations",
        by_engine,
        lambda solver, limits: _sum(
            degree.degree(table, bound, 8, fixed_cost_nodes=10.0, solver=solver, **limits)
        ),
    )


def _sum(degree: curves.Degree) -> float:
    return degree.fastest_nodes + 1e3 * degree.marginal_nodes + 1e6 * (degree.money_nodes or 0)


def _sockets(ranks: int, *, convex: bool) -> Case:
    problem = cases.sockets(ranks, convex=convex)
    return Case(
        f"sockets, {'convex' if convex else 'scattered'} curves",
        f"{ranks} sockets x 9 caps",
        lambda: distribute(problem).slowest_s,
        lambda solver, limits: sockets.distribute(problem, solver=solver, **limits).slowest_s,
    )


def _aggregation(node: Layout) -> Case:
    offered = cases.candidates(node)
    return Case(
        "aggregation",
        f"{len(offered):,} patterns",
        lambda: patterns.by_joules(offered).energy_j or 0.0,
        lambda solver, limits: (
            aggregation.choose(offered, solver=solver, **limits).plan.energy_j or 0.0
        ),
    )


@dataclass(frozen=True)
class Measured:
    """Objective, mean processor seconds of a run, and wall seconds of the longest run."""

    value: float
    cpu_s: float
    longest_s: float


def measured(run: Callable[[], float]) -> Measured:
    """As many runs as take half a second together.

    A solver's process counts its time in hundredths of a second, so one short run says little.
    """
    began, runs, longest = time.process_time() + WORKER.cpu_s, 0, 0.0
    while True:
        clock = time.perf_counter()
        value = run()
        longest = max(longest, time.perf_counter() - clock)
        runs += 1
        took = time.process_time() + WORKER.cpu_s - began
        if took > ENOUGH_S:
            return Measured(value, took / runs, longest)


def row(case: Case, limit_s: float, given_up: set[tuple[str, str]]) -> str:
    """Return one row of the table; raises SystemExit where an answer is wrong."""
    engine = measured(case.engine)
    cells = []
    for solver in SOLVERS:
        key = (case.decision, solver)
        text = "not tried" if key in given_up else cell(case, solver, limit_s, engine)
        if not text.endswith(" x"):
            given_up.add(key)
        cells.append(text)
    return f"| {case.decision} | {case.size} | {engine.cpu_s * 1e3:,.2f} ms | {' | '.join(cells)} |"


def cell(case: Case, solver: str, limit_s: float, engine: Measured) -> str:
    """Time of a reference and its ratio to the engine's, or why it has none."""
    try:
        result = measured(partial(case.reference, solver, SolveLimits(time_limit_s=limit_s)))
    except TooLargeError:
        return "refused: too large"
    except PlanError as error:
        if "time limit" in str(error):
            return f"no solution in {limit_s:g} s"
        raise SystemExit(f"failed: {case.decision}, {case.size}: {error}") from None
    expected = engine.value
    apart = abs(result.value - expected) / abs(expected)
    if result.value < expected and apart > SAME:
        raise SystemExit(f"failed: {solver} finds {result.value!r}, below {expected!r}: {case}")
    if result.longest_s >= limit_s:
        return f"stopped after {limit_s:g} s, {apart:.1e} worse"
    if apart > SAME:
        raise SystemExit(f"failed: {solver} finds {result.value!r}, not {expected!r}: {case}")
    ratio = result.cpu_s / engine.cpu_s
    shown = f"{ratio:,.0f}" if ratio >= _WHOLE else f"{ratio:.2g}"
    return f"{result.cpu_s * 1e3:,.1f} ms, {shown} x"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("size", nargs="?", choices=["small", "full"], default="full")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds per solve")
    options = parser.parse_args()
    share(cases.sharing(2))
    share(cases.sharing(2), goal="makespan")  # compiled loops and the solvers' process are warm
    print("| decision | size | engine | reference by CBC | reference by HiGHS |")
    print("|---|---|---:|---:|---:|")
    given_up: set[tuple[str, str]] = set()
    for case in made(small=options.size == "small"):
        print(row(case, options.limit, given_up), flush=True)


if __name__ == "__main__":
    main()
