"""Pair tables in both forms, and every fault with its line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from scenarios.faults import ScenarioError
from scenarios.pairs.pair_table import PairTable
from scenarios.pairs.reader import read_pairs
from scenarios.remark import remark

HEAD = "a,b,solo_a_s,solo_b_s,co_a_s,co_b_s\n"
Read = Callable[..., PairTable]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def from_text(text: str, name: str = "pairs.csv", **options: object) -> PairTable:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return read_pairs(path, file_name=name, **options)  # type: ignore[arg-type]

    return from_text


def test_a_list_gives_time_alone_over_time_together(read: Read) -> None:
    table = read(HEAD + "x,y,10,20,20,25\ny,y,20,20,40,32\n")
    assert table.names == ("x", "y")
    assert table.first.tolist() == [0, 1]
    assert table.second.tolist() == [1, 1]
    assert table.speed_first.tolist() == [0.5, 0.5]
    assert table.speed_second.tolist() == [0.8, 0.625]
    once = remark("pairs-once", names=(("x",), "text"))
    assert (table.pairs, table.faster, table.remarks) == (2, 0, (once,))


def test_a_pair_in_either_order_is_one_pair(read: Read) -> None:
    table = read(HEAD + "x,y,10,20,20,25\ny,x,20,10,25,12.5\n")
    assert table.pair_of.tolist() == [1, 1]
    assert table.speed_first.tolist() == [0.5, 0.8]
    assert table.speed_second.tolist() == [0.8, 0.8]
    assert table.remarks == (remark("pairs-repeated", pairs=(1, "pair")),)


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "x,y,10,20,20,25\n",
        "co_b_s;co_a_s;solo_b_s;solo_a_s;b;a;note\n25;20;20;10;y;x;n\n",
        "A\tB\tsolo_a_s\tsolo_b_s\tco_a_s\tco_b_s\n# by hand\nx\ty\t10\t20\t20\t25\n",
        "a;b;solo_a_s;solo_b_s;co_a_s;co_b_s\nx;y;10,0;20,0;20,0;25,0\n",
        ",x,y\nx,,0.5\ny,0.8,\n",
        "app;x;y\nx;;0,5\ny;0,8;\n",
    ],
)
def test_every_way_to_write_a_pair_is_read(read: Read, text: str) -> None:
    table = read(text)
    assert (table.speed_first.tolist(), table.speed_second.tolist()) == ([0.5], [0.8])


def test_a_matrix_may_hold_slowdowns_and_its_diagonal_is_the_self_pair(read: Read) -> None:
    table = read("s,x,y\nx,2,4\ny,1.25,\n", values="slowdown")
    assert table.first.tolist() == [0, 0]
    assert table.second.tolist() == [0, 1]
    assert table.speed_first.tolist() == [0.5, 0.25]
    assert table.speed_second.tolist() == [0.5, 0.8]


def test_an_application_without_a_value_is_still_named(read: Read) -> None:
    assert read(",x,y,z\nx,0.8,,0.9\ny,,,\nz,0.9,,0.7\n").names == ("x", "y", "z")


def test_slowdowns_read_as_speeds_are_told(read: Read) -> None:
    table = read("s,x,y\nx,1.2,1.4\ny,1.25,1.1\n")
    above = {"read": ("speed", "id"), "other": ("slowdown", "id")}
    assert table.remarks[0] == remark("pairs-above-1", speeds=((4, 4), "of:count"), **above)


@pytest.mark.parametrize("text", [HEAD + "x,y,1,1,2,\nx,x,1,1,2,2\n", ",x,y\nx,0.5,0.5\ny,,\n"])
def test_half_a_pair_counts_as_not_measured(read: Read, text: str) -> None:
    table = read(text)
    assert (table.incomplete, table.pairs) == ((("x", "y"),), 1)
    half = remark("pairs-incomplete", pairs=(1, "pair"), a=("x", "text"), b=("y", "text"))
    assert table.remarks == (half,)


def test_faster_together_than_alone_is_kept_and_counted(read: Read) -> None:
    table = read(HEAD + "x,y,10,10,8,10\n")
    assert table.speed_first.tolist() == [1.25]
    assert table.faster == 1
    assert table.remarks == (remark("pairs-faster", measurements=((1, 1), "of:count")),)


def test_a_workbook_is_read_like_csv(tmp_path: Path) -> None:
    import xlsxwriter

    path = tmp_path / "pairs.xlsx"
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("pairs")
        for row, cells in enumerate([HEAD.strip().split(","), ["x", "y", 10, 20, 20, 25]]):
            sheet.write_row(row, 0, cells)
    assert read_pairs(path).speed_second.tolist() == [0.8]


def test_2000_pairs_of_names_keep_their_order(read: Read) -> None:
    rows = "".join(f"j{k},j{k + 1},1,1,2,{1 + k / 2000}\n" for k in range(2000))
    table = read(HEAD + rows)
    assert len(table.names) == 2001
    np.testing.assert_allclose(1 / table.speed_second, 1 + np.arange(2000) / 2000)


ALL_MEMORY = HEAD.strip() + ",memory_a_gb,Memory b [GiB],gpu_memory_a_gb,gpu_memory_b_gb\n"


def needs_of(table: PairTable) -> dict[str, dict[str, float]]:
    return {
        kind: {name: need.gb for name, need in needs.items()} for kind, needs in table.needs.items()
    }


def test_a_list_gives_the_memory_of_each_application_in_any_of_its_rows(read: Read) -> None:
    table = read(ALL_MEMORY + "x,y,1,1,2,2,64,1,,0\ny,z,1,1,2,2,1GiB,,0 GB,80\nx,x,,,,,64.0,,,\n")
    assert needs_of(table) == {
        "memory": {"x": 64, "y": 1.073741824}, "GPU memory": {"y": 0, "z": 80},
    }  # fmt: skip
    assert table.needs["GPU memory"]["z"].place == "pairs.csv:3: gpu_memory_b_gb"
    assert read(HEAD + "x,y,1,1,2,2\n").needs == {}
    assert read(HEAD.strip() + ",memory_b_gb\nx,y,1,1,2,2,7\n").needs["memory"].keys() == {"y"}


def test_a_matrix_gives_the_memory_of_the_application_of_a_row(read: Read) -> None:
    table = read("app;GPU memory (GB);x;y;memory_gb\nx;;0,9;0,8;64,5\ny;40;0,7;;80\n")
    assert needs_of(table) == {"memory": {"x": 64.5, "y": 80}, "GPU memory": {"y": 40}}
    assert (table.names, table.speed_first.tolist()) == (("x", "y"), [0.9, 0.8])
    one = read(",x,memory_gb,gpu_memory_gb\nx,0.9,5,\n")
    assert (one.names, needs_of(one)) == (("x",), {"memory": {"x": 5}})
    slow = read(",x,memory_gb\nx,2,5\n", values="slowdown")
    assert (slow.speed_first.tolist(), needs_of(slow)) == ([0.5], {"memory": {"x": 5}})


def test_a_heading_that_names_a_row_is_an_application(read: Read) -> None:
    table = read(",x,memory_gb\nx,0.9,0.8\nmemory_gb,0.7,0.6\n")
    assert (table.names, table.needs) == (("x", "memory_gb"), {})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            ALL_MEMORY + "x,y,1,1,2,2,64,1,,\ny,x,1,1,2,2,,60,,\n",
            (
                "pairs.csv:3: memory_b_gb: 64.42450944 GB for 'x', but 64 GB in pairs.csv:2: "
                "memory_a_gb; make them equal"
            ),
        ),
        (
            ALL_MEMORY + "x,y,1,1,2,2,-1,,,\n",
            "pairs.csv:2: memory_a_gb: '-1' is not from 0 to 1e[+]09 GB",
        ),
        (ALL_MEMORY + "x,y,1,1,2,2,,,,two\n", "gpu_memory_b_gb: 'two' is not a number"),
        (ALL_MEMORY + "x,y,1,1,2,2,,3 W,,\n", "memory_b_gb: '3 W': .*GB"),
        (HEAD.strip() + ",memory_gb\nx,y,1,1,2,2,3\n", "if it is 'memory_a_gb', rename it"),
        (",x,memory_gb\nx,0.9,-5\n", "pairs.csv:2: memory_gb: '-5' is not from 0"),
        (",x,y,memroy_gb\nx,0.9,1,5\ny,1,1,5\n", "column 'memroy_gb' has no row"),
        (",x,memory_gb,memory [GB]\nx,0.9,5,6\n", "column .memory .GB.. has no row"),
    ],
)
def test_what_is_wrong_with_memory_is_said(read: Read, text: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=f"(?s){message}"):
        read(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty|contains no values"),
        (HEAD, "no pairs below the headings"),
        (HEAD + "x,y,10,0,20,25\n", "pairs.csv:2: solo_b_s: '0' is not from 1e-09"),
        (HEAD + "x,y,10,10,-3,25\n", "co_a_s: '-3' is not from 1e-09"),
        (HEAD + "x,y,10,ten,20,25\n", "solo_b_s: 'ten' is not a number"),
        (HEAD + "x,,10,10,20,25\n", "b is empty"),
        (HEAD + "x,y,10,10,20\n", "5 cells, but 6 headings"),
        (HEAD + "x,y,10,inf,20,25\n", "'inf' is not a number"),
        (HEAD + "x,y,1,1,2,2\nX,y,1,1,2,2\n", "differ only in case"),
        (
            "a,b,solo_a_s,solo_b_s,co_a,co_b_s\nx,y,1,1,2,2\n",
            "column 'co_a' is unknown; if it is 'co_a_s'",
        ),
        ("a,a,b,solo_a_s,solo_b_s,co_a_s,co_b_s\nx,x,y,1,1,2,2\n", "'a' and 'a' could both be a"),
        ("p,q\n1,2\n", "neither a list of pairs nor a matrix"),
        (",x,y,z\nx,1,.5,.5\ny,.5,1,.5\n", "column 'z' has no row"),
        (",x,y\nx,1,.5\ny,.5,1\nw,.5,.5\n", "row 'w' has no column"),
        (",x,y\nx,1,.5\nx,1,.5\ny,.5,1\n", "row 'x' is listed twice"),
        (",x,y\nx,1,zero\ny,.5,1\n", "'zero' is not a number.*speed of x with y"),
        (HEAD + '"x,y,1,1,2,2\n', "is not CSV"),
    ],
)
def test_what_is_wrong_is_said(read: Read, text: str, message: str) -> None:
    with pytest.raises(ScenarioError, match=f"(?s){message}"):
        read(text)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="does not exist"):
        read_pairs(tmp_path / "none.csv")
