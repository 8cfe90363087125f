"""Tables for papers and spreadsheets: the columns of the report, and all rows."""

from __future__ import annotations

import csv
import io

import pytest

from planner.errors import InputError
from planner.finding import finding
from planner.procurement.study import ProcurementStudy
from planner.study import Study
from planner.table import Column, Table
from reports.shown_table import ShownTable
from reports.texts import Texts
from reports.view import grid


def of_one_row(name: str) -> ShownTable:
    says = finding("note", "meets-none", policy=("easy", "policy"))
    columns = (
        Column("name", "text"),
        Column("unknown"),
        Column("wait_s", "s"),
        Column("x", shown=False),
    )
    table = Table("sizes tried", columns, ({"name": name, "wait_s": 5400.5, "x": 1},))
    return ShownTable(Study("size", says, says, {}, tables=(table,)), table.name)


def test_latex_has_the_texts_of_the_report(short: ProcurementStudy) -> None:
    lines = short.table("compared").to_latex().splitlines()
    shown = grid(Texts(short.study), short.study.table("compared"))
    assert lines[0].startswith("\\begin{tabular}{")
    assert lines[0].count("r") - lines[0].count("tabular") == sum(shown.right)
    assert len(lines) == len(shown.rows) + 6
    assert all(
        line.count(" & ") == len(shown.headings) - 1 for line in lines if line.endswith(r"\\")
    )


def test_names_are_not_run_by_latex_and_not_by_a_spreadsheet() -> None:
    table = of_one_row(r"=\input{a_b} 5 % & ~$1")
    assert r"=\textbackslash{}input\{a\_b\} 5 \% \& \textasciitilde{}\$1" in table.to_latex()
    assert next(csv.reader(io.StringIO(table.to_csv().split("\n", 1)[1])))[0].startswith("'=")


@pytest.mark.parametrize("name", ["[A100] node", "*fast"])
def test_no_row_is_an_option_of_the_line_above(name: str) -> None:
    rows = [line for line in of_one_row(name).to_latex().splitlines() if name in line]
    assert rows
    assert all(line.startswith("{}") for line in rows)


def test_csv_has_raw_numbers_under_headings_with_units() -> None:
    header, row = csv.reader(io.StringIO(of_one_row("lu").to_csv()))
    assert [heading.rpartition(" ")[2] for heading in header][1:] == ["[s]"]
    assert row == ["lu", "5400.5"]


def test_a_table_that_is_not_there_is_named_with_those_that_are(short: ProcurementStudy) -> None:
    with pytest.raises(InputError, match=r"there is no table 'compare'; there are: .*compared"):
        short.table("compare")
