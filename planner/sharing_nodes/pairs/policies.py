"""Usual ways of choosing pairs, compared with the matching."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from planner.sharing_nodes.pairs.plan import CoLocationPlan, plan_of
from planner.sharing_nodes.pairs.problem import PairingProblem

_CHUNK = 100_000  # pairs at a time: after the first few, most have a job that is taken


def nobody(problem: PairingProblem) -> CoLocationPlan:
    """Every job runs alone."""
    return plan_of(problem, "none", ())


def first_fit(problem: PairingProblem) -> CoLocationPlan:
    """Each job, in order, joins the first one that is alone and with which it gains."""
    waiting: list[int] = []
    pairs = []
    for job in range(problem.jobs):
        gains = problem.useful_gain[job, waiting]
        fitting = np.flatnonzero(gains > 0)
        if len(fitting):
            pairs.append((waiting.pop(int(fitting[0])), job))
        else:
            waiting.append(job)
    return plan_of(problem, "first fit", pairs)


def greedy(problem: PairingProblem) -> CoLocationPlan:
    """The pair with the largest gain first, then the best of the jobs that remain."""
    first, second = np.nonzero(np.triu(problem.useful_gain, 1) > 0)
    order = np.argsort(-problem.gain[first, second], kind="stable")
    taken = np.zeros(problem.jobs, dtype=np.bool_)
    pairs = []
    for start in range(0, len(order), _CHUNK):
        some = order[start : start + _CHUNK]
        some = some[~(taken[first[some]] | taken[second[some]])]
        for a, b in zip(first[some].tolist(), second[some].tolist(), strict=True):
            if not (taken[a] or taken[b]):
                taken[a] = taken[b] = True
                pairs.append((a, b))
    return plan_of(problem, "greedy best pair", pairs)


def random_plans(problem: PairingProblem, draws: int, seed: int) -> Iterator[CoLocationPlan]:
    """Neighbours in a random order share if their pair was measured and keeps the limits."""
    source = np.random.default_rng(seed)
    for _ in range(draws):
        order = source.permutation(problem.jobs).tolist()
        pairs = zip(order[::2], order[1::2], strict=False)
        yield plan_of(problem, "random", (pair for pair in pairs if problem.allowed[pair]))
