"""What one field makes of one cell, worked by hand."""

from __future__ import annotations

import dataclasses
from decimal import Decimal

import pytest

from scenarios.remark import remark
from scenarios.tables.cell_text import CellError
from scenarios.tables.columns import lay_out
from scenarios.tables.decimal_marks import FileMark, mark_of, mark_of_beginning, number_and_unit
from scenarios.tables.field import Field
from scenarios.tables.field_table import excess

TIME = Field("time_s", "Run time", aliases=("runtime", "time"), unit="s", above=True, most=1e6)
NODES = Field("nodes", "Nodes", "whole", least=1, most=4096)
POWER = Field("power_w", "Power", unit="W", required=False, blank="not measured")
SHARING = Field("sharing", "What is shared", "choice", choices=("die", "node"))
PATTERN = Field("pattern", "Id", "whole", least=1, most=99, choices=("alone",))


@pytest.mark.parametrize(
    ("field", "text", "mark", "unit", "value"),
    [
        (TIME, "90.5", "point", "", 90.5),
        (TIME, "90,5", "comma", "", 90.5),
        (TIME, "1.234,5", "comma", "", 1234.5),
        (TIME, "1,234.5", "point", "", 1234.5),
        (TIME, "1'234.5", "point", "", 1234.5),
        (TIME, "13.916", "point", "", 13.916),
        (TIME, "90,5", "unclear", "", 90.5),
        (TIME, "2 min", "point", "", 120.0),
        (TIME, "250", "point", "ms", 0.25),
        (TIME, "250 us", "point", "ms", 0.00025),  # the unit of the cell goes before the column's
        (TIME, "1e3", "point", "", 1000.0),
        (NODES, "8", "point", "", 8),
        (NODES, "8.0", "point", "", 8),
        (NODES, "1,024", "point", "", 1024),
        (POWER, "0", "point", "", 0.0),
        (POWER, "0.35 kW", "point", "", 350.0),
        (POWER, "", "point", "", None),
        (SHARING, "Node", "point", "", "node"),
        (PATTERN, "Alone", "point", "", "alone"),
        (PATTERN, "7", "point", "", 7),
    ],
)
def test_a_cell_has_this_value(
    field: Field, text: str, mark: FileMark, unit: str, value: object
) -> None:
    found = field.read(text, mark, unit)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(
    ("field", "text", "mark", "message"),
    [
        (TIME, "1,234", "unclear", "'1,234' may be 1.234 or 1234; write 1234, or 1.2340"),
        (TIME, "1.234", "comma", "'1.234' may be 1.234 or 1234; write 1234, or 1,2340"),
        (TIME, "90,5", "point", "'90,5' is not a number with a decimal point"),
        (TIME, "1.5", "comma", "'1.5' is not a number with a decimal comma"),
        (TIME, "0", "point", "'0' is not above 0 and at most 1e+06 s; correct it"),
        (TIME, "2e6", "point", "'2e6' is not above 0 and at most 1e+06 s"),
        (TIME, "", "point", "is blank; fill it in"),
        (TIME, "=A1", "point", "'=A1' is a formula; write its value"),
        (TIME, "5 kW", "point", "'5 kW': 'kW' is not a unit of run time; use s, ms, min, h, us"),
        (NODES, "5000", "point", "'5000' is not from 1 to 4,096; correct it"),
        (NODES, "2.5", "point", "'2.5' is not a whole number; correct it"),
        (NODES, "2 W", "point", "'2 W' is not a plain number; write only the number"),
        (SHARING, "dice", "point", "'dice' is unknown; did you mean 'die'"),
        (PATTERN, "lone", "point", "'lone' is not a number; write it in digits"),
        *((TIME, text, "point", " is not a number; ") for text in ("nan", "inf", "1_0", "\u0661")),
    ],
)
def test_a_cell_is_refused_with_its_value_and_a_remedy(
    field: Field, text: str, mark: FileMark, message: str
) -> None:
    with pytest.raises(CellError) as caught:
        field.read(text, mark)
    assert message in str(caught.value)


def test_one_mark_of_decimals_holds_for_a_file() -> None:
    assert mark_of(["1.5", "2"], ",") == "point"
    assert mark_of(["1,5", "1.234"], ";") == "comma"
    assert mark_of(["1,234"], ";") == "comma"
    assert mark_of(["1,234"], "|") == mark_of(["1,234"], ",") == "unclear"
    assert mark_of(["1,234", "1.5"], "|") == "point"
    assert mark_of(["1,5"], ",") == "point"  # so that 1,5 is refused, and not read as 15
    assert mark_of_beginning(["1", "2"], ";") == "unclear"  # later cells speak for themselves
    assert mark_of_beginning(["1", "2"], ",") == "point"


def test_a_unit_stands_behind_its_number() -> None:
    assert number_and_unit("-1.5e3 k W", "point") == (Decimal(-1500), "kW")


@pytest.mark.parametrize(
    ("heading", "unit"),
    [
        ("time_s", "s"), ("Time [ms]", "ms"), ("TIME (min)", "min"), ("time_ms", "ms"),
        ("run time in h", "h"), ("RunTime", "s"), ("Runtime/ms", "ms"),
    ],
)  # fmt: skip
def test_a_heading_names_the_field_and_its_unit(heading: str, unit: str) -> None:
    layout = lay_out(["nodes", heading], [NODES, TIME])
    assert layout.problems == ()
    assert (layout.places["time_s"], layout.units["time_s"]) == (1, unit)


def test_a_unit_in_a_heading_is_that_of_its_field() -> None:
    assert lay_out(["power [kW]"], [POWER]).units == {"power_w": "kW"}
    assert lay_out(["power_kW"], [POWER]).units == {"power_w": "kW"}
    ((place, message),) = lay_out(["power_w [ms]"], [POWER]).problems
    assert (place, "'ms' is not a unit of power" in message) == (0, True)
    assert lay_out(["power"], [POWER], careful=False).places == {}  # no unit is assumed


def test_an_earlier_name_goes_before_a_later_one() -> None:
    layout = lay_out(["time", "runtime"], [TIME])
    assert layout.places == {"time_s": 1}
    unread = {"field": ("time_s", "id"), "column": ("runtime", "text")}
    assert layout.remarks == (remark("table-unread", **unread, ignored=(("time",), "text")),)


def test_a_row_is_as_wide_as_the_headings() -> None:
    headings = ["a", "b", ""]
    assert excess(["1", "2", ""], headings) == excess(["1", "2"], headings) == ""
    assert "1 cells, but 2 headings" in excess(["1"], headings)
    assert "'5' is to the right of the last heading" in excess(["1", "2", "5"], headings)
    assert "4 cells, but 3 headings" in excess(["1", "2", "", ""], headings)
    assert excess(["1", "2", ""], ["a", "b"], spare=1) == ""


def test_fields_are_plain_values() -> None:
    assert dataclasses.replace(TIME) == TIME
    assert (TIME.base, TIME.dimension, NODES.dimension) == ("time", "run time", "")
