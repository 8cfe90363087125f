"""Many vertices of a few kinds, matched with a proof: most pairs are counted, some are matched.

Vertices of a kind have equal weights. A linear program says about how many pairs of each two kinds
there are; all but a few of these are fixed, and the vertices that remain are matched exactly. Their
dual values become those of kinds, and their odd sets become sets of kinds. These bound every
matching of all vertices by the argument of :mod:`solvers.matching.check`. For all vertices it is
checked that each two kinds are covered, and that each set is odd.
"""

from __future__ import annotations

import math
import time

import numpy as np

import solvers
from solvers.matching.duals import Duals, proved
from solvers.matching.groups import Groups, program
from solvers.matching.solve import GAP, Matched, certified
from solvers.matching.weights import Weights
from solvers.model.milp import Floats, Indices

_UNFIXED = (2, 8, 32)
"""Pairs of each two kinds, and single vertices of each kind, that are matched; more if too few."""
_MOST_UNFIXED = 3_000
_CARE = 1e-6


def match_kinds(kind: Indices, weight: Floats) -> Matched:
    """Find a matching of great weight and prove how good it is; vertices have no dual values.

    Parameters
    ----------
    kind
        Kind of each vertex, shape ``(vertices,)``.
    weight
        Weight of a pair, by kinds, symmetric, ``(kinds, kinds)``; a pair of weight 0 is never
        chosen.
    """
    began, cpu = time.perf_counter(), time.process_time()
    copies = np.bincount(kind, minlength=len(weight))
    kinds = np.argwhere(np.triu(weight) > 0)
    groups = Groups(copies, kinds, weight[*kinds.T], np.empty((0, len(kinds))), np.empty(0))
    relaxed = solvers.solve(program(groups, whole=False), proof="never").x if len(kinds) else None
    share = np.zeros(len(kinds)) if relaxed is None else relaxed
    objective, bound, of = _matched(copies, kinds, weight, share)
    content = weight.tobytes() + copies.tobytes()
    certificate = certified(objective, bound, content, (began, cpu))
    rows, times = np.unique(np.sort(of, axis=1), axis=0, return_counts=True)
    return Matched(pairs_of_kinds(kind, rows, times), certificate, Duals((), ()))


def _matched(
    copies: Indices, kinds: Indices, weight: Floats, share: Floats
) -> tuple[float, float | None, Indices]:
    """Best sum of weights and its bound, and both kinds of each pair, ``(pairs, 2)``."""
    objective, bound, best = -1.0, None, np.empty((0, 2), dtype=np.int64)
    for unfixed in _UNFIXED:
        part, fixed = _parted(copies, kinds, share, unfixed)
        if len(part) > _MOST_UNFIXED and objective >= 0:
            break
        weights = Weights(weight[np.ix_(part, part)])
        pairs, duals = proved(weights)
        of = np.concatenate([np.repeat(kinds, fixed, axis=0), part[pairs]])
        if (total := math.fsum(weight[*of.T].tolist())) > objective:
            objective, best = total, of
        limit = _bound(copies, part, weight, weights, duals)
        bound = min((each for each in (bound, limit) if each is not None), default=None)
        if bound is not None and bound - objective <= GAP * objective:
            break
    return objective, None if bound is None else max(bound, objective), best


def _parted(
    copies: Indices, kinds: Indices, share: Floats, unfixed: int
) -> tuple[Indices, Indices]:
    """Kinds of the vertices that remain, and how many pairs of each two kinds are fixed."""
    fixed = np.maximum(np.floor(share + _CARE).astype(np.int64) - unfixed, 0)
    used, in_all = np.zeros_like(copies), np.zeros(len(copies))
    for column in kinds.T:
        np.add.at(used, column, fixed)
        np.add.at(in_all, column, share)
    single = np.floor(copies - in_all + _CARE).astype(np.int64) - unfixed
    left = copies - used - 2 * (np.maximum(single, 0) // 2)
    return np.repeat(np.arange(len(copies)), np.maximum(left, 0)), fixed


def _bound(
    copies: Indices, part: Indices, weight: Floats, weights: Weights, duals: Duals
) -> float | None:
    """A bound on all vertices from the dual values of some; ``None`` where these do not suffice.

    A kind has the largest value of its vertices, and is in each set that has one of them. This is a
    bound if each two kinds are covered, and each set is odd: it counts all vertices of its kinds.
    """
    value = np.array(duals.vertex, dtype=np.int64)
    one_more = len(value) - len(part)  # where their number is odd: a kind of its own
    members = np.append(part, np.full(one_more, len(copies)))
    every, sizes = np.append(copies, one_more), np.bincount(members, minlength=len(copies) + 1)
    of_kind = np.full(len(every), -(1 << 60))
    np.maximum.at(of_kind, members, value)
    there = np.flatnonzero(every)
    counts, values = every[there].tolist(), of_kind[there].tolist()
    doubled = sum(count * each for count, each in zip(counts, values, strict=True))
    if not weights.largest or not sizes[there].all():
        return 0.0 if sizes[there].all() else None
    twice = 2 * np.pad(weights.whole_of(weight), (0, 1))
    room = of_kind[:, None] + of_kind[None, :] - twice
    for vertices, worth in duals.sets:
        within = np.bincount(members[[*vertices]], minlength=len(every)) > 0
        size = int(every[within].sum())
        if worth < 0 or size % 2 == 0:
            return None
        room[np.ix_(within, within)] += worth
        doubled += worth * ((size - 1) // 2)
    room[np.diag_indices(len(every))] *= every > 1
    if (room[np.ix_(there, there)] < 0).any():
        return None
    rounding = (int(copies.sum()) // 2) * math.ldexp(1.0, -weights.exponent)
    return weights.from_whole(doubled) + rounding


def pairs_of_kinds(kind: Indices, kinds: Indices, times: Indices) -> Indices:
    """Pairs of vertices of the given kinds; vertices of a kind are taken in their order.

    Parameters
    ----------
    kinds, times
        Both kinds of a pair, shape ``(rows, 2)``, and how many pairs to make, ``(rows,)``. They
        take no more vertices of a kind than there are.
    """
    order = np.argsort(kind, kind="stable")
    following = np.searchsorted(kind[order], np.arange(kind.max(initial=-1) + 1))
    parts = [np.empty((0, 2), dtype=np.int64)]
    for (a, b), count in zip(kinds.tolist(), times.tolist(), strict=True):
        if count:
            columns = []
            for each in (a, b):
                columns.append(order[following[each] : following[each] + count])
                following[each] += count
            parts.append(np.column_stack(columns))
    pairs = np.sort(np.concatenate(parts), axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
