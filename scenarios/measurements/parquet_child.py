"""The columns of a Parquet file, read inside the limited process."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from scenarios.measurements.fields import laid_out
from scenarios.tables.cell_references import Limits


class _ParquetError(Exception):
    """The file cannot be used; the message says why and what to do."""


def answer(request: bytes, limits: Limits) -> bytes:
    """Answer a request: a line with the mapping and the units as JSON, then the file.

    The reply is a line of JSON, ``headings``, ``rows`` and ``cells`` by what they hold: a list, or
    ``None`` for a column of numbers without blanks, whose doubles follow the line in that order.
    """
    question, _, data = request.partition(b"\n")
    columns, units = json.loads(question)
    try:
        head, body = _columns(data, columns, units, limits)
    except _ParquetError as error:
        head, body = {"error": str(error)}, b""
    except MemoryError:
        message = "needs too much memory; delete columns, or split it"
        head, body = {"error": message}, b""
    return json.dumps(head, allow_nan=False).encode() + b"\n" + body


def _columns(
    data: bytes, columns: dict[str, str], units: dict[str, str], limits: Limits
) -> tuple[dict[str, Any], bytes]:
    import pyarrow as pa
    from pyarrow import parquet

    pa.set_memory_pool(pa.system_memory_pool())
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    try:
        file = parquet.ParquetFile(io.BytesIO(data))
        _check_size(file.metadata, limits)
        schema = file.schema_arrow
        headings = [name[:1000] for name in schema.names]
        layout = laid_out(headings, columns, units)
        head: dict[str, Any] = {"headings": headings, "rows": file.metadata.num_rows, "cells": {}}
        if layout.problems:
            return head, b""
        head["others"] = _others(file, layout.others, pa)
        body = b""
        for target, index in layout.places.items():
            _check_type(schema.field(index), pa)
            table = file.read([schema.names[index]], use_threads=False)
            if table.num_columns != 1 or table.num_rows != head["rows"]:
                raise _ParquetError("is damaged: columns of unequal length; write it again")
            cells = _cells(table.column(0), pa)
            if not isinstance(cells, bytes):
                _check_characters(cells, limits)
            head["cells"][target] = None if isinstance(cells, bytes) else cells
            body += cells if isinstance(cells, bytes) else b""
    except MemoryError:  # pyarrow's own is an ArrowException too
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, IndexError, RuntimeError) as error:
        message = f"is not a valid Parquet file ({str(error)[:200]}); write it again, or as .csv"
        raise _ParquetError(message) from None
    return head, body


def _others(file: Any, places: Mapping[str, int], pa: Any) -> dict[str, list[str | float | None]]:
    """Cells of the other columns that hold numbers, texts or truth values."""
    schema = file.schema_arrow
    columns = {}
    for heading, index in places.items():
        kind = schema.field(index).type
        truth = pa.types.is_boolean(kind)
        table = file.read([schema.names[index]], use_threads=False)
        if table.num_columns != 1 or table.num_rows != file.metadata.num_rows:
            continue
        column = table.column(0).cast(pa.string()) if truth else table.column(0)
        try:
            _check_type(pa.field(heading, column.type), pa)
        except _ParquetError:
            continue
        cells = _cells(column, pa)
        columns[heading] = (
            [_finite(number) for number in np.frombuffer(cells, dtype="<f8").tolist()]
            if isinstance(cells, bytes)
            else cells
        )
    return columns


def _check_size(metadata: Any, limits: Limits) -> None:
    if metadata.num_rows > limits.rows:
        raise _ParquetError(f"contains {metadata.num_rows} rows, more than {limits.rows}; split it")
    if metadata.num_columns > limits.columns:
        message = (
            f"contains {metadata.num_columns} columns, more than {limits.columns}; delete some"
        )
        raise _ParquetError(message)
    groups = (metadata.row_group(index) for index in range(metadata.num_row_groups))
    size = sum(group.total_byte_size for group in groups)
    if size > limits.unpacked_bytes:
        much = f"unpacks to {size >> 20} MiB, more than {limits.unpacked_bytes >> 20} MiB"
        raise _ParquetError(f"{much}; delete columns, or split it")


def _check_characters(cells: list[str | float | None], limits: Limits) -> None:
    if sum(len(cell) for cell in cells if isinstance(cell, str)) > limits.characters:
        message = (
            f"contains more than {limits.characters} characters in one column; shorten its texts"
        )
        raise _ParquetError(message)


def _check_type(field: Any, pa: Any) -> None:
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    numeric = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    if not (numeric or text or pa.types.is_null(kind)):
        message = f"column {field.name[:80]!r} contains {str(kind)[:80]}; store numbers or texts"
        raise _ParquetError(message)


def _cells(column: Any, pa: Any) -> list[str | float | None] | bytes:
    """Cells of a column: bytes of doubles where it holds numbers only."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = kind.value_type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_null(kind):
        texts: list[str | float | None] = [text or None for text in column.to_pylist()]
        return texts
    if not pa.types.is_float64(kind):
        column = column.cast(pa.float64(), safe=False)
    if column.null_count:
        return [_finite(number) for number in column.to_pylist()]
    numbers: bytes = column.to_numpy().astype("<f8").tobytes()
    return numbers


def _finite(number: float | None) -> str | float | None:
    """JSON holds no NaN: what is not finite goes over as the text that is refused."""
    return number if number is None or number - number == 0 else str(number)
