"""The columns of a Parquet file of jobs as rows of text, read inside the limited process."""

from __future__ import annotations

import io
import json
import math
import re
from typing import Any

from scenarios.tables.cell_references import Limits

SEPARATOR, _JSON = "\x1f", "\x1e"
_SIGNS = re.compile("[\n\r\0\x1e]")


def answer(request: bytes, limits: Limits) -> bytes:
    """Answer with the headings in JSON and a line for each row; or with an error."""
    try:
        headings, *rows = _rows(request, limits)
        return "\n".join((json.dumps(headings), *map(row_line, rows))).encode()
    except _ParquetError as error:
        return json.dumps({"error": str(error)}).encode()
    except MemoryError:
        return json.dumps({"error": "needs too much memory; delete columns, or split it"}).encode()


def row_line(cells: list[str]) -> str:
    """A line of cells; JSON where one of them has a sign that the line needs."""
    line = SEPARATOR.join(cells)
    if _SIGNS.search(line) or line.count(SEPARATOR) + 1 != len(cells):
        return _JSON + json.dumps(cells)
    return line


def row_cells(line: str) -> list[str]:
    r"""The cells of a line.

    Examples
    --------
    >>> row_cells(row_line(["1", "ann"])), row_cells(row_line(["1", "a\nb"]))
    (['1', 'ann'], ['1', 'a\nb'])
    """
    cells: list[str] = json.loads(line[1:]) if line.startswith(_JSON) else line.split(SEPARATOR)
    return cells


class _ParquetError(Exception):
    """The file cannot be used; the message says why and what to do."""


def _rows(data: bytes, limits: Limits) -> list[list[str]]:
    import pyarrow as pa
    from pyarrow import parquet

    pa.set_memory_pool(pa.system_memory_pool())
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    try:
        file = parquet.ParquetFile(io.BytesIO(data))
        much = file.metadata
        if much.num_rows > limits.rows or much.num_columns > limits.columns:
            message = f"contains {much.num_rows:,} rows and {much.num_columns:,} columns"
            raise _ParquetError(f"{message}; give at most {limits.rows:,} and {limits.columns:,}")
        size = sum(much.row_group(at).total_byte_size for at in range(much.num_row_groups))
        if size > limits.unpacked_bytes:
            raise _ParquetError(f"unpacks to {size >> 20} MiB; delete columns, or split it")
        schema = file.schema_arrow
        plain = [name for name in schema.names if _is_plain(schema.field(name).type, pa)]
        table = file.read(plain, use_threads=False)
        headings = [_heading(schema.field(name), pa) for name in plain]
        columns = [_texts(table.column(name), pa) for name in plain]
    except MemoryError:  # pyarrow's own is an ArrowException too
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, IndexError, RuntimeError) as error:
        message = f"is not a valid Parquet file ({str(error)[:200]}); write it again, or as .csv"
        raise _ParquetError(message) from None
    return [headings, *map(list, zip(*columns, strict=True))]


def _is_plain(kind: Any, pa: Any) -> bool:
    """Whether cells of a type are numbers, texts or times."""
    types = pa.types
    return not (types.is_nested(kind) or types.is_binary(kind) or types.is_large_binary(kind))


def _heading(field: Any, pa: Any) -> str:
    """The name of a column; a span of time has its unit behind it."""
    name = str(field.name)[:200]
    if not pa.types.is_duration(field.type):
        return name
    return f"{name.removesuffix('_s')} [{field.type.unit}]"


def _number(number: float) -> str:
    return str(int(number)) if number.is_integer() else f"{number:.17g}"


def _texts(column: Any, pa: Any) -> list[str]:
    """Cells as a table in text has them; empty where there is no value."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = kind.value_type
    if pa.types.is_duration(kind):
        column = column.cast(pa.int64())
    elif pa.types.is_floating(kind):
        return [
            "" if number is None or math.isnan(number) else _number(number)
            for number in column.to_pylist()
        ]
    elif not (pa.types.is_integer(kind) or pa.types.is_string(kind)):
        column = column.cast(pa.string())
    return ["" if cell is None else str(cell) for cell in column.to_pylist()]
