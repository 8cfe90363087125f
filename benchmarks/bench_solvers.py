"""What the solver layer costs, as ratios within one run: ``python -m benchmarks.bench_solvers``.

Instance: an assignment of 500 jobs to 100 nodes under node capacities, 1e5 nonzeros, as the
linear program (whose optimum scipy confirms). Each step is timed ``REPEATS`` times and the best
is kept.

(a) building the model with MilpBuilder against PuLP's lpSum;
(b) writing the file for CBC from the arrays against PuLP's writeMPS;
(c) CPU of the exact proof against CPU of the linear program itself, in one process.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import pulp
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

from solvers import Level, Milp, MilpBuilder, Status, from_pulp, solve
from solvers.backends.highs import solve as solve_highs
from solvers.backends.protocol import Limits
from solvers.model.mps import mps_text
from solvers.proofs.branching import prove

JOBS, NODES, SEED, REPEATS = 500, 100, 7, 3
Value = TypeVar("Value")


def timed(
    step: Callable[[], Value], clock: Callable[[], float] = time.perf_counter
) -> tuple[float, Value]:
    """Best of a few runs, and what the last one returned."""
    best = np.inf
    for _ in range(REPEATS):
        began = clock()
        value = step()
        best = min(best, clock() - began)
    return float(best), value


def check(holds: bool, what: str) -> None:  # noqa: FBT001 - reads as a sentence
    """End the benchmark where a claim does not hold: its figures would mean nothing."""
    if not holds:
        raise SystemExit(f"failed: {what}")


def near(value: float, optimum: float) -> bool:
    """Return whether two values agree to 1e-7."""
    return abs(value - optimum) <= 1e-7 * abs(optimum)


def numbers() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(SEED)
    cost = rng.integers(1, 1000, (JOBS, NODES)) / 10
    load = rng.integers(5, 50, (JOBS, NODES)).astype(float)
    room = np.full(NODES, np.ceil(load.mean() * JOBS / NODES * 0.8))
    return cost, load, room


def with_builder(cost: np.ndarray, load: np.ndarray, room: np.ndarray) -> Milp:
    build = MilpBuilder("min", name="assignment")
    x = build.add_columns(JOBS * NODES, cost=cost.ravel(), upper=1.0)
    build.add_rows(np.repeat(np.arange(JOBS), NODES), x, 1.0, lower=1.0, upper=np.ones(JOBS))
    build.add_rows(np.tile(np.arange(NODES), JOBS), x, load.ravel(), upper=room)
    return build.model()


def with_lpsum(cost: np.ndarray, load: np.ndarray, room: np.ndarray) -> pulp.LpProblem:
    problem = pulp.LpProblem("assignment", pulp.LpMinimize)
    x = [
        [problem.add_variable(f"x{j * NODES + n:05d}", 0, 1) for n in range(NODES)]
        for j in range(JOBS)
    ]
    problem += pulp.lpSum(float(cost[j, n]) * x[j][n] for j in range(JOBS) for n in range(NODES))
    for j in range(JOBS):
        problem += pulp.lpSum(x[j]) == 1
    for n in range(NODES):
        problem += pulp.lpSum(float(load[j, n]) * x[j][n] for j in range(JOBS)) <= float(room[n])
    return problem


def scipy_optimum(model: Milp) -> float:
    matrix = csr_matrix(
        (model.coefficients, model.column_indices, model.row_starts),
        shape=(model.rows, model.columns),
    )
    result = linprog(
        model.cost,
        A_eq=matrix[:JOBS],
        b_eq=model.row_lower[:JOBS],
        A_ub=matrix[JOBS:],
        b_ub=model.row_upper[JOBS:],
        bounds=(0, 1),
    )
    return float(result.fun)


def main() -> None:
    data = numbers()
    built_s, model = timed(lambda: with_builder(*data))
    summed_s, problem = timed(lambda: with_lpsum(*data))
    check(from_pulp(problem).digest == model.digest, "both routes give the same model")
    print(f"model: {model.rows} rows, {model.columns} columns, {model.nonzeros} nonzeros")
    print(f"(a) MilpBuilder {summed_s / built_s:6.1f} times as fast as lpSum ({built_s:.3f} s)")

    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder, "ours.mps"), Path(folder, "theirs.mps")
        ours_s, _ = timed(lambda: ours.write_text(mps_text(model), encoding="ascii"))
        theirs_s, _ = timed(lambda: problem.writeMPS(str(theirs)))
    print(f"(b) our MPS     {theirs_s / ours_s:6.1f} times as fast as writeMPS ({ours_s:.3f} s)")

    optimum = scipy_optimum(model)
    solver_s, claim = timed(lambda: solve_highs(model, Limits(), None), time.process_time)
    starts = [] if claim.x is None else [claim.x]
    proof_s, proof = timed(lambda: prove(model, starts), time.process_time)
    check(proof.complete and near(float(proof.objective or 0), optimum), "the proof is complete")
    print(
        f"(c) the proof takes {proof_s / solver_s:6.2f} times the CPU of the LP ({solver_s:.3f} s)"
    )

    result = solve(model, solver="cbc")
    proved = (result.status, result.certificate.level) == (Status.OPTIMAL, Level.PROVED)
    check(proved and near(result.objective or 0.0, optimum), "CBC's answer is proved")
    print(f"    optimum {optimum:.6f}, proved from CBC's claim too")


if __name__ == "__main__":
    main()
