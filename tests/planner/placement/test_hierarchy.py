"""Processors, dies and cores of nodes: by hand, and through the command."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from planner.errors import InputError
from planner.placement.costs import paper
from planner.placement.hierarchy import read_counted, read_hierarchy
from planner.placement.levels import level_costs
from planner.placement.message_times import pair_times
from planner.placement.nodes import Memory, nodes_for
from planner.placement.problem import place
from scenarios.communication.ping_pong import read_ping_pong
from scenarios.communication.reader import read_communication
from tests.planner.cli.commands import answered, ran
from tests.shared_data import CASES, needs_cases

NODE = "pack:2 l2:2 core:2 pu:1"

# A chain of eight ranks whose order is the worst.
CHAIN = [0, 4, 1, 5, 2, 6, 3, 7]


@pytest.fixture
def chain(tmp_path: Path) -> str:
    path = tmp_path / "chain.edges"
    pairs = pairwise(CHAIN)
    path.write_text("".join(f"{a} {b} 100 1\n" for a, b in pairs))
    return str(path)


def found(*words: str) -> dict[str, Any]:
    return answered("place", *words)


def test_levels_are_read_as_hwloc_writes_them() -> None:
    node = read_hierarchy("Package:2 L3:1 l2cache:2 core:2 pu:2")
    assert node.levels == (("pack", 2), ("l3", 1), ("l2", 2))
    assert (node.cores, node.cores_per_processor, node.threads) == (8, 4, 2)
    assert str(node) == "pack:2 l3:1 l2:2 core:2 pu:2"
    assert node.unit("l2", np.arange(8)).tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert [node.sharing(name) for name in node.names] == ["processor", "die", "die"]
    assert read_hierarchy("numa:2 pack:2 core:4").sharing("numa") == "node"
    assert read_hierarchy("pack:1 numa:4 core:8").sharing("numa") == "die"
    assert read_hierarchy("l3:2 l2:2 core:2").sharing("l3") == "die"  # though no pack is named
    assert read_hierarchy("pack:2 pu:4").cores == 8  # threads are cores where none are named
    assert read_hierarchy("pack:2").cores == 2
    assert read_counted("3 * pack:2 core:4")[0] == 3
    assert read_counted("pack:2 core:4")[0] is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("pack", "'pack' is not a level"),
        ("pack:two", "is not a level"),
        ("pack:0 core:2", "pack:0 has no cores"),
        ("machine:2 core:2", "is not a level within a node"),
        ("node:4 pack:2 core:8", "node is hwloc's NUMA domain, which lies in a pack"),
        ("pack:2 core:2 pu:2(indexes=0,1,2)", "indexes=0,1,2 does not list 8 different numbers"),
        ("pack:2 core:2 pu:2(indexes=2*2:1*2)", "does not count 8 objects"),
        ("2 core:2", "a number has no name"),
        ("sokket:2", "did you mean 'socket'|there are group|no level 'sokket'"),
        ("pack:2 pack:2 core:1", "pack is there twice"),
        ("core:2 pack:2", "core comes before"),
        ("pu:1 core:2", "pu comes before"),
        ("l2:2 l3:2 core:1", "smaller cache comes before"),
        ("pack:999999 core:2", "cores; 65536 at most"),
        (
            "pack:2(memory=8GB) core:2",
            "'memory=8GB' is not an attribute of pack; allowed: indexes=, subtype=",
        ),
        ("l2:2(size=big) core:2", "'size=big' is not an attribute of l2; allowed: size=, indexes="),
        ("pack:2 core:2 pu:2(indexes=**)", "'indexes=\\*\\*' is not a list of numbers"),
        ("pack:2 [GPU(memory=8GB)] core:2", "is not a memory attribute; write it as lstopo"),
        ("pack:2 [NUMANode core:2", "is not a memory attribute"),
        ("pack:2] core:2", "is not a level"),
        ("pack:2 (core:2)", "is not a level"),
        ("Socket:2 Cache:1(size=16777216) Core:4 PU:2", "'Cache' is not a level"),
        ("pack:2 L1iCache:2", "ends with an instruction cache"),
        ("0*pack:2", "has 0 nodes"),
    ],
)
def test_levels_that_are_none_are_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_counted(text)


REAL = {
    # hwloc 2.9.0, lstopo --of synthetic, of this and of synthetic machines
    "Package:1 [NUMANode(memory=9087168512)] L3Cache:1(size=503316480) L2Cache:2(size=2097152) "
    "L1dCache:1(size=49152) L1iCache:1(size=65536) Core:1 PU:1": (2, 2, 1),
    "[NUMANode(memory=67108864000)] Package:2 L3Cache:1(size=31457280) L2Cache:8(size=262144) "
    "L1dCache:1(size=32768) L1iCache:1(size=32768) Core:1 PU:2(indexes=2*16:1*2)": (16, 8, 2),
    "Package:2 [NUMANode(memory=1073741824)] L3Cache:1(size=16777216) L2Cache:8(size=4194304) "
    "Core:1 PU:2": (16, 8, 2),
    "Package:2 [NUMANode] L3Cache:2 Core:4 PU:2": (16, 8, 2),
    "Group:2 [NUMANode(memory=1073741824)] Core:4 PU:2": (8, 1, 2),
    "Group0:2 Package:1 [NUMANode] [NUMANode] Core:2 PU:1": (4, 2, 1),
    "[NUMANode(memory=1073741824)] Package:2 Die:2 L3Cache:1(size=16777216) Core:2 PU:2": (8, 4, 2),
    "Package:2 [MemCache(size=1073741824) [NUMANode(memory=8589934592 indexes=1,0)]] Core:2 PU:1": (
        4, 2, 1,
    ),
    "Package:2 L1iCache:2(size=32768) Core:2 PU:1": (8, 4, 1),
}  # fmt: skip


@pytest.mark.parametrize("text", REAL)
def test_what_lstopo_prints_is_read(text: str) -> None:
    node = read_hierarchy(text)
    assert (node.cores, node.cores_per_processor, node.threads) == REAL[text]
    assert read_hierarchy(str(node)) == node
    assert read_counted(f"3*{text}") == (3, node)


def test_words_of_hwloc_are_read() -> None:
    assert read_hierarchy("node:2 core:2 pu:1").levels == (("numa", 2),)
    nested = read_hierarchy("group:2 numa:1 group:1 core:2 pu:1")
    assert nested.levels == (("group", 2), ("numa", 1), ("group1", 1))
    assert read_hierarchy("Group0:2 Group1:2 Core:2").levels == (("group", 2), ("group1", 2))
    assert read_hierarchy("Machine:1 Package:2 Core:2").levels == (("pack", 2),)
    assert str(read_hierarchy("2 3 4")) == "pack:2 core:3 pu:4"
    assert read_hierarchy("2 2 2 2 2 2").names == ("group", "group1", "numa", "pack")
    assert read_hierarchy("node:2 sock:1 core:2".replace("sock", "socket")).cores == 4
    assert read_hierarchy("L3:2(size=32MB subtype=Victim) core:2").cores == 4
    assert read_hierarchy("pack:2(subtype=big) core:2").cores == 4


@needs_cases
def test_lists_of_cores_have_the_numbers_of_the_operating_system(tmp_path: Path) -> None:
    matrix = next(CASES.glob("07-*")) / "m.csv"
    words = ("place", str(matrix), "--nodes", "1", "--write-rank-file", str(tmp_path / "rk"),
             "--rank-file-form", "slurm")  # fmt: skip
    text = ran(*words, "--hierarchy", "pack:2 core:2 pu:2(indexes=0,4,2,6,1,5,3,7)").stdout
    assert "map_cpu:0,2,1,3" in text
    assert "logical" not in text
    assert "taken to count" not in text
    plain = ran(*words, "--hierarchy", "pack:2 core:2", "--force").stdout
    assert "taken to count socket by socket" in plain


def test_numbers_of_the_operating_system_are_said_and_change_nothing(chain: str) -> None:
    """Rank files count cores as hwloc does; numbers by names of levels are not computed."""
    plain = "Package:2 L2Cache:2 Core:1 PU:2"
    numbered = plain + "(indexes=core:pack)"
    assert read_hierarchy(numbered).indexes == "core:pack"
    assert str(read_hierarchy(numbered)) == "pack:2 l2:2 core:1 pu:2(indexes=core:pack)"
    without, given = (found(chain, "--hierarchy", text) for text in (plain, numbered))
    (more,) = (each for each in given["warnings"] if each not in without["warnings"])
    assert "(lstopo -l)" in more
    assert "(indexes=core:pack)" in more
    for key in ("groups", "cores", "by_level"):
        assert given.get(key) == without.get(key)


def test_tasks_take_the_first_cores_or_some_of_each_unit() -> None:
    node = read_hierarchy(NODE)
    assert node.filled(4, "packed").tolist() == [0, 1, 2, 3]
    assert node.filled(4, "spread").tolist() == [0, 2, 4, 6]
    assert node.filled(5, "spread").tolist() == [0, 1, 2, 4, 6]
    with pytest.raises(InputError, match="9 ranks do not fit on 8 cores"):
        node.filled(9, "packed")


def test_nodes_have_tasks_by_number_room_or_memory() -> None:
    shape = read_hierarchy(NODE)

    def tasks(ranks: int, **how: Any) -> list[int]:
        return [int(each) for each in nodes_for(ranks, **how).tasks]

    one = [(None, shape)]
    two = [read_counted("2*core:4"), read_counted("3*core:2")]
    assert tasks(20, hierarchies=one) == [8, 8, 4]
    assert tasks(20, hierarchies=one, nodes=4) == [5, 5, 5, 5]
    assert tasks(20, hierarchies=one, tasks_per_node=6) == [6, 6, 6, 2]
    assert tasks(11, hierarchies=two) == [4, 4, 2, 1]
    assert tasks(7, hierarchies=two, tasks_per_node=2) == [2, 2, 2, 1]
    assert tasks(7, capacities=(4, 2, 2)) == [4, 2, 1]
    assert tasks(10, memory=Memory((8.0,), 2.5)) == [3, 3, 3, 1]
    # Two nodes take 3 by their memory, three take 1.
    assert tasks(8, hierarchies=two, memory=Memory((8.0, 3.0), 2.5)) == [3, 3, 1, 1]
    assert tasks(9, memory=Memory((0.3,), 0.1)) == [3, 3, 3]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"nodes": 2, "hierarchies": [(None, "core:4")]}, "at least 3 nodes"),
        # 10 on 3 nodes are 4, 3 and 3: the first has one too many.
        ({"nodes": 3, "hierarchies": [(None, "core:3")]}, "need 4 slots a node.*at least 4 nodes"),
        ({"nodes": 3, "memory": Memory((8.0,), 2.5)}, "need 4 slots a node; 3 fit into its memory"),
        ({"tasks_per_node": 5, "hierarchies": [(None, "core:4")]}, "has 4 cores: give 1 to 4"),
        ({"tasks_per_node": 4, "memory": Memory((8.0,), 3.0)}, "2 fit into its memory"),
        ({"nodes": 2, "memory": Memory((2.0,), 3.0)}, "does not fit into a node of 2 GB"),
        ({"capacities": (4, 4)}, "2 nodes have 8 slots"),
        ({"capacities": (4, 0, 8)}, "capacity 2 is 0"),
        ({"hierarchies": [(2, "core:4")]}, "2 nodes have 8 slots"),
        ({"hierarchies": [(2, "core:4")], "nodes": 3}, "give only one of"),
        ({"hierarchies": [(2, "core:4"), (None, "core:4")]}, "of each kind"),
        ({"hierarchies": [(2**21, "core:4")]}, "more than"),
        ({"nodes": 4, "memory": Memory((2.0, 3.0), 1.0)}, "given 2 times"),
    ],
)
def test_nodes_that_cannot_be_filled_are_refused(how: dict[str, Any], said: str) -> None:
    if "hierarchies" in how:
        how = how | {"hierarchies": [(n, read_hierarchy(text)) for n, text in how["hierarchies"]]}
    with pytest.raises(InputError, match=said):
        nodes_for(10, **how)


def test_units_of_unlike_nodes_stand_beside_each_other() -> None:
    kinds = [read_counted("1*pack:2 l2:2 core:2"), read_counted("1*pack:2 core:2")]
    made = nodes_for(12, hierarchies=kinds)
    assert made.levels == ("network", "node", "pack", "l2")
    assert made.units.tolist() == [
        [0] * 8 + [1] * 4,
        [0] * 4 + [1] * 4 + [2] * 2 + [3] * 2,
        [0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 7],  # cores of the second share no cache
    ]
    assert made.sharings == ("network", "node", "processor", "die")
    with pytest.raises(InputError, match="the same order"):
        _ = nodes_for(
            8, hierarchies=[read_counted("1*numa:2 pack:2"), read_counted("1*pack:2 numa:2")]
        ).names


@pytest.mark.parametrize(
    ("kinds", "names"),
    [
        (("pack:2 core:2", "l3:2 core:2"), ("pack", "l3")),
        (("l3:2 core:2", "pack:2 core:2"), ("pack", "l3")),
        (("pack:2 l2:2", "numa:2 l2:2", "pack:1 numa:2 l2:2"), ("pack", "numa", "l2")),
        (("numa:2 pack:2", "numa:2 l2:2"), ("numa", "pack", "l2")),
    ],
)
def test_levels_of_unlike_nodes_stand_in_one_order(
    kinds: tuple[str, ...], names: tuple[str, ...]
) -> None:
    made = nodes_for(4 * len(kinds), hierarchies=[read_counted(f"1*{kind}") for kind in kinds])
    assert made.names == names


def test_a_chain_lies_along_the_tree(chain: str) -> None:
    answer = found(chain, "--hierarchy", NODE)
    cores = dict(zip(answer["groups"][0], answer["cores"][0], strict=True))
    along = [cores[rank] // 2 for rank in CHAIN]
    assert [along.count(die) for die in range(4)] == [2, 2, 2, 2]
    # Four pairs share a die, two a processor, one the node: 4 + 2 * 10 + 100, times 100 bytes.
    assert answer["total"] == 100 * (4 * 1 + 2 * 10 + 1 * 100)
    assert answer["total_bound"] == pytest.approx(answer["total"])
    assert [row["bytes"] for row in answer["by_level"]] == [0, 100, 200, 400]
    assert [row["bytes_rank_order"] for row in answer["by_level"]] == [0, 700, 0, 0]
    assert answer["total_rank_order"] == 700 * 100


def test_distances_are_given_or_assumed(chain: str) -> None:
    words = (chain, "--hierarchy", NODE, "--nodes", "2")
    assumed = found(*words)
    assert [row["distance"] for row in assumed["by_level"]] == [1000, 100, 10, 1]
    assert any("Distances are assumed" in each for each in assumed["warnings"])
    own = found(
        *words, *(f"--distance={each}" for each in ("network=9", "node=4", "pack=2", "l2=2"))
    )
    assert [row["distance"] for row in own["by_level"]] == [9, 4, 2, 2]
    assert not any("assumed" in each for each in own["warnings"])
    assert own["total"] == sum(row["bytes"] * row["distance"] for row in own["by_level"])
    assert own["total_rank_order"] == sum(
        row["bytes_rank_order"] * row["distance"] for row in own["by_level"]
    )


def test_the_time_of_all_messages_is_added_up_by_what_pairs_share(
    chain: str, tmp_path: Path
) -> None:
    table = tmp_path / "times.csv"
    rows = [("die", 1), ("processor", 2), ("node", 4), ("network", 50)]
    table.write_text(
        "sharing,bytes,time_us\n"
        + "".join(f"{name},{size},{time}\n" for name, time in rows for size in (0, 1000))
    )
    words = (chain, "--hierarchy", NODE, "--objective", "signed", "--ping-pong", str(table))
    answer = found(*words)
    assert answer["total"] == pytest.approx(4 * 1 + 2 * 2 + 1 * 4)
    assert answer["total_rank_order"] == pytest.approx(7 * 4)
    apart = found(*words, "--nodes", "4")
    assert apart["cut"] == pytest.approx(3 * 46)
    assert apart["total"] == pytest.approx(3 * 50 + 4 * 1)
    known = place(
        read_communication(chain),
        nodes=4,
        hierarchies=[read_counted(NODE)],
        weight="signed",
        table=read_ping_pong(table),
    )
    assert known.total_bound <= known.total


def test_nodes_have_the_bound_that_they_have_without_a_hierarchy(chain: str) -> None:
    order = (chain, "--nodes", "2", "--method", "order")
    flat, deep = found(*order), found(*order, "--hierarchy", NODE)
    assert flat["bound"] < flat["cut"]
    assert [deep[key] for key in ("cut", "bound")] == [flat[key] for key in ("cut", "bound")]


def test_the_published_cost_counts_the_tasks_of_each_level(chain: str, tmp_path: Path) -> None:
    path = tmp_path / "times.csv"  # long messages are faster between nodes
    rows = [("die", 1, 2), ("processor", 2, 7), ("node", 4, 9), ("network", 5, 6)]
    path.write_text(
        "sharing,bytes,time_us\n"
        + "".join(f"{name},0,{short}\n{name},1000,{long}\n" for name, short, long in rows)
    )
    traffic, table = read_communication(chain), read_ping_pong(path)
    made = nodes_for(8, nodes=2, hierarchies=[read_counted(NODE)])
    levels = level_costs(traffic, made, "paper", table)
    for level, (within, between, tasks) in enumerate(
        [("node", "network", 4), ("processor", "node", 4), ("die", "processor", 2)]
    ):
        times = pair_times(traffic, table, within=within, between=between)  # type: ignore[arg-type]
        cost = paper(times, tasks).cost
        assert sorted(levels.graphs[level].weights.tolist()[::2]) == pytest.approx(sorted(cost))


def test_the_published_cost_within_nodes_counts_the_tasks_of_a_processor(tmp_path: Path) -> None:
    # 10 bytes are faster between processors, 2 us for 4: 1 / 2. 1000 bytes are faster within one,
    # 1 us for 3: C + 2, with C = 2^2 / 2 for the two tasks of a processor, not 4^2 / 2 of a node.
    edges, path = tmp_path / "two.edges", tmp_path / "times.csv"
    edges.write_text("0 1 10 1\n6 7 1000 1\n")
    rows = [("die", 1, 1), ("processor", 4, 1), ("node", 2, 3), ("network", 9, 9)]
    path.write_text(
        "sharing,bytes,time_us\n"
        + "".join(f"{name},10,{short}\n{name},1000,{long}\n" for name, short, long in rows)
    )
    made = nodes_for(8, nodes=2, hierarchies=[read_counted("pack:2 core:2")])
    levels = level_costs(read_communication(edges), made, "paper", read_ping_pong(path))
    assert levels.graphs[1].weights.tolist() == pytest.approx([0.5, 0.5, 4.0, 4.0])


@pytest.mark.parametrize("seed", range(6))
def test_the_published_cost_places_nodes_first(seed: int, tmp_path: Path) -> None:
    # Sizes on both sides of where the network becomes faster than the node.
    rng = np.random.default_rng(seed)
    path = tmp_path / "drawn.edges"
    lines = [
        f"{a} {b} {2 ** rng.integers(5, 22)} 1\n"
        for a in range(8)
        for b in range(a + 1, 8)
        if rng.random() < 0.6
    ]
    path.write_text("".join(lines))
    words = (str(path), "--ranks-per-node", "4", "--objective", "paper")
    flat, deep = found(*words), found(*words, "--hierarchy", NODE)
    assert deep["gap"] == pytest.approx(0, abs=1e-12)  # its bound is lowered by its rounding
    assert deep["cut"] == pytest.approx(flat["cut"])
    assert (deep["total"], deep["total_bound"]) == (None, None)
    assert "over all levels" not in deep["summary"]


def test_pinned_ranks_stay(chain: str) -> None:
    answer = found(chain, "--nodes", "2", "--pin", "0,6-7=1")
    assert {0, 6, 7} <= set(answer["groups"][1])
    by_name = found(
        chain, "--nodes", "2", "--pin", "3=b", "--host", "a", "--host", "b", "--hierarchy", NODE
    )
    assert 3 in by_name["groups"][1]


def test_room_and_memory_bound_the_tasks_of_a_node(chain: str) -> None:
    uneven = found(chain, "--capacities", "5,2,9")
    assert [len(group) for group in uneven["groups"]] == [5, 2, 1]
    fitting = found(chain, "--node-memory", "8", "--rank-memory", "2.5")
    assert [len(group) for group in fitting["groups"]] == [3, 3, 2]
    kinds = ("--hierarchy", "1*pack:1 core:6", "--hierarchy", "3*pack:2 core:1")
    unlike = found(chain, *kinds)
    assert [len(group) for group in unlike["groups"]] == [6, 2]


def test_rank_files_name_processor_and_core(chain: str, tmp_path: Path) -> None:
    path = tmp_path / "ranks"
    ran("place", chain, "--hierarchy", NODE, "--write-rank-file", str(path))
    lines = path.read_text().splitlines()
    answer = found(chain, "--hierarchy", NODE)
    for rank, core in zip(answer["groups"][0], answer["cores"][0], strict=True):
        assert lines[rank] == f"rank {rank}=node0 slot={core // 4}:{core % 4}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--hierarchy", "pack:2 core:x"), "is not a level"),
        (("--nodes", "2", "--node-memory", "4"), "go together"),
        (("--nodes", "2", "--pin", "x=1"), "is not RANKS=NODE"),
        (("--nodes", "2", "--pin", "1=n7"), "is not RANKS=NODE"),
        (("--nodes", "2", "--pin", "3-1=1"), "is not RANKS=NODE"),
        (("--nodes", "2", "--pin", "1=5"), "nodes go from 0 to 1"),
        (("--nodes", "2", "--pin", "9=1"), "ranks go from 0 to 7"),
        (("--nodes", "2", "--pin", "0-4=1"), "5 ranks are pinned to node 1, which has 4 slots"),
        (("--nodes", "2", "--pin", "0=1", "--pin", "0=0"), "pinned to nodes 1 and 0"),
        (("--capacities", "4,x"), "is not a number of ranks"),
        (("--capacities", "9999999*4"), "give fewer"),
        (("--nodes", "2", "--distance", "network=9"), "--distance needs --hierarchy"),
        (("--hierarchy", NODE, "--distance", "l3=4"), "unknown level"),
        (("--hierarchy", NODE, "--distance", "l2=nan"), "l2: 'nan' is not a number"),
        (("--hierarchy", NODE, "--distance", "l2=x"), "l2: 'x' is not a number"),
        (
            ("--hierarchy", NODE, "--distance", "pack=200", "--distance", "node=100"),
            "needs a larger distance",
        ),
        (
            ("--hierarchy", NODE, "--objective", "signed", "--distance", "l2=1"),
            "uses message times",
        ),
        (("--hierarchy", NODE, "--nodes", "2", "--cores-per-socket", "2"), "omit"),
    ],
)
def test_wrong_words_are_refused(words: tuple[str, ...], said: str, chain: str) -> None:
    done = ran("place", chain, *words)
    assert done.exit_code == 2
    assert said in done.output.replace("\n", " ")


LSTOPO = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0"><object type="Machine"><info name="Backend" value="Linux"/>{packages}
</object></topology>"""


