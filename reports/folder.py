"""A study in a folder: the answer first, then each format by itself, so that nothing is lost.

The data file and ``run.json`` appear the moment the answer is known. Then every writer adds its
files. ``run.json`` lists the digest of a file before the file has its name, so that a run that is
killed leaves only files that it lists. What is missing is written later from the data file alone.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from planner.dependences.digest import record
from planner.errors import InputError
from planner.registry import COMMANDS, OF_OPTIONS
from planner.study import Study, read_study
from planner.version import libraries
from reports.output_folder import (
    PRODUCT,
    Inputs,
    InTheWayError,
    is_ours,
    refuse_foreign,
    refuse_unwritable,
    removable,
    source_record,
)
from reports.output_names import FIGURES, LIST_FILE, PAGE, RUN_FILE
from reports.publish import (
    IncompleteReportError,
    Written,
    alone_in,
    json_bytes,
    save,
    sync_folder,
    why_not_made,
)
from reports.sheets import WorkbookWriteError
from reports.style import Picture
from reports.typeset import TypesetError
from scenarios.writing import forced
from solvers.backends.private_folder import fresh_path, private_folder, remove_abandoned

USUAL = ("png", "svg", "xlsx", "pdf")
"""Formats that every report has."""
FORMATS = (*USUAL, "html")
_STAGING = ".headroom-"

Progress = Callable[[str], None]


@dataclass
class _Folder:
    """What lies in a folder, and what ``run.json`` says of it."""

    target: Path
    about: dict[str, Any]
    written: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    digests: dict[str, set[str]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def add(self, name: str, content: bytes) -> None:
        """Put a file into its place, with its digest in the record before that.

        Raises
        ------
        InTheWayError
            There is a file of this name that no run of ours wrote.
        """
        path = self.target / name
        ours = is_ours(path, frozenset(self.digests.get(name, ())))
        if os.path.lexists(path) and not ours and not forced():
            raise InTheWayError(0, "is not ours, and a result would replace it", str(path))
        self.digests.setdefault(name, set()).add(hashlib.sha256(content).hexdigest())
        self.note()
        self._replace(name, content)
        self.digests[name] = {hashlib.sha256(content).hexdigest()}

    def take(self, kind: str, made: Iterable[tuple[str, bytes]], seconds: float) -> None:
        """Add the files of a format."""
        for name, content in made:
            self.add(name, content)
        self.seconds[kind] = seconds
        self.written = [*dict.fromkeys((*self.written, kind))]
        with suppress(ValueError):
            self.missing.remove(kind)
        self.note()

    def drop(self, name: str) -> None:
        """Remove a file of an earlier run."""
        (self.target / name).unlink(missing_ok=True)
        self.digests.pop(name, None)

    def note(self) -> None:
        """Write ``run.json``."""
        listed = {
            name: min(digests) if len(digests) == 1 else sorted(digests)
            for name, digests in sorted(self.digests.items())
        }
        self._replace(RUN_FILE, json_bytes({
            **self.about, "written": self.written, "missing": self.missing,
            "seconds": self.seconds, "sha256": listed,
        }))  # fmt: skip

    def _replace(self, name: str, content: bytes) -> None:
        path = self.target / name
        path.parent.mkdir(exist_ok=True)
        staging = fresh_path(self.target, _STAGING)
        with private_folder(staging):
            save(staging / path.name, content)
            (staging / path.name).replace(path)
        sync_folder(path.parent)


def write_study(
    study: Study,
    folder: str | os.PathLike[str],
    *,
    formats: Sequence[str] = USUAL,
    further: Mapping[str, bytes] | None = None,
    seconds: Mapping[str, float] | None = None,
    solves: Sequence[Mapping[str, Any]] = (),
    scenario: Sequence[str] = (),
    inputs: Inputs = (),
    progress: Progress = lambda _: None,
    aside: bool = False,
) -> Written:
    """Write a study into a folder: data, figures, workbook, document.

    Parameters
    ----------
    study
        What to write.
    folder
        Made if it is missing. Files of an earlier run are replaced, unless somebody changed them.
    formats
        Some of ``FORMATS``.
    further
        Further files of the command by their paths in the folder.
    seconds
        How long each part of the command took to find the answer, for ``run.json``.
    solves
        Names and seconds of its solves, likewise.
    scenario
        Paths of the scenario that it answers, so that another one of its name does not replace it.
    inputs
        Files that the study was read from; they stay, even if an earlier run wrote them.
    progress
        Called with the name of each format as it begins.
    aside
        Whether a folder next to this one takes the results where a file is in the way.

    Raises
    ------
    InTheWayError
        A result has the name of a file that no earlier run wrote.
    OSError
        The folder cannot be written.
    IncompleteReportError
        A format could not be made; the folder has all others.
    """
    from reports.writers.data import data

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    remove_abandoned(target, _STAGING)
    try:
        refuse_unwritable(target, study.command, inputs)
        if "html" in formats:
            refuse_foreign(target, (PAGE,), inputs)
    except InTheWayError as error:
        if not aside:
            raise
        other = _beside(target)
        write_study(
            study, other, formats=formats, further=further, seconds=seconds, solves=solves,
            scenario=scenario, progress=progress,
        )  # fmt: skip
        raise IncompleteReportError(
            f"{error.filename} {error.strerror}; the results are in {other}"
        ) from error
    content = data(study)
    with alone_in(target):
        earlier = removable(target, inputs)
        state = _Folder(
            target, _about(target, solves, scenario), [], [*formats],
            {name: set(digests) for name, digests in earlier.items()}, dict(seconds or {}),
        )  # fmt: skip
        name = f"{study.command}.json"
        state.add(name, content)
        for stale in sorted(earlier.keys() - {name, *(further or {})}):
            state.drop(stale)
        for path, made in (further or {}).items():
            state.add(path, made)
        state.note()
        (target / LIST_FILE).unlink(missing_ok=True)
        return _complete(study, state, formats, progress)


def _beside(target: Path) -> Path:
    """A new folder next to one: its name with a number."""
    whole = target.resolve()
    names = (whole.with_name(f"{whole.name}-results-{number}") for number in itertools.count(1))
    return next(path for path in names if not os.path.lexists(path))


def complete(
    folder: str | os.PathLike[str],
    *,
    only: Sequence[str] = (),
    progress: Progress = lambda _: None,
) -> Written:
    """Write what is missing in a folder, or ``only`` some formats again, from its data file.

    Raises
    ------
    InputError
        The folder has no data file, or one that is damaged, was changed or is of another version.
    OSError, IncompleteReportError
        As :func:`write_study`.
    """
    target = Path(folder)
    _data_file(target)
    with alone_in(target):
        return _completed(target, only, progress)


def _completed(target: Path, only: Sequence[str], progress: Progress) -> Written:
    name, run = _data_file(target)
    study = read_study((target / name).read_bytes(), str(target / name))
    claims = {file: {*_digests(listed)} for file, listed in run.get("sha256", {}).items()}
    if not is_ours(target / name, frozenset(claims.get(name, ()))):
        raise InputError(
            f"{target / name} was changed after Headroom wrote it; run its command again"
        )
    lost = {_format_of(file) for file in claims if not (target / file).exists()}
    missing = [each for each in FORMATS if each in (*run.get("missing", USUAL), *lost)]
    formats = tuple(only) or tuple(missing)
    written = [each for each in run.get("written", ()) if each not in formats]
    about = {key: run[key] for key in _ABOUT if key in run}
    state = _Folder(
        target, about, written, [*dict.fromkeys((*missing, *formats))], claims,
        dict(run.get("seconds", {})),
    )  # fmt: skip
    _refuse_changed(state, formats, study)
    return _complete(study, state, formats, progress)


_ABOUT = (
    "product", "finished", "host", "platform", "python", "libraries", "dependences", "arguments",
    "folder", "solves", "scenario",
)  # fmt: skip


def _about(
    target: Path, solves: Sequence[Mapping[str, Any]], scenario: Sequence[str]
) -> dict[str, Any]:
    """What differs from run to run."""
    source = source_record(scenario)
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
        "solves": [dict(each) for each in solves],
        **({"scenario": source} if source else {}),
    }


def _digests(listed: Any) -> Iterable[str]:
    return listed if isinstance(listed, list) else [listed]


def _data_file(target: Path) -> tuple[str, dict[str, Any]]:
    """Name of the data file in a folder, and what ``run.json`` says."""
    try:
        run = json.loads((target / RUN_FILE).read_text(encoding="utf-8"))
        names = [f"{command.name}.json" for command in (*COMMANDS, *OF_OPTIONS) if command.answers]
        listed = [name for name in names if name in run["sha256"]]
    except OSError as error:
        raise InputError(
            f"{target / RUN_FILE}: {error.strerror}; give the folder of a report"
        ) from error
    except (ValueError, LookupError, TypeError) as error:
        raise InputError(
            f"{target / RUN_FILE} is damaged ({error}); run the command of this folder again"
        ) from error
    if not listed or not (target / listed[0]).is_file():
        raise InputError(f"{target} has no data file of a study; run its command again")
    return listed[0], run


def _refuse_changed(state: _Folder, formats: Sequence[str], study: Study) -> None:
    """What somebody changed since it was written, or what is not ours, is not replaced."""
    names = dict.fromkeys((*state.digests, f"{study.command}.xlsx", "report.pdf", PAGE))
    for name in names:
        path, digests = state.target / name, frozenset(state.digests.get(name, ()))
        if _format_of(name) not in formats or not path.exists() or forced():
            continue
        if not is_ours(path, digests):
            why = (
                "was changed after Headroom wrote it" if digests else f"is not listed in {RUN_FILE}"
            )
            raise InputError(f"{path} {why}; move it away, or add --force")


def _format_of(name: str) -> str:
    return name.rpartition(".")[2]


def _complete(study: Study, state: _Folder, formats: Sequence[str], progress: Progress) -> Written:
    """Make the formats one after the other; what fails costs none of the others."""
    failed: list[str] = []
    drawn: list[Picture] = []
    for kind in formats:
        began = time.perf_counter()
        progress(_CALLED[kind])
        try:
            made = list(_files(study, kind, drawn))
            state.take(kind, made, time.perf_counter() - began)
        except BrokenPipeError:
            raise
        except InTheWayError as error:
            failed.append(f"{error.filename} {error.strerror}; move it away, or add --force")
        except OSError as error:  # a full disk, above all
            failed.append(f"{_CALLED[kind]} could not be written: {error.strerror or error}")
        except (TypesetError, WorkbookWriteError, MemoryError, RuntimeError) as error:
            failed.append(why_not_made(_CALLED[kind], error, state.target))
    names = tuple(sorted(state.digests))
    if failed:
        raise IncompleteReportError(
            f"{'; '.join(failed)}; {state.target} has the other files, and "
            f"`headroom report {state.target}` tries again"
        )
    return Written(state.target, (*names, RUN_FILE))


_CALLED = {
    "png": "figures", "svg": "figures", "pdf": "report.pdf", "xlsx": "workbook",
    "html": "report.html",
}  # fmt: skip


def _files(study: Study, kind: str, drawn: list[Picture]) -> Iterator[tuple[str, bytes]]:
    """The files of a format; figures are painted once."""
    from reports.writers.workbook import workbook

    if kind == "xlsx":
        yield f"{study.command}.xlsx", workbook(study)
        return
    if not drawn:
        from reports.figures import pictures

        drawn += pictures(study)
    if kind in ("png", "svg"):
        for picture in drawn:
            yield f"{FIGURES}/{picture.name}.{kind}", getattr(picture, kind)
    elif kind == "pdf":
        from reports.writers.pdf import pdf

        yield "report.pdf", pdf(study, drawn)
    else:
        from reports.writers.html import html

        yield PAGE, html(study, drawn)
