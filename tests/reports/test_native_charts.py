"""Charts of a workbook: what their ranges name is what the table holds."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from python_calamine import CalamineWorkbook

from planner.figure import Figure
from planner.finding import finding
from planner.procurement.study import ProcurementStudy
from planner.study import Study
from planner.table import Column, Row, Table
from reports.writers.workbook import workbook

_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_RANGE = re.compile(r"(?:'([^']+)'|(\w+))!\$([A-Z])\$(\d+)(?::\$[A-Z]\$(\d+))?")


@dataclass(frozen=True)
class Chart:
    """The chart of a workbook, as another program reads it."""

    series: dict[str, tuple[list[Any], list[Any]]]
    xml: str

    def has(self, element: str) -> bool:
        return f"<c:{element}" in self.xml


def chart_of(study: Study) -> Chart | None:
    data = workbook(study)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = [name for name in archive.namelist() if name.startswith("xl/charts/")]
        if not names:
            return None
        (name,) = names
        xml = archive.read(name).decode()
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))

    def cells(formula: str) -> list[Any]:
        found = []
        for quoted, bare, letter, low, high in _RANGE.findall(formula):
            rows = book.get_sheet_by_name(quoted or bare).to_python()
            found += [rows[i - 1][ord(letter) - 65] for i in range(int(low), int(high or low) + 1)]
        return found

    series = {}
    for each in ET.fromstring(xml).iter(f"{_CHART}ser"):
        text = "".join(v.text or "" for v in each.findall(f"{_CHART}tx//{_CHART}v"))
        ranges = {part.tag.removeprefix(_CHART): part.find(f".//{_CHART}f") for part in each}
        formulas = {name: str(found.text) for name, found in ranges.items() if found is not None}
        x = formulas.get("cat") or formulas["xVal"]
        y = formulas.get("val") or formulas["yVal"]
        series[text] = cells(x), cells(y)
    return Chart(series, xml)


def study_of(figure: Figure, columns: Sequence[Column], rows: Sequence[Row]) -> Study:
    says = finding("note", "meets-none", policy=("easy", "policy"))
    table = Table("sizes tried", tuple(columns), tuple(rows))
    return Study("size", says, says, {}, tables=(table,), figures=(figure,))


POINTS: list[Row] = [
    {"policy": "easy", "nodes": 4, "value": 9.0},
    {"policy": "fcfs", "nodes": 4, "value": 12.0},
    {"policy": "easy", "nodes": 5, "value": 8.0},
    {"policy": "fcfs", "nodes": 6, "value": 7.0},
]
COLUMNS = Column("policy", "id"), Column("nodes", "count"), Column("value", "s")
LINES = Figure("curve", "lines", "sizes tried", "nodes", ("value",), series="policy",
               scale={"x": "log", "y": "time"})  # fmt: skip


def test_a_plan_and_its_alternatives_are_points_over_the_cells_of_their_sheet(
    short: ProcurementStudy,
) -> None:
    chart = chart_of(short.study)
    assert chart is not None
    assert chart.has("scatterChart")
    (first, *_) = short.study.rows("candidates")
    assert chart.series["this plan"] == ([first["capital"]], [first["score"]])


def test_a_line_for_each_series_also_where_their_rows_alternate() -> None:
    chart = chart_of(study_of(LINES, COLUMNS, POINTS))
    assert chart is not None
    assert chart.has("scatterChart")
    assert chart.series == {"easy": ([4, 5], [9, 8]), "fcfs": ([4, 6], [12, 7])}
    assert chart.xml.count("logBase") == 2


def test_an_axis_is_logarithmic_only_where_every_value_has_its_place() -> None:
    rows: list[Row] = [*POINTS, {"policy": "easy", "nodes": 9, "value": 0.0}]
    chart = chart_of(study_of(LINES, COLUMNS, rows))
    assert chart is not None
    assert chart.xml.count("logBase") == 1


@pytest.mark.parametrize("kind", ["dots", "stacks"])
def test_no_chart_whose_series_have_other_categories(kind: str) -> None:
    figure = Figure("curve", kind, "sizes tried", "nodes", ("value",), series="policy")
    assert chart_of(study_of(figure, COLUMNS, POINTS)) is None
    chart = chart_of(study_of(figure, COLUMNS, POINTS[:2]))
    assert chart is not None
    assert chart.series == {"easy": ([4], [9]), "fcfs": ([4], [12])}


def test_intervals_have_their_ends_as_distances_and_none_where_one_is_unknown() -> None:
    columns = Column("name", "text"), *(Column(key) for key in ("value", "low", "high"))
    rows: list[Row] = [
        {"name": "a", "value": 4.0, "low": 3.0, "high": 4.5},
        {"name": "b", "value": 5.0, "low": None, "high": 9.0},
    ]
    figure = Figure("curve", "intervals", "sizes tried", "name", ("value",), low="low", high="high")
    chart = chart_of(study_of(figure, columns, rows))
    assert chart is not None
    ends = [re.findall(rf"<c:{side}>(.*?)</c:{side}>", chart.xml)[0] for side in ("plus", "minus")]
    values = [[float(v) for v in re.findall(r"<c:v>(.*?)</c:v>", text)] for text in ends]
    assert values == [[0.5, 4], [1, 0]]


@pytest.mark.parametrize("name", ["=Sheet1!$A$1", "Yahoo!A1", "='a'!B2", "a & <b>"])
def test_a_name_is_never_the_name_of_a_cell(name: str) -> None:
    columns = Column("policy", "text"), *COLUMNS[1:]
    chart = chart_of(study_of(LINES, columns, [{"policy": name, "nodes": 4, "value": 9.0}]))
    assert chart is not None
    assert [text.replace("\u200b", "") for text in chart.series] == [name]


@pytest.mark.parametrize("kind", ["map", "matrix", "gantt", "of-later"])
def test_other_kinds_have_none(kind: str) -> None:
    figure = Figure("curve", kind, "sizes tried", "nodes", ("value",))
    assert chart_of(study_of(figure, COLUMNS, POINTS)) is None
