"""Of equal placements the one that people expect: nodes by their lowest ranks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.placement.hierarchy import read_counted
from planner.placement.nodes import nodes_for
from planner.placement.numbering import by_lowest_rank
from tests.planner.cli.commands import answered
from tests.sizes import few

# Ranks r and r + 4 exchange 100 bytes, all others 1.
CROSSED = "".join(
    ",".join("0" if a == b else "100" if abs(a - b) == 4 else "1" for b in range(8)) + "\n"
    for a in range(8)
)


@pytest.fixture
def crossed(tmp_path: Path) -> str:
    path = tmp_path / "crossed.csv"
    path.write_text(CROSSED)
    return str(path)


def found(*words: str) -> dict[str, Any]:
    return answered("place", *words)


def test_rank_0_is_on_node_0_and_each_next_node_begins_with_the_next_rank(crossed: str) -> None:
    assert found(crossed, "--nodes", "4")["groups"] == [[0, 4], [1, 5], [2, 6], [3, 7]]
    # Of unlike sizes only like ones change places: the nodes of two, and those of one.
    few = found(crossed, "--capacities", "1,2,2,1,2")["groups"]
    pairs, single = [few[1], few[2], few[4]], [few[0][0], few[3][0]]
    assert pairs == sorted(pairs)
    assert single == sorted(single)


def test_nodes_that_are_pinned_to_keep_their_numbers(crossed: str) -> None:
    groups = found(crossed, "--nodes", "4", "--pin", "0=2")["groups"]
    assert groups == [[1, 5], [2, 6], [0, 4], [3, 7]]


def test_two_nodes_that_are_pinned_to_do_not_change_places(crossed: str) -> None:
    groups = found(crossed, "--nodes", "4", "--pin", "0=2", "--pin", "1=0")["groups"]
    assert groups == [[1, 5], [2, 6], [0, 4], [3, 7]]


def test_units_within_nodes_are_numbered_as_well(crossed: str) -> None:
    answer = found(crossed, "--hierarchy", "pack:2 core:2")
    assert [min(group) for group in answer["groups"]] == sorted(map(min, answer["groups"]))
    for group, cores in zip(answer["groups"], answer["cores"], strict=True):
        by_core = [group[cores.index(core)] for core in range(4)]
        assert by_core == [group[0], group[0] + 4, group[1], group[1] + 4]


def test_where_nothing_is_gained_the_order_of_ranks_is_given(tmp_path: Path, crossed: str) -> None:
    silent, all_alike = tmp_path / "silent.csv", tmp_path / "alike.csv"
    silent.write_text("0,0,0,0\n" * 4)
    all_alike.write_text("1,1,1,1\n" * 4)
    for matrix in (str(silent), str(all_alike)):
        for options in (("--nodes", "2"), ("--hierarchy", "pack:2 core:1")):
            answer = found(matrix, *options)
            assert answer["groups"] == [[0, 1], [2, 3]]
            assert answer.get("cores", [[0, 1], [0, 1]]) == [[0, 1], [0, 1]]
        assert found(matrix, "--nodes", "2", "--pin", "0=0")["groups"] == [[0, 1], [2, 3]]
        assert 0 in found(matrix, "--nodes", "2", "--pin", "0=1")["groups"][1]
    better = found(crossed, "--nodes", "2")
    assert better["cut"] < better["cut_rank_order"]


@settings(max_examples=few(60), deadline=None)
@given(
    st.integers(0, 2**31),
    st.integers(1, 24),
    st.sampled_from(["", "pack:2 l2:2 core:2", "l2:3 core:1"]),
    st.sampled_from(["packed", "spread"]),
)
def test_numbering_changes_nothing_but_numbers(seed: int, ranks: int, node: str, fill: Any) -> None:
    shape = [read_counted(node)] if node else []
    nodes = nodes_for(ranks, tasks_per_node=min(ranks, 3), hierarchies=shape, fill=fill)
    rng = np.random.default_rng(seed)
    slot = rng.permutation(ranks)
    after = by_lowest_rank(nodes, slot)
    assert sorted(after.tolist()) == list(range(ranks))
    for unit in nodes.units:  # what shared a unit shares one still, and nothing else does
        together = unit[slot][:, None] == unit[slot][None, :]
        assert (together == (unit[after][:, None] == unit[after][None, :])).all()
    assert (by_lowest_rank(nodes, after) == after).all()
    lowest = [int(np.flatnonzero(nodes.node[after] == node).min()) for node in range(nodes.count)]
    full = np.flatnonzero(nodes.tasks == nodes.tasks[0])
    assert [lowest[node] for node in full] == sorted(lowest[node] for node in full)
    # Who renames ranks within alike nodes gets the same groups.
    assert (nodes.tasks[nodes.node[after]] == nodes.tasks[nodes.node[slot]]).all()
