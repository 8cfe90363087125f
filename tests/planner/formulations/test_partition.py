"""The readable partition model: CBC, HiGHS, engine and brute force find the same cut."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest

import solvers
from planner.errors import PlanError
from planner.formulations.partition import formulate, partition
from solvers.model.result import Status
from solvers.partition import BY_NAME, Partition, Request, violations
from tests.planner.formulations.graph_cases import Parted, arrays, every_part, least_cut, parted
from tests.sizes import few

REFERENCES = ("cbc", "highs")


@pytest.mark.parametrize("number", range(few(200)))
def test_cbc_highs_engine_and_brute_force_agree(number: int) -> None:
    case = parted(number)
    request, optimum = case.request, least_cut(case)
    result = [partition(request, solver=solver) for solver in REFERENCES]
    for answer in (*result, BY_NAME["portfolio"].partition(request)):
        assert faults(answer, request) == []
        assert answer.cut == pytest.approx(optimum, rel=1e-12, abs=1e-12)
        # A cut of exactly 0 from weights of both signs has no share that a gap could be within.
        assert answer.status is Status.OPTIMAL or math.isclose(optimum, answer.bound, abs_tol=1e-12)


def faults(result: Partition, request: Request) -> list[str]:
    return violations(request.graph, result, request.capacities.tolist(), request.fixed.tolist())


@pytest.mark.parametrize("solver", REFERENCES)
def test_cuts_that_differ_by_2e_8_of_their_weight_are_told_apart(solver: str) -> None:
    # HiGHS called 42,000,004,588 optimal while weights were counted in the largest of them.
    case = parted(183)
    assert partition(case.request, solver=solver).cut == least_cut(case) == 42_000_003_783.0


def test_a_square_with_one_heavy_side_by_hand() -> None:
    # Sides 5, 1, 5, 1: pairs along the heavy sides cut the two light ones, 2.
    square = nx.Graph()
    square.add_weighted_edges_from([(0, 1, 5), (1, 2, 1), (2, 3, 5), (3, 0, 1)])
    result = partition(Parted(square, (2, 2), {}).request)
    assert (result.cut, result.bound, result.status) == (2.0, 2.0, Status.OPTIMAL)
    assert result.part.tolist() == [0, 0, 1, 1]  # the part with the least vertex is the first
    assert result.method == "reference (cbc)"
    assert result.certificate is not None
    assert result.certificate.solver.startswith("CBC")
    # Vertex 1 in the other part: 0 and 3 stay together at best, with 1 and 2, cutting 5 + 5.
    pinned = partition(Parted(square, (2, 2), {0: 0, 1: 1}).request)
    assert (pinned.cut, pinned.part.tolist()) == (10.0, [0, 1, 1, 0])


def test_rows_and_variables_have_the_names_of_the_docstring() -> None:
    graph = nx.path_graph(4)
    nx.set_edge_attributes(graph, {(0, 1): 1.0, (1, 2): -1.0, (2, 3): 1.0}, "weight")
    model, x = formulate(Parted(graph, (2, 1, 1), {3: 0}).request)
    milp = solvers.from_pulp(model)
    kinds = {name.split("_")[0] for name in milp.row_names}
    assert kinds == {"one", "size", "tail", "head", "both", "mates", "first", "pin"}
    assert {column.split("_")[0] for column in milp.column_names} == {"x", "y"}
    assert x[2][1].name == "x_2_1"


@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 3, 1), (2, 2, 1, 1)])
def test_of_the_namings_of_each_partition_one_is_in_the_model(sizes: tuple[int, ...]) -> None:
    model, x = formulate(Parted(nx.empty_graph(sum(sizes)), sizes, {}).request)
    milp = solvers.from_pulp(model)
    column = {name: index for index, name in enumerate(milp.column_names)}
    named, nameless = 0, set()
    for part in every_part(sizes):
        point = np.zeros(milp.columns)
        point[[column[x[v][p].name] for v, p in enumerate(part)]] = 1.0
        activity = milp.row_activity(point)
        named += bool(((milp.row_lower <= activity) & (activity <= milp.row_upper)).all())
        groups = (frozenset(np.flatnonzero(np.equal(part, p)).tolist()) for p in range(len(sizes)))
        nameless.add(frozenset(groups))
    assert named == len(nameless) < len(list(every_part(sizes)))


def test_a_model_too_large_is_refused_with_its_size_before_it_is_built() -> None:
    graph = nx.complete_graph(100)
    nx.set_edge_attributes(graph, 1.0, "weight")
    request = Request(arrays(graph), np.full(10, 10))
    with pytest.raises(
        PlanError, match=r"partition would have 349,000 nonzeros, more than 200,000"
    ):
        partition(request)


def test_time_that_is_over_is_said() -> None:
    graph = nx.complete_graph(30)
    nx.set_edge_attributes(graph, 1.0, "weight")
    request = Request(arrays(graph), np.full(5, 6), time_limit_s=0.0)
    with pytest.raises(PlanError, match="raise the time limit"):
        partition(request)
