"""Read measured runs of applications from CSV, XLSX or Parquet, and report all their errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scenarios.alike import alike
from scenarios.faults import Fault
from scenarios.measurements.checks import (
    numbered,
    plausibility,
    repeated_faults,
)
from scenarios.measurements.csv_columns import csv_runs
from scenarios.measurements.fields import BY_NAME, ENERGIES, OPTIONAL
from scenarios.measurements.foreign import foreign_report
from scenarios.measurements.numbers import file_mark, read_column
from scenarios.measurements.runs import Measurements, Runs
from scenarios.measurements.settings import separated
from scenarios.measurements.table import MOST_FAULTS, Cells, RunTable, refuse
from scenarios.remark import remark
from scenarios.tables.cell_text import CellError, as_label, is_blank
from scenarios.tables.cells import Cell, Unreadable
from scenarios.tables.headings import heading_text
from scenarios.tables.table_text import is_text
from scenarios.understood import SAMPLES, ReadColumn

_PARQUET_SUFFIXES = (".parquet", ".pq")
_FIRST_COMMENTS = 5


def read_measurements(
    path: Path | str,
    *,
    columns: Mapping[str, str] | None = None,
    sheet: str | None = None,
    units: Mapping[str, str] | None = None,
    group_by: Sequence[str] = (),
    ignore: Sequence[str] = (),
    file_name: str = "",
) -> Measurements:
    """Read a table of measured runs, one per row, in any order of columns.

    Columns are found by their names: those of ``hr.measurements.Runs``, those of
    the thesis's job details table (``job_id, nodes, cores, pkg_cap, exec_time, tot_pkg``), and
    other usual ones. Runs of one configuration that differ in another column that looks like a
    setting are refused unless that column is in ``group_by`` or ``ignore``. Package and memory
    power are summed over all sockets of all nodes of the run.

    Parameters
    ----------
    path
        A ``.csv``, ``.tsv`` or ``.txt`` (plain or gzipped), ``.parquet`` or ``.xlsx`` file.
    columns
        The heading by what the column holds, as in ``{"time_s": "Wall clock [s]"}``; goes before
        all names that are known here.
    sheet
        Name of the workbook's sheet; by default the only one that is not empty.
    units
        The unit by what the column holds, where its heading does not say it: ``{"time_s": "ms"}``.
    group_by
        Headings of further columns; runs with different values there are applications of their
        own, as in ``lammps (gpu_cap_w = 200)``.
    ignore
        Headings of further columns in which repetitions may differ.
    file_name
        What to call the file in messages; by default its path.

    Returns
    -------
    Measurements
        ``runs`` by application; times in seconds, powers in watts of all nodes of a run.

    Raises
    ------
    ScenarioError
        The file cannot be used; at most a hundred errors are listed, each with its place.

    References
    ----------
    Patki, T. (2015). The case for hardware overprovisioned supercomputers. PhD thesis, University
    of Arizona. Table 5.3, the job details table.
    """
    path = Path(path)
    file_name = file_name or str(path)
    if report := foreign_report(path):
        raise refuse(file_name, [Fault(file_name, 0, "", report)])
    table = _table(path, file_name, columns, sheet, units)
    if table.layout.problems:
        raise refuse(
            file_name, [table.heading_fault(*problem) for problem in table.layout.problems]
        )
    table = _without_blanks(table)
    if not len(table.lines):
        message = f"there are no measurements below the headings; {_remedy(table)}"
        raise refuse(file_name, [table.heading_fault(None, message)])
    read = _columns(table)
    names, which, values = _understood(table, path.stem)
    table = _with_powers(table, values)
    whole = names[0]
    names, which = separated(table, names, which, values, group_by, ignore)
    faults: list[Fault] = []
    if "repetition" in values:
        faults = repeated_faults(table, names, which, values)
    else:
        values["repetition"], faults = numbered(table, names, which, values)
    if faults:
        raise refuse(file_name, faults)
    runs = _by_application(names, which, values)
    remarks = [*table.remarks, *table.on_rows("runs-commented", table.commented)]
    remarks += table.layout.remarks
    if "application" not in table.cells:
        remarks.append(remark("runs-one-application", application=(whole, "text")))
    return Measurements(
        file_name,
        table.sha256,
        runs,
        (*remarks, *plausibility(table, runs, values)),
        simulated=table.simulated,
        columns=read,
    )


def _with_powers(table: RunTable, values: dict[str, NDArray[Any]]) -> RunTable:
    """Divide energies by run times; the powers have the places of the energies."""
    found = {field.name: power for power, field in ENERGIES.items() if field.name in values}
    energies = {energy: power for energy, power in found.items() if power not in values}
    for energy, power in found.items():
        values.setdefault(power, values.pop(energy) / values["time_s"])
    if not energies:
        return table
    places = table.layout.places
    named = tuple(heading_text(table.headings[places[energy]]) for energy in energies)
    moved = {energies.get(target, target): place for target, place in places.items()}
    remarked = remark("runs-energy", columns=(named, "text"))
    return replace(
        table,
        layout=replace(table.layout, places=moved),
        remarks=(*table.remarks, remarked),
    )


def _remedy(table: RunTable) -> str:
    """What to do about a table without runs; some may look like comments."""
    if not table.commented:
        return "add them"
    first = ", ".join(map(table.line_position, table.commented[:_FIRST_COMMENTS]))
    more = ", ..." if len(table.commented) > _FIRST_COMMENTS else ""
    return (
        f"rows that look like runs begin with #, as comments do: {first}{more}. Change their first "
        "cells"
    )


def _columns(table: RunTable) -> tuple[ReadColumn, ...]:
    """What is read from which column, with its first cells."""
    return tuple(
        ReadColumn(
            target,
            heading_text(table.headings[table.layout.places[target]]),
            _own_unit(target, table.layout.units.get(target, "")),
            tuple("" if cell is None else str(cell) for cell in [*cells[:SAMPLES]]),
        )
        for target, cells in table.cells.items()
    )


def _own_unit(target: str, unit: str) -> str:
    """A unit as Headroom writes it, if only its capitals differ."""
    own = BY_NAME[target].unit
    return own if unit.lower() == own.lower() else unit


def _understood(
    table: RunTable, stem: str
) -> tuple[list[str], NDArray[np.int64], dict[str, NDArray[Any]]]:
    """Return names of the applications, the index of each run's, and the columns of numbers."""
    mark = file_mark(table)
    values: dict[str, NDArray[Any]] = {}
    faults: list[Fault] = []
    for target in BY_NAME:
        if target in table.cells and target != "application":
            column = read_column(table, target, mark)
            values[target] = column.values
            faults += column.faults
    names, which, wrong = _applications(table, stem)
    if faults or wrong:
        raise refuse(table.name, [*faults, *wrong])
    return names, which, values


