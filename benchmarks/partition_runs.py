"""One run of one program on one case, measured and checked; the same for rivals and for ours.

Time is that of the processor, so that a shared machine disturbs less. Rivals run in a process of
their own that is ended when it takes too long.
"""

from __future__ import annotations

import multiprocessing
import time
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing.connection import Connection
from unittest.mock import patch

import numpy as np

import solvers.partition.request
from benchmarks.partition_cases import Case
from benchmarks.partition_rivals import RIVALS, Rival
from solvers.partition import BY_NAME, Graph, Request, cut, equal_parts, violations
from solvers.partition.repair import repaired

solvers.partition.request.clock = time.process_time


@dataclass(frozen=True)
class Run:
    """What came out.

    Attributes
    ----------
    weight
        Cut of exactly equal parts.
    seconds
        Processor time, without the repair.
    bound
        Lower bound on the cut; minus infinity from rivals.
    repaired
        Parts whose size the repair had to change.
    """

    weight: float
    seconds: float
    bound: float = -np.inf
    repaired: int = 0


@cache
def graph_of(case: Case) -> Graph:
    """Graph of a case with what is cached on it already there."""
    graph: Graph = case.graph()
    _ = graph.tails, graph.step, graph.size, graph.total, graph.has_negative
    return graph


def request(case: Case, seed: int = 0, limit_s: float | None = None) -> Request:
    graph = graph_of(case)
    return Request(graph, equal_parts(graph, case.size), seed=seed, time_limit_s=limit_s)


def ours(
    case: Case, seed: int, limit_s: float | None, *, metis: bool = True, name: str = "portfolio"
) -> Run:
    """Return one of our partitioners; every answer is checked.

    Raises
    ------
    SystemExit
        A rule is broken.
    """
    hidden = (
        nullcontext() if metis else patch("solvers.partition.metis.find_spec", return_value=None)
    )
    with hidden:
        began = time.process_time()
        problem = request(case, seed, limit_s)
        answer = BY_NAME[name].partition(problem)
    seconds = time.process_time() - began
    faults = violations(problem.graph, answer, problem.capacities.tolist())
    if faults:
        raise SystemExit(f"failed: {name} on {case.key}: {faults[0]}")
    return Run(answer.cut, seconds, answer.bound)


def rival(case: Case, name: str, seed: int, patience_s: float, budget_s: float = 0.0) -> Run | None:
    """Best of one of the others, from as many seeds as the budget holds, at least one, repaired.

    ``None`` if it fails or has not answered after ``patience_s`` on the wall clock.
    """
    problem = request(case, seed)
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe(duplex=False)
    process = fork.Process(target=_answer, args=(RIVALS[name], problem, seed, budget_s, there))
    process.start()
    there.close()
    answer: Run | None = None
    try:
        if here.poll(patience_s):
            answer = here.recv()
    except EOFError:
        answer = None
    process.kill()
    process.join()
    return answer


def _answer(
    program: Rival, problem: Request, seed: int, budget_s: float, there: Connection
) -> None:
    best: Run | None = None
    spent, again = 0.0, 0
    while best is None or spent < budget_s:
        began = time.process_time()
        part = program(problem, 1000 * seed + again)
        spent, again = spent + max(1e-4, time.process_time() - began), again + 1
        sizes = np.bincount(part, minlength=problem.parts)
        exact = repaired(problem, part)
        if (np.bincount(exact, minlength=problem.parts) != problem.capacities).any():
            raise SystemExit("failed: the repair leaves wrong sizes")
        weight = cut(problem.graph, exact)
        if best is None or weight < best.weight:
            best = Run(weight, spent, repaired=int((sizes != problem.capacities).sum()))
    there.send(replace(best, seconds=spent))


def warm() -> None:
    """Compile every loop, import every module and the rivals' ones."""
    for name, size in (("points 16", 4), ("points 32", 8), ("points 512", 8)):
        for metis in (True, False):
            ours(Case(name, size), 0, 0.05, metis=metis)
            ours(Case(name, size), 0, 0.05, metis=metis, name="kl")
    for name in RIVALS:
        RIVALS[name](request(Case("points 16", 4)), 1) if "mtkahypar" not in name else None
    ours(Case("points 128", 2), 0, None)
    ours(Case("points 16", 2), 0, None)
