"""Sharing nodes and watts among jobs by every method."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from planner.comparison.method import (
    ComparedDecision,
    Instance,
    Method,
    MethodAnswer,
    MethodKind,
    answer,
)
from planner.configurations.selection import Bound
from planner.configurations.sharing.own import SharingHeuristic, plan_by
from planner.configurations.sharing.problem import (
    Goal,
    SharedJob,
    SharingPlan,
    SharingProblem,
    violations,
)
from planner.configurations.sharing.rounded import rounded
from planner.configurations.sharing.share import RULES
from planner.configurations.sharing.share import share as engine
from planner.formulations.legends import of_sharing
from planner.formulations.model_files import NamedModel
from planner.formulations.sharing import formulate
from planner.formulations.sharing import share as reference
from planner.formulations.solved import GAP
from planner.parts import name_of

EXACT_GAP = 1e-9


def decision(goal: Goal) -> ComparedDecision:
    """Return the decision that methods of sharing are compared on."""
    return ComparedDecision(
        "Sharing a power bound among jobs", f"{goal} (s)", "jobs",
    )  # fmt: skip


def instance(
    name: str,
    problem: SharingProblem,
    goal: Goal,
    *,
    seed: int | None = None,
    heuristics: Sequence[SharingHeuristic] = (),
    **limits: Any,
) -> Instance:
    """All methods for one problem; ``limits`` hold for the exact ones."""
    methods = [
        Method("reference (CBC)", MethodKind.REFERENCE,
               _asking(partial(reference, problem, goal=goal, solver="cbc", **limits)), GAP),
        Method("reference (HiGHS)", MethodKind.REFERENCE,
               _asking(partial(reference, problem, goal=goal, solver="highs", **limits)), GAP),
        Method("engine", MethodKind.ENGINE,
               _asking(partial(engine, problem, goal=goal, gap=EXACT_GAP,
                               time_limit_s=limits.get("time_limit_s"))), EXACT_GAP),
        Method("LP rounding", MethodKind.ROUNDING, _asking(partial(rounded, problem, goal))),
        *(Method(rule, MethodKind.HEURISTIC,
                 _asking(partial(engine, problem, goal=goal, method=rule), proves=False))
          for rule in RULES),
        *(Method(name_of(own), MethodKind.OWN, _asking(partial(plan_by, own, problem, goal)))
          for own in heuristics),
    ]  # fmt: skip
    return Instance(
        name,
        len(problem.jobs),
        seed,
        tuple(methods),
        NamedModel(lambda: formulate(problem, goal)[0], of_sharing(problem, goal)),
    )


def _asking(ask: Callable[[], SharingPlan], *, proves: bool = True) -> Callable[[], MethodAnswer]:
    def ask_once() -> MethodAnswer:
        plan = ask()
        return answer(plan.value, plan.certificate if proves else None, violations(plan))

    return ask_once


def resampled(
    problem: SharingProblem, sizes: Sequence[int], seeds: Sequence[int]
) -> Iterator[tuple[str, SharingProblem, int]]:
    """Problems of other sizes, whose jobs are drawn with replacement from those of one problem.

    Watts and nodes grow with the number of jobs, so that each job has the same mean share.

    Yields
    ------
    tuple
        Name, problem and seed.
    """
    for size in sizes:
        for seed in seeds:
            rng = np.random.default_rng([seed, size])
            picked = [problem.jobs[k] for k in rng.integers(len(problem.jobs), size=size)]
            jobs = tuple(
                SharedJob(f"{job.name} {number}", job.table, job.weight)
                for number, job in enumerate(picked, 1)
            )
            grown = size / len(problem.jobs)
            bound = Bound(problem.bound.bound_w * grown, problem.bound.guard)
            nodes = max(1, round(problem.nodes * grown))
            yield f"{size} jobs, seed {seed}", SharingProblem(jobs, bound, nodes), seed
