"""Procurement: time to a gap, over ten seeds, against plain HiGHS on the undecomposed program.

The rival is the same decision as one program: every allocation a column, the logarithm by fixed
tangents. Optima are asserted equal within both gaps.
"""

from __future__ import annotations

import math
import time

import numpy as np
from procurement_cases import SERVERS, servers, varied

import solvers
from planner.procurement.dominance import dominated
from planner.procurement.layout import layout
from planner.procurement.optimise import Optimiser, Options, Outcome
from planner.procurement.problem import Problem
from solvers import MilpBuilder

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


def plain_highs(problem: Problem, limit_s: float) -> tuple[float, float]:
    """The undecomposed program: objective and relative gap of HiGHS alone after the limit."""
    lay = layout(problem)
    build = MilpBuilder("max", name="undecomposed")
    money = [min(t.price for t in problem.offers[o].tiers) for o in lay.slot_offer]
    nodes = build.add_columns(lay.slots, upper=20_000, integer=True)
    capital = problem.limits.capital - problem.prices.fixed_capital
    build.add_rows(np.zeros(lay.slots, int), nodes, money, upper=[capital / 1.05])
    weight = 1 - problem.cvar_weight
    tail = build.add_columns(1, cost=problem.cvar_weight, lower=-math.inf)
    for rating in range(len(problem.demand)):
        chance = float(problem.probability[rating])
        theta = build.add_columns(1)
        log = build.add_columns(1, cost=weight * chance, lower=-math.inf)
        share = problem.cvar_weight * chance / (1 - problem.cvar_level)
        below = build.add_columns(1, cost=-share)
        build.add_rows([0, 0, 0], [below[0], tail[0], log[0]], [1, -1, 1], lower=[0.0])
        for point in np.geomspace(0.2, 5, 200):
            bound = math.log(point) - 1
            build.add_rows([0, 0], [log[0], theta[0]], [1, -1 / point], upper=[bound])
        work = build.add_columns(len(lay.pair_mode))
        count = len(problem.workloads)
        asked = problem.demand[rating] * problem.reference_nodes
        build.add_rows(
            np.r_[np.arange(count), lay.pair_workload],
            np.r_[np.repeat(theta, count), work],
            np.r_[asked, -lay.pair_merit],
            upper=np.zeros(count),
        )
        build.add_rows(
            np.r_[lay.pair_slot, np.arange(lay.slots)],
            np.r_[work, nodes],
            np.r_[np.ones(len(work)), -np.ones(lay.slots)],
            upper=np.zeros(lay.slots),
        )
        build.add_rows(
            np.zeros(len(work) + lay.slots, int),
            np.r_[work, nodes],
            np.r_[lay.pair_step_w, lay.base_w] / 1000,
            upper=[(problem.limits.it_power_w - problem.fixed_w) / 1000],
        )
    found = solvers.solve(build.model(), time_limit_s=limit_s, gap=1e-4, proof="never")
    gap = found.certificate.gap_relative
    return found.objective or -math.inf, math.inf if gap is None else gap


def main() -> None:
    series(1, 1e-4, 5)
    series(20, 5e-3, 120)
    _, took = timed(varied(0, 20), 5e-3, 480)
    _, gap = plain_highs(varied(0, 20), max(30.0, 3 * took))
    print(
        f"  rival: HiGHS on one undecomposed program without racks, network and time to solution "
        f"holds a gap of {gap:.2g} after {max(30.0, 3 * took):.0f} s; ours closes 5e-3 in {took:.1f} s"
    )
    if SERVERS.exists():
        problem = servers()
        outcome, took = timed(problem, 1e-3, 240)
        print(
            f"{len(problem.offers)} servers x {len(problem.workloads)} factors to 1e-3: {took:.1f} s "
            f"(target 60 s), gap {outcome.gap:.2g}, {int(dominated(problem).sum())} dominated"
        )


if __name__ == "__main__":
    main()
