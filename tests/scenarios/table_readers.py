"""Every reader of a table in text with a small whole table, and ways to write that table."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planner.scheduling.simulation.schedule_reader import read_schedule
from scenarios.aggregation import read_measurements as read_folder
from scenarios.aggregation import write_measurements
from scenarios.communication.ping_pong import read_ping_pong
from scenarios.communication.reader import Form, read_communication
from scenarios.faults import ScenarioError
from scenarios.job_logs.reader import read_job_log
from scenarios.measurements.reader import read_measurements
from scenarios.model.quote_mapping import QuoteTable
from scenarios.pairs.reader import read_pairs
from scenarios.quotes.reader import read_quotes
from scenarios.tables.curves import read_merits, read_times
from scenarios.tables.table_text import read_table_text
from tests.scenarios.aggregation.folders import synthetic

Read = Callable[[Path], Any]
Cells = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Written:
    """A table, and the reader that it is for.

    Attributes
    ----------
    headings, rows
        Cells; without headings for a matrix of numbers.
    number
        Column whose numbers have decimals.
    read
        Reads a file and gives plain values.
    unit
        Column with a unit, its heading without unit, another unit and how many of it one of ours
        is; ``None`` where no column has a unit.
    """

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    number: int
    read: Read
    unit: tuple[int, str, str, float] | None = None

    def text(self, delimiter: str = ",", decimal: str = ".", quote: str = "") -> str:
        """Write the table."""
        rows = [[cell.replace(".", decimal) for cell in row] for row in self.rows]
        return written([self.headings, *rows] if self.headings else rows, delimiter, quote)

    def changed(self, cell: str) -> str:
        """Write the table with another number in the first row."""
        first = [*self.rows[0]]
        first[self.number] = cell
        return written([self.headings, first, *self.rows[1:]] if self.headings else
                       [first, *self.rows[1:]])  # fmt: skip

    def in_unit(self, heading: str, cell: str = "{}") -> str:
        """Write the table with the column of the unit in the other unit."""
        assert self.unit is not None
        place, bare, other, factor = self.unit
        headings = [*self.headings]
        headings[place] = heading.format(bare, other) or self.headings[place]
        rows = [[*row] for row in self.rows]
        for row in rows:
            row[place] = cell.format(f"{float(row[place]) * factor:.10g}", other)
        return written([headings, *rows])


def written(rows: Cells, delimiter: str = ",", quote: str = "") -> str:
    """Cells as text."""
    return "".join(delimiter.join(f"{quote}{c}{quote}" for c in row) + "\n" for row in rows)


def _attached(read: Callable[..., Any], *more: Any) -> Read:
    def plain(path: Path) -> Any:
        found, faults = read(read_table_text(path, path.name), *more)
        if faults:
            raise ScenarioError(faults)
        rows = found.get("rows")
        return [{**row, "origin": ""} for row in rows] if rows is not None else found

    return plain


def _quotes(path: Path) -> Any:
    columns = {"name": "Model", "vendor": "Vendor", "price": "Price", "idle_w": "Idle",
               "peak_w": "Peak"}  # fmt: skip
    # The user declares the mark of decimals of a quote.
    decimal = "comma" if "comma" in path.stem else "point"
    table = QuoteTable.model_validate(
        {
            "file": path.name,
            "decimal": decimal,
            "columns": {k: {"heading": v} for k, v in columns.items()},
        }
    )
    quotes = read_quotes(table, path.parent, "s.toml", "EUR")
    if quotes.faults:
        raise ScenarioError(quotes.faults)
    return [{key: quote[key] for key in columns} for quote in quotes.found]


def _runs(path: Path) -> Any:
    (runs,) = read_measurements(path).runs.values()
    return runs.nodes.tolist(), runs.time_s.tolist(), runs.package_power_w.tolist()


def _pairs(path: Path) -> Any:
    table = read_pairs(path)
    return table.names, table.speed_first.tolist(), table.speed_second.tolist()


def _jobs(path: Path) -> Any:
    log = read_job_log(path, form="csv")
    return log.number.tolist(), log.submit_s.tolist(), log.run_s.tolist(), log.processors.tolist()


def _starts(path: Path) -> Any:
    found = read_schedule(path, 8)
    return found.number.tolist(), found.start_s.tolist(), found.run_s.tolist()


def _traffic(form: Form) -> Read:
    def plain(path: Path) -> Any:
        found = read_communication(path, form=form)
        return found.low.tolist(), found.high.tolist(), found.bytes.tolist()

    return plain


def _messages(path: Path) -> Any:
    curves = read_ping_pong(path).curves
    return {key: (each.bytes.tolist(), each.time_us.tolist()) for key, each in curves.items()}


def _exchanges(path: Path) -> Any:
    folder = path.parent / "node"
    shutil.rmtree(folder, ignore_errors=True)
    write_measurements(synthetic(exchange_b=100.0), folder)
    shutil.copy(path, folder / "exchange-times.csv")
    return [(each.pattern, each.size_b, each.time_s) for each in read_folder(folder).exchanges]


TABLES = {
    "run times": Written(
        ("nodes", "time_s"), (("2", "90.5"), ("4", "80.25")), 1,
        _attached(read_times), (1, "time", "ms", 1000),
    ),
    "figures of merit": Written(
        ("node_type", "figure_of_merit", "cap_w"), (("a", "1.5", "300"), ("b", "2.25", "350")), 1,
        _attached(read_merits, "w", ["w"]), (2, "cap", "kW", 0.001),
    ),
    "quotes": Written(
        ("Model", "Vendor", "Price", "Idle", "Peak"),
        (("A", "v", "1000.5", "100.5", "400.5"), ("B", "w", "2000.25", "110", "500")), 4,
        _quotes, (4, "Peak", "kW", 0.001),
    ),
    "measured runs": Written(
        ("application", "nodes", "cores_per_node", "package_cap_w", "time_s", "package_power_w"),
        (("x", "1", "8", "115", "10.5", "100"), ("x", "2", "8", "115", "6.25", "190")), 4,
        _runs, (4, "time", "ms", 1000),
    ),
    "pairs in a list": Written(
        ("a", "b", "solo_a_s", "solo_b_s", "co_a_s", "co_b_s"),
        (("x", "y", "10", "20", "12.5", "25"), ("x", "z", "10", "30", "11.5", "31.25")), 4,
        _pairs, (4, "co_a", "ms", 1000),
    ),
    "pairs in a matrix": Written(
        ("name", "x", "y"), (("x", "0.9", "0.85"), ("y", "0.75", "0.5")), 1, _pairs
    ),
    "jobs": Written(
        ("job", "submit", "run", "processors"), (("1", "0", "60.5", "4"), ("2", "5", "30.25", "8")),
        2, _jobs, (2, "run", "ms", 1000),
    ),
    "schedule": Written(
        ("job", "submit", "start", "run", "processors", "requested"),
        (("1", "0", "0", "60.0", "4", "60"), ("2", "5", "60", "30.0", "8", "30")), 3,
        _starts, (3, "run", "min", 1 / 60),
    ),
    "list of communication": Written(
        ("source", "destination", "bytes", "messages"),
        (("0", "1", "8.5", "2"), ("1", "2", "4.25", "1")), 2,
        _traffic("edges"), (2, "bytes", "kB", 0.001),
    ),
    "matrix of communication": Written(
        (), (("0", "5", "1.5"), ("5", "0", "2.25"), ("1", "2", "0")), 2, _traffic("matrix")
    ),
    "ping-pong": Written(
        ("sharing", "bytes", "time_us"),
        (("node", "1", "1.5"), ("node", "9", "2.25"), ("network", "1", "3"), ("network", "9", "4")),
        2, _messages, (2, "time", "ms", 0.001),
    ),
    "exchanges of a node": Written(
        ("pattern", "bytes", "time_s"), (("2", "100", "1.5"), ("3", "100", "2.25")), 2,
        _exchanges, (2, "time", "ms", 1000),
    ),
}  # fmt: skip
HEADED = {name: table for name, table in TABLES.items() if table.headings}
LISTED = {name: table for name, table in HEADED.items() if name != "pairs in a matrix"}
WITH_UNITS = {name: table for name, table in TABLES.items() if table.unit is not None}

Make = Callable[[Written], str | bytes]
ENCODED: dict[str, Make] = {
    "UTF-8 with a mark": lambda table: table.text().encode("utf-8-sig"),
    "UTF-16 LE": lambda table: b"\xff\xfe" + table.text().encode("utf-16-le"),
    "UTF-16 BE": lambda table: b"\xfe\xff" + table.text().encode("utf-16-be"),
    "gzip": lambda table: gzip.compress(table.text().encode(), mtime=0),
    "CRLF": lambda table: table.text().replace("\n", "\r\n"),
    "CR": lambda table: table.text().replace("\n", "\r"),
    "no line end at the end": lambda table: table.text()[:-1],
    "blank lines": lambda table: "\n" + table.text().replace("\n", "\n\n"),
    "quotation marks": lambda table: table.text(quote='"'),
    "blanks around cells": lambda table: table.text(", "),
}