def package(*cpus: tuple[int, ...], cache: str = "L3Cache") -> str:
    cores = "".join(
        '<object type="L1iCache"><object type="Core">'
        + "".join(f'<object type="PU" os_index="{cpu}"/>' for cpu in core)
        + "</object></object>"
        for core in cpus
    )
    return (
        '<object type="Package"><object type="NUMANode" os_index="0"/>'
        f'<object type="{cache}" depth="2">{cores}</object>'
        '<object type="Bridge"><object type="PCIDev"/></object></object>'
    )


def test_files_of_lstopo_are_read(tmp_path: Path) -> None:
    path = tmp_path / "node.xml"
    path.write_text(LSTOPO.format(packages=package((0, 4), (2, 6)) + package((1, 5), (3, 7))))
    node = read_hierarchy("pack:2 l3:1 core:2 pu:2")
    assert read_counted(str(path)) == (None, node)
    many, same = read_counted(f"3*{path}")
    assert (many, same, same.cpus) == (3, node, (0, 2, 1, 3))
    path.write_text(LSTOPO.format(packages=package((0,), (1,), cache="Cache")))
    assert read_counted(str(path))[1].names == ("pack", "l2")
    first = '<object type="Cache" depth="1" cache_type="{}">'
    core = '<object type="Core"><object type="PU" os_index="0"/></object>'
    caches = first.format(1) + first.format(2) + core + "</object></object>"
    path.write_text(LSTOPO.format(packages=caches))
    assert read_counted(str(path))[1].names == ("l1",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LSTOPO.format(packages=package((0,), (1,)) + package((2,))), "parts of L3Cache differ"),
        (LSTOPO.format(packages=""), "has no cores"),
        ("<a/>", "is not a topology of hwloc"),
        ("no XML", "is not XML"),
        ('<?xml version="1.0" encoding="foo"?><topology/>', "is not XML"),
        (LSTOPO.format(packages=package((0, 0))), "node.xml is read as .* does not list 2"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><topology>&b;</topology>', "defines entities"),
        ("<topology>" + "<object>" * 3000 + "</object>" * 3000 + "</topology>", "is not XML"),
    ],
)
def test_files_of_lstopo_that_are_none_are_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "node.xml").write_text(text)
    with pytest.raises(InputError, match=said):
        read_counted(str(tmp_path / "node.xml"))
