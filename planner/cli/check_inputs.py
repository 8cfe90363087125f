"""What ``headroom check`` says of a file of data: its form, its columns, and what was left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Literal, get_args

from planner.cli.answer import Message
from planner.cli.message_table import Column, Table
from planner.finding import Finding, risks_of
from planner.formatting import DASH, plural
from planner.plain_numbers import plain_float
from scenarios.faults import Fault, ScenarioError
from scenarios.tables.field import Field
from scenarios.understood import ReadColumn

Kind = Literal["scenario", "jobs", "runs", "pairs", "communication"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_COLUMNS = (
    Column("holds", "Holds"),
    Column("heading", "Heading"),
    Column("unit", "Unit"),
    Column("samples", "First values", lambda cells: ", ".join(cell or DASH for cell in cells)),
)
_COUNTS = (Column("what", "Jobs and lines"), Column("jobs", "Number", "{:,}".format))
_TOML = re.compile(r"(?:\s*(?:#[^\n]*)?\n)*\s*(?:\[+[A-Za-z_. ]+\]+|[A-Za-z_]+ *= *\S)")
_QUOTES = "; a vendor's quotes are checked with the scenario that names their file"
_WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods", ".parquet", ".pq")


def understood(path: Path, kind: Kind | None = None) -> Message | None:
    """What a file of data holds; ``None`` for a scenario.

    Parameters
    ----------
    path
        The file.
    kind
        What it is; by default its form and its headings tell.

    Raises
    ------
    ScenarioError
        It cannot be read.
    """
    kinds = [kind] if kind else _likely(path)
    if kinds == ["scenario"]:
        return None
    errors: list[ScenarioError] = []
    for each in kinds:
        try:
            return _READERS[each](path)
        except ScenarioError as error:
            errors.append(error)
    if kind or len(kinds) == 1:
        raise errors[0]
    several = ", ".join(kinds)
    message = f"may be one of {several}; see what is wrong as one of them with --as KIND{_QUOTES}"
    raise ScenarioError([Fault(str(path), 0, "", message)])


def _likely(path: Path) -> list[Kind]:
    """What a file may be, by its content: one kind where its form or its headings tell."""
    from scenarios.communication.reader import read_communication
    from scenarios.job_logs.blocks import LogBlocks
    from scenarios.job_logs.job_fields import FIELDS as OF_JOBS
    from scenarios.job_logs.reader import form_of
    from scenarios.maui.reader import is_maui
    from scenarios.measurements.fields import FIELDS as OF_RUNS
    from scenarios.measurements.foreign import foreign_report
    from scenarios.pairs.listed import FIELDS as OF_PAIRS
    from scenarios.tables.columns import known_headings
    from scenarios.tables.delimiters import cells_of, delimiter_of

    if not _is_file(path) or path.suffix.lower() == ".toml" or is_maui(path):
        return ["scenario"]
    if foreign_report(path):
        return ["runs"]
    if path.suffix.lower() in _WORKBOOKS:
        return ["runs", "pairs", "jobs"]
    text = LogBlocks(path, str(path), kind="a table").beginning().decode("utf-8-sig", "replace")
    if _is_toml(text):
        return ["scenario"]
    with suppress(ScenarioError):  # no log: its headings tell what else it is
        if form_of(path, str(path)) != "csv":
            return ["jobs"]
    filled = [each for each in text.splitlines() if each.strip() and each.lstrip()[0] != "#"]
    cells = cells_of(filled[0], delimiter_of(filled)) if filled else []
    fields: dict[Kind, Sequence[Field]] = {"jobs": OF_JOBS, "runs": OF_RUNS, "pairs": OF_PAIRS}
    known = {kind: known_headings(cells, each) for kind, each in fields.items()}
    most = max(known.values())
    if most > 1:
        return [kind for kind, much in known.items() if much == most]
    if not cells or _is_number(cells[0]) or len(cells) == 1:
        return ["communication"]
    with suppress(ScenarioError):
        if read_communication(path).form != "matrix":
            return ["communication"]
    message = (
        "may be a table of pairs or communication of ranks; say which with --as pairs or "
        f"--as communication{_QUOTES}"
    )
    raise ScenarioError([Fault(str(path), 0, "", message)])


def _is_file(path: Path) -> bool:
    with suppress(OSError):  # a name that is too long
        return path.is_file()
    return False


def _is_toml(text: str) -> bool:
    """Whether the beginning of a text has keys of TOML."""
    return bool(_TOML.match(text))


def _is_number(cell: str) -> bool:
    with suppress(ValueError):
        return plain_float(cell) is not None
    return False


def _jobs(path: Path) -> Message:
    from planner.scheduling.simulation.log_facts import log_remarks
    from scenarios.job_logs.reader import form_of, read_job_log

    form = form_of(path, str(path))
    log = read_job_log(path, form=form)
    counts = [{"what": words, "jobs": much} for words, much in log.counts.items()]
    size = log.machine_processors
    machine = f"; machine: {plural(size, 'processor')}" if size else ""
    return _message(
        path,
        "jobs",
        form,
        f"{plural(len(log), 'job')}{machine}",
        log.columns,
        log_remarks(log),
        Table("What was read and left out", _COUNTS, counts),
    )


def _runs(path: Path) -> Message:
    from scenarios.measurements.reader import read_measurements

    table = read_measurements(path)
    runs = sum(len(each.time_s) for each in table.runs.values())
    held = f"{plural(runs, 'run')} of {plural(len(table.runs), 'application')}"
    return _message(path, "runs", "table", held, table.columns, risks_of(table.remarks))


def _pairs(path: Path) -> Message:
    from scenarios.pairs.reader import read_pairs

    table = read_pairs(path)
    pairs, names = plural(table.pairs, "pair"), plural(len(table.names), "application")
    held = f"{plural(len(table), 'measurement')} of {pairs} of {names}"
    return _message(path, "pairs", "table", held, (), risks_of(table.remarks))


def _communication(path: Path) -> Message:
    from scenarios.communication.reader import read_communication

    found = read_communication(path)
    held = f"{plural(found.ranks, 'rank')}, traffic between {plural(len(found.low), 'pair')}"
    return _message(path, "communication", found.form, held, (), risks_of(found.remarks))


_READERS: Mapping[Kind, Callable[[Path], Message]] = {
    "jobs": _jobs,
    "runs": _runs,
    "pairs": _pairs,
    "communication": _communication,
}
_TITLES = {
    "jobs": "job log",
    "runs": "table of measured runs",
    "pairs": "table of pairs",
    "communication": "communication of ranks",
}


def _message(
    path: Path,
    kind: Kind,
    form: str,
    held: str,
    columns: Sequence[ReadColumn],
    found: Iterable[Finding],
    *tables: Table,
) -> Message:
    rows = [asdict(column) for column in columns]
    warnings = remarked(found)
    plain = {
        "valid": True,
        "name": path.name,
        "kind": kind,
        "form": form,
        "columns": rows,
        "counts": {row["what"]: row["jobs"] for table in tables for row in table.rows},
        "faults": [],
        "warnings": [*warnings],
    }
    headline = f"{path.name}: {_TITLES[kind]} ({form}): {held}"
    return Message(
        plain, headline, warnings, (columns_read("Columns that are read", columns), *tables)
    )


def columns_read(title: str, columns: Iterable[ReadColumn]) -> Table:
    """A table of columns, with their units and first values."""
    return Table(title, _COLUMNS, [asdict(column) for column in columns])


def remarked(found: Iterable[Finding], command: str = "simulate") -> tuple[str, ...]:
    """What a study of a command would say of its input, as sentences."""
    from planner.study import Study
    from reports.texts import sentences

    nothing = Finding("input", "note")
    return sentences(Study(command, nothing, nothing, {}), found)
