"""Tables without constant columns: what moves into the caption, and what stays."""

from __future__ import annotations

from reports.compact import compact, varying
from reports.grid import Table, table

COLUMNS = (("Job", False), ("Weight", True), ("Seed", True), ("Time", True))


def given(*rows: tuple[str, ...]) -> Table:
    return table(COLUMNS, (2, 1, 1, 1), rows)


def test_constant_columns_move_to_the_caption_and_empty_ones_vanish() -> None:
    rows = given(("a", "1", "", "5 s"), ("b", "1", "", "6 s"))
    (block,) = compact(rows, "Jobs")
    assert block["caption"] == "Jobs; in every row: weight 1"
    assert block["table"]["rows"] == [["a", "5 s"], ["b", "6 s"]]
    assert block["table"]["widths"] == [2, 1]


def test_the_first_column_and_the_named_ones_stay() -> None:
    shown = varying(given(("a", "1", "", "5 s"), ("a", "1", "", "6 s")), keep=("Weight",))
    assert [column["name"] for column in shown["columns"]] == ["Job", "Weight", "Time"]


def test_a_sum_in_the_last_row_does_not_make_a_column_vary() -> None:
    rows = given(("a", "1", "", "5 s"), ("b", "1", "", "6 s"), ("all", "", "", "11 s"))
    assert [len(row) for row in varying(rows, total=True)["rows"]] == [2, 2, 2]
    assert [len(row) for row in varying(rows)["rows"]] == [3, 3, 3]


def test_one_row_is_a_sentence() -> None:
    (block,) = compact(given(("a", "1", "", "5 s")), "The job")
    assert block == {"kind": "text", "words": "The job: weight 1; time 5 s."}


def test_abbreviations_keep_their_capital_letters_in_a_caption() -> None:
    columns = (("Job", False), ("I/O intensity", True), ("Time", True))
    (block,) = compact(table(columns, (2, 1, 1), [("a", "1", "5 s"), ("b", "1", "6 s")]), "Jobs")
    assert block["caption"] == "Jobs; in every row: I/O intensity 1"
