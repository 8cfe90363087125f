"""Ping-pong tables: what holds between, below and above measured sizes, and broken files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios import ScenarioError
from scenarios.communication.ping_pong import SHARINGS, PingPong, bundled_ping_pong, read_ping_pong
from scenarios.remark import remark

HEAD = "sharing,bytes,time_us\n"
ROWS = "node,100,1\nnode,1100,3\nnetwork,0,2\nnetwork,1000,2.5\n"


def read(folder: Path, text: str) -> PingPong:
    path = folder / "times.csv"
    path.write_text(text, encoding="utf-8")
    return read_ping_pong(path)


def fault(folder: Path, text: str) -> str:
    with pytest.raises(ScenarioError) as caught:
        read(folder, text)
    return str(caught.value).split("\n", maxsplit=1)[0].removeprefix(f"{folder}/")


def test_times_between_below_and_above_measured_sizes(tmp_path: Path) -> None:
    table = read(tmp_path, "# source: by hand\n" + HEAD + ROWS)
    # 100 -> 1 us and 1100 -> 3 us: 2 ns per byte; 600 is half way, 2100 one slope further
    sizes = np.array([0, 100, 600, 1100, 2100])
    assert table.time_us("node", sizes).tolist() == [1, 1, 2, 3, 5]
    assert table.time_us("network", np.array([500.0, 3000.0])).tolist() == [2.25, 3.5]
    assert table.outside("node", sizes) == 2
    assert (table.known("node"), table.source, table.assumed) == ("node", "by hand", False)


@pytest.mark.parametrize(
    ("heading", "factor"), [("time_ns", 1e-3), ("time_ms", 1e3), ("time_s", 1e6)]
)
def test_times_have_any_unit(tmp_path: Path, heading: str, factor: float) -> None:
    table = read(tmp_path, HEAD.replace("time_us", heading) + ROWS)
    assert table.curves["node"].time_us.tolist() == pytest.approx([factor, 3 * factor])


def test_columns_stand_in_any_order_and_repeats_count_by_the_median(tmp_path: Path) -> None:
    text = "bytes,note,time_us,Sharing\n0,a,9,die\n0,,1,die\n0,,2,die\n8,,3,die\n0,,1,network\n"
    table = read(tmp_path, text + "1,,1,network\n")
    assert table.curves["die"].time_us.tolist() == [2, 3]
    assert table.remarks == (remark("times-repeated", sizes=(1, "size")),)
    assert table.known("node") == "die"


def test_what_was_not_measured_counts_as_the_next_farther(tmp_path: Path) -> None:
    network = "network,0,1\nnetwork,1,1\n"
    inner = "die,0,1\ndie,1,1\nprocessor,0,1\nprocessor,1,1\n"
    table = read(tmp_path, HEAD + inner + network)
    assert [table.known(sharing) for sharing in SHARINGS] == [
        "die",
        "processor",
        "processor",
        "network",
    ]
    outer = read(tmp_path, HEAD + "node,0,1\nnode,1,1\n" + network)
    assert [outer.known(sharing) for sharing in SHARINGS] == ["node", "node", "node", "network"]


def test_a_curve_that_falls_at_its_end_goes_on_level(tmp_path: Path) -> None:
    table = read(tmp_path, HEAD + ROWS + "network,2000,1.5\n")
    assert table.time_us("network", np.array([1e9])).tolist() == [1.5]
    sizes = ((1000.0, 2000.0), "interval:B")
    assert table.remarks == (remark("times-falling", sharing=("network", "id"), sizes=sizes),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n", "times.csv:1: there is no column 'bytes' (columns: 'a', 'b'); add it"),
        (HEAD + "node,1\n", "times.csv:2: 2 cells, but 3 headings; give one"),
        (HEAD + "socket,1,1\n", "times.csv:2: sharing: 'socket' is unknown; there are"),
        (HEAD + "node,1,0\n", "times.csv:2: time_us: '0' is not above 0 and at most"),
        (HEAD + "node,-1,1\n", "times.csv:2: bytes: '-1' is not from 0 to"),
        (HEAD + "node,1,nan\n", "times.csv:2: time_us: 'nan' is not a number"),
        (HEAD + "node,1,1\nnode,2,2\n", "times.csv: has no times for network; measure between two"),
        (
            HEAD + "network,1,1\nnetwork,2,2\n",
            "times.csv: has no times within a node; measure node, processor or die",
        ),
        (HEAD + ROWS + "die,1,1\n", "times.csv: has 1 size for die; measure at least two"),
    ],
)
def test_a_broken_table_is_refused(tmp_path: Path, text: str, expected: str) -> None:
    assert fault(tmp_path, text).startswith(expected)


def test_a_missing_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="does not exist; give the path of a ping-pong table"):
        read_ping_pong(tmp_path / "times.csv")


@given(
    st.integers(0, len(HEAD + ROWS)), st.sampled_from(["", "x", "-", "9e9", "\n", ",", "\0", "é"])
)
def test_an_altered_table_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, at: int, put: str
) -> None:
    text = HEAD + ROWS
    try:
        table = read(tmp_path_factory.getbasetemp(), text[:at] + put + text[at + 1 :])
    except ScenarioError as error:
        assert str(error)  # noqa: PT017 - either end is right
    else:
        times = [curve.at(np.array([0.0, 1e9])) for curve in table.curves.values()]
        assert (np.array(times) > 0).all()


def test_the_bundled_table_is_assumed_and_holds_both_kinds_of_pairs() -> None:
    table = bundled_ping_pong()
    assert table.assumed
    assert table.known("node") == "node"
    assert set(table.curves) == set(SHARINGS)
    assert not table.remarks
    sizes = np.array([0.0, 4096.0, 65536.0, 1e7])
    times = [table.time_us(sharing, sizes) for sharing in SHARINGS]
    assert (times[0] < times[1]).all()
    assert (times[1] < times[2]).all()
    # small messages are faster within the node, large ones over the network
    assert (times[2] < times[3]).tolist() == [True, True, False, False]


@given(st.lists(st.floats(0, 1e8), min_size=2, max_size=20).map(sorted))
def test_within_one_sharing_that_never_falls_larger_messages_take_longer(
    sizes: list[float],
) -> None:
    times = bundled_ping_pong().time_us("node", np.array(sizes))
    assert (np.diff(times) >= 0).all()
    assert (times > 0).all()
