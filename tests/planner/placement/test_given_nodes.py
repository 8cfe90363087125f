"""Nodes that were given and not all used: their numbers, names, pins, and what is said of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from planner.cli.place_nodes import host_names
from planner.errors import InputError
from planner.placement.hierarchy import read_counted
from planner.placement.layout import check_hosts
from planner.placement.nodes import Memory, nodes_for, spans
from tests.planner.cli.commands import answered, ran
from tests.shared_data import CASES, needs_cases

# Two nodes of eight cores, then three of four; the ring has twelve ranks.
KINDS = ("--hierarchy", "2*pack:2 core:4", "--hierarchy", "3*pack:1 core:4")


@pytest.fixture
def ring(tmp_path: Path) -> str:
    path = tmp_path / "ring.edges"
    path.write_text("".join(f"{r} {(r + 1) % 12} 100\n" for r in range(12)))
    return str(path)


def found(*words: str) -> dict[str, Any]:
    return answered("place", *words)


def said(*words: str) -> str:
    return " ".join(ran("place", *words).output.split())


def test_nodes_without_tasks_are_named(ring: str) -> None:
    answer = found(ring, *KINDS)
    assert [len(group) for group in answer["groups"]] == [8, 4]
    assert (answer["node_numbers"], answer["unused_nodes"]) == ([0, 1], [2, 3, 4])
    text = said(ring, *KINDS)
    assert "Nodes without ranks: 3 of 5 (number 2-4)." in text
    assert not found(ring, "--nodes", "2")["unused_nodes"]


def test_pins_and_hosts_count_all_nodes_that_were_given(ring: str, tmp_path: Path) -> None:
    hosts = ("--host", "a,b,c", "--host", "d,e")
    for pin in ("3,9=3", "3=d"):
        pins = (*KINDS, "--pin", pin, *hosts)
        answer = found(ring, *pins)
        assert 3 in answer["groups"][answer["node_numbers"].index(3)]
        assert sum(map(len, answer["groups"])) == 12
    path = tmp_path / "ranks.csv"
    done = ran("place", ring, *pins, "--write-rank-file", str(path), "--rank-file-form", "csv")
    assert done.exit_code == 0, done.output
    rows = [line.split(",") for line in path.read_text().splitlines()]
    assert rows[4][:2] == ["3", "d"]
    assert {row[1] for row in rows[1:]} <= set("abcde")
    assert "nodes go from 0 to 4" in said(ring, *KINDS, "--pin", "3=5")
    assert "5 ranks are pinned to node 4, which has 4 slots" in said(ring, *KINDS, "--pin", "0-4=4")
    few = said(ring, *KINDS, "--host", "a,b", "--write-rank-file", str(path), "--force")
    assert "2 hosts are given for 5 nodes" in few


def test_a_node_that_is_pinned_to_keeps_room(ring: str) -> None:
    answer = found(ring, "--capacities", "8,4,4", "--pin", "0,1,2=2")
    assert [len(group) for group in answer["groups"]] == [8, 1, 3]
    assert answer["groups"][2] == [0, 1, 2]
    shapes = [read_counted("2*pack:2 core:4"), read_counted("3*pack:1 core:4")]
    nodes = nodes_for(12, hierarchies=shapes, pins={0: 4, 5: 4, 99: 3}, memory=Memory((8, 6), 2))
    # Memory takes 4 and 3 tasks: 2 are pinned to the last node, the others fill 4, 4 and 2.
    assert nodes.tasks.tolist() == [4, 4, 2, 2]
    assert nodes.numbers.tolist() == [0, 1, 2, 4]
    assert (nodes.offered, nodes.unused.tolist(), nodes.index_of(4)) == (5, [3], 3)
    assert nodes.index_of(3) == -1


def test_placeholders_are_called_so_and_taken_for_names(ring: str, tmp_path: Path) -> None:
    path = str(tmp_path / "ranks")
    text = said(ring, "--nodes", "4", "--pin", "7=node2", "--write-rank-file", path)
    assert (
        "Note: Give the names of your hosts with --host: those in the files are placeholders."
        in text
    )
    assert 7 in found(ring, "--nodes", "4", "--pin", "7=node2")["groups"][2]
    named = said(ring, "--nodes", "2", "--host", "a,b", "--write-rank-file", path, "--force")
    assert "are placeholders" not in named
    # A host may be called node2 and be another one; the placeholder is none beside hosts.
    hosts = ("--host", "node2,x", "--write-rank-file", path, "--force")
    assert 7 in found(ring, "--nodes", "2", "--pin", "7=node2", *hosts)["groups"][0]
    assert "is not RANKS=NODE" in said(ring, "--nodes", "2", "--pin", "7=node1", *hosts)


def test_hosts_are_read_from_a_file(ring: str, tmp_path: Path) -> None:
    hosts, path = tmp_path / "hosts", tmp_path / "ranks"
    hosts.write_text("# of the job\nn07\n\nn09  # the last\n")
    settings = (ring, "--nodes", "2", "--write-rank-file", str(path))
    assert ran("place", *settings, "--host-file", str(hosts)).exit_code == 0
    assert {line.split()[1].split("=")[1] for line in path.read_text().splitlines()} == {
        "n07",
        "n09",
    }
    assert "both name the nodes" in said(*settings, "--host-file", str(hosts), "--host", "a")
    assert "cannot be read" in said(*settings, "--host-file", str(tmp_path / "none"))
    hosts.write_text("\n")
    assert "contains no host" in said(*settings, "--host-file", str(hosts))
    assert "--host-file needs --write-rank-file" in said(
        ring, "--nodes", "2", "--host-file", str(hosts)
    )


def test_numbers_are_told_as_spans() -> None:
    assert spans([5, 1, 2, 3, 9, 10]) == "1-3, 5, 9, 10"
    assert spans([]) == ""
    assert spans(range(0, 60, 2), 3) == "0, 2, 4, ..."


def test_memory_that_holds_no_task_is_refused_still() -> None:
    with pytest.raises(InputError, match="does not fit into a node of 1 GB"):
        nodes_for(4, memory=Memory((1.0,), 2.0))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("n[01-02]\n", ("n01", "n02")),
        ("n01 slots=4\nn02 slots=4 max_slots=8  # Open MPI\n", ("n01", "n02")),
        ("n01:4\nn02:4\n", ("n01", "n02")),
        ("n01\nn01\nn02\nn02\n", ("n01", "n02")),
        ("r[1-2]n[8,10]\n", ("r1n8", "r1n10", "r2n8", "r2n10")),
    ],
)
def test_host_files_of_launchers_and_schedulers(
    text: str, names: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "hosts").write_text(text)
    assert host_names((), str(tmp_path / "hosts")) == names
    if "[" in text:
        assert host_names((text.strip(),), None) == names


@pytest.mark.parametrize(
    "text", ["n[1-", "n[]", "n[a-b]", "n[2-1]", "n[1-9999999]", "n[1-999][1-99999]"]
)
def test_lists_of_hosts_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        check_hosts(host_names((text,), None), 2)


@needs_cases
def test_a_list_of_hosts_in_a_file_is_read() -> None:
    path = next(CASES.glob("20-*")) / "hosts"
    assert host_names((), str(path)) == ("n01", "n02")
