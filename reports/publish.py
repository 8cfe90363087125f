"""Everything that people read, written so that nothing is ever half-written.

All files are first completed in a temporary folder beside their final place, then renamed one
by one; ``run.json`` goes first and comes back last, so a folder with it is whole. While it is
away, another file lists what is ours, so that the run after one that was killed can clear up.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reports.forms import beside, pictures, report, solves, stem
from reports.workbook import AnyStudy, workbook

RUN_FILE = "run.json"
_OURS = ".headroom-files.json"
_PREFIX = f".headroom-{platform.node()}-"  # out/ may be shared between hosts


_OUR_FILE = re.compile(
    r"report\.pdf|(plan|configure|share|simulate|estimate|size|place|aggregate)\.(json|xlsx)"
    r"|figures/[^/]+\.(png|svg)|rank-files/[^/]+\.(txt|csv|json)"
)


@dataclass(frozen=True)
class Written:
    """Where things lie."""

    folder: Path
    files: tuple[str, ...]

    @property
    def report(self) -> Path:
        """The PDF."""
        return self.folder / "report.pdf"


def plan_json(study: AnyStudy) -> str:
    """The text of plan.json, or what the study's is called: raw numbers, no times."""
    return json.dumps(study.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write(
    study: AnyStudy,
    folder: str | os.PathLike[str],
    *,
    planned_s: float = 0.0,
    progress: Callable[[str], None] = lambda _: None,
) -> Written:
    """Write report.pdf, figures, workbook, data and run.json into a folder.

    Workbook and data are plan.xlsx and plan.json; of a configuration study configure.xlsx and
    configure.json, of a sharing share.xlsx and share.json, of a simulation simulate.xlsx and
    simulate.json, of a sizing size.xlsx and size.json, of a study of estimates estimate.xlsx and
    estimate.json, of a placement place.xlsx and place.json, with rank files in rank-files/, of a
    choice of an aggregation pattern aggregate.xlsx and aggregate.json.

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
    study: AnyStudy, seconds: dict[str, float], progress: Callable[[str], None]
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
    yield f"{stem(study)}.xlsx", workbook(study)
    yield f"{stem(study)}.json", plan_json(study).encode()
    yield from beside(study).items()
    seconds["workbook"] = time.perf_counter() - began


def _run(
    study: AnyStudy, target: Path, seconds: dict[str, float], digests: dict[str, str]
) -> dict[str, Any]:
    """Collect what differs from run to run, and the digests that show a folder to be whole."""
    return {
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "host": platform.node(),
        "platform": platform.platform(),
        "python": platform.python_version(),
        "arguments": sys.argv,
        "folder": str(target.resolve()),
        "seconds": seconds,
        "solves": solves(study),
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
        if owner.isdecimal() and not _alive(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _publish(staging: Path, target: Path, names: list[str]) -> None:
    with _alone_in(target):
        earlier = _listed(target, RUN_FILE) | _listed(target, _OURS)
        _save(staging / _OURS, _json({"sha256": dict.fromkeys(sorted({*earlier, *names}))}))
        (staging / _OURS).replace(target / _OURS)
        (target / RUN_FILE).unlink(missing_ok=True)
        for stale in earlier - set(names):
            (target / stale).unlink(missing_ok=True)
        for name in names:
            (target / name).parent.mkdir(exist_ok=True)
            (staging / name).replace(target / name)
        for folder in {(target / name).parent for name in names}:
            _sync_folder(folder)
        (staging / RUN_FILE).replace(target / RUN_FILE)
        (target / _OURS).unlink()
        _sync_folder(target)


@contextmanager
def _alone_in(target: Path) -> Iterator[None]:
    """Two runs into one folder publish one after the other."""
    handle = os.open(target, os.O_RDONLY)
    try:
        with suppress(OSError):  # not every file system can lock a folder
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _listed(target: Path, name: str) -> set[str]:
    """Files that an earlier run lists as its own, if they can be: ours have one of two forms."""
    try:
        listed = json.loads((target / name).read_text(encoding="utf-8"))["sha256"]
        names = {each for each in listed if isinstance(each, str) and _OUR_FILE.fullmatch(each)}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()
    return {each for each in names if not (target / each).is_dir()}


def _save(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    try:
        with path.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:  # a full disk does not say where
        raise OSError(error.errno, error.strerror, str(path)) from error


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
