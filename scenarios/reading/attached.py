"""Files that a scenario names: vendors' sheets, run times, figures of merit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from scenarios.faults import Fault, ScenarioError
from scenarios.files import TextFile, inside
from scenarios.formatting import dotted, entries
from scenarios.model.quote_mapping import QuoteTable
from scenarios.positions import KeyPath, Positions
from scenarios.quotes.reader import read_quotes
from scenarios.quotes.several import inherit, last_row
from scenarios.tables.curves import read_merits, read_times
from scenarios.tables.table_text import read_table_text


@dataclass
class Attached:
    """What files added to a scenario.

    Attributes
    ----------
    faults, files
        The errors of all files, and the files.
    warnings
        What was read and may not have been meant.
    whole
        Whether every mapping could be used and every quote was read.
    """

    faults: list[Fault] = field(default_factory=list)
    files: list[TextFile] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    whole: bool = True


def attach_quotes(raw: dict[str, Any], folder: Path, shown: str, positions: Positions) -> Attached:
    """Read the quotes of vendors' sheets into the catalogue, behind what is typed there.

    An invalid mapping is skipped: the scenario's own validation reports its errors.
    """
    attached = Attached()
    budget = raw.get("budget")
    currency = budget.get("currency", "USD") if isinstance(budget, dict) else "USD"
    catalogue = raw.get("node_types", [])
    if not isinstance(catalogue, list) or not isinstance(currency, str):
        attached.whole = False
        return attached
    quotes: list[dict[str, Any]] = []
    for path, message in inherit(raw):
        attached.faults.append(Fault(shown, positions.line(path), dotted(path), message))
    tables: dict[int, QuoteTable] = {}
    for index, entry in enumerate(entries(raw, "quotes")):
        try:
            tables[index] = QuoteTable.model_validate(entry)
        except ValidationError:
            attached.whole = False
    for index, table in tables.items():
        until = last_row(table, tables.values())
        read = read_quotes(table, folder, shown, currency, until)
        where: KeyPath = ("quotes", index)
        for fault in read.faults:
            if fault.file == shown and not fault.line:
                keys = [*where, *fault.where.split(".")[1:]]
                path = tuple(keys)
                fault = Fault(shown, positions.line(path), dotted(path), fault.message)  # noqa: PLW2901
            if fault not in attached.faults:  # a file that cannot be read may be named often
                attached.faults.append(fault)
        quotes += read.found
        attached.files += read.files
        attached.warnings += read.warnings
    attached.whole &= not attached.faults
    if quotes:
        raw["node_types"] = [*catalogue, *quotes]
    return attached


def attach_tables(
    raw: dict[str, Any], folder: Path, shown: str, positions: Positions
) -> tuple[list[Fault], list[TextFile]]:
    """Read the CSV files that workloads name into the raw data."""
    faults: list[Fault] = []
    files: list[TextFile] = []
    for named_table in _named_tables(raw):
        where = (*named_table.where, "file")
        name = named_table.holder["file"]
        target = inside(folder, name)
        message = ""
        if target is None:
            message = f"{name!r} is outside the scenario's folder; copy the file into it"
        elif any(key in named_table.holder for key in named_table.stand_in):
            message = f"both a file and {named_table.instead} are given; keep one of them"
        if message or target is None:
            faults.append(Fault(shown, positions.line(where), dotted(where), message))
            named_table.holder.update(named_table.stand_in)
            continue
        try:
            table = read_table_text(target, str(folder / name))
        except ScenarioError as error:
            here = Fault(shown, positions.line(where), dotted(where), "")
            faults += [
                fault if fault.line else replace(here, message=f"{name!r} {fault.message}")
                for fault in error.faults
            ]
            named_table.holder.update(named_table.stand_in)
            continue
        found, wrong = named_table.read(table)
        faults += wrong
        files.append(table)
        named_table.holder.update(named_table.stand_in if wrong else found)
    return list(dict.fromkeys(faults)), files  # a file may serve several workloads


def attached_files(raw: dict[str, Any]) -> set[str]:
    """Names of the files of tables that workloads are read from."""
    return {named_table.holder["file"] for named_table in _named_tables(raw)}


@dataclass(frozen=True)
class _Named:
    """A table in a file of its own.

    ``stand_in`` is what its holder gets if the file cannot be read, so that only the file is
    reported as an error.
    """

    where: KeyPath
    holder: dict[str, Any]
    read: Callable[[TextFile], tuple[Mapping[str, Any], list[Fault]]]
    instead: str
    stand_in: Mapping[str, Any]


def _named_tables(raw: dict[str, Any]) -> Iterator[_Named]:
    first = next((entry.get("name") for entry in entries(raw, "node_types")), "any")
    some_merits = {"rows": [{"node_type": first, "figure_of_merit": 1.0}]}
    some_times = {"nodes": [1], "time_s": [1.0]}
    names = [str(entry.get("name")) for entry in entries(raw, "workloads")]
    for index, workload in enumerate(entries(raw, "workloads")):
        here: KeyPath = ("workloads", index)
        model = workload.get("performance")
        timed = [((*here, "time"), workload.get("time"))]
        if isinstance(model, dict):
            timed += [
                ((*here, "performance", "runs", place, "time"), run.get("time"))
                for place, run in enumerate(entries(model, "runs"))
            ]
            if _in_a_file(model):
                read = partial(read_merits, workload=str(workload.get("name")), known=names)
                yield _Named((*here, "performance"), model, read, "rows", some_merits)
        for where, time in timed:
            if isinstance(time, dict) and _in_a_file(time):
                yield _Named(where, time, read_times, "lists", some_times)


def _in_a_file(model: Mapping[str, Any]) -> bool:
    return model.get("kind") == "table" and isinstance(model.get("file"), str)


def placed(fault: Fault, where: tuple[int | str, ...], raw: Mapping[str, Any], typed: int) -> Fault:
    """Give the error of a row that came from a file the place in that file.

    Parameters
    ----------
    where
        Key path of the error in the raw data.
    typed
        Number of node types that the scenario itself holds; behind them come quotes.
    """
    holder: Any = raw
    for depth, part in enumerate(where):
        try:
            holder = holder[part]
        except (KeyError, IndexError, TypeError):
            break
        in_a_row = isinstance(part, int) and isinstance(holder, dict) and "origin" in holder
        if in_a_row and not (where[0] == "node_types" and where[1] < typed):  # type: ignore[operator]
            key = ".".join(str(rest) for rest in where[depth + 1 :])
            return Fault(str(holder["origin"]), 0, key, fault.message)
    return fault
