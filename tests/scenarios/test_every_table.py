"""Every reader of tables accepts the same forms of text and refuses the same mistakes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scenarios.faults import ScenarioError
from tests.scenarios.table_readers import (
    ENCODED,
    HEADED,
    LISTED,
    TABLES,
    WITH_UNITS,
    Written,
    written,
)

DELIMITERS = [",", ";", "\t", "|"]


def read(folder: Path, table: Written, data: str | bytes, name: str = "table.csv") -> Any:
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return table.read(path)


def refused(folder: Path, table: Written, data: str | bytes) -> str:
    with pytest.raises(ScenarioError) as caught:
        read(folder, table, data)
    return str(caught.value)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_any_delimiter_stands_between_cells(tmp_path: Path, name: str, delimiter: str) -> None:
    table = TABLES[name]
    assert read(tmp_path, table, table.text(delimiter)) == read(tmp_path, table, table.text())


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("form", ENCODED)
def test_any_form_of_text_is_read(tmp_path: Path, name: str, form: str) -> None:
    table = TABLES[name]
    assert read(tmp_path, table, ENCODED[form](table)) == read(tmp_path, table, table.text())


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_decimals_may_follow_a_comma(tmp_path: Path, name: str, delimiter: str) -> None:
    table = TABLES[name]
    found = read(tmp_path, table, table.text(delimiter, ","), "comma.csv")
    assert found == read(tmp_path, table, table.text())


@pytest.mark.parametrize("name", TABLES)
def test_a_comma_between_cells_is_no_mark_of_decimals(tmp_path: Path, name: str) -> None:
    assert "1,5" in refused(tmp_path, TABLES[name], TABLES[name].changed('"1,5"'))


@pytest.mark.parametrize("name", [name for name in TABLES if name != "quotes"])
def test_a_number_that_may_be_two_is_refused_with_both(tmp_path: Path, name: str) -> None:
    table = TABLES[name]
    rows = [[cell.partition(".")[0] for cell in row] for row in table.rows]
    rows[0][table.number] = "1,234"
    text = written([table.headings, *rows] if table.headings else rows, "\t")
    message = refused(tmp_path, table, text)
    assert "'1,234' may be 1.234 or 1234; write 1234, or 1.2340" in message


@pytest.mark.parametrize("name", WITH_UNITS)
@pytest.mark.parametrize("heading", ["{} [{}]", "{} ({})", "{}_{}", "{} in {}"])
def test_a_heading_may_state_a_unit(tmp_path: Path, name: str, heading: str) -> None:
    table = WITH_UNITS[name]
    text = table.in_unit(heading)
    if name == "quotes" and heading in {"{}_{}", "{} in {}"}:
        assert "Peak" in refused(tmp_path, table, text)  # the mapping names headings of quotes
    else:
        assert read(tmp_path, table, text) == read(tmp_path, table, table.text())


@pytest.mark.parametrize("name", WITH_UNITS)
def test_a_cell_may_state_a_unit(tmp_path: Path, name: str) -> None:
    table = WITH_UNITS[name]
    found = read(tmp_path, table, table.in_unit("", "{} {}"))
    assert found == read(tmp_path, table, table.text())


@pytest.mark.parametrize("name", WITH_UNITS)
def test_an_unknown_unit_is_named(tmp_path: Path, name: str) -> None:
    table = WITH_UNITS[name]
    assert "furlong" in refused(tmp_path, table, table.in_unit("", "{} furlong"))


@pytest.mark.parametrize("name", LISTED)
def test_columns_stand_in_any_order_with_capitals_and_others(tmp_path: Path, name: str) -> None:
    table = LISTED[name]
    more = [] if name == "exchanges of a node" else ["zzz"]
    rows = [[*row, *("7" for _ in more)][::-1] for row in table.rows]
    headings = [heading.upper() for heading in (*table.headings, *more)][::-1]
    text = written([headings, *rows])
    assert read(tmp_path, table, text) == read(tmp_path, table, table.text())


@pytest.mark.parametrize("name", HEADED)
def test_a_missing_column_is_named(tmp_path: Path, name: str) -> None:
    table = HEADED[name]
    place = table.number
    rows = [table.headings, *table.rows]
    message = refused(tmp_path, table, written([[*r[:place], *r[place + 1 :]] for r in rows]))
    assert table.headings[place].partition("_")[0] in message


@pytest.mark.parametrize("name", HEADED)
def test_two_columns_of_one_field_are_named(tmp_path: Path, name: str) -> None:
    table = HEADED[name]
    rows = [table.headings, *table.rows]
    message = refused(tmp_path, table, written([[*row, row[table.number]] for row in rows]))
    assert f"'{table.headings[table.number]}'" in message


@pytest.mark.parametrize("name", [name for name in HEADED if name != "pairs in a matrix"])
def test_a_row_with_a_cell_too_few_is_named_with_its_line(tmp_path: Path, name: str) -> None:
    table = HEADED[name]
    text = written([table.headings, table.rows[0][:-1], *table.rows[1:]])
    assert "csv:2: " in refused(tmp_path, table, text)


@pytest.mark.parametrize("name", HEADED)
def test_a_row_with_a_cell_too_many_is_named_with_its_line(tmp_path: Path, name: str) -> None:
    table = HEADED[name]
    text = written([table.headings, (*table.rows[0], "5"), *table.rows[1:]])
    assert "csv:2: " in refused(tmp_path, table, text)


@pytest.mark.parametrize("name", TABLES)
def test_a_text_in_a_number_is_named_with_its_line(tmp_path: Path, name: str) -> None:
    table = TABLES[name]
    message = refused(tmp_path, table, table.changed("many"))
    assert f"csv:{2 if table.headings else 1}: " in message
    assert "'many' is n" in message


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("data", ["", "\n\n", b"\xff\xfe", '"', "\0a\0b"])
def test_a_file_without_a_table_is_refused(tmp_path: Path, name: str, data: str | bytes) -> None:
    assert refused(tmp_path, TABLES[name], data)


@pytest.mark.parametrize("name", HEADED)
def test_headings_alone_are_no_table(tmp_path: Path, name: str) -> None:
    assert refused(tmp_path, HEADED[name], written([HEADED[name].headings]))
