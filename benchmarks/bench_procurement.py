"""Procurement: time to a gap, over ten seeds, against plain HiGHS on the undecomposed program.

The rival is the same decision as one program: every allocation a column, the logarithm by fixed
tangents. Optima are asserted equal within both gaps.
"""

from __future__ import annotations

import math
import time

import numpy as np

import solvers
from benchmarks.procurement_cases import (
    servers,
    varied,
)
from planner.procurement.dominance import dominated
from planner.procurement.layout import Indices, layout
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options, Outcome
from planner.procurement.problem import POWER_RESOURCES, Problem
from planner.procurement.program import Program
from planner.procurement.rating import power_groups
from solvers import Result
from tests.shared_data import SPECPOWER

SEEDS = range(10)


def timed(problem: Problem, gap: float, limit_s: float) -> tuple[Outcome, float]:
    began = time.perf_counter()
    optimiser = Optimiser(problem, Options(gap=gap, time_limit_s=limit_s))
    outcome = optimiser.solve()
    optimiser.close()
    return outcome, time.perf_counter() - began


def series(demands: int, gap: float, target_s: float) -> None:
    seconds, gaps = [], []
    for seed in SEEDS:
        outcome, took = timed(varied(seed, demands), gap, 4 * target_s)
        seconds.append(took)
        gaps.append(outcome.gap if outcome.gap is not None else math.inf)
    mean = math.exp(float(np.mean(np.log(seconds))))
    print(
        f"{demands:3d} demand scenarios to {gap:g}: geometric mean {mean:.2f} s, most "
        f"{max(seconds):.2f} s (target {target_s:g} s), largest gap {max(gaps):.2g}"
    )


class Undecomposed(Program):
    """The same program with every allocation as a column, and 200 fixed tangents of the log."""

    def _ratings(self) -> None:
        problem, lay, cols = self.problem, self.layout, self.columns
        count = len(problem.demand)
        self.rating_unit = np.ones(count)
        cols.theta = self.build.add_columns(count, lower=self.least_theta())
        cols.log = self.build.add_columns(count, lower=-math.inf)
        for rating in range(count):
            theta, log = int(cols.theta[rating]), int(cols.log[rating])
            for i, point in enumerate(np.geomspace(0.2, 5, 200)):
                tangent = [(log, 1.0), (theta, -1 / float(point))]
                self.row(f"tangent_{rating}_{i}", tangent, upper=math.log(point) - 1)
            pairs = np.flatnonzero(problem.demand[rating, lay.pair_workload] > 0)
            work = self.build.add_columns(len(pairs))
            self._allocate(rating, theta, pairs, work)

    def _allocate(self, rating: int, theta: int, pairs: Indices, work: Indices) -> None:
        problem, lay, cols = self.problem, self.layout, self.columns
        workloads, slots = len(problem.workloads), lay.slots
        self.build.add_rows(
            np.r_[np.arange(workloads), lay.pair_workload[pairs]],
            np.r_[np.full(workloads, theta), work],
            np.r_[problem.demand[rating] * problem.reference_nodes, -lay.pair_merit[pairs]],
            upper=np.zeros(workloads),
        )
        self.build.add_rows(
            np.r_[lay.pair_slot[pairs], np.arange(slots)],
            np.r_[work, cols.nodes],
            np.r_[np.ones(len(work)), -np.ones(slots)],
            upper=np.zeros(slots),
        )
        member = power_groups(problem, lay)[:, lay.pair_slot[pairs]]
        for group, name in enumerate(POWER_RESOURCES):
            step = member[group] * lay.pair_step_w[pairs] / problem.power_unit
            terms = [(int(c), float(v)) for c, v in zip(work, step, strict=True) if v]
            fixed = problem.fixed_w / problem.power_unit if group == 0 else 0.0
            limit = (cols.limit[name], -1.0)
            terms = [*terms, *self.base_power(group), limit]
            self.row(f"{name}_rating_{rating}", terms, upper=-fixed)
        energy = lay.pair_energy_w[pairs] / problem.power_unit
        terms = [(int(c), float(v)) for c, v in zip(work, energy, strict=True)]
        self.row(f"energy_{rating}", [*terms, (int(cols.added[rating]), -1.0)], upper=0.0)


def rivals(seeds: range, demands: int, gap: float, limit_s: float, quotes: int = 10) -> None:
    """Ours and plain HiGHS on the same problems, to the same gap."""
    ratios = []
    for seed in seeds:
        problem = varied(seed, demands, quotes)
        outcome, ours = timed(problem, gap, limit_s)
        model = Undecomposed(problem, layout(problem), {}, {}).build.model()
        began = time.perf_counter()
        theirs = solvers.solve(model, time_limit_s=limit_s, gap=gap, proof="never")
        took = time.perf_counter() - began
        agree(outcome, theirs)
        gap_left = theirs.certificate.gap_relative
        closed = gap_left is not None and gap_left <= gap
        shown = "no plan" if gap_left is None else f"a gap of {gap_left:.2g}"
        print(
            f"  seed {seed}: ours {ours:.2f} s; plain HiGHS on {model.columns:,} columns "
            f"{took:.1f} s" + ("" if closed else f", and then {shown}")
        )
        ratios.append(took / ours)
    mean = math.exp(float(np.mean(np.log(ratios))))
    print(
        f"{quotes} quotes, {demands} demands to {gap:g}: plain HiGHS takes at least {mean:.2g} "
        "times as long"
    )


def agree(ours: Outcome, theirs: Result) -> None:
    """Neither may beat the other's bound, but for the error of fixed tangents."""
    bound = theirs.certificate.bound
    if ours.objective is None or ours.bound is None or bound is None:
        raise RuntimeError("a solve ended without an answer")
    beaten = theirs.objective is not None and theirs.objective > ours.bound + 1e-3
    if ours.objective > bound + 1e-6 or beaten:
        raise RuntimeError(f"{ours.objective} against {theirs.objective}, bounds differ")


def main() -> None:
    series(1, 1e-4, 5)
    series(20, 5e-3, 120)
    rivals(range(3), 1, 1e-4, 60)
    rivals(range(3), 20, 5e-3, 60)
    rivals(range(5, 10), 1, 1e-4, 60, quotes=50)
    rivals(range(5, 10), 5, 1e-4, 60, quotes=50)
    if SPECPOWER.exists():
        problem = servers()
        outcome, took = timed(problem, 1e-3, 240)
        print(
            f"{len(problem.offers)} servers x {len(problem.workloads)} factors to 1e-3: "
            f"{took:.1f} s (target 60 s), gap {outcome.gap:.2g}, "
            f"{int(dominated(problem).sum())} dominated"
        )


if __name__ == "__main__":
    main()
