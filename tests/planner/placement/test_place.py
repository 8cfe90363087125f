"""Which tasks share a node: by hand, on real programs, and beside the order of ranks."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

from planner.cli.place_options import ALGORITHMS, WEIGHTS
from planner.cli.rank_files import FORMS
from planner.errors import InputError
from planner.placement import costs, rank_files
from planner.placement.nodes import nodes_for
from planner.placement.problem import place
from planner.placement.reference import REFERENCES
from scenarios.communication.reader import read_communication
from solvers.partition.registry import BY_NAME
from tests.planner.cli.commands import answered, ran
from tests.shared_data import COMMUNICATION, needs_data

# Pairs 0-3 and 1-2 exchange 100 + 100 bytes, all others 1; rank 0 talks to itself.
CROSSED = "7,1,1,100\n1,0,100,1\n1,100,0,1\n100,1,1,0\n"


def run(*words: str) -> Result:
    return ran("place", *words)


def found(*words: str) -> dict[str, Any]:
    return answered("place", *words)


@pytest.fixture
def crossed(tmp_path: Path) -> str:
    path = tmp_path / "crossed.csv"
    path.write_text(CROSSED)
    return str(path)


def test_names_are_those_of_the_engine() -> None:
    assert set(ALGORITHMS) == {*BY_NAME, *REFERENCES}
    assert set(WEIGHTS) == set(costs.WEIGHTS)
    assert set(FORMS) == set(rank_files.FILE_FORMS)


def test_who_talks_most_shares_a_node(crossed: str) -> None:
    answer = found(crossed, "--nodes", "2")
    assert answer["groups"] == [[0, 3], [1, 2]]
    assert answer["cut"] == 4 * 2  # four pairs of a byte each way
    assert answer["cut_rank_order"] == 2 * 200 + 2 * 2
    assert answer["ratio"] == pytest.approx(8 / 404)
    assert (answer["bound"], answer["gap"]) == (8, 0)
    same = found(crossed, "--ranks-per-node", "2", "--method", "order")
    assert same["groups"] == [[0, 1], [2, 3]]
    assert same["cut"] == same["cut_rank_order"]


def test_sizes_are_even_or_the_last_node_has_what_is_left() -> None:
    assert nodes_for(10, nodes=3).tasks.tolist() == [4, 3, 3]
    assert nodes_for(9, tasks_per_node=4).tasks.tolist() == [4, 4, 1]
    for nodes, tasks in ((11, None), (None, 0), (None, None), (2, 5)):
        with pytest.raises(InputError):
            nodes_for(10, nodes=nodes, tasks_per_node=tasks)


def test_the_words_say_what_is_proved(crossed: str, tmp_path: Path) -> None:
    done = run(crossed, "--nodes", "2", "--write-rank-file", str(tmp_path / "ranks"))
    assert "Proven optimal" in done.output
    assert "Between nodes: 8 B (default mapping: 404 B)" in done.output
    assert "--write-rank-file FILE" in run(crossed, "--nodes", "2").output
    selected = run(crossed, "--nodes", "1").output
    assert "Keep the default mapping" in selected
    assert "--write-rank-file FILE" not in selected
    assert "rank 3=node0 slot=" in (tmp_path / "ranks").read_text()
    assert "Start with: mpirun" in done.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "give --nodes, --ranks-per-node"),
        (("--nodes", "2", "--ranks-per-node", "2"), "give only one of"),
        (("--nodes", "5"), "4 ranks cannot fill 5 nodes; give 1 to 4 nodes"),
        (("--nodes", "2", "--ping-pong", "x.csv"), "applies to --objective signed and paper"),
        (("--nodes", "2", "--host", "a"), "--host needs --write-rank-file"),
        (("--nodes", "2", "--objective", "messages"), "no message counts"),
        (("--nodes", "1", "--method", "matching"), "take portfolio, which suits all"),
    ],
)
def test_wrong_options_are_refused(words: tuple[str, ...], said: str, crossed: str) -> None:
    done = run(crossed, *words)
    assert done.exit_code == 2
    assert said in done.output


def test_a_matrix_that_is_none_is_refused(tmp_path: Path) -> None:
    ragged = tmp_path / "ragged.csv"
    ragged.write_text("0,1\n1\n")
    done = run(str(ragged), "--nodes", "1")
    assert done.exit_code == 2
    assert "ragged.csv:2" in done.output
    silent = tmp_path / "silent.csv"
    silent.write_text("0,0\n0,0\n")
    assert "no two ranks exchange messages" in run(str(silent), "--nodes", "2").output


@needs_data
@pytest.mark.parametrize("program", ["bt", "lu", "mg"])
@pytest.mark.parametrize("tasks", [4, 8])
def test_real_programs_of_sixteen_ranks_are_placed_with_a_proof(program: str, tasks: int) -> None:
    matrix = read_communication(COMMUNICATION / f"{program}.W.16.p2p.bytes.csv")
    best = place(matrix, tasks_per_node=tasks)
    assert best.partition.gap == 0
    assert sorted(rank for group in best.groups for rank in group) == list(range(16))
    assert {len(group) for group in best.groups} == {tasks}
    kl = place(matrix, tasks_per_node=tasks, algorithm="kl")
    assert best.partition.bound <= best.partition.cut <= kl.partition.cut
    assert kl.partition.cut <= kl.rank_order
    if tasks == 8:
        assert best.partition.cut == pytest.approx(_least_halves(best.graph.dense()))


def _least_halves(weights: np.ndarray) -> float:
    """All 6,435 ways to halve sixteen ranks."""
    least = np.inf
    for others in combinations(range(1, 16), 7):
        half = np.zeros(16, bool)
        half[[0, *others]] = True
        least = min(least, float(weights[half][:, ~half].sum()))
    return least
