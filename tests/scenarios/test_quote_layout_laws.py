"""Laws of the layouts of quotes: one table in several layouts, and any table in any layout."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios.model.node_types import NodeType
from scenarios.quotes.reader import Quotes
from tests.scenarios.quote_files import comma_separated, old_workbook, open_document, workbook
from tests.scenarios.test_quote_layouts import Rows, read, types
from tests.sizes import few

NODE = st.fixed_dictionaries(
    {
        "price": st.decimals("1.00", "99999.99", places=2),
        "idle_w": st.integers(50, 200),
        "peak_w": st.integers(200, 2000),
        "cores": st.none() | st.integers(1, 512),
        "memory_gb": st.none() | st.integers(1, 4096),
        "origin": st.none() | st.sampled_from(["EU", "US", "x y"]),
    }
)
FIELDS = ("name", "price", "idle_w", "peak_w", "cores", "memory_gb")
HEADINGS = {field: field.partition("_")[0].title() for field in FIELDS}
MAPPED: dict[str, Any] = {
    "columns": HEADINGS | {"vendor": {"value": "V"}},
    "attributes": {"origin": "Origin"},
}


def table_of(nodes: list[dict[str, Any]]) -> Rows:
    named = ({"name": f"n{place}"} | node for place, node in enumerate(nodes))
    rows = [
        [float(v) if isinstance(v := each[key], Decimal) else v for key in (*FIELDS, "origin")]
        for each in named
    ]
    return [[*HEADINGS.values(), "Origin"], *rows]


def layouts_of(rows: Rows) -> dict[str, tuple[dict[str, bytes], dict[str, Any]]]:
    """The same table in other layouts, with the keys that say so."""
    head, *body = rows
    turned = [[*column] for column in zip(*rows, strict=True)]
    parts: Rows = [[*head, "Part", "Qty"]]
    for row in body:
        third = round(row[1] / 4, 2)
        parts.append([*row[:1], third, *row[2:], "board", 3])
        parts.append([None, round(row[1] - 3 * third, 2), *[None] * (len(row) - 2), "rest", 1])
    split = {"P": [row[:3] for row in rows], "T": [[row[0], *row[3:]] for row in rows]}
    further = {
        "columns": MAPPED["columns"] | {
            field: {"heading": HEADINGS[field], "table": "t"} for field in FIELDS[3:]
        },
        "attributes": {"origin": {"heading": "Origin", "table": "t"}},
        "sheet": "P",
        "also": [{"name": "t", "sheet": "T", "key": "Name"}],
    }  # fmt: skip
    columns = {key: each for key, each in MAPPED["columns"].items() if key != "name"}
    billed = {"columns": columns, "parts": {"of": "Name", "quantity": "Qty"}}
    return {
        "ods": ({"q.ods": open_document({"P": rows})}, {}),
        "xls": ({"q.xls": old_workbook({"P": rows})}, {}),
        "turned": ({"q.csv": comma_separated(turned, ";")}, {"orientation": "columns"}),
        "turned workbook": ({"q.xlsx": workbook({"P": turned})}, {"orientation": "columns"}),
        "joined": ({"q.xlsx": workbook(split)}, further),
        "bill": ({"q.csv": comma_separated(parts, ";")}, billed),
    }


@settings(max_examples=few(10), deadline=None)
@given(nodes=st.lists(NODE, min_size=1, max_size=5))
def test_a_table_means_the_same_in_every_layout(
    tmp_path_factory: pytest.TempPathFactory, nodes: list[dict[str, Any]]
) -> None:
    folder = tmp_path_factory.mktemp("layouts")
    rows = table_of(nodes)

    def without_origin(found: Quotes) -> list[NodeType]:
        return [each.model_copy(update={"origin": None}) for each in types(found)]

    plain = without_origin(read(folder, {"q.csv": comma_separated(rows, ";")}, **MAPPED))
    assert len(plain) == len(nodes)
    for name, (files, keys) in layouts_of(rows).items():
        assert without_origin(read(folder, files, **MAPPED | keys)) == plain, name


WORDS = st.sampled_from(
    ["", "Name", "Price", "A", "Total", "12", "1,5", "+ 5 for 6 GB", "5 % ab 10", "Summe", "x 3"]
)
SETTINGS: list[dict[str, Any]] = [
    {},
    {"orientation": "columns"},
    {"parts": {"of": "Name", "quantity": "Qty"}},
    {"parts": {"of": "Name"}, "options": {"rows": [3]}},
    {"options": {"heading": "Options"}},
    {"also": [{"name": "t", "key": "Name", "own_key": "Qty"}], "answers": "q.csv"},
    {"discount_columns": [{"from_quantity": 5, "heading": "Qty"}], "vat": 0.07},
]


@settings(max_examples=few(150), deadline=None)
@given(
    rows=st.lists(st.lists(WORDS, min_size=1, max_size=6), min_size=1, max_size=7),
    keys=st.sampled_from(SETTINGS),
)
def test_any_table_in_any_layout_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]], keys: dict[str, Any]
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    head = ["Name", "Price", "Qty", "Options", "Idle", "Peak"]
    columns = {"name": "Name", "price": "Price", "vendor": {"value": "V"},
               "idle_w": {"value": 10}, "peak_w": {"value": 40}}  # fmt: skip
    data = comma_separated([head, *rows], ";")
    found = read(folder, {"q.csv": data}, **{"columns": columns, **keys})
    for quote in found.found:
        NodeType.model_validate(quote)
