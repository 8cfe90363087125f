"""Rows of a shard as columns, and the bytes of its file: Parquet with pyarrow, else CSV.

The file begins with a record of the shard: in Parquet under the key ``headroom`` of the schema's
metadata, in CSV as a first line behind ``#``. It has the kind of each column.
"""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scenarios.reading.replaced import numpy_free

Columns = Mapping[str, Sequence[Any]]
"""Values by heading; ``None`` where a row has none."""

_RECORD = "headroom"
_LARGEST = 2**63
_READ: Mapping[str, Callable[[str], Any]] = {
    "flag": lambda text: text == "true",
    "whole": int,
    "number": float,
    "text": str,
    "json": json.loads,
}
"""What makes a value of the text in a CSV file, by the kind of its column."""


def columns_of(rows: Iterable[Mapping[str, Any]]) -> Columns:
    """Return rows as columns, in the order in which their names first occur."""
    plain = [{name: numpy_free(value) for name, value in row.items()} for row in rows]
    names = dict.fromkeys(name for row in plain for name in row)
    columns = {name: [row.get(name) for row in plain] for name in names}
    return {name: _alike(values) for name, values in columns.items()}


def form() -> str:
    """Return how shards end here: ``parquet`` where pyarrow is installed, else ``csv``."""
    return "csv" if importlib.util.find_spec("pyarrow") is None else "parquet"


def packed(columns: Columns, record: Mapping[str, Any], form: str) -> bytes:
    """Return the whole content of a shard's file."""
    kinds = {name: _kind(values) for name, values in columns.items()}
    stored = {
        name: _texts(values) if kinds[name] == "json" else values
        for name, values in columns.items()
    }
    head = json.dumps({**record, "kinds": kinds}, ensure_ascii=False)
    return _parquet(stored, kinds, head) if form == "parquet" else _csv(stored, kinds, head)


def unpacked(content: bytes, form: str) -> tuple[Columns, dict[str, Any]]:
    """Return the columns and the record of a shard, from bytes that :func:`packed` made."""
    return _of_parquet(content) if form == "parquet" else _of_csv(content)


def is_number(value: Any) -> bool:
    """Return whether a value is a number in the range of a float."""
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _kind(values: Sequence[Any]) -> str:
    """The kind of a column; a list, a table, or values of several kinds are JSON."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "flag"
    if kinds == {int} and all(value is None or abs(value) < _LARGEST for value in values):
        return "whole"
    if kinds == {float}:
        return "number"
    return "text" if kinds <= {str} and "" not in values else "json"


def _alike(values: Sequence[Any]) -> Sequence[Any]:
    """Values as a file gives them back: whole numbers among others are floats, as in pandas."""
    numbers = all(type(value) is not int or is_number(value) for value in values)
    if numbers and {type(value) for value in values if value is not None} == {int, float}:
        return [None if value is None else float(value) for value in values]
    return _loaded(_texts(values)) if _kind(values) == "json" else values


def _texts(values: Sequence[Any]) -> Sequence[str | None]:
    """Values as JSON."""
    return [
        None if value is None else json.dumps(value, ensure_ascii=False, default=str)
        for value in values
    ]


def _loaded(texts: Sequence[str | None]) -> Sequence[Any]:
    """Values of JSON."""
    return [None if text is None else json.loads(text) for text in texts]


def _parquet(stored: Columns, kinds: Mapping[str, str], head: str) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    of = {"flag": pa.bool_(), "whole": pa.int64(), "number": pa.float64()}
    arrays = [pa.array(values, of.get(kinds[name], pa.string())) for name, values in stored.items()]
    table = pa.table(arrays, names=list(stored)).replace_schema_metadata({_RECORD: head})
    sink = io.BytesIO()
    # How well Snappy packs depends on the processor, so nothing is packed.
    parquet.write_table(table, sink, compression="none")
    return sink.getvalue()


def _of_parquet(content: bytes) -> tuple[Columns, dict[str, Any]]:
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(content))
    record = json.loads(table.schema.metadata[_RECORD.encode()])
    columns: dict[str, Sequence[Any]] = table.to_pydict()
    coded = [name for name, kind in record["kinds"].items() if kind == "json"]
    return columns | {name: _loaded(columns[name]) for name in coded}, record


def _csv(stored: Columns, kinds: Mapping[str, str], head: str) -> bytes:
    sink = io.StringIO(newline="")
    sink.write(f"#{head}\n")
    writer = csv.writer(sink, lineterminator="\n")
    writer.writerow(stored)
    flags = [kinds[name] == "flag" for name in stored]
    for row in zip(*stored.values(), strict=True):
        cells = (
            str(cell).lower() if flag and cell is not None else cell
            for flag, cell in zip(flags, row, strict=True)
        )
        writer.writerow(cells)
    return sink.getvalue().encode()


def _of_csv(content: bytes) -> tuple[Columns, dict[str, Any]]:
    head, _, body = content.decode().partition("\n")
    record = json.loads(head.removeprefix("#"))
    headings, *rows = csv.reader(io.StringIO(body, newline=""))
    columns = {}
    for name, cells in zip(headings, zip(*rows, strict=True), strict=True):
        read = _READ[record["kinds"][name]]
        columns[name] = [read(cell) if cell else None for cell in cells]
    return columns, record
