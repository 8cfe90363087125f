"""Partitions into exactly equal parts: ours against other programs, as the targets ask.

Same graphs, same run, processor time, loops warm. Rivals' sizes are repaired by our repair, for
which they do not pay. Every answer of ours is checked; none may cut less than a bound. A target is
said to be missed where it is; cases that a rival wins are named.

    python benchmarks/bench_partition.py [--sets 16 128 1024 16384 kl] [--seeds 3]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np

from benchmarks.partition_best import best_known
from benchmarks.partition_cases import Case, cases, geometric, stencil
from benchmarks.partition_rivals import RIVALS, networkx_graph
from benchmarks.partition_runs import Run, graph_of, ours, request, rival, warm
from solvers.partition import Graph, Request, cut, equal_parts
from solvers.partition.kl import refine
from solvers.partition.metis import loose
from solvers.partition.order import in_order
from solvers.partition.repair import repaired

PATIENCE_S = 60.0
GENERAL = [name for name in RIVALS if name != "networkx"]


def mean(ratios: Sequence[float]) -> float:
    """Geometric mean."""
    return float(np.exp(np.mean(np.log(ratios))))


def print_claim(title: str, figure: str, *, met: bool) -> None:
    print(f"  {'met   ' if met else 'MISSED'} {title}: {figure}", flush=True)


def named(ratios: dict[str, float], above: float = 1.0) -> str:
    """Cases above a ratio, worst first."""
    worst = sorted(ratios.items(), key=lambda pair: -pair[1])
    shown = [f"{key} {ratio:.4f}" for key, ratio in worst if ratio > above + 1e-9]
    return ", ".join(shown) or "none"


def proven(seeds: int) -> None:
    """Up to 16 vertices: proven optimum in 20 ms."""
    print("up to 16 vertices")
    slowest, open_cases = 0.0, []
    for case in cases("16"):
        for seed in range(seeds):
            run = ours(case, seed, 0.02)
            slowest = max(slowest, run.seconds)
            if run.bound < run.weight:
                open_cases.append(case.key)
    figure = f"slowest {slowest * 1e3:.1f} ms, not proven: {', '.join(open_cases) or 'none'}"
    print_claim("proven optimum in 20 ms", figure, met=not open_cases and slowest <= 0.02)


def small(seeds: int) -> None:
    """Up to 128 vertices: near the best known in 50 ms."""
    store = best_known()
    for metis in (True, False):
        print(f"up to 128 vertices, {'with' if metis else 'without'} METIS as a start")
        ratios, slowest, closed = dict[str, list[float]](), 0.0, 0
        for case in cases("128"):
            runs = [ours(case, seed, 0.05, metis=metis) for seed in range(seeds)]
            ratios[case.key] = [run.weight / store[case.key]["cut"] for run in runs]
            slowest = max(slowest, *(run.seconds for run in runs))
            closed += sum(run.bound >= run.weight for run in runs)
        every = [ratio for values in ratios.values() for ratio in values]
        figure = f"mean {mean(every):.5f}, {len(every)} runs, {closed} proven optimal"
        print_claim("within 0.5 % of best known (geometric mean)", figure, met=mean(every) <= 1.005)
        figure = f"worst {max(every):.4f}; means above 1: "
        figure += named({key: mean(values) for key, values in ratios.items()})
        print_claim("within 3 % at worst", figure, met=max(every) <= 1.03)
        print_claim("in 50 ms", f"slowest {slowest * 1e3:.0f} ms", met=slowest <= 0.055)


def draft(case: Case) -> Run:
    """Loose METIS, repair, exchanges."""
    problem = request(case)
    began = time.process_time()
    part = refine(problem, repaired(problem, loose(problem)))
    return Run(cut(problem.graph, part), time.process_time() - began)


def middle(seeds: int) -> None:
    """1,024 vertices: against every rival at the time of KaHIP eco, and at a fifth of it."""
    print("1,024 vertices; T is the time of KaHIP eco, each rival begins anew until T is over")
    figures: dict[str, dict[str, float]] = {}

    def note(title: str, key: str, ratio: float) -> None:
        figures.setdefault(title, {})[key] = ratio

    for case in cases("1024"):
        eco = rival(case, "kahip eco", 1, PATIENCE_S)
        if eco is None:
            raise SystemExit(f"failed: KaHIP eco does not answer on {case.key}")
        others = {name: rival(case, name, 1, PATIENCE_S, eco.seconds) for name in GENERAL}
        answers = {name: run for name, run in others.items() if run is not None}
        best = min(run.weight for run in answers.values())
        for metis in (True, False):
            how = "with METIS" if metis else "without"
            equal = mean([ours(case, s, eco.seconds, metis=metis).weight for s in range(seeds)])
            fifth = mean([ours(case, s, eco.seconds / 5, metis=metis).weight for s in range(seeds)])
            note(f"best rival at equal time, {how}", case.key, equal / best)
            note(f"KaHIP strong, {how}", case.key, equal / answers["kahip strong"].weight)
            note(f"best rival at a fifth, {how}", case.key, fifth / best)
        made = draft(case)
        note("draft", case.key, made.weight / best)
        note("draft's share of T", case.key, made.seconds / eco.seconds)
        shown = ", ".join(
            f"{name} {run.weight:g} ({run.seconds:.2f} s, {run.repaired} repaired)"
            for name, run in answers.items()
        )
        print(f"  {case.key}: ours {equal:g}, a fifth {fifth:g}; {shown}", flush=True)
    for how in ("with METIS", "without"):
        for title, most in (("best rival at equal time", 1.01), ("KaHIP strong", 1.02)):
            ratios = figures[f"{title}, {how}"]
            average = mean(list(ratios.values()))
            text = f"mean {average:.4f}; lost: {named(ratios)}"
            print_claim(f"{title}, {how}, at most {most}", text, met=average <= most)
        ratios = figures[f"best rival at a fifth, {how}"]
        average = mean(list(ratios.values()))
        against = mean(list(figures["draft"].values()))
        share = mean(list(figures["draft's share of T"].values()))
        text = (
            f"mean {average:.4f}; draft here {against:.4f} at {share:.2f} T; lost: {named(ratios)}"
        )
        print_claim(
            f"1.0004 of the best rival at a fifth, and the draft, {how}",
            text,
            met=average <= min(1.0004, against),
        )


def large(seeds: int) -> None:
    """16,384 vertices: near KaHIP fast in a fifth of its time."""
    print("16,384 vertices")
    ratios = {}
    for case in cases("16384"):
        graph_of(case)
        fast = rival(case, "kahip fast", 1, PATIENCE_S)
        limit = (fast.seconds if fast else PATIENCE_S) / 5
        runs = [ours(case, seed, limit, metis=False) for seed in range(min(seeds, 1))]
        weight, seconds = mean([r.weight for r in runs]), max(r.seconds for r in runs)
        reference = (
            f"KaHIP fast {fast.weight:g} in {fast.seconds:.1f} s" if fast else "KaHIP fast: none"
        )
        print(f"  {case.key}: ours {weight:g} in {seconds:.1f} s, {reference}", flush=True)
        if fast:
            ratios[case.key] = weight / fast.weight
    average = mean(list(ratios.values()))
    text = f"mean {average:.4f} of {len(ratios)} that it answers in {PATIENCE_S:g} s, "
    print_claim("within 3 % of KaHIP fast", f"{text}lost: {named(ratios)}", met=average <= 1.03)


def by_networkx(graph: Graph, start: np.ndarray, parts: int) -> tuple[np.ndarray, float]:
    """Kernighan-Lin of networkx between all pairs of parts until none gains, and its time."""
    import networkx as nx

    made, part = networkx_graph(graph), start.copy()
    began = time.process_time()
    while True:
        before = cut(graph, part)
        for p in range(parts):
            for q in range(p + 1, parts):
                members = np.flatnonzero((part == p) | (part == q))
                halves = [set(np.flatnonzero(part == side).tolist()) for side in (p, q)]
                old = cut(graph, part)
                anew = part.copy()
                bisection = nx.community.kernighan_lin_bisection(
                    made.subgraph(members.tolist()), partition=halves, max_iter=1000
                )
                anew[list(bisection[0])], anew[list(bisection[1])] = p, q
                if cut(graph, anew) < old:
                    part = anew
        if cut(graph, part) >= before:
            return part, time.process_time() - began


def exchanges(seeds: int) -> None:
    """Kernighan-Lin against that of networkx in the same loop from the same start."""
    print("Kernighan-Lin in the pairwise loop, from the same random starts")
    speeds, ratios = dict[str, float](), dict[str, float]()
    for name, graph, size in (
        ("points 64 / 8", geometric(64), 8),
        ("points 128 / 16", geometric(128), 16),
        ("stencil 16x16 / 32", stencil(16, 16), 32),
        ("points 512 / 8", geometric(512), 8),
        ("points 256 / 64", geometric(256), 64),
        ("points 256 / 128", geometric(256), 128),
    ):
        for seed in range(seeds):
            problem = Request(graph, equal_parts(graph, size))
            start = in_order(problem, np.random.default_rng(seed).permutation(graph.vertices))
            began, again = time.process_time(), 5
            for _ in range(again):
                mine = refine(problem, start)
            seconds = (time.process_time() - began) / again
            theirs, slow = by_networkx(graph, start, problem.parts)
            if cut(graph, mine) > cut(graph, start):
                raise SystemExit(f"failed: exchanges cut more on {name}")
            speeds[f"{name} seed {seed}"] = slow / seconds
            ratios[f"{name} seed {seed}"] = cut(graph, mine) / cut(graph, theirs)
    shown = ", ".join(f"{key} {speed:.0f}" for key, speed in speeds.items())
    least = min(speeds.values())
    print_claim("at least 100 times faster", f"{shown}; least {least:.0f}", met=least >= 100)
    print_claim("never worse than its start", f"none of {len(ratios)}", met=True)
    average = mean(list(ratios.values()))
    lost = sum(ratio > 1.0 + 1e-9 for ratio in ratios.values())
    text = f"mean {average:.3f} of its cut, more in {lost} of {len(ratios)}: {named(ratios)}"
    print_claim("never worse than networkx from the same start", text, met=not lost)


PARTS = {"16": proven, "128": small, "1024": middle, "16384": large, "kl": exchanges}


def main() -> None:
    asks = argparse.ArgumentParser(description=__doc__)
    asks.add_argument("--sets", nargs="*", default=list(PARTS), choices=list(PARTS))
    asks.add_argument("--seeds", type=int, default=3)
    arguments = asks.parse_args()
    print(f"rivals: {', '.join(RIVALS)}")
    warm()
    for name in arguments.sets:
        PARTS[name](arguments.seeds)


if __name__ == "__main__":
    main()
