"""Headroom writes reports so that no reader finds a half-written one.

All files are first completed in a temporary folder next to their final place, then renamed one
by one. ``run.json`` is removed first and comes back last, so a folder with it is complete. Before
that, another file lists our files, old and new. If the run is killed, the next run reads there
which files it may replace. A file that is not ours is never replaced.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import platform
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from planner.dependences.digest import record
from planner.registry import command_of
from planner.version import libraries
from planner.worded_study import Study
from reports.language import language_of
from reports.output_folder import (
    PRODUCT,
    Inputs,
    InTheWayError,
    refuse_foreign,
    refuse_unwritable,
    removable,
    source_record,
)
from reports.output_names import LIST_FILE, RUN_FILE
from reports.registered import report_of
from reports.sheets import WorkbookWriteError
from reports.style import Picture, in_language
from reports.typeset import TypesetError
from reports.workbook import workbook
from scenarios.model.scenario import Scenario
from solvers.backends.private_folder import OWNER, fresh_path, private_folder, remove_abandoned

_STAGING = ".headroom-"
_LIMITS = {
    errno.EFBIG: "ulimit -f",
    errno.EMFILE: "ulimit -n",
    errno.EAGAIN: "ulimit -u",
    errno.ENOMEM: "ulimit -v",
}
"""Errors of the system at a limit of the session, which leave the other parts possible."""


class IncompleteReportError(RuntimeError):
    """Some parts of a report could not be made; the message says which, and where the rest is."""


@dataclass(frozen=True)
class Written:
    """Where things lie."""

    folder: Path
    files: tuple[str, ...]

    @property
    def report(self) -> Path:
        """The PDF."""
        return self.folder / "report.pdf"


def plan_json(study: Study) -> str:
    """Return the text of the study's data file: raw numbers, no times."""
    return json.dumps(study.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write(
    study: Study,
    folder: str | os.PathLike[str],
    *,
    planned_s: float = 0.0,
    inputs: Inputs = (),
    progress: Callable[[str], None] = lambda _: None,
) -> Written:
    """Write report.pdf, figures, workbook, data and run.json into a folder.

    Workbook and data are called as the command that answers with the study: plan.xlsx and
    plan.json, configure.xlsx and configure.json. A placement has rank files in rank-files/ too.

    Parameters
    ----------
    study
        What to show.
    folder
        Made if it is missing. Files of an earlier run are replaced, unless somebody changed them.
    planned_s
        How long planning took, for run.json.
    inputs
        Files that the study was read from; they stay, even if an earlier run wrote them.
    progress
        Called with the name of each part as it begins.

    Raises
    ------
    InTheWayError
        A result has the name of a file that no earlier run wrote. If this file appeared while the
        results were made, the error names a separate folder that holds them.
    OSError
        The folder cannot be written.
    IncompleteReportError
        A part could not be made; the folder has all others.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    remove_abandoned(target, _STAGING)
    refuse_unwritable(target, command_of(study).name, inputs)
    seconds = {"plan": planned_s}
    staging = fresh_path(target, _STAGING)
    with private_folder(staging):
        digests: dict[str, str] = {}
        failed: list[str] = []
        for part in _parts(study, seconds, progress):
            _make(part, staging, digests, failed)
        digests = dict(sorted(digests.items()))
        save(staging / RUN_FILE, json_bytes(_run(study, target, seconds, digests)))
        _publish(staging, target, digests, tuple(inputs))
    if failed:
        raise IncompleteReportError(f"{'; '.join(failed)}; {target} has the other files")
    return Written(target, (*digests, RUN_FILE))


@dataclass(frozen=True)
class _Part:
    """A part of a report: its name, and what makes its files."""

    name: str
    files: Callable[[], Iterable[tuple[str, bytes]]]


def _parts(
    study: Study, seconds: dict[str, float], progress: Callable[[str], None]
) -> Iterator[_Part]:
    """Yield every part but run.json, with the time that each took."""
    report, stem = report_of(study), command_of(study).name
    pictures: list[Picture] | None = None
    began = time.perf_counter()

    def drawn() -> Iterator[tuple[str, bytes]]:
        nonlocal pictures
        pictures = in_language(report.pictures(study), language_of(study))
        for picture in pictures:
            yield f"figures/{picture.name}.png", picture.png
            yield f"figures/{picture.name}.svg", picture.svg

    def typeset() -> Iterator[tuple[str, bytes]]:
        if pictures is None:
            raise TypesetError("its figures are missing")
        yield "report.pdf", report.pdf(study, pictures)

    yield _Part(f"{stem}.json", lambda: [(f"{stem}.json", plan_json(study).encode())])
    progress("figures")
    yield _Part("figures", drawn)
    seconds["figures"], began = time.perf_counter() - began, time.perf_counter()
    progress("report")
    yield _Part("report.pdf", typeset)
    seconds["report"], began = time.perf_counter() - began, time.perf_counter()
    progress("workbook")
    yield _Part(f"{stem}.xlsx", lambda: [(f"{stem}.xlsx", workbook(study))])
    yield _Part("further files", lambda: report.files(study).items())
    seconds["workbook"] = time.perf_counter() - began


def _make(part: _Part, staging: Path, digests: dict[str, str], failed: list[str]) -> None:
    """Make the files of a part; where a limit of the system forbids it, say so and go on."""
    try:
        for name, content in part.files():
            save(staging / name, content)
            digests[name] = hashlib.sha256(content).hexdigest()
    except (TypesetError, WorkbookWriteError, MemoryError, RuntimeError, OSError) as error:
        failed.append(why_not_made(part.name, error, staging))


def why_not_made(part: str, error: Exception, staging: Path) -> str:
    """Why a part could not be made, where a limit of the system or its content forbids it.

    Raises
    ------
    Exception
        The error itself, if it has another cause.
    """
    if isinstance(error, TypesetError | WorkbookWriteError):
        return f"{part} could not be made: {error}"
    if isinstance(error, MemoryError):
        return f"{part} could not be made: the memory is not enough (see ulimit -v)"
    if isinstance(error, OSError) and error.errno in _LIMITS:
        name = os.path.relpath(error.filename, staging) if error.filename else part
        return f"{name} could not be made: {error.strerror} (see {_LIMITS[error.errno]})"
    if "start new thread" in str(error):
        return f"{part} could not be made: no thread can be started (see ulimit -u)"
    raise error


def _run(
    study: Study, target: Path, seconds: dict[str, float], digests: dict[str, str]
) -> dict[str, Any]:
    """Collect what differs from run to run, and the digests that show a folder to be whole."""
    return {
        "product": PRODUCT,
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": platform.node(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "libraries": libraries(),
        "dependences": record(),
        "arguments": sys.argv,
        "folder": str(target.resolve()),
        **_scenario_of(study),
        "seconds": seconds,
        "solves": report_of(study).solves(study),
        "sha256": digests,
    }


def _scenario_of(study: Study) -> dict[str, Any]:
    """Which scenario a study answers: so that another one of its name does not replace it."""
    scenario = getattr(study, "scenario", None)
    record = source_record(scenario.provenance.paths) if isinstance(scenario, Scenario) else {}
    return {"scenario": record} if record else {}


def _publish(
    staging: Path, target: Path, digests: dict[str, str], inputs: tuple[str | os.PathLike[str], ...]
) -> None:
    with alone_in(target):
        _refuse_or_keep(staging, target, digests, inputs)
        earlier = removable(target, inputs)
        ours = {
            name: sorted({*earlier.get(name, ()), *({digests[name]} if name in digests else ())})
            for name in sorted({*earlier, *digests})
        }
        save(staging / LIST_FILE, json_bytes({"product": PRODUCT, "sha256": ours}))
        (staging / LIST_FILE).replace(target / LIST_FILE)
        sync_folder(target)
        (target / RUN_FILE).unlink(missing_ok=True)
        for stale in earlier.keys() - digests.keys():
            (target / stale).unlink(missing_ok=True)
        for name in digests:
            (target / name).parent.mkdir(exist_ok=True)
            (staging / name).replace(target / name)
        for folder in {(target / name).parent for name in digests}:
            sync_folder(folder)
        (staging / RUN_FILE).replace(target / RUN_FILE)
        (target / LIST_FILE).unlink()
        sync_folder(target)


def _refuse_or_keep(
    staging: Path, target: Path, names: Iterable[str], inputs: tuple[str | os.PathLike[str], ...]
) -> None:
    """What came in the way since the first look costs nobody the answer."""
    try:
        refuse_foreign(target, names, inputs)
    except OSError as error:
        results = target / f"results-{staging.name.removeprefix(_STAGING)[:8]}"
        staging.rename(results)
        (results / OWNER).unlink()
        results.chmod(stat.S_IMODE(target.stat().st_mode))
        message = f"{error.strerror}; the results of this run are in {results}"
        raise InTheWayError(error.errno, message, error.filename) from error


@contextmanager
def alone_in(target: Path) -> Iterator[None]:
    """Two runs into one folder publish one after the other."""
    handle = os.open(target, os.O_RDONLY)
    try:
        with suppress(OSError):  # not every file system can lock a folder
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def save(path: Path, content: bytes) -> None:
    """Write a file, down to the disk."""
    path.parent.mkdir(exist_ok=True)
    try:
        with path.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:  # a full disk does not say where
        path.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def json_bytes(value: dict[str, Any]) -> bytes:
    """A JSON object as the content of a file."""
    return (json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False) + "\n").encode()