def _table(
    path: Path,
    file_name: str,
    columns: Mapping[str, str] | None,
    sheet: str | None,
    units: Mapping[str, str] | None,
) -> RunTable:
    suffix = path.suffix.lower()
    if sheet is not None and (is_text(path) or suffix in _PARQUET_SUFFIXES):
        message = f"is not a workbook and has no sheet {sheet!r}; do not give a sheet"
        raise refuse(file_name, [Fault(file_name, 0, "", message)])
    if is_text(path):
        return csv_runs(path, file_name, columns, units)
    if suffix in _PARQUET_SUFFIXES:
        from scenarios.measurements.parquet import parquet_runs

        return parquet_runs(path, file_name, columns, units)
    from scenarios.measurements.sheet import sheet_runs

    return sheet_runs(path, file_name, columns, units, sheet)


def _without_blanks(table: RunTable) -> RunTable:
    """Leave out optional columns without a value, and rows with values in other columns only.

    Such rows are notes, and totals below a table.
    """
    empty = [name for name in OPTIONAL if name in table.cells and _all_blank(table.cells[name])]
    cells = {target: texts for target, texts in table.cells.items() if target not in empty}
    table = replace(table, cells=cells)
    if not any(is_blank(cell) for cell in table.cells["nodes"]):
        return table
    without_blanks = [
        run for run in range(len(table.lines)) if not all(is_blank(c[run]) for c in cells.values())
    ]
    cells = {target: [texts[run] for run in without_blanks] for target, texts in cells.items()}
    others = {
        heading: [texts[run] for run in without_blanks] for heading, texts in table.others.items()
    }
    return replace(
        table, cells=cells, others=others, lines=[table.lines[run] for run in without_blanks]
    )


def _all_blank(cells: Cells) -> bool:
    return not isinstance(cells, np.ndarray) and all(is_blank(cell) for cell in cells)


def _applications(table: RunTable, stem: str) -> tuple[list[str], NDArray[np.int64], list[Fault]]:
    """Return names in the order of their first runs, and the index of each run's."""
    cells = table.cells.get("application")
    if cells is None:
        return [_stem_label(stem)], np.zeros(len(table.lines), dtype=np.int64), []
    index_of: dict[Cell, int] = {}
    names: dict[str, int] = {}
    first: list[tuple[str, int]] = []
    which = np.zeros(len(cells), dtype=np.int64)
    faults: list[Fault] = []
    for run, cell in enumerate(cells):
        index = index_of.get(cell)
        if index is None:
            try:
                label = _label(cell)
            except CellError as error:
                faults.append(table.fault(run, "application", str(error)))
                if len(faults) > MOST_FAULTS:
                    break
                continue
            index = index_of[cell] = names.setdefault(label, len(names))
            first.append((label, run))
        which[run] = index
    faults += [
        table.fault(
            twin.position, "application", twin.message(table.position(twin.earlier_position))
        )
        for twin in alike(first)
    ]
    return list(names), which, faults


def _label(cell: Cell) -> str:
    if isinstance(cell, Unreadable):
        raise CellError(cell.message)
    return as_label(cell, "application")


def _stem_label(stem: str) -> str:
    try:
        return as_label(stem[:100], "application")
    except CellError:
        return "application"


def _by_application(
    names: list[str], which: NDArray[np.int64], values: Mapping[str, NDArray[Any]]
) -> dict[str, Runs]:
    order = np.argsort(which, kind="stable")
    ends = np.searchsorted(which[order], np.arange(len(names) + 1))
    runs = {}
    for index, name in enumerate(names):
        rows = order[ends[index] : ends[index + 1]]
        runs[name] = Runs(name, **{target: column[rows] for target, column in values.items()})
    return runs
