r"""A lower bound from all connected sets that fit into a part, proved in whole numbers.

Each part splits into connected sets of vertices, and holds what is inside them. So a partition
chooses sets :math:`S` of at most the largest capacity, each vertex :math:`v` in exactly one of
them. With capacities :math:`c_p` at most :math:`K_s = \sum_p \lfloor c_p / s \rfloor` of the sets
have :math:`s` vertices or more, and at most one has two or three vertices of a triple :math:`T`.
For any prices :math:`y_v`, charges :math:`z_s \ge 0` and fees :math:`f_T \ge 0` let the value of a
set be

.. math:: r(S) = w(S) - \sum_{v \in S} y_v - \sum_{s \le |S|} z_s - \sum_{|S \cap T| \ge 2} f_T .

Chosen sets have different lowest vertices. What they hold is therefore at most

.. math:: \sum_v y_v + \sum_s K_s z_s + \sum_T f_T
   + \sum_v \max\bigl(0, \max \{r(S) : \min S = v\}\bigr),

and the cut at least the total weight less this. It holds for weights of both signs and any
capacities; pins are not used. Prices, charges and fees are the duals of the linear program over the
sets known so far (rows *vertex*, *size* and *triple*), halfway to the best ones; pricing every set
bounds the cut at any of them and finds the next sets. Where few are left to find, triples that the
program breaks get their rows.

Weights are rounded up to whole numbers of a unit; integer weights are not changed.

References
----------
Lasdon, Optimization Theory for Large Systems (1970), for the bound at any duals; Wentges, Int.
Trans. Oper. Res. 4 (1997), for duals between the last and the best; Jepsen et al., Oper. Res. 56
(2008), for the rows of triples.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from solvers import certify
from solvers.model.milp import Floats, Indices, Milp, MilpBuilder
from solvers.partition.column_check import Columns, faults, least_cut, most_sets
from solvers.partition.connected import by_vertex, least_sets, priced
from solvers.partition.graph import Graph, Parts
from solvers.partition.outcome import closed
from solvers.partition.request import Request
from solvers.partition.triples import Members, broken_triples

SETS = 50_000_000
"""Connected sets above which no bound is sought: about half a second for each pricing."""

_VERTICES = 256
_ROUNDS = 60
_WORK = 1_000_000_000  # sets that are priced in all rounds
_BITS = 46  # of the sum of all weights in units
_LARGEST = 2.0**50  # price or charge in units
_DONE = 0.01  # of the open gap: where the program can give no more than this, the search ends
_EXACT = 0.002  # relative gap below which every other round takes the duals as they are
# About what the solver's process needs to begin, and per set, to price and to check it.
_BEGIN_S, _SET_S = 1.0, 5e-8


def by_columns(request: Request, part: Parts, weight: float) -> float:
    """Bound the cut by connected sets; minus infinity where they are too many or time is short.

    Parameters
    ----------
    part, weight
        A good partition, from which prices start, and its cut, at which the search ends.
    """
    graph = request.graph
    if request.parts == 1 or not graph.edges or graph.vertices > _VERTICES:
        return -math.inf
    if not request.allows(_BEGIN_S):
        return -math.inf
    remaining_s = request.remaining_s()
    most = SETS if remaining_s is None else min(SETS, int(remaining_s / _SET_S))
    columns = best_columns(request, part, weight, most)
    if columns is None or faults(graph, request.capacities, columns):
        return -math.inf
    return _as_float(graph, columns.bound)


def best_columns(request: Request, part: Parts, weight: float, most: int = SETS) -> Columns | None:
    """Return the best certificate found, or ``None`` where there are more sets than ``most``."""
    graph = request.graph
    largest = int(request.capacities.max())
    sets = least_sets(graph.starts.copy(), graph.neighbours.copy(), largest, most)
    if sets > most:
        return None
    pricing = _pricing(graph, most_sets(request.capacities))
    inside = part[graph.tails] == part[graph.neighbours]
    prices = np.bincount(graph.tails[inside], pricing.weights[inside], graph.vertices) / 2
    duals: Floats = np.append(prices, np.zeros(largest))
    known: dict[Members, int] = {(vertex,): 0 for vertex in range(graph.vertices)}
    triples: list[Members] = []
    best, of_best, answer = None, duals, None
    rounds, halfway = 0, True
    while True:
        columns, found = pricing.at(duals, triples)
        rounds += 1
        if best is None or columns.bound > best.bound:
            best, of_best = columns, duals
        bound = _as_float(graph, best.bound)
        late = not request.allows(_SET_S * sets)
        if closed(weight, bound) or late or rounds >= min(_ROUNDS, _WORK // sets):
            return best
        finds = not found.keys() <= known.keys()
        known |= found
        if finds or halfway:
            answer = _solved(request, pricing, known, triples)
        if answer is None:
            return best
        # The program over all sets holds at least as much: its bound on the cut is no higher.
        reach = graph.total - answer.held * pricing.largest * float(pricing.unit)
        if not (finds or halfway) or reach - bound < _DONE * (weight - bound):
            broken = broken_triples(known, answer.chosen, triples)
            if not broken:
                return best
            triples += broken
            answer = _solved(request, pricing, known, triples)
            if answer is None:
                return best
            finds = True
        near = weight - bound < _EXACT * abs(weight) and rounds % 2 == 1
        halfway = finds and not near
        duals = answer.duals * pricing.largest
        if halfway:
            duals = (duals + np.append(of_best, np.zeros(len(duals) - len(of_best)))) / 2


@dataclass(frozen=True, eq=False)
class _Pricing:
    """A graph in whole numbers, and how many sets of each size or more parts can hold."""

    graph: Graph
    unit: Fraction
    weights: Indices
    allowed: Indices

    @cached_property
    def square(self) -> Indices:
        """Symmetric matrix of the weights, shape ``(vertices, vertices)``."""
        matrix = np.zeros((self.graph.vertices, self.graph.vertices), dtype=np.int64)
        matrix[self.graph.tails, self.graph.neighbours] = self.weights
        return matrix

    @property
    def largest(self) -> float:
        """Largest weight of an edge in units, of any sign: the scale of the linear program."""
        return float(np.abs(self.weights).max())

    def at(self, duals: Floats, chosen: list[Members]) -> tuple[Columns, dict[Members, int]]:
        """Return the certificate at some duals, and sets above them with their weights."""
        count, sizes = self.graph.vertices, len(self.allowed)
        whole = np.rint(np.clip(duals, -_LARGEST, _LARGEST)).astype(np.int64)
        price, charge, fees = np.split(whole, [count, count + sizes])
        charge, fees = np.maximum(charge, 0), np.maximum(fees, 0)
        triples = np.array(chosen, dtype=np.int32).reshape(-1, 3)
        entered, ties = by_vertex(triples, count)
        arrays = self.graph.starts.copy(), self.graph.neighbours.copy(), self.weights
        values, members = priced(*arrays, price, np.cumsum(charge), triples, fees, entered, ties)
        surplus = np.maximum(values.max(axis=1), 0)
        parts = price, charge, triples, fees, surplus
        columns = Columns(self.unit, self.weights, *parts, Fraction(0))
        columns = replace(columns, bound=least_cut(self.graph, columns, self.allowed))
        found = {}
        for vertex, size in np.argwhere(values > 0).tolist():
            inside = np.sort(members[vertex, size, : size + 1])
            found[tuple(inside.tolist())] = int(self.square[np.ix_(inside, inside)].sum()) // 2
        return columns, found


def _pricing(graph: Graph, allowed: Indices) -> _Pricing:
    """Round weights up to whole numbers of a unit; with integer weights none changes."""
    step = graph.step or 1.0
    exponent = _BITS - math.frexp(graph.size / step)[1]
    weights = np.ceil(np.ldexp(graph.weights / step, exponent)).astype(np.int64)
    unit = Fraction(step) / Fraction(2) ** exponent
    return _Pricing(graph, unit, weights, allowed)


@dataclass(frozen=True, eq=False)
class _Answer:
    """What known sets hold at most, as shares of the largest weight, and which of them do."""

    held: float
    chosen: Floats
    duals: Floats


def _solved(
    request: Request, pricing: _Pricing, known: dict[Members, int], triples: list[Members]
) -> _Answer | None:
    """Solve the linear program over known sets."""
    program = _program(pricing, known, triples)
    answer = certify.solve(program, proof="never", time_limit_s=request.remaining_s())
    if answer.duals is None or answer.objective is None or answer.x is None:
        return None
    return _Answer(answer.objective, answer.x, answer.duals)


def _program(pricing: _Pricing, known: dict[Members, int], triples: list[Members]) -> Milp:
    """Linear program over known sets; weights are shares of the largest one."""
    count, sizes = pricing.graph.vertices, len(pricing.allowed)
    build = MilpBuilder("max", name="connected sets")
    weights = np.array([*known.values()]) / pricing.largest
    chosen = build.add_columns(len(known), cost=weights, label="set")
    lengths = [len(each) for each in known]
    columns = np.repeat(chosen, lengths)
    ones, each = np.ones(len(columns)), np.ones(count)
    vertices = np.concatenate([np.array(members) for members in known])
    build.add_rows(vertices, columns, ones, lower=each, upper=each, label="vertex")
    steps = np.concatenate([np.arange(length) for length in lengths])
    allowed = pricing.allowed.astype(np.float64)
    build.add_rows(steps, columns, ones, lower=np.full(sizes, -np.inf), upper=allowed, label="size")
    if triples:
        within = np.zeros((len(known), count), dtype=np.int64)
        within[columns, vertices] = 1
        held, rows = np.nonzero(within[:, np.array(triples)].sum(axis=2) >= 2)
        at_most_one = np.ones(len(triples))
        build.add_rows(rows, chosen[held], np.ones(len(rows)), upper=at_most_one, label="triple")
    return build.model()


def _as_float(graph: Graph, bound: Fraction) -> float:
    """Return the next value that a cut can have, or the next float below."""
    if graph.step:
        step = Fraction(graph.step)
        return float(math.ceil(bound / step) * step)
    nearest = float(bound)
    return nearest if nearest <= bound else math.nextafter(nearest, -math.inf)
