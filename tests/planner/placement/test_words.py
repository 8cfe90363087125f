"""What the command says of a placement, and that time was over."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from planner.placement.hierarchy import read_counted
from planner.placement.problem import place
from planner.placement.values import comparison, gap_of, is_late, proved, slight
from scenarios.communication.reader import read_communication
from tests.planner.cli.commands import answered, ran

NODE = "pack:2 core:2"


@pytest.fixture
def crossed(tmp_path: Path) -> str:
    """Ranks r and r + 4 exchange 200 MB, all others nothing."""
    path = tmp_path / "crossed.edges"
    path.write_text("".join(f"{rank} {rank + 4} 200000000 1000000\n" for rank in range(4)))
    return str(path)


def said(*words: str) -> str:
    return " ".join(ran("place", *words).output.split())


def headline(*words: str) -> str:
    return str(answered("place", *words)["study"]["headline"]["kind"])


def test_the_network_comes_first_and_levels_second(crossed: str) -> None:
    answer = answered("place", crossed, "--hierarchy", NODE)
    assert answer["study"]["headline"]["values"]["measure"] == "bytes"
    assert (answer["cut"], answer["cut_rank_order"]) == (0, 8e8)
    assert (answer["total"], answer["total_rank_order"]) == (8e8, 8e10)
    assert answer["summary"].startswith(
        "Use the rank file on 2 nodes: bytes between nodes \N{MINUS SIGN}100.0 % "
    )


def test_amounts_have_units_and_costs_their_own_words(crossed: str) -> None:
    by_paper = said(crossed, "--hierarchy", NODE, "--objective", "paper")
    assert "published cost between nodes" in by_paper
    assert "Over all levels" not in by_paper
    assert "istance" not in by_paper
    assert "time lost between nodes" in said(crossed, "--nodes", "4", "--objective", "signed")
    assert "messages between nodes" in said(crossed, "--nodes", "4", "--objective", "messages")
    assert "e+0" not in by_paper


def test_a_total_that_is_its_bound_but_for_rounding_is_proved(crossed: str) -> None:
    result = place(read_communication(crossed), nodes=4)
    near = replace(result, partition=replace(result.partition, cut=80.0, bound=80 * (1 - 1e-12)))
    assert proved(near)
    far = replace(result, partition=replace(result.partition, cut=80.0, bound=0.0))
    assert not proved(far)
    assert gap_of(far) == 1


def test_less_than_a_hundredth_is_no_reason_for_a_rank_file(tmp_path: Path) -> None:
    path = tmp_path / "slight.edges"  # in order 2,002 are parted, at best 2,000
    path.write_text("0 2 1001\n1 3 1001\n0 1 1000\n2 3 1000\n")
    assert headline(str(path), "--nodes", "2") == "slight"
    result = place(read_communication(path), nodes=2)
    assert (slight(result), comparison(result)) == (True, "better")


def test_what_is_gained_within_nodes_alone_is_noticed(tmp_path: Path) -> None:
    # Between nodes the order of ranks is the best, 1,000; within, it parts what belongs together.
    path = tmp_path / "inner.edges"
    path.write_text("0 2 10000\n1 3 10000\n0 1 5000\n4 6 10000\n5 7 10000\n4 5 5000\n3 4 1000\n")
    result = place(read_communication(path), nodes=2, hierarchies=[read_counted(NODE)])
    assert result.partition.cut == result.rank_order == 1000
    assert (slight(result), comparison(result)) == (False, "better")


def test_pins_that_the_order_of_ranks_breaks_need_the_rank_file(tmp_path: Path) -> None:
    path = tmp_path / "pair.edges"
    path.write_text("0 1 5\n2 3 5\n")
    moved = answered("place", str(path), "--nodes", "2", "--pin", "0=1")
    assert moved["study"]["headline"]["kind"] == "pins"
    assert (moved["cut"], moved["cut_rank_order"]) == (0, 0)
    assert "--write-rank-file" in said(str(path), "--nodes", "2", "--pin", "0=1")
    assert headline(str(path), "--nodes", "2", "--pin", "0=0") == "default-optimal"


def test_that_time_was_over_is_said(crossed: str, tmp_path: Path) -> None:
    ring = tmp_path / "ring.edges"  # of 40, so that no exact algorithm ends at once
    ring.write_text(
        "".join(f"{a} {(a * 7 + k) % 40} {a + 9 * k}\n" for a in range(40) for k in (1, 5))
    )
    late = answered("place", str(ring), "--nodes", "4", "--time-limit", "0.000001")
    assert late["stopped_by_time"]
    assert late["time_limit_s"] == 1e-6
    assert any("Stopped at the time limit" in each for each in late["warnings"])
    in_time = answered("place", crossed, "--nodes", "4", "--time-limit", "1000")
    assert not in_time["stopped_by_time"]
    assert not any("Stopped" in each for each in in_time["warnings"])


def test_who_looks_at_no_clock_is_never_late() -> None:
    assert not is_late("order", 1, 1.0, 9.0)
    assert not is_late("dynamic", 1, 1.0, 9.0)
    assert is_late("dynamic", 2, 1.0, 0.6)  # each level has its share
    assert is_late("kl", 1, 1.0, 1.0)
    assert not is_late("kl", 1, 1.0, 0.9)
    assert not is_late("kl", 1, None, 0.9)


def test_within_nodes_the_published_cost_may_still_move_ranks(tmp_path: Path) -> None:
    path = tmp_path / "one.edges"
    edges = "0 3 100 1\n1 2 100 1\n4 7 100 1\n5 6 100 1\n"
    words = (str(path), "--hierarchy", NODE, "--objective", "paper")
    path.write_text(edges + "0 1 10 1\n4 5 10 1\n")
    assert headline(*words) == "within-only"
    path.write_text(edges)  # of the groupings that cost nothing, another one may be found
    assert headline(*words) in {"within-only", "default-optimal", "default-best"}


def test_the_default_mapping_alone_is_called_evaluated_and_a_report_names_what_is_better(
    crossed: str, tmp_path: Path
) -> None:
    words = (crossed, "--nodes", "4", "--method", "order")
    assert headline(*words) == "default-only"
    assert headline(*words, "-o", str(tmp_path / "report")) == "other-method"
