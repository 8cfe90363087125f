"""The readable mapping model: CBC, HiGHS, engine and brute force find the same cost."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest

import solvers
from planner.errors import PlanError
from planner.formulations.mapping import formulate, map_ranks
from solvers.mapping import Problem, solve, violations
from solvers.model.result import Status
from tests.planner.formulations.graph_cases import Mapped, arrays, drawn, least_total, mapped
from tests.sizes import few

REFERENCES = ("cbc", "highs")


@pytest.mark.parametrize("number", range(few(200)))
def test_cbc_highs_engine_and_brute_force_agree(number: int) -> None:
    case = mapped(number)
    problem, optimum = case.problem, least_total(case)
    result = [map_ranks(problem, solver=solver) for solver in REFERENCES]
    for mapping in (*result, solve(problem)):
        assert violations(problem, mapping) == []
        assert mapping.total == pytest.approx(optimum, rel=1e-12, abs=1e-12)
        assert mapping.status is Status.OPTIMAL or math.isclose(
            optimum, mapping.bound, abs_tol=1e-12
        )


@pytest.mark.parametrize("solver", REFERENCES)
def test_costs_that_differ_by_4e_9_are_told_apart(solver: str) -> None:
    # CBC called 75,000,009,308 optimal while weights were counted in the largest of them.
    rng = np.random.default_rng([19, 121])
    units = ((0, 0, 0, 1, 1, 1), (0, 0, 1, 2, 2, 3))
    case = Mapped(tuple(drawn("large", 6, rng) for _ in units), units, {})
    assert map_ranks(case.problem, solver=solver).total == least_total(case) == 75_000_009_021.0


def test_two_nodes_of_two_sockets_by_hand() -> None:
    # Ranks 0-3 and 1-2 exchange 7, 0-1 exchanges 2. Parting costs 10 across nodes, 1 across
    # sockets. Nodes of {0, 3} and {1, 2} part the 2 at both levels, 20 + 2, and each heavy pair at
    # its sockets, 7 + 7: 36. All other nodes part a 7: 70 and more.
    pairs = nx.empty_graph(4)
    pairs.add_weighted_edges_from([(0, 3, 7), (1, 2, 7), (0, 1, 2)])
    far = nx.Graph()
    far.add_nodes_from(range(4))
    far.add_weighted_edges_from((u, v, 10 * w) for u, v, w in pairs.edges(data="weight"))
    mapping = map_ranks(Mapped((far, pairs), ((0, 0, 1, 1), (0, 1, 2, 3)), {}).problem)
    assert (mapping.total, mapping.status) == (36.0, Status.OPTIMAL)
    assert mapping.outermost.cut == 20.0
    assert mapping.slot.tolist() == [0, 2, 3, 1]  # the least rank of each unit comes first
    assert mapping.method == "reference (cbc)"
    assert mapping.certificate is not None


def test_rows_and_variables_have_the_names_of_the_docstring() -> None:
    graph = nx.path_graph(6)
    nx.set_edge_attributes(graph, {(0, 1): -1.0}, "weight")
    nx.set_edge_attributes(graph, {(1, 2): 1.0, (2, 3): 1.0, (3, 4): 1.0, (4, 5): 1.0}, "weight")
    units = ((0, 0, 0, 0, 1, 1), (0, 0, 1, 1, 2, 2))
    model, x = formulate(Mapped((graph, graph), units, {5: 1}).problem)
    names = solvers.from_pulp(model).row_names
    kinds = {name.split("_")[0] for name in names}
    assert kinds == {"one", "nest", "size", "tail", "head", "both", "first", "pin", "mates"}
    assert x[1][4][2].name == "x_1_4_2"
    # Of the outer units one is pinned to. The two inner ones of the other are alike.
    ordered = {name for name in names if name.startswith("first")}
    assert ordered == {f"first_1_{v}_1" for v in range(6)}


def test_a_model_too_large_is_refused_with_its_size_before_it_is_built() -> None:
    graph = nx.complete_graph(64)
    nx.set_edge_attributes(graph, 1.0, "weight")
    slots = np.arange(64)
    problem = Problem((arrays(graph),) * 2, np.array([slots // 8, slots // 2]))
    with pytest.raises(PlanError, match=r"mapping would have 570,880 nonzeros, more than 200,000"):
        map_ranks(problem)
