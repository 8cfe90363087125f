"""Placements compared: traffic by hand, bounds shared, what is said where nothing is gained."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import headroom
from planner.placement import compared
from planner.placement.bundle import path_of, started
from planner.placement.compared import ORDER, PlacementSettings
from planner.placement.hierarchy import read_hierarchy
from planner.placement.layout import Core, laid_out
from planner.placement.problem import place
from planner.placement.rank_files import FILE_FORMS, as_csv, slurm_cores
from planner.placement.study import PlacementStudy, alone, study
from planner.placement.traffic import by_node, cells, cut_pairs, node_pairs, ranks_per_cell
from planner.placement.values import bound_of, value_of
from reports.texts import Texts
from scenarios.communication.matrix import Communication, Directed, joined
from scenarios.communication.reader import read_communication
from solvers.partition.graph import Graph, cut
from solvers.partition.registry import BY_NAME
from tests.shared_data import COMMUNICATION, needs_data
from tests.sizes import few

# Pairs 0-3 and 1-2 exchange 200 bytes, all others 2; rank 0 talks to itself.
CROSSED = [[7, 1, 1, 100], [1, 0, 100, 1], [1, 100, 0, 1], [100, 1, 1, 0]]


def communication(matrix: Sequence[Sequence[float]], name: str = "by hand") -> Communication:
    square = np.array(matrix, dtype=float)
    source, target = np.indices(square.shape).reshape(2, -1)
    sent = square.ravel()
    return joined(name, len(square), Directed(source, target, sent, np.ceil(sent / 50)))


def studied(
    matrix: Communication, settings: PlacementSettings | None = None, **words: object
) -> PlacementStudy:
    settings = settings or PlacementSettings()
    result = place(
        matrix, algorithm=settings.algorithm, seed=settings.seed, starts=settings.starts,
        time_limit_s=settings.time_limit_s, pins=settings.pins, **words,  # type: ignore[arg-type]
    )  # fmt: skip
    return study(result, laid_out(result.groups, cores_per_processor=1), settings)


@pytest.fixture(scope="module")
def crossed() -> PlacementStudy:
    return studied(communication(CROSSED), nodes=2)


# Traffic


def test_traffic_by_hand(crossed: PlacementStudy) -> None:
    assert crossed.placement.groups == [[0, 3], [1, 2]]
    assert crossed.node_pairs.rows(9) == [(0, 1, 8.0)]
    assert crossed.cut_pairs.rows(9) == [(0, 1, 2.0), (0, 2, 2.0), (1, 3, 2.0), (2, 3, 2.0)]
    assert [weights.tolist() for weights in crossed.by_node] == [[200, 200], [8, 8]]
    # in order 0 1 | 2 3: 2 inside each, 200 + 200 + 2 + 2 between
    assert [weights.tolist() for weights in crossed.by_node_in_order] == [[2, 2], [404, 404]]
    assert crossed.as_placed.tolist() == [0, 3, 1, 2]


GRAPHS = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(-9, 9)),
                 max_size=40),
        st.permutations(range(n)),
        st.integers(1, n),
    )
)  # fmt: skip


@given(GRAPHS)
def test_traffic_adds_up_to_the_cut(
    drawn: tuple[list[tuple[int, int, int]], list[int], int],
) -> None:
    edges, order, parts = drawn
    tails, heads, weights = (
        np.array([edge[k] for edge in edges], dtype=np.int64) for k in range(3)
    )
    graph = Graph.from_edges(len(order), tails, heads, weights.astype(float))
    part = (np.array(order) % parts).astype(np.int32)
    pairs, of_ranks = node_pairs(graph, part), cut_pairs(graph, part)
    inside, leaving = by_node(graph, part, parts)
    assert pairs.weight.sum() == of_ranks.weight.sum() == cut(graph, part)
    assert leaving.sum() == 2 * cut(graph, part)
    assert inside.sum() + cut(graph, part) == graph.total
    assert (np.diff(of_ranks.weight) <= 0).all()
    assert (pairs.low < pairs.high).all()


@given(GRAPHS, st.integers(1, 5))
def test_cells_are_blocks_of_the_full_matrix(
    drawn: tuple[list[tuple[int, int, int]], list[int], int], per_cell: int
) -> None:
    edges, order, _ = drawn
    full = np.zeros((len(order), len(order)))
    for one, other, weight in edges:
        if one != other:
            full[one, other] = full[other, one] = abs(weight)
    low, high = np.nonzero(np.triu(full))
    result = cells(low, high, full[low, high], np.array(order), per_cell)
    placed = full[np.ix_(order, order)]
    for i, j in np.ndindex(result.shape):
        block = placed[i * per_cell : (i + 1) * per_cell, j * per_cell : (j + 1) * per_cell]
        assert result[i, j] == block.sum() / (2 if i == j else 1)


@given(st.integers(1, 300), st.integers(1, 64), st.integers(0, 63))
def test_cells_are_few_and_end_with_nodes_where_they_can(nodes: int, size: int, rest: int) -> None:
    sizes = np.array([size] * nodes + ([rest] if 0 < rest < size else []))
    result = ranks_per_cell(sizes, 128)
    count = -(-int(sizes.sum()) // result)
    assert count <= 128
    assert result == 1 or size % result == 0 or result % size == 0


# Comparison


def test_every_algorithm_is_asked_or_says_why_not(crossed: PlacementStudy) -> None:
    assert {attempt.name for attempt in crossed.tried} | set(crossed.refused) == set(BY_NAME)
    assert set(ORDER) == set(BY_NAME)
    for attempt in crossed.tried:
        partition = attempt.placement.partition
        assert crossed.bound <= partition.cut == cut(crossed.graph, partition.part)
        assert attempt.bound <= crossed.bound
    assert {attempt.name: attempt.value for attempt in crossed.tried}["order"] == 404
    assert "matching" in crossed.bound_by
    assert all(why for why in crossed.refused.values())


def test_exchanges_of_many_ranks_are_compared_under_a_time_limit_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compared, "_MOST_EXCHANGED", 119)
    ring = communication(np.roll(np.eye(12, dtype=np.int64), 1, axis=1).tolist())
    refused = studied(ring, PlacementSettings(), nodes=3).refused["kl"]
    assert (refused.why, refused.most) == ("starts", 11)
    assert "kl" not in studied(ring, PlacementSettings(time_limit_s=60.0), nodes=3).refused
    assert "kl" not in studied(ring, PlacementSettings("kl"), nodes=3).refused
    monkeypatch.setattr(compared, "_MOST_EXCHANGED", 120)
    assert "kl" not in studied(ring, PlacementSettings(), nodes=3).refused


def test_a_heuristic_takes_the_bound_of_those_that_prove() -> None:
    drawn = np.random.default_rng(1).integers(0, 9, (12, 12))
    result = studied(communication(np.triu(drawn, 1).tolist()), PlacementSettings("kl"), nodes=3)
    own = next(attempt for attempt in result.tried if attempt.name == "kl")
    assert not own.proved
    assert own.bound < result.placement.partition.bound == result.value == own.value
    assert result.proved
    assert "kl" not in result.bound_by
    assert result.to_dict()["status"] == "optimal"
    assert result.confidence.startswith("Proven optimal")


def test_a_better_algorithm_is_named() -> None:
    result = studied(communication(CROSSED), PlacementSettings("order"), nodes=2)
    assert result.comparison == "same"
    assert not result.proved
    assert result.gap == pytest.approx((404 - 8) / 404)
    headline = result.study.headline
    assert headline.kind == "other-method"
    values = {"method": "kl", "measure": "bytes", "less": 8.0, "own": 404.0}
    assert headline.values == values
    assert "98.1\N{NO-BREAK SPACE}%" in Texts(result.study).finding(result.study.confidence[0])


def test_the_sentence_of_a_gain(crossed: PlacementStudy) -> None:
    assert crossed.comparison == "better"
    assert crossed.study.headline.kind == "use"
    assert crossed.study.headline.values["change"] == pytest.approx(8 / 404 - 1)


def test_the_sentences_where_nothing_is_gained() -> None:
    line = [[0, 9, 0, 0], [9, 0, 1, 0], [0, 1, 0, 9], [0, 0, 9, 0]]
    same = studied(communication(line), nodes=2)
    assert (same.comparison, same.proved) == ("same", True)
    assert same.study.headline.kind == "default-optimal"
    silent = studied(communication(np.zeros((4, 4)).tolist()), nodes=2)
    assert silent.comparison == "silent"
    assert silent.study.headline.kind == "default-silent"
    # rank 0 on the second node: order fills 1 2 | 0 3, and 9 + 9 + ... are parted
    worse = studied(communication(line), PlacementSettings("order", pins={0: 1}), nodes=2)
    assert worse.comparison == "worse"
    assert (worse.value, worse.order_value) == (36, 2)
    assert alone(worse.placement, worse.layout, worse.settings).study.headline.kind == "pins"


def test_pins_hold_in_every_comparison() -> None:
    result = studied(communication(CROSSED), PlacementSettings(pins={0: 1, 1: 1}), nodes=2)
    assert all(attempt.placement.partition.part[:2].tolist() == [1, 1] for attempt in result.tried)
    assert result.value == 404


def test_a_run_that_stops_at_its_limit_is_told() -> None:
    result = studied(communication(CROSSED), PlacementSettings(time_limit_s=1e-9), nodes=2)
    late = [each.name for each in result.tried if each.late]
    assert "kl" in late
    assert not {"order", "dynamic", "matching"} & set(late)
    assert result.stopped_by_time
    assert not replace(result, tried=result.tried[:1]).stopped_by_time
    (said,) = (each for each in result.study.findings if each.kind == "late")
    assert [*said.values["methods"]] == late  # type: ignore[misc]


def test_other_costs_tell_where_the_groups_lose() -> None:
    # by bytes 0-2 and 1-3 belong together; by messages 0-1 and 2-3, of 1 byte each
    low, high = np.array([0, 1, 0, 2]), np.array([2, 3, 1, 3])
    much, many = np.array([900.0, 900.0, 50.0, 50.0]), np.array([1.0, 1.0, 50.0, 50.0])
    result = studied(joined("split", 4, Directed(low, high, much, many)), nodes=2)
    assert result.placement.groups == [[0, 2], [1, 3]]
    messages = next(other_cost for other_cost in result.others if other_cost.weight == "messages")
    assert (messages.rank_order, messages.cut, messages.worse) == (2, 100, True)
    said = [each.values for each in result.study.findings if each.kind == "worse-by"]
    assert {"measure": "messages", "now": 100, "before": 2} in said
    assert result.ping_pong is not None
    assert result.ping_pong.assumed


def test_a_placement_has_its_tables_as_other_studies_have() -> None:
    assert headroom.place(nx.cycle_graph(4), nodes=2).table("ranks").to_csv().startswith("Rank")


def test_names_are_printable(crossed: PlacementStudy) -> None:
    result = studied(communication(CROSSED, "a\udcff\x1b[31m"), nodes=2)
    assert result.placement.communication.name == "a\\udcff\\x1b[31m"
    json.dumps(result.to_dict(), allow_nan=False).encode()
    assert crossed.to_dict()["algorithms"][0]["algorithm"] == "order"
    assert not crossed.to_dict()["rank_order_kept"]


# Hierarchies


def test_levels_decide_and_are_compared() -> None:
    rng = np.random.default_rng(3)
    matrix = communication(np.triu(rng.integers(0, 100, (16, 16)), 1).tolist())
    node = read_hierarchy("pack:2 l2:2 core:2 pu:1")
    result = studied(matrix, hierarchies=[(None, node)])
    assert result.placement.hierarchical
    assert result.value == result.placement.total
    assert result.comparison == "better"
    for attempt in result.tried:
        assert result.bound <= attempt.value
        assert attempt.placement.total >= result.placement.total or not result.proved
    assert "levels" in [fact.key for fact in result.study.facts]
    assert sum(row["bytes"] for row in result.tables()["levels"]) == matrix.total_bytes
    slots = result.placement.mapping.slot
    assert slots[result.as_placed].tolist() == list(range(16))


def test_slots_in_order_are_the_order_of_ranks() -> None:
    line = [[9.0 * (abs(i - j) == 1) for i in range(8)] for j in range(8)]
    node = read_hierarchy("pack:2 core:2 pu:1")
    result = studied(communication(line), hierarchies=[(None, node)])
    assert result.comparison == "same"
    assert result.in_order


# Files for launchers


def test_every_form_lies_in_the_bundle(crossed: PlacementStudy) -> None:
    files = crossed.further_files()
    assert set(files) == {
        *(path_of(form) for form in FILE_FORMS),
        "rank-files/launch.txt",
        "rank-files/bind.sh",
    }
    starts = files["rank-files/launch.txt"].decode()
    for form in ("openmpi-4", "openmpi-5", "slurm", "mpich"):
        assert f"{started(form, crossed.layout).command} PROGRAM\n" in starts
    assert starts.count("PROGRAM") == 4
    assert starts.count("# Give the names of your hosts with --host: ") == 4
    assert "# Numbers of cores: hwloc's logical ones (lstopo -l); slots are cores.\n" in starts
    assert files["rank-files/openmpi-5.txt"].startswith(b"rank 0=node0 slot=0\nrank 1=node1 ")


def test_unlike_nodes_count_their_own_cores() -> None:
    layout = laid_out(
        [[0, 1], [2, 3]],
        cores=[[Core(0, 0), Core(1, 0)], [Core(0, 0), Core(0, 3)]],
        cores_per_processor=[2, 4],
    )
    assert slurm_cores(layout) is None  # 0, 2 and 0, 3
    assert as_csv(layout).splitlines()[2:] == ["1,node0,1,0,2", "2,node1,0,0,0", "3,node1,0,3,3"]


@needs_data
def test_real_programs_that_gain_nothing_are_said_to() -> None:
    silent = studied(read_communication(COMMUNICATION / "ft.W.16.p2p.bytes.csv"), tasks_per_node=4)
    assert silent.comparison == "silent"
    selected = studied(
        read_communication(COMMUNICATION / "bt.W.16.p2p.bytes.csv"), tasks_per_node=8
    )
    assert (selected.comparison, selected.proved) == ("same", True)
    gained = studied(read_communication(COMMUNICATION / "bt.W.16.p2p.bytes.csv"), tasks_per_node=4)
    assert gained.comparison == "better"
    assert gained.placement.ratio == pytest.approx(0.875)
    assert gained.node_pairs.weight.sum() == gained.placement.partition.cut


@settings(max_examples=few(15), deadline=None)
@given(st.integers(0, 2**16), st.permutations(range(8)))
def test_relabelling_ranks_changes_no_bound(seed: int, order: list[int]) -> None:
    rng = np.random.default_rng(seed)
    matrix = np.triu(rng.integers(0, 5, (8, 8)), 1)
    one = studied(communication(matrix.tolist()), PlacementSettings(starts=2), nodes=2)
    other = studied(
        communication(matrix[np.ix_(order, order)].tolist()), PlacementSettings(starts=2), nodes=2
    )
    assert one.proved
    assert one.value == other.value


def test_other_sizes_tell_where_something_is_gained() -> None:
    # ranks r and r + 4 exchange 9: all four pairs are parted in the order of ranks, none need be
    matrix = np.zeros((8, 8))
    matrix[[0, 1, 2, 3], [4, 5, 6, 7]] = 9.0
    result = studied(communication(matrix.tolist()), nodes=1)
    assert result.comparison == "same"
    two, four = result.sizes
    assert (two.tasks, two.nodes, two.rank_order, two.partition.cut) == (2, 4, 36, 0)
    assert (four.tasks, four.nodes, four.rank_order, four.partition.cut) == (4, 2, 36, 0)
    assert [row["tasks_per_node"] for row in result.tables()["tasks on a node"]] == [2, 4, 8]


def test_unlike_requests_have_no_other_sizes() -> None:
    square = communication(CROSSED)
    assert studied(square, PlacementSettings(pins={0: 1}), nodes=2).sizes == ()
    assert studied(square, capacities=[3, 1]).sizes == ()
    assert studied(square, weight="paper", nodes=2).sizes == ()
    assert studied(communication(np.zeros((4, 4)).tolist()), nodes=2).sizes == ()


@pytest.mark.parametrize("levels", ["", "pack:2 core:2"])
def test_others_find_what_they_find_when_asked_themselves(levels: str) -> None:
    drawn = np.random.default_rng(8).integers(0, 50, (12, 12)) ** 2
    matrix = communication(np.triu(drawn, 1).tolist())
    shape = read_hierarchy(levels) if levels else None
    words: dict[str, Any] = {"hierarchies": [(3, shape)]} if shape else {"nodes": 3}
    settings = PlacementSettings("kl", seed=5, starts=1, time_limit_s=60)
    result = studied(matrix, settings, **words)
    assert {"order", "kl", "multilevel", "dynamic"} <= {attempt.name for attempt in result.tried}
    for attempt in result.tried:
        if attempt.name == "portfolio":
            continue
        alone = place(matrix, algorithm=attempt.name, seed=5, starts=1, time_limit_s=60, **words)
        for name in ("cut", "bound", "status", "method"):
            assert getattr(attempt.placement.partition, name) == getattr(alone.partition, name)
        assert (attempt.value, attempt.bound) == (value_of(alone), bound_of(alone))
    assert result.bound == max(attempt.bound for attempt in result.tried)
    own = next(attempt for attempt in result.tried if attempt.name == "kl")
    assert own.bound < result.bound


def test_others_have_the_same_seed() -> None:
    drawn = np.random.default_rng(6).integers(0, 99, (66, 66))
    matrix = communication(np.triu(drawn, 1).tolist())
    result = studied(matrix, PlacementSettings("order", seed=5, starts=1), nodes=6)
    halved = next(attempt for attempt in result.tried if attempt.name == "multilevel")
    five, none = (
        place(matrix, algorithm="multilevel", seed=seed, starts=1, nodes=6).partition.cut
        for seed in (5, 0)
    )
    assert halved.value == five != none


def test_a_gain_that_nobody_notices_is_said_to_be_none() -> None:
    # 0-2 and 1-3 exchange 1,001, 0-1 and 2-3 1,000: in order 2,002 are parted, at best 2,000
    matrix = np.zeros((4, 4))
    matrix[[0, 1], [2, 3]], matrix[[0, 2], [1, 3]] = 1001, 1000
    result = studied(communication(matrix.tolist()), nodes=2)
    assert (result.order_value, result.value) == (2002, 2000)
    assert result.slight
    assert result.to_dict()["rank_order_kept"]
    assert result.study.headline.kind == "slight"
