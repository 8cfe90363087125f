r"""Simulated annealing by swaps between parts, compiled.

A vertex is drawn, and one of its edges. If the other end lies in another part, the vertex asks for
a place there and is swapped with a vertex drawn from that part; if the edge is of negative weight
and the other end lies in the same part, it asks for the place of any vertex. A swap that gains
:math:`g` is taken if :math:`g \ge T \log r` with :math:`r` drawn from (0, 1]: the rule of
Metropolis. :math:`T` falls geometrically. Sizes are exact throughout, pinned vertices stay.

Most proposals fail, and most of these after a glance: a vertex gains at most its absolute weight
less twice what it has inside its part, and both sums are at hand. So a proposal takes some ten
nanoseconds on the graphs of stencils.

References
----------
Johnson, Aragon, McGeoch and Schevon, Operations Research 37 (1989), for annealing of partitions,
there by moves and a penalty for sizes; Metropolis et al., J. Chem. Phys. 21 (1953).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solvers.compiled import compiled, counted_entry
from solvers.model.milp import Floats, Indices
from solvers.partition.draws import Stream, below, log_of_share, stream
from solvers.partition.graph import Parts
from solvers.partition.moves import Level, contracted, matched
from solvers.partition.request import FREE, Request
from solvers.portable import exp, log

Bools = NDArray[np.bool_]

_CHUNK = 1 << 15
_PLATEAU = 1 << 7


class Swaps(NamedTuple):
    """Graph, parts and sums of the loop."""

    starts: Indices  # as in Graph
    neighbours: Parts
    weights: Floats
    sizes: Indices  # (vertices,)
    free: Indices  # vertices that may move
    pinned: Parts  # 1 where a vertex may not
    part: Parts  # (vertices,)
    slots: Parts  # vertices, part by part
    slot: Parts  # place of each vertex in slots
    first: Indices  # slots first[p] up to first[p + 1] are those of part p
    own: Floats  # weight of each vertex to its part
    most: Floats  # sum of the absolute weights of each vertex
    best: Parts  # part of each vertex at the best moment
    log: Parts  # (2, most swaps): pairs swapped since ``best`` was brought up to date
    ends: Indices  # (2,): length of the log, beyond it where it is lost; length at the best moment
    sums: Floats  # (3,): gain up to now, best gain, what counts as a gain


@dataclass(frozen=True)
class Cooling:
    """How an annealing goes.

    Attributes
    ----------
    hot, cold
        First and last temperature, in mean absolute weights of an edge.
    sweeps
        Proposals per vertex.
    doublings
        How often vertices of a part are joined in pairs beforehand, so that bunches are swapped
        first, then halves of bunches, and so on; bunches of one size swap with each other only.
    """

    hot: float
    cold: float
    sweeps: int
    doublings: int = 0


def annealed(request: Request, start: Parts, cooling: Cooling, rng: np.random.Generator) -> Parts:
    """Anneal one partition; return the best on the way, which cuts no more than the start.

    Parameters
    ----------
    start
        Fills every capacity and keeps every pin; it is not changed.
    """
    part, draws = np.array(start, dtype=np.int32), stream(rng)
    # The parts themselves are the pins: `matched` then joins only vertices of one part, and every
    # coarse graph carries its start as its pins.
    level, free = request.flat(part), request.fixed == FREE
    joined: list[tuple[Level, Bools, Parts]] = []
    for doubling in range(cooling.doublings):
        coarse = matched(level, rng.permutation(len(level.sizes)), 2 << doubling)
        joined.append((level, free, coarse))
        level, free = contracted(level, coarse), np.bincount(coarse, ~free) == 0
    part = _annealed(request, level, level.pin, free, cooling, draws)
    for finer, able, coarse in reversed(joined):
        part = _annealed(request, finer, part[coarse], able, cooling, draws)
    return part


def _annealed(
    request: Request, level: Level, start: Parts, free: Bools, cooling: Cooling, draws: Stream
) -> Parts:
    able = np.flatnonzero(free)
    part, best = start.copy(), start.copy()
    if not len(able) or not len(level.weights):
        return best
    steps = cooling.sweeps * len(part)
    unit = float(np.abs(level.weights).mean())
    sums = np.array([0.0, 0.0, 1e-12 * unit * len(level.weights)])
    # Whole plateaus, since `_anneal` reads a new temperature only where a plateau begins.
    chunk = -(-max(_CHUNK, 2 * len(level.weights)) // _PLATEAU) * _PLATEAU
    fall = log(cooling.cold / cooling.hot) / max(1, steps)
    for begin in range(0, steps, chunk):
        if request.late():
            break
        end = min(begin + chunk, steps)
        _chunk(
            level.starts,
            level.neighbours,
            level.weights,
            level.sizes,
            able,
            part,
            best,
            request.parts,
            sums,
            draws,
            unit * cooling.hot * exp(fall * np.arange(begin, end, _PLATEAU)),
            begin,
            end,
        )
    return best


@counted_entry
def _chunk(  # noqa: PLR0917 - see its docstring
    starts: Indices,
    neighbours: Parts,
    weights: Floats,
    sizes: Indices,
    free: Indices,
    part: Parts,
    best: Parts,
    parts: int,
    sums: Floats,
    draws: Stream,
    temperatures: Floats,
    begin: int,
    end: int,
) -> None:
    """Set up the sums and go some way; arrays one by one, for numba is slow to take a tuple in."""
    count = len(part)
    # All sums are set up anew, so rounding errors of `own` do not add up from chunk to chunk.
    first = np.zeros(parts + 1, dtype=np.int64)
    for vertex in range(count):
        first[part[vertex] + 1] += 1
    for p in range(parts):
        first[p + 1] += first[p]
    filled = first.copy()
    slots, slot = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.int32)
    pinned = np.ones(count, dtype=np.int32)
    own, most = np.zeros(count), np.zeros(count)
    for vertex in range(count):
        p = part[vertex]
        slots[filled[p]], slot[vertex] = vertex, filled[p]
        filled[p] += 1
        for entry in range(starts[vertex], starts[vertex + 1]):
            most[vertex] += abs(weights[entry])
            if part[neighbours[entry]] == p:
                own[vertex] += weights[entry]
    for index in range(len(free)):
        pinned[free[index]] = 0
    s = Swaps(
        starts,
        neighbours,
        weights,
        sizes,
        free,
        pinned,
        part,
        slots,
        slot,
        first,
        own,
        most,
        best,
        np.empty((2, max(256, count)), dtype=np.int32),
        np.zeros(2, dtype=np.int64),
        sums,
    )
    if begin > 0:  # what is best may lie behind; the log cannot lead back to it
        s.ends[0] = len(s.log[0]) + 1
    _anneal(s, draws, temperatures, begin, end)
    _keep_best(s)


@compiled
def _anneal(  # noqa: C901 - one proposal from its draw to its end
    s: Swaps, draws: Stream, temperatures: Floats, begin: int, end: int
) -> None:
    """Proposals ``begin`` up to ``end``, with a temperature for each plateau; one begins."""
    # Fields by name: taken from the tuple in each turn they would cost more than a proposal.
    starts, neighbours, weights, part = s.starts, s.neighbours, s.weights, s.part
    free, pinned, slots, first, own, most = s.free, s.pinned, s.slots, s.first, s.own, s.most
    sizes = s.sizes
    # Before each proposal `own` holds the weight of each vertex to its part, and `slots` lists the
    # vertices part by part; `slot` is the position of each. The first `ends[1]` swaps of the log
    # lead from `best` to the best moment, all `ends[0]` of them to `part`, unless the log ran full.
    temperature = temperatures[0]
    for step in range(begin, end):
        if step % _PLATEAU == 0:
            temperature = temperatures[(step - begin) // _PLATEAU]
        u = free[below(draws, len(free))]
        low, high = starts[u], starts[u + 1]
        if low == high:
            continue
        entry = low + below(draws, high - low)
        x, a = neighbours[entry], part[u]
        b = part[x]
        if weights[entry] > 0.0:
            if a == b:
                continue
            v = slots[first[b] + below(draws, first[b + 1] - first[b])]
            if v == x:
                continue
        else:
            v = slots[below(draws, len(slots))]
            if a != b or part[v] == a:
                continue
        # Swaps of equal sizes only, so parts of coarse vertices keep their exact sizes too.
        if pinned[v] == 1 or sizes[v] != sizes[u]:
            continue
        # Metropolis et al. (1953): a swap of gain g is taken with probability min(1, exp(g / T)).
        least = temperature * log_of_share(draws)
        # The part of v that u joins attracts u by at most what is left of its absolute weight, so u
        # gains at most `most` less twice `own`, and v likewise. Both limits, then the gain of u
        # with the limit of v, turn most proposals down before both neighbourhoods are added up.
        v_most = most[v] - 2.0 * own[v]
        if v_most + most[u] - 2.0 * own[u] < least:
            continue
        gain = _gain(starts, neighbours, weights, part, u, v, v_most - own[u])
        if gain < least:
            continue
        # From the limit of v to its gain without the new part; what v finds there follows. The edge
        # between the two stays between parts: `_gain` took off what the loop below adds for it.
        gain += own[v] - most[v]
        for back in range(starts[v], starts[v + 1]):
            if part[neighbours[back]] == a:
                gain += weights[back]
        if gain >= least:
            _swap(s, u, v)
            _note(s, u, v, gain)


@compiled
def _gain(
    starts: Indices,
    neighbours: Parts,
    weights: Floats,
    part: Parts,
    u: int,
    v: int,
    gain: float,
) -> float:
    """Add to a gain what a vertex finds in the part of another."""
    b = part[v]
    for entry in range(starts[u], starts[u + 1]):
        other = neighbours[entry]
        if part[other] == b:
            gain += weights[entry] if other != v else -weights[entry]
    return gain


@compiled
def _swap(s: Swaps, u: int, v: int) -> None:
    """Swap two vertices of different parts and bring the sums up to date."""
    # Both calls need the parts of before the swap, so the parts change only after them.
    into_b, into_a = _sums(s, u, v), _sums(s, v, u)
    s.own[u], s.own[v] = into_b, into_a
    s.part[u], s.part[v] = s.part[v], s.part[u]
    s.slots[s.slot[u]], s.slots[s.slot[v]] = v, u
    s.slot[u], s.slot[v] = s.slot[v], s.slot[u]


@compiled
def _sums(s: Swaps, vertex: int, other: int) -> float:
    """Bring the sums near a vertex up to date for its place in another part; return its own."""
    source, joined, inside = s.part[vertex], s.part[other], 0.0
    for entry in range(s.starts[vertex], s.starts[vertex + 1]):
        near = s.neighbours[entry]
        # The edge between the two stays cut, so it enters neither sum.
        if near == other:
            continue
        if s.part[near] == source:
            s.own[near] -= s.weights[entry]
        elif s.part[near] == joined:
            s.own[near] += s.weights[entry]
            inside += s.weights[entry]
    return inside


@compiled
def _note(s: Swaps, u: int, v: int, gain: float) -> None:
    """Log a swap, and whether the best moment is now."""
    length = len(s.log[0])
    if s.ends[0] == length:  # full: what is behind the best moment is lost, the way to it is not
        s.ends[0] = length + 1
    if s.ends[0] < length:
        s.log[0, s.ends[0]], s.log[1, s.ends[0]] = u, v
        s.ends[0] += 1
    s.sums[0] += gain
    if s.sums[0] > s.sums[1] + s.sums[2]:
        s.sums[1] = s.sums[0]
        if s.ends[0] > length:
            for vertex in range(len(s.part)):
                s.best[vertex] = s.part[vertex]
            s.ends[0] = 0
        s.ends[1] = s.ends[0]


@compiled
def _keep_best(s: Swaps) -> None:
    """Bring ``best`` up to date from the log; what follows its best moment stays out."""
    for index in range(s.ends[1]):
        u, v = s.log[0, index], s.log[1, index]
        s.best[u], s.best[v] = s.best[v], s.best[u]
    s.ends[1] = 0
