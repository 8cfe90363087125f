"""Files that keys of a scenario name: run times, figures of merit, measured runs and job logs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from scenarios.faults import Fault, ScenarioError
from scenarios.files import TextFile, inside
from scenarios.formatting import nearest, short
from scenarios.positions import KeyPath
from scenarios.reading.groups import entries, table_of
from scenarios.reading.source import Source
from scenarios.tables.curves import read_merits, read_times
from scenarios.tables.points import read_points
from scenarios.tables.table_text import read_table_text


@dataclass(frozen=True)
class _Content:
    """What a file holds: values for the table that names it, and errors.

    A file that could not be read has no hash.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    faults: Sequence[Fault] = ()
    sha256: str = ""


@dataclass(frozen=True)
class NamedFile:
    """A file that a table names, mostly by its key ``file``.

    Attributes
    ----------
    where
        Key path of the file's name.
    holder
        The table.
    read
        Reads the file, given its path and what to call it.
    instead
        What the table may hold in place of a file.
    stand_in
        What the table gets if the file cannot be read, so that only the file is reported.
    """

    where: KeyPath
    holder: dict[str, Any]
    read: Callable[[Path, str], _Content]
    instead: str = ""
    stand_in: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name, as the scenario gives it."""
        return str(self.holder[str(self.where[-1])])


def attach_files(source: Source, folder: Path) -> tuple[list[Fault], list[TextFile]]:
    """Read every file that a table names, and put what the table needs of it into the raw values.

    Measured runs and job logs are read again when a problem is built: a scenario holds what people
    write. Here they are read for their errors, and for the names of applications.

    Returns
    -------
    errors, files
        The files have names and hashes, but no text.
    """
    faults: list[Fault] = []
    files: list[TextFile] = []
    for each in named_files(source):
        content = _content(each, source, folder)
        faults += content.faults
        if content.sha256:
            files.append(TextFile(str(folder / each.name), "", content.sha256))
        each.holder.update(each.stand_in if content.faults else content.values)
    return list(dict.fromkeys(faults)), files  # a file may serve several workloads


def _content(named: NamedFile, source: Source, folder: Path) -> _Content:
    """What the file holds, or why it cannot be used."""
    target = inside(folder, named.name)
    if target is None:
        message = f"{named.name!r} is outside the scenario's folder; copy the file into it"
        return _Content(faults=[source.here(named.where, message)])
    if any(key in named.holder for key in named.stand_in):
        message = f"both a file and {named.instead} are given; keep one of them"
        return _Content(faults=[source.here(named.where, message)])
    try:
        return named.read(target, str(folder / named.name))
    except ScenarioError as error:
        here = source.here(named.where, "")
        faults = [
            fault if fault.line else replace(here, message=f"{named.name!r} {fault.message}")
            for fault in error.faults
        ]
        return _Content(faults=faults)


def named_files(source: Source) -> Iterator[NamedFile]:
    """Yield every file that a workload, or the question about scheduling, names."""
    yield from _of_workloads(source.raw)
    schedule = table_of(source.raw, "schedule")
    details = table_of(schedule, "details")
    if isinstance(details.get("file"), str):
        yield NamedFile(("schedule", "details", "file"), details, partial(_runs, source))
    for index, log in enumerate(entries(schedule, "logs")):
        if isinstance(log.get("file"), str):
            yield NamedFile(("schedule", "logs", index, "file"), log, _log)
    scheme = table_of(source.raw, "scheme")
    if isinstance(scheme.get("points_file"), str):
        some_points: dict[str, Any] = {"evaluations": []}
        read = partial(_table, read_points)
        yield NamedFile(("scheme", "points_file"), scheme, read, "evaluations", some_points)


def _of_workloads(raw: Mapping[str, Any]) -> Iterator[NamedFile]:
    """Yield the tables of run times and figures of merit that lie in files of their own."""
    first = next((entry.get("name") for entry in entries(raw, "node_types")), "any")
    some_merits = {"rows": [{"node_type": first, "figure_of_merit": 1.0}]}
    some_times = {"nodes": [1], "time_s": [1.0]}
    workloads = entries(raw, "workloads")
    names = [str(entry.get("name")) for entry in workloads]
    for index, workload in enumerate(workloads):
        here: KeyPath = ("workloads", index)
        model = table_of(workload, "performance")
        if _in_a_file(model):
            read = partial(_table, partial(read_merits, workload=names[index], known=names))
            yield NamedFile((*here, "performance", "file"), model, read, "rows", some_merits)
        timed = [((*here, "time"), workload)]
        for place, run in enumerate(entries(model, "runs")):
            timed.append(((*here, "performance", "runs", place, "time"), run))
        for where, holder in timed:
            time = table_of(holder, "time")
            if _in_a_file(time):
                read = partial(_table, read_times)
                yield NamedFile((*where, "file"), time, read, "lists", some_times)


def _in_a_file(model: Mapping[str, Any]) -> bool:
    return model.get("kind") == "table" and isinstance(model.get("file"), str)


def _table(
    read: Callable[[TextFile], tuple[Mapping[str, Any], list[Fault]]], path: Path, shown: str
) -> _Content:
    text = read_table_text(path, shown)
    values, faults = read(text)
    return _Content(values, faults, text.sha256)


def _log(path: Path, shown: str) -> _Content:
    from scenarios.job_logs.reader import read_job_log

    return _Content(sha256=read_job_log(path, file_name=shown).sha256)


def _runs(source: Source, path: Path, shown: str) -> _Content:
    from scenarios.measurements.reader import read_measurements

    measured = read_measurements(path, file_name=shown)
    return _Content(faults=[*_unmeasured(source, [*measured.runs])], sha256=measured.sha256)


def _unmeasured(source: Source, measured: list[str]) -> Iterator[Fault]:
    """Applications without details of their own that the file of measured runs does not hold."""
    for index, entry in enumerate(entries(table_of(source.raw, "schedule"), "applications")):
        name = entry.get("name")
        if entry.get("problem") or entry.get("configurations") or not isinstance(name, str):
            continue
        if name not in measured:
            message = f"details.file has no runs of {short(name)}; {nearest(name, measured)}"
            yield source.here(("schedule", "applications", index, "name"), message)
