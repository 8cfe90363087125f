"""Usual ways of choosing pairs, compared with the matching."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from planner.sharing_nodes.pairs.plan import CoLocationPlan, plan_of
from planner.sharing_nodes.pairs.problem import MOST_MATCHED, PairingProblem
from scenarios.pairs.pair_table import Indices
from solvers.matching.kinds import pairs_of_kinds

_CHUNK = 100_000  # pairs at a time: after the first few, most have a job that is taken


def nobody(problem: PairingProblem) -> CoLocationPlan:
    """Every job runs alone."""
    return plan_of(problem, "none", ())


def first_fit(problem: PairingProblem) -> CoLocationPlan:
    """Each job, in order, joins the first one that is alone and with which it gains."""
    useful = problem.useful(problem.kind_gain) > 0
    waiting: list[deque[int]] = [deque() for _ in useful]
    first = np.full(len(useful), problem.jobs)  # of those who wait, by application
    pairs = []
    for job, kind in enumerate(problem.kind.tolist()):
        other = int(np.where(useful[kind], first, problem.jobs).argmin())
        if useful[kind, other] and waiting[other]:
            pairs.append((waiting[other].popleft(), job))
            first[other] = waiting[other][0] if waiting[other] else problem.jobs
        else:
            waiting[kind].append(job)
            first[kind] = waiting[kind][0]
    return plan_of(problem, "first fit", pairs)


def greedy(problem: PairingProblem) -> CoLocationPlan:
    """The pair with the largest gain first, then the best of the jobs that remain."""
    if problem.jobs > MOST_MATCHED:
        return _greedy_by_kinds(problem)
    first, second = np.nonzero(np.triu(problem.useful_gain, 1))
    order = np.argsort(-problem.useful_gain[first, second], kind="stable")
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


def _greedy_by_kinds(problem: PairingProblem) -> CoLocationPlan:
    """Greedy for many jobs: as many pairs of the best two applications as there are, and so on."""
    useful = np.triu(problem.useful(problem.kind_gain))
    kinds = np.argwhere(useful > 0)
    kinds = kinds[np.argsort(-useful[kinds[:, 0], kinds[:, 1]], kind="stable")]
    left = np.bincount(problem.kind)
    times = np.zeros(len(kinds), dtype=np.int64)
    for row, (a, b) in enumerate(kinds.tolist()):
        times[row] = left[a] // 2 if a == b else min(left[a], left[b])
        left[[a, b]] -= times[row] * (1 + (a == b))
    pairs = pairs_of_kinds(problem.kind, kinds, times)
    return plan_of(problem, "greedy best pair", map(tuple, pairs.tolist()))


def random_plans(problem: PairingProblem, draws: int, seed: int) -> Iterator[CoLocationPlan]:
    """Neighbours in a random order share if their pair was measured and keeps the limits."""
    for pairs in random_pairs(problem, draws, seed):
        yield plan_of(problem, "random", map(tuple, pairs.tolist()))


def random_pairs(problem: PairingProblem, draws: int, seed: int) -> Iterator[Indices]:
    """The pairs of these plans, shape ``(pairs, 2)``."""
    source = np.random.default_rng(seed)
    for _ in range(draws):
        order = source.permutation(problem.jobs)
        pairs = order[: problem.jobs // 2 * 2].reshape(-1, 2)
        of = problem.kind[pairs]
        yield pairs[problem.kind_allowed[of[:, 0], of[:, 1]]]
