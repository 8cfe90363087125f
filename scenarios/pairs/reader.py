"""Read pair tables from CSV or XLSX, as a list or as a matrix, and report all errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from scenarios.alike import alike
from scenarios.faults import Fault, ScenarioError
from scenarios.pairs.cells import Sheet, read_sheet
from scenarios.pairs.listed import COLUMNS, ListedPairs, known_columns, read_list
from scenarios.pairs.matrix import Values, is_matrix, read_matrix
from scenarios.pairs.pair_table import PairTable
from scenarios.remark import Remark, remark


def read_pairs(
    path: Path | str, *, values: Values = "speed", sheet: str | None = None, file_name: str = ""
) -> PairTable:
    """Read a pair table.

    Parameters
    ----------
    path
        A ``.csv``, ``.tsv`` or ``.txt`` (plain or gzipped) or ``.xlsx`` file. Either one
        pair per row under ``a,b,solo_a_s,solo_b_s,co_a_s,co_b_s``, repeated for repeated
        measurements; or a matrix whose row names and headings are the applications. Memory of jobs
        may follow: ``memory_a_gb``, ``memory_b_gb``, ``gpu_memory_a_gb`` and ``gpu_memory_b_gb`` of
        a list, ``memory_gb`` and ``gpu_memory_gb`` of a matrix [GB].
    values
        What a matrix holds: the row's relative speed with the column's application, or its
        slowdown.
    sheet
        Name of the workbook's sheet; by default the only one that is not empty.
    file_name
        What to call the file in messages; by default its path.

    Raises
    ------
    ScenarioError
        The file cannot be used; each error has its line.
    """
    path = Path(path)
    cells = read_sheet(path, file_name or str(path), known_columns, sheet)
    _, headings = cells.rows[0]
    if known_columns(headings) >= 3 or not is_matrix(cells):
        if known_columns(headings) < 2:
            raise cells.refuse([_neither(cells)])
        pairs = read_list(cells)
    else:
        pairs = read_matrix(cells, values)
    return _table(cells, pairs)


def _neither(cells: Sheet) -> Fault:
    message = (
        f"is neither a list of pairs nor a matrix; write the headings {','.join(COLUMNS)}, or "
        "the same names as headings and in the first column"
    )
    return cells.fault(cells.rows[0][0], message)


def _table(cells: Sheet, content: ListedPairs) -> PairTable:
    every = [(a, b) for a, b, *_ in content.pairs] + content.half
    names = dict.fromkeys([*content.names, *(name for pair in every for name in pair)])
    twins = [twin.message("above") for twin in alike((name, 0) for name in names)]
    if twins:
        raise ScenarioError([Fault(cells.file_name, 0, "", message) for message in twins])
    index = {name: number for number, name in enumerate(names)}
    pairs = [(index[a], index[b], x, y) for a, b, x, y in content.pairs]
    ordered = [(a, b, x, y) if a <= b else (b, a, y, x) for a, b, x, y in pairs]
    first, second, speed_first, speed_second = zip(*ordered, strict=True) if ordered else ([],) * 4
    measured = {(a, b) for a, b, *_ in ordered}
    half = tuple(
        (a, b) for a, b in content.half if (*sorted((index[a], index[b])),) not in measured
    )
    table = PairTable(
        cells.file_name,
        cells.sha256,
        tuple(names),
        np.array(first, dtype=np.int64),
        np.array(second, dtype=np.int64),
        np.array(speed_first, dtype=np.float64),
        np.array(speed_second, dtype=np.float64),
        tuple(dict.fromkeys(half)),
        needs=content.needs,
    )
    measured_often = Counter((a, b) for a, b, *_ in ordered)
    return replace(table, remarks=tuple(_remarks(table, content, measured_often)))


def _remarks(
    table: PairTable, content: ListedPairs, measured: Counter[tuple[int, int]]
) -> Iterator[Remark]:
    yield from content.remarks
    if table.incomplete:
        a, b = table.incomplete[0]
        pairs = (len(table.incomplete), "pair")
        yield remark("pairs-incomplete", pairs=pairs, a=(a, "text"), b=(b, "text"))
    repeated = sum(count > 1 for count in measured.values())
    if repeated:
        yield remark("pairs-repeated", pairs=(repeated, "pair"))
    if table.faster:
        part = ((table.faster, len(table)), "of:count")
        yield remark("pairs-faster", measurements=part)
    if table.seen_once and table.pairs > 1:
        yield remark("pairs-once", names=(table.seen_once, "text"))
