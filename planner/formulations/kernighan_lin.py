r"""The published Kernighan-Lin exchange on a networkx graph, to be read.

Between two parts A and B (section IV-A; Kernighan and Lin 1970, section 2)::

    1  repeat
    2    for v in A and B:  D[v] = sum of weights to the other part - sum of weights to its own
    3    all vertices are free; G = []
    4    as often as the smaller part has vertices:
    5      take the free a in A and b in B with the largest g = D[a] + D[b] - 2 w[a, b]; lock both
    6      for free x in A:  D[x] += 2 w[x, a] - 2 w[x, b];  for free y in B likewise
    7    m = the number of exchanges with the largest sum g_1 + ... + g_m
    8    if that sum is above 0: exchange a_1 ... a_m with b_1 ... b_m
    9  until it is not

Between many parts (section IV-B): lines 1 to 9 for each pair, until no pair gains.

The engine, :class:`solvers.partition.kl.KernighanLin`, makes the same exchanges. It keeps both
sides sorted by D, so that it looks at a handful of pairs in line 5 rather than at all. It leaves
out pairs of parts that cannot gain: neither has changed since the last test, or no edge joins them.
Tests compare the partitions, which are equal up to parts of 256 vertices. With larger parts the
engine ends a pass after 256 exchanges without a new best sum.

Where the papers leave a choice, both do this. Line 5: of pairs with the same gain, the one whose a
has the larger D, then the earlier a; then the same for b. Line 7: the fewest exchanges. Line 8:
above 0 means by more than rounding, 1e-12 of the weights between and within A and B.

References
----------
Li, de Supinski, Schulz, Nikolopoulos and Cameron (2010): power-aware MPI task aggregation,
sections IV-A and IV-B. Kernighan and Lin, Bell System Technical Journal 49 (1970).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, TypeVar

from planner.errors import InputError

if TYPE_CHECKING:
    import networkx as nx

V = TypeVar("V", bound=Hashable)
Weights = dict[V, dict[V, float]]

ROUNDING = 1e-12
"""Share of the absolute weights that a sum of gains must be above."""


def kernighan_lin(
    graph: nx.Graph[V],
    sizes: Sequence[int],
    start: Sequence[set[V]] | None = None,
    *,
    weight: str = "weight",
) -> list[set[V]]:
    """Exchange vertices between all pairs of parts until no pair gains.

    Parameters
    ----------
    graph
        Undirected, without loops. Its order of nodes is the order that breaks ties.
    sizes
        Vertices of each part; they add up to those of the graph.
    start
        Parts to begin with; by default the vertices in the graph's order fill part after part.
    weight
        Attribute of the edges; an edge without it weighs 1.

    Returns
    -------
    list
        The parts, of the same sizes as before.

    Raises
    ------
    InputError
        The start has other sizes, or is not a partition of the graph.

    Examples
    --------
    >>> import networkx as nx
    >>> two_pairs = nx.Graph([(0, 2), (1, 3)])
    >>> kernighan_lin(two_pairs, [2, 2], [{0, 1}, {2, 3}])
    [{1, 3}, {0, 2}]
    """
    parts = [set(part) for part in start] if start is not None else _filled(list(graph), sizes)
    _check(graph, sizes, parts)
    order = {v: i for i, v in enumerate(graph)}
    # Sums run in the order of the vertices, as in the engine: floats depend on it.
    weights: Weights[V] = {
        v: {u: float(graph[v][u].get(weight, 1)) for u in sorted(graph[v], key=order.__getitem__)}
        for v in graph
    }
    gained = True
    while gained:
        gained = False
        for p, q in combinations(range(len(parts)), 2):
            while exchange(weights, order, parts[p], parts[q]):
                gained = True
    return parts


def exchange(weights: Weights[V], order: dict[V, int], a_side: set[V], b_side: set[V]) -> bool:
    """Make one pass over two parts, lines 2 to 8, and change them; whether it gained."""
    both = a_side | b_side
    inside = {v: {u: w for u, w in weights[v].items() if u in both} for v in both}
    d = dict.fromkeys(both, 0.0)
    for v in both:
        for u, w in inside[v].items():
            d[v] += -w if (u in a_side) == (v in a_side) else w
    free_a, free_b = set(a_side), set(b_side)
    exchanges: list[tuple[V, V]] = []
    total, best, m = 0.0, ROUNDING * sum(abs(w) for v in both for w in inside[v].values()), 0
    for _ in range(min(len(a_side), len(b_side))):
        gain, a, b = _best_pair(inside, d, order, free_a, free_b)
        free_a.remove(a)
        free_b.remove(b)
        exchanges.append((a, b))
        for locked in (a, b):
            for x, w in inside[locked].items():
                if x in free_a or x in free_b:
                    d[x] += 2 * w if (x in a_side) == (locked in a_side) else -2 * w
        total += gain
        if total > best:
            best, m = total, len(exchanges)
    for a, b in exchanges[:m]:
        a_side.symmetric_difference_update((a, b))
        b_side.symmetric_difference_update((a, b))
    return m > 0


def _best_pair(
    weights: Weights[V], d: dict[V, float], order: dict[V, int], free_a: set[V], free_b: set[V]
) -> tuple[float, V, V]:
    """Choose the pair of greatest gain (line 5 of the published algorithm)."""
    return max(
        ((d[a] + d[b] - 2 * weights[a].get(b, 0.0), a, b) for a in free_a for b in free_b),
        key=lambda pair: (pair[0], d[pair[1]], -order[pair[1]], d[pair[2]], -order[pair[2]]),
    )


def _filled(order: list[V], sizes: Sequence[int]) -> list[set[V]]:
    ends = [sum(sizes[:p]) for p in range(len(sizes) + 1)]
    return [set(order[low:high]) for low, high in pairwise(ends)]


def _check(graph: nx.Graph[V], sizes: Sequence[int], parts: list[set[V]]) -> None:
    if graph.is_directed() or graph.is_multigraph():
        raise InputError("Kernighan-Lin needs an undirected graph with one edge per pair")
    for v in graph:
        if v in graph[v]:
            raise InputError(f"vertex {v!r} has an edge to itself; remove it")
    counts = [len(part) for part in parts]
    if counts != list(sizes):
        raise InputError(f"the parts have {counts} vertices, but sizes are {list(sizes)}")
    if sum(counts) != len(graph) or set().union(*parts) != set(graph):
        raise InputError(
            f"the parts hold {sum(counts)} vertices, but the graph has {len(graph)}; put each "
            "vertex into exactly one part"
        )
