"""Graphs of networkx as input and as output of a placement."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest

import headroom as hr
from planner.errors import InputError
from planner.placement.hierarchy import read_hierarchy
from planner.placement.problem import place
from scenarios.communication.graphs import communication_of
from scenarios.communication.matrix import Directed, joined
from scenarios.faults import ScenarioError
from solvers.partition import cut


def two_cliques() -> nx.Graph[str]:
    """Labels a to f; {a, c, e} and {b, d, f} exchange 10 a pair, a and b exchange 3."""
    graph = nx.Graph(name="cliques")
    for clique in ("ace", "bdf"):
        graph.add_weighted_edges_from((u, v, 10) for u in clique for v in clique if u < v)
    graph.add_edge("b", "a", weight=3)
    return graph


def test_ranks_are_the_nodes_in_the_order_of_their_labels() -> None:
    result = hr.place(two_cliques(), nodes=2)
    assert result.placement.groups == [[0, 2, 4], [1, 3, 5]]
    assert (result.placement.partition.cut, result.proved) == (3.0, True)
    assert result.placement.communication.name == "cliques"
    assert any("a is rank 0, f is rank 5." in each for each in result.warnings)


def test_the_method_has_an_old_spelling_and_only_one_of_the_two_is_taken() -> None:
    result = hr.place(two_cliques(), nodes=2, method="kl")
    assert result.to_dict() == hr.place(two_cliques(), nodes=2, algorithm="kl").to_dict()
    assert result.settings.algorithm == "kl"
    with pytest.raises(InputError, match="give only method"):
        hr.place(two_cliques(), nodes=2, method="kl", algorithm="kl")


def test_both_directions_and_parallel_edges_add_up_and_loops_stay_with_their_rank() -> None:
    directed = nx.MultiDiGraph()
    directed.add_weighted_edges_from([(0, 1, 5), (1, 0, 2), (0, 1, 1), (2, 2, 7), (1, 2, 0)])
    result = communication_of(directed)
    assert (result.low.tolist(), result.high.tolist(), result.bytes.tolist()) == ([0], [1], [8.0])
    assert result.self_bytes.tolist() == [0.0, 0.0, 7.0]
    assert result.sent_bytes is not None
    assert result.sent_bytes.tolist() == [6.0, 2.0, 0.0]
    assert result.silent.tolist() == [2]
    assert communication_of(nx.path_graph(3)).bytes.tolist() == [1.0, 1.0]  # no weight counts 1


def test_messages_are_known_where_every_edge_has_them() -> None:
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=8, messages=2)
    graph.add_edge(1, 2, weight=6)
    assert communication_of(graph).messages is None
    graph.edges[1, 2]["messages"] = 3
    messages = communication_of(graph).messages
    assert messages is not None
    assert messages.tolist() == [2.0, 3.0]
    assert hr.place(graph, nodes=3, weight="messages").value == 5.0


def test_communication_comes_back_from_its_graph() -> None:
    records = Directed(
        np.array([0, 3, 1, 2]),
        np.array([1, 0, 1, 3]),
        np.array([4.0, 5, 6, 0.5]),
        np.arange(1.0, 5),
    )
    result = joined("small", 5, records)
    again = communication_of(result.to_networkx())
    for key in ("low", "high", "bytes", "messages", "self_bytes", "self_messages"):
        assert getattr(again, key).tolist() == getattr(result, key).tolist()
    assert (again.name, again.ranks, again.remarks) == ("small", 5, ())


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), "8", True, None])
def test_weights_that_are_no_amount_are_refused_with_their_edge(weight: Any) -> None:
    graph = nx.Graph([("a", "b", {"weight": weight}), ("a", "c")])
    with pytest.raises(ScenarioError, match=r"edge \('a', 'b'\): weight is .*; give a finite"):
        hr.place(graph, nodes=2)


def test_graphs_without_ranks_and_labels_without_order_are_refused() -> None:
    with pytest.raises(ScenarioError, match="the graph has no node"):
        hr.place(nx.Graph(), nodes=2)
    with pytest.raises(
        ScenarioError, match=r"node labels \(int, str\) cannot be sorted into ranks.*relabel"
    ):
        hr.place(nx.Graph([(0, "a")]), nodes=2)
    with pytest.raises(InputError, match="communication is of type list; give the path"):
        hr.place([[0, 1], [1, 0]], nodes=2)


@pytest.mark.parametrize("deep", [False, True])
def test_a_placement_as_a_graph_says_where_each_rank_is_and_what_is_cut(deep: bool) -> None:
    given = nx.gnm_random_graph(12, 30, seed=4)
    for u, v in given.edges:
        given.edges[u, v]["weight"] = 1 + (u * v) % 7
    options: dict[str, Any] = (
        {"hierarchies": [(None, read_hierarchy("pack:2 core:3"))]} if deep else {}
    )
    placement = hr.place(given, nodes=3, **options).placement
    graph = placement.to_networkx()
    assert {*map(frozenset, graph.edges)} == {*map(frozenset, given.edges)}
    apart = [
        about["weight"] for u, v, about in graph.edges(data=True)
        if graph.nodes[u]["node"] != graph.nodes[v]["node"]
    ]  # fmt: skip
    assert sum(apart) == graph.graph["cut"] == placement.partition.cut
    assert sum(w for _, _, w in graph.edges(data="weight")) == given.size("weight")
    assert all(about["cut"] == (graph.nodes[u]["node"] != graph.nodes[v]["node"])
               for u, v, about in graph.edges(data=True))  # fmt: skip
    for node, group in enumerate(placement.groups):
        members = [rank for rank, about in graph.nodes(data=True) if about["node"] == node]
        assert members == group
        slots = sorted(graph.nodes[rank]["slot"] for rank in group)
        assert slots == sorted(placement.cores[node])
    assert (
        cut(placement.graph, [graph.nodes[rank]["node"] for rank in range(12)])
        == graph.graph["cut"]
    )
    assert (graph.graph["cost"], graph.graph["unit"]) == ("bytes", "B")


def test_rivals_of_a_pinned_placement_keep_the_pins() -> None:
    result = hr.place(two_cliques(), nodes=2, pins={0: 0, 1: 0}, starts=3)
    assert result.refused["networkx-kl"].why == "pins"
    (row,) = (each for each in result.tables()["not run"] if each["algorithm"] == "networkx-kl")
    assert row == {"algorithm": "networkx-kl", "why": "pins", "most": None}
    assert all(
        attempt.placement.partition.part[[0, 1]].tolist() == [0, 0] for attempt in result.tried
    )
    assert result.settings.starts == 3


@pytest.mark.parametrize("algorithm", ["reference", "reference-highs"])
def test_the_reference_places_as_the_engine_does(algorithm: str) -> None:
    rng = np.random.default_rng(8)
    given: nx.Graph[int] = nx.gnm_random_graph(8, 16, seed=2)
    for u, v in given.edges:
        given.edges[u, v]["weight"] = int(rng.integers(1, 50))
    for options in ({}, {"hierarchies": [(None, read_hierarchy("pack:2 core:2"))]}):
        words: dict[str, Any] = {"nodes": 2, "pins": {7: 0}, **options}
        result, engine = (place(communication_of(given), algorithm=each, **words)
                         for each in (algorithm, "portfolio"))  # fmt: skip
        assert result.mapping.total == engine.mapping.total
        assert (result.mapping.status, result.partition.cut) == ("optimal", engine.partition.cut)
        assert result.partition.part[7] == 0
        assert result.mapping.certificate is not None
        assert result.mapping.method.startswith("reference (")


def test_a_model_too_large_for_the_reference_is_refused_with_its_size() -> None:
    given = communication_of(nx.complete_graph(100))
    with pytest.raises(
        InputError, match=r"reference does not suit: .* 349,000 nonzeros, more than 200,000"
    ):
        place(given, nodes=10, algorithm="reference")


def test_the_published_exchange_ends_where_the_compiled_one_does_from_the_order_of_ranks() -> None:
    rng = np.random.default_rng(9)
    given: nx.Graph[int] = nx.gnm_random_graph(15, 60, seed=3)
    for u, v in given.edges:
        given.edges[u, v]["weight"] = int(rng.integers(1, 50))
    result, compiled = (
        place(communication_of(given), nodes=3, algorithm=each, starts=1)
        for each in ("reference-kl", "kl")
    )
    assert result.groups == compiled.groups
    with pytest.raises(InputError, match="does not support pins"):
        place(communication_of(given), nodes=3, pins={0: 0}, algorithm="reference-kl")
