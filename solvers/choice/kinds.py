"""Classes with equal items as one kind: how many of its classes take each item.

A program with a binary for each item of each class knows every permutation of equal classes as
another point, and a branch and bound visits them all. Counts have no such symmetry.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from solvers import certify
from solvers.choice.dominance import Filtered
from solvers.choice.outcome import Evidence
from solvers.choice.request import Request
from solvers.model.expressions import AlgebraicModel
from solvers.model.milp import Floats, Indices, Milp

_FEWEST = 2
"""Mean number of classes of a kind from which counting pays."""
_MOST_ITEMS = 20_000
_NODES = 20_000
_ENGINE_GAP = 1e-6


@dataclass(frozen=True, eq=False)
class Kinds:
    """Kinds of classes.

    Attributes
    ----------
    kind
        Kind of each class, ``(classes,)``.
    classes
        Number of classes of each kind, ``(kinds,)``.
    item
        Items left of the first class of each kind, one kind behind the other.
    of_item
        Kind of each of these.
    """

    kind: Indices
    classes: Indices
    item: Indices
    of_item: Indices


def kinds_of(remaining: Filtered) -> Kinds | None:
    """The kinds of the classes, by all costs and weights; ``None`` if too few are equal."""
    starts = remaining.starts.tolist()
    seen: dict[bytes, int] = {}
    kind = np.empty(remaining.classes, dtype=np.int64)
    first: list[int] = []
    for index, (begin, end) in enumerate(itertools.pairwise(starts)):
        weights = remaining.weights[:, begin:end]
        content = remaining.cost[begin:end].tobytes() + weights.tobytes()
        if content not in seen:
            seen[content] = len(first)
            first.append(index)
            if len(first) * _FEWEST > remaining.classes:
                return None
        kind[index] = seen[content]
    sizes = np.diff(remaining.starts)[first]
    if sizes.sum() > _MOST_ITEMS:
        return None
    item = np.concatenate([np.arange(starts[index], starts[index + 1]) for index in first])
    return Kinds(kind, np.bincount(kind), item, np.repeat(np.arange(len(first)), sizes))


def counted(remaining: Filtered, kinds: Kinds) -> Milp:
    """Integer program of a problem's kinds.

    Column ``n_k`` counts the classes that take item ``k``; a row ``kind_c`` for each kind, a row
    ``budget_r`` for each resource.
    """
    m = AlgebraicModel("min", name="choice by kinds")
    n = m.variables(
        "n", len(kinds.item), cost=remaining.cost[kinds.item],
        upper=kinds.classes[kinds.of_item].astype(np.float64), integer=True,
    )  # fmt: skip
    m.add("kind", n.sum_by(kinds.of_item, len(kinds.classes)).equals(kinds.classes))
    for resource, weights, budget in zip(
        remaining.resource, remaining.weights, remaining.budgets, strict=True
    ):
        m.add(f"budget_{resource}", weights[kinds.item] @ n <= budget)
    return m.model()


def solve_kinds(evidence: Evidence, remaining: Filtered, kinds: Kinds, request: Request) -> None:
    """Let HiGHS count how many classes of each kind take each item."""
    if evidence.closed(_ENGINE_GAP):
        return
    limit_s = request.remaining_s()
    answer = certify.solve(
        counted(remaining, kinds),
        time_limit_s=limit_s,
        node_limit=_NODES if limit_s is None else None,
        gap=request.gap,
        seed=request.seed,
        start=_counts(evidence, remaining, kinds),
        proof="auto" if request.exact and limit_s is None else "never",
    )
    found = None if answer.x is None else _expanded(remaining, kinds, answer.x)
    evidence.learn(answer, None if found is None else remaining.item[found], exact=request.exact)


def _counts(evidence: Evidence, remaining: Filtered, kinds: Kinds) -> Floats | None:
    """The best choice known as counts."""
    if evidence.chosen is None:
        return None
    chosen = np.searchsorted(remaining.item, evidence.chosen)
    place = chosen - remaining.starts[:-1]
    begins = np.searchsorted(kinds.of_item, kinds.kind)
    return np.bincount(begins + place, minlength=len(kinds.item)).astype(np.float64)


def _expanded(remaining: Filtered, kinds: Kinds, x: Floats) -> Indices:
    """An item left for each class: those of a kind take their items in the order of both."""
    order = np.argsort(kinds.kind, kind="stable")
    places = np.arange(len(kinds.item)) - np.searchsorted(kinds.of_item, kinds.of_item)
    taken = np.repeat(places, np.round(x).astype(np.int64))
    chosen = np.empty(remaining.classes, dtype=np.int64)
    chosen[order] = remaining.starts[:-1][order] + taken
    return chosen
