"""The conflict graph: which rules clash, and what would undo it."""

from __future__ import annotations

import networkx as nx
import pytest

from planner.procurement.conflict_graph import conflict_graph
from planner.procurement.infeasible import clashing, diagnose, feasible
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from planner.procurement.procure import procure
from planner.procurement.rules import groups
from tests.planner.procurement.catalogues import Document, merits, node, request, scenario
from tests.planner.procurement.test_infeasible import PRICES, hopeless_requests

WORK = [merits("w", ("a", None, 1.0))]
DEMANDING: Document = {"requirements": {"throughput": {"w": 2.0}}}


def test_money_for_one_node_and_work_for_two_clash() -> None:
    """A node costs 300: 400 of money buy one. 200 more buy the second, or w = 1 asks for one."""
    raw_scenario = request([node("a", 300.0)], WORK, 400.0, 900.0, **DEMANDING)
    graph = procure(scenario(raw_scenario), Options()).conflict_graph()
    money, work = "limit: capital", "requirement: throughput of w"
    assert set(graph["conflict 1"]) == {money, work}
    assert graph.nodes[money]["rule"] == "limit"
    assert graph.nodes[work]["rule"] == "requirement"
    assert graph.nodes["conflict 1"]["words"] == (
        f"{graph.nodes[work]['words']} and {graph.nodes[money]['words']} cannot be met together"
    )
    undone = {
        rule: (edge["change"], graph.nodes[remedy]["score"])
        for rule in (money, work)
        for remedy, edge in graph[rule].items()
        if edge["relation"] == "gives way"
    }
    change, score = undone[money]
    assert change == "200 USD of capital more"
    assert score == pytest.approx(2.0)
    change, score = undone[work]
    assert "1" in change
    assert score == pytest.approx(1.0)


def test_where_there_is_a_plan_the_graph_is_empty() -> None:
    raw_scenario = request([node("a", 300.0)], WORK, 900.0, 900.0)
    assert len(procure(scenario(raw_scenario), Options()).conflict_graph()) == 0


def test_a_stock_that_is_too_small_is_a_term_of_quotes() -> None:
    """All else allows a second node; only one is sold."""
    raw_scenario = request([node("a", 300.0, maximum_quantity=1)], WORK, 9e5, 9e5, **DEMANDING)
    graph = procure(scenario(raw_scenario), Options()).conflict_graph()
    assert graph.nodes["terms: stock"]["rule"] == "term of quotes"
    assert graph.nodes["terms: stock"]["words"] == "the stock of the quotes"


def test_every_conflict_is_irreducible_and_every_edge_has_a_rule_at_one_end() -> None:
    for problem in hopeless_requests(2):
        optimiser = Optimiser(problem, Options())
        graph = conflict_graph(problem, diagnose(optimiser, PRICES))
        every = groups(problem)
        rules = [name for name, kind in graph.nodes(data="kind") if kind == "rule"]
        assert nx.is_bipartite(graph)
        assert all((first in rules) != (other in rules) for first, other in graph.edges)
        assert set(graph["conflict 1"]) == set(clashing(optimiser))
        for conflict in (name for name in graph if name.startswith("conflict")):
            needed = set(graph[conflict])
            others = [group for group in every if group.name not in needed]
            assert not feasible(optimiser, others), conflict
            for name in needed:
                given_up = [group for group in every if group.name == name]
                assert feasible(optimiser, [*others, *given_up]), (conflict, name)
