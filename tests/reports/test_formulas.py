"""Live formulas of a workbook: worked out from the sheet alone, they give the cached values."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from python_calamine import CalamineWorkbook

from planner.finding import finding
from planner.procurement.study import ProcurementStudy
from planner.study import Study
from planner.table import Column, Row, Table
from reports.writers.workbook import workbook
from tests.reports.procurements import answered, document

_SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@dataclass(frozen=True)
class Sheet:
    """The cells of a sheet by their references, as XML has them."""

    xml: bytes

    @cached_property
    def formulas(self) -> dict[str, str]:
        return {
            cell.attrib["r"]: str(formula.text)
            for cell in ET.fromstring(self.xml).iter(f"{_SHEET}c")
            if (formula := cell.find(f"{_SHEET}f")) is not None
        }

    @cached_property
    def numbers(self) -> dict[str, float]:
        """What each cell holds that is no text."""
        return {
            cell.attrib["r"]: float(str(value.text))
            for cell in ET.fromstring(self.xml).iter(f"{_SHEET}c")
            if cell.attrib.get("t") != "s" and (value := cell.find(f"{_SHEET}v")) is not None
        }

    def worked_out(self, cell: str) -> float:
        """The value of a cell, from cells without formulas only."""
        formula = self.formulas.get(cell)
        return self.numbers.get(cell, 0.0) if formula is None else self._value(formula)

    def _value(self, words: str) -> float:
        words = re.sub(r"SUM\(([A-Z]+)\$(\d+):\1\$(\d+)\)", self._sum, words)
        words = re.sub(r"[A-Z]+\d+", lambda cell: repr(self.worked_out(cell[0])), words)
        if words.startswith("IF("):
            zero, then, other = words.removeprefix("IF(").removesuffix(")").split(",")
            is_zero = float(zero.removesuffix("=0")) == 0
            return self._value(then if is_zero else other)
        dividend, _, divisor = words.partition("/")
        if divisor:
            return float(dividend) / float(divisor)
        first, _, second = words.partition("*")
        return float(first) * float(second or 1)

    def _sum(self, found: re.Match[str]) -> str:
        rows = range(int(found[2]), int(found[3]) + 1)
        return repr(sum(self.worked_out(f"{found[1]}{row}") for row in rows))

    def changed(self, cell: str, value: float) -> Sheet:
        """The sheet with another number in a cell."""
        sheet = Sheet(self.xml)
        sheet.numbers[cell] = value
        return sheet


def sheet_of(study: Study, name: str) -> tuple[Sheet, list[Any]]:
    """A sheet and its headings."""
    data = workbook(study)
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    number = book.sheet_names.index(name) + 1
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        xml = archive.read(f"xl/worksheets/sheet{number}.xml")
    return Sheet(xml), book.get_sheet_by_name(name).to_python()[0]


def study_with(table: Table) -> Study:
    stated = finding("note", "question")
    return Study("place", stated, stated, {}, tables=(table,))


def test_a_formula_is_live_and_text_of_others_is_none() -> None:
    columns = (
        Column("name", "text"), Column("nodes", "count"), Column("price", "number", label="value"),
        Column("cost", "number", label="weight", formula="{nodes}*{price}"),
    )  # fmt: skip
    rows: tuple[Row, ...] = (
        {"name": "=1+1", "nodes": 3, "price": 2.5, "cost": 7.5},
        {"name": "@B", "nodes": 2, "price": 4.0, "cost": 8.0},
        {"name": "unknown", "nodes": 2, "price": None, "cost": None},
    )
    sheet, _ = sheet_of(study_with(Table("some", columns, rows, summed=("cost",))), "Some")
    assert sheet.formulas == {"D2": "B2*C2", "D3": "B3*C3", "D5": "SUM(D$2:D$4)"}
    assert [sheet.numbers[cell] for cell in sheet.formulas] == [7.5, 8.0, 15.5]
    assert sheet.changed("C2", 10.0).worked_out("D5") == 38.0


@pytest.fixture(scope="module")
def static() -> ProcurementStudy:
    """Nodes under static caps, which draw less than their peak."""
    return answered(document(procurement={"regime": "static"}))


@pytest.mark.parametrize("name", ["short", "hostile", "static"])
def test_the_vendors_are_compared_by_live_formulas(
    name: str, request: pytest.FixtureRequest
) -> None:
    study: ProcurementStudy = request.getfixturevalue(name)
    sheet, heading = sheet_of(study.study, "Vendor comparison")
    keys = [column.key for column in study.study.table("vendor_comparison").columns]
    letters = {key: chr(ord("A") + index) for index, key in enumerate(keys)}
    assert len(heading) == len(keys)
    rows = study.study.rows("vendor_comparison")
    assert len(rows) == len(study.scenario.node_types)
    last = len(rows) + 2
    for cell, formula in sheet.formulas.items():
        assert sheet.worked_out(cell) == pytest.approx(sheet.numbers[cell]), (cell, formula)
    assert study.plan is not None
    lots = study.plan.purchases
    sums = {
        "nodes_bought": sum(lot.nodes for lot in lots),
        "capital": sum(lot.nodes * lot.unit_price for lot in lots),
        "capital_share": 1.0,
    }
    for key, value in sums.items():
        assert sheet.numbers[f"{letters[key]}{last}"] == pytest.approx(value)
    row = next(line for line, row in enumerate(rows, 2) if row["nodes_bought"])
    cost = sheet.numbers[f"{letters['capital']}{row}"]
    free = sheet.changed(f"{letters['unit_price']}{row}", 0.0)
    left = sums["capital"] - cost
    assert free.worked_out(f"{letters['capital']}{last}") == pytest.approx(left)


def test_power_of_statically_capped_nodes_is_that_under_their_caps(
    static: ProcurementStudy,
) -> None:
    assert static.plan is not None
    quotes = {quote.name: quote for quote in static.scenario.node_types}
    capped = [lot for lot in static.plan.purchases if lot.cap_w is not None]
    assert any(lot.cap_w < max(quotes[lot.name].package_caps_w) for lot in capped)  # type: ignore[operator]
    expected = dict.fromkeys(quotes, 0.0)
    for lot in static.plan.purchases:
        assert lot.cap_w is not None
        expected[lot.name] += lot.nodes * quotes[lot.name].capped_w(lot.cap_w)
    rows = static.study.rows("vendor_comparison")
    assert {row["quote"]: row["power_w"] for row in rows} == pytest.approx(expected)


def test_power_without_a_peak_is_left_empty(short: ProcurementStudy) -> None:
    scenario = short.scenario
    first, *others = scenario.node_types
    types = (first.model_copy(update={"peak_w": None}), *others)
    unknown = replace(short, scenario=scenario.model_copy(update={"node_types": types}))
    rows = unknown.study.rows("vendor_comparison")
    row = next(row for row in rows if row["quote"] == first.name)
    assert (row["power_per_node_w"], row["power_w"]) == (None, None)
    sheet, _ = sheet_of(unknown.study, "Vendor comparison")
    for cell in sheet.formulas:
        assert sheet.worked_out(cell) == pytest.approx(sheet.numbers[cell])


def test_without_a_plan_there_is_nothing_to_compare(planless: ProcurementStudy) -> None:
    assert "vendor_comparison" not in planless.study.data
