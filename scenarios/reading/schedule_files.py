"""The files that a question about scheduling names: measured runs and job logs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from scenarios.faults import Fault, ScenarioError
from scenarios.files import TextFile, inside
from scenarios.formatting import dotted, entries, nearest, short
from scenarios.positions import KeyPath, Positions

if TYPE_CHECKING:
    from scenarios.job_logs.job_log import JobLog
    from scenarios.measurements.runs import Measurements


class _Read(Protocol):
    @property
    def sha256(self) -> str: ...


@dataclass(frozen=True)
class _Named:
    """A file that a key names, and how it is read."""

    where: KeyPath
    name: str
    read: Callable[[Path, str], _Read]


def attach_schedule(
    raw: Mapping[str, Any], folder: Path, shown: str, positions: Positions
) -> tuple[list[Fault], list[TextFile]]:
    """Check that the files can be read and hold the applications that the scenario names.

    They are read again when a problem is built: a scenario holds what people write.

    Returns
    -------
    errors, files
        The files have names and hashes, but no text.
    """
    schedule = raw.get("schedule")
    faults: list[Fault] = []
    files: list[TextFile] = []
    if not isinstance(schedule, dict):
        return faults, files
    for each in _named(schedule):
        here = Fault(shown, positions.line(each.where), dotted(each.where), "")
        target = inside(folder, each.name)
        if target is None:
            message = f"{each.name!r} is outside the scenario's folder; copy the file into it"
            faults.append(replace(here, message=message))
            continue
        try:
            read = each.read(target, str(folder / each.name))
        except ScenarioError as error:
            faults += [
                fault if fault.line else replace(here, message=f"{each.name!r} {fault.message}")
                for fault in error.faults
            ]
            continue
        files.append(TextFile(str(folder / each.name), "", read.sha256))
        if each.where[-2:] == ("details", "file"):
            faults += _unmeasured(schedule, getattr(read, "runs", {}), shown, positions)
    return faults, files


def schedule_file_names(raw: Mapping[str, Any]) -> set[str]:
    """Names of the files that a question about scheduling is read from."""
    schedule = raw.get("schedule")
    return {each.name for each in _named(schedule)} if isinstance(schedule, dict) else set()


def read_details(path: Path, shown: str = "") -> Measurements:
    """Read measured runs.

    Raises
    ------
    ScenarioError
        The file has errors.
    """
    from scenarios.measurements.reader import read_measurements

    return read_measurements(path, file_name=shown)


def read_log(path: Path, shown: str = "") -> JobLog:
    """Read a job log of any form.

    Raises
    ------
    ScenarioError
        The file has errors.
    """
    from scenarios.job_logs.reader import read_job_log

    return read_job_log(path, file_name=shown)


def _named(schedule: Mapping[str, Any]) -> Iterator[_Named]:
    details = schedule.get("details")
    if isinstance(details, dict) and isinstance(details.get("file"), str):
        yield _Named(("schedule", "details", "file"), details["file"], read_details)
    for index, log in enumerate(entries(schedule, "logs")):
        if isinstance(log.get("file"), str):
            yield _Named(("schedule", "logs", index, "file"), log["file"], read_log)


def _unmeasured(
    schedule: Mapping[str, Any], runs: Mapping[str, Any], shown: str, positions: Positions
) -> Iterator[Fault]:
    """Applications without details of their own that the file does not hold."""
    for index, entry in enumerate(entries(schedule, "applications")):
        name = entry.get("name")
        if entry.get("problem") or entry.get("configurations") or not isinstance(name, str):
            continue
        if name not in runs:
            where: KeyPath = ("schedule", "applications", index, "name")
            message = f"details.file has no runs of {short(name)}; {nearest(name, [*runs])}"
            yield Fault(shown, positions.line(where), dotted(where), message)
