"""Everything that people read, written so that nothing is ever half-written.

All files are first completed in a temporary folder beside their final place, then renamed one
by one; ``run.json`` goes first and comes back last, so a folder with it is whole.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from planner.study import Study
from reports.document import report
from reports.figures import pictures
from reports.workbook import workbook

RUN_FILE = "run.json"
_PREFIX = ".headroom-"


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
    """The text of plan.json: raw numbers, no times, no paths."""
    return json.dumps(study.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write(
    study: Study,
    folder: str | os.PathLike[str],
    *,
    planned_s: float = 0.0,
    progress: Callable[[str], None] = lambda _: None,
) -> Written:
    """Write report.pdf, figures, plan.xlsx, plan.json and run.json into a folder.

    Parameters
    ----------
    study
        What to show.
    folder
        Made if it is missing. Files of an earlier run are replaced.
    planned_s
        How long planning took, for run.json.
    progress
        Called with the name of each part as it begins.

    Raises
    ------
    OSError
        The folder cannot be written.
    reports.typeset.TypesetError, reports.workbook.WorkbookError
        A part could not be made; then nothing was changed.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    _clear_stale(target)
    seconds = {"plan": planned_s}
    with _staging(target) as staging:
        for name, content in _parts(study, seconds, progress):
            _save(staging / name, content)
        names = sorted(str(path.relative_to(staging)) for path in staging.rglob("*.*"))
        run = _run(study, target, seconds, {n: _digest(staging / n) for n in names})
        _save(staging / RUN_FILE, _json(run))
        _publish(staging, target, names)
    return Written(target, (*names, RUN_FILE))


def _parts(
    study: Study, seconds: dict[str, float], progress: Callable[[str], None]
) -> Iterator[tuple[str, bytes]]:
    """Every file but run.json, with the time that each part took."""
    began = time.perf_counter()
    progress("figures")
    drawn = pictures(study)
    for picture in drawn:
        yield f"figures/{picture.name}.png", picture.png
        yield f"figures/{picture.name}.svg", picture.svg
    seconds["figures"], began = time.perf_counter() - began, time.perf_counter()
    progress("report")
    yield "report.pdf", report(study, drawn)
    seconds["report"], began = time.perf_counter() - began, time.perf_counter()
    progress("workbook")
    yield "plan.xlsx", workbook(study)
    yield "plan.json", plan_json(study).encode()
    seconds["workbook"] = time.perf_counter() - began


def _run(
    study: Study, target: Path, seconds: dict[str, float], digests: dict[str, str]
) -> dict[str, Any]:
    """What differs from run to run, and the digests that tell whether the folder is whole."""
    return {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": platform.node(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "arguments": sys.argv,
        "folder": str(target.resolve()),
        "seconds": seconds,
        "solves": [
            {
                "application": check.application,
                "design": check.design,
                "wall_s": check.certificate.wall_s,
                "cpu_s": check.certificate.cpu_s,
            }
            for check in study.designs
        ],
        "sha256": digests,
    }


@contextmanager
def _staging(target: Path) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=target))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _clear_stale(target: Path) -> None:
    """Remove what runs left behind that were killed."""
    for folder in target.glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).split("-")[0]
        if owner.isdigit() and not _alive(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _publish(staging: Path, target: Path, names: list[str]) -> None:
    for stale in _earlier_files(target) - set(names):
        (target / stale).unlink(missing_ok=True)
    (target / RUN_FILE).unlink(missing_ok=True)
    for name in (*names, RUN_FILE):
        (target / name).parent.mkdir(exist_ok=True)
        (staging / name).replace(target / name)
    _sync_folder(target)


def _earlier_files(target: Path) -> set[str]:
    """Files of the run before, as far as they are ours and inside the folder."""
    try:
        listed = json.loads((target / RUN_FILE).read_text(encoding="utf-8"))["sha256"]
        names = {name for name in listed if isinstance(name, str)}
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    root = target.resolve()
    return {n for n in names if (root / n).resolve().is_relative_to(root) and ".." not in n}


def _save(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _json(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False) + "\n").encode()
