"""What ``headroom check`` says of a file of data: its form, its columns, and what was left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Literal, get_args

from planner.cli.answer import Message
from planner.cli.message_table import Column, Table
from planner.formatting import plural
from scenarios.faults import ScenarioError
from scenarios.remark import Remark
from scenarios.understood import ReadColumn

Kind = Literal["scenario", "jobs", "runs", "pairs", "communication"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_COLUMNS = (
    Column("holds", "Holds"),
    Column("heading", "Heading"),
    Column("unit", "Unit"),
    Column("samples", "First values", ", ".join),
)
_COUNTS = (Column("what", "Jobs and lines"), Column("jobs", "Number", "{:,}".format))
_NO_TABLES = (".toml", ".py", ".cfg")
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
    if kind == "scenario" or (kind is None and not _may_be_data(path)):
        return None
    kinds = [kind] if kind else _likely(path)
    first: ScenarioError | None = None
    for each in kinds:
        try:
            return _READERS[each](path)
        except ScenarioError as error:
            first = first or error
    raise first or ValueError(kinds)


def _may_be_data(path: Path) -> bool:
    with suppress(OSError):  # a name that is too long
        return path.is_file() and path.suffix.lower() not in _NO_TABLES
    return False


def _likely(path: Path) -> list[Kind]:
    """Kinds in the order of how many headings of the file they know."""
    from scenarios.job_logs.blocks import LogBlocks
    from scenarios.job_logs.job_fields import FIELDS as OF_JOBS
    from scenarios.job_logs.reader import form_of
    from scenarios.measurements.fields import FIELDS as OF_RUNS
    from scenarios.pairs.listed import FIELDS as OF_PAIRS
    from scenarios.tables.columns import known_headings
    from scenarios.tables.delimiters import cells_of, delimiter_of

    if path.suffix.lower() in _WORKBOOKS:
        return ["runs", "pairs", "jobs"]
    try:
        if form_of(path, str(path)) != "csv":
            return ["jobs"]
    except ScenarioError:
        pass
    beginning = LogBlocks(path, str(path), kind="a table").beginning()
    lines = beginning.decode("utf-8-sig", "replace").splitlines()
    filled = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    cells = cells_of(filled[0], delimiter_of(filled)) if filled else []
    known: dict[Kind, int] = {
        "jobs": known_headings(cells, OF_JOBS),
        "runs": known_headings(cells, OF_RUNS),
        "pairs": known_headings(cells, OF_PAIRS),
        "communication": 1,
    }
    return sorted(known, key=known.__getitem__, reverse=True)


def _jobs(path: Path) -> Message:
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
        tuple(_texts(log.remarks)),
        Table("What was read and left out", _COUNTS, counts),
    )


def _runs(path: Path) -> Message:
    from scenarios.measurements.reader import read_measurements

    table = read_measurements(path)
    runs = sum(len(each.time_s) for each in table.runs.values())
    held = f"{plural(runs, 'run')} of {plural(len(table.runs), 'application')}"
    return _message(path, "runs", "table", held, table.columns, table.warnings)


def _pairs(path: Path) -> Message:
    from scenarios.pairs.reader import read_pairs

    table = read_pairs(path)
    pairs, names = plural(table.pairs, "pair"), plural(len(table.names), "application")
    held = f"{plural(len(table), 'measurement')} of {pairs} of {names}"
    return _message(path, "pairs", "table", held, (), table.warnings)


def _communication(path: Path) -> Message:
    from scenarios.communication.reader import read_communication

    found = read_communication(path)
    held = f"{plural(found.ranks, 'rank')}, traffic between {plural(len(found.low), 'pair')}"
    return _message(path, "communication", found.form, held, (), found.warnings)


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
    warnings: tuple[str, ...],
    *tables: Table,
) -> Message:
    rows = [asdict(column) for column in columns]
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
    shown = (Table("Columns that are read", _COLUMNS, rows), *tables)
    return Message(plain, headline, warnings, shown)


def _texts(remarks: Sequence[Remark]) -> Iterator[str]:
    """Remarks as sentences."""
    from planner.finding import finding
    from planner.study import Study
    from reports.texts import Texts

    nothing = finding("note", "remark", text=("", "text"))
    texts = Texts(Study("simulate", nothing, nothing, {}))
    for each in remarks:
        yield texts.finding(finding("risk", each.kind, **each.values)).replace("\xa0", " ")
