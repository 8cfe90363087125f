"""Headroom checks which files it may replace, before it solves for hours and before it writes.

A file is ours if its digest is one that Headroom recorded for its name. The record is in the
``run.json`` of a finished run, or in the list of a run that was cut off. Nothing else is replaced
or removed. This holds for folders that were moved or copied, too. A list covers only the files
whose digests it records.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from planner.registry import named
from reports.output_names import (
    FIGURES,
    LIST_FILE,
    RUN_FILE,
    can_be_ours,
    certain,
    folders,
    is_figure,
)
from scenarios.catalogue import bundled_name
from scenarios.writing import forced

PRODUCT = "Headroom"
"""What lists of ours say of themselves."""

_REPLACED = "and a result would replace it"
_BEFORE_PRODUCT = frozenset(
    ("finished", "host", "platform", "python", "arguments", "folder", "seconds", "solves", "sha256")
)
_DIGEST = re.compile(r"[0-9a-f]{64}")
Inputs = Iterable[str | os.PathLike[str]]
Claims = Mapping[str, frozenset[str]]
"""Digests of what Headroom wrote, by names."""


class InTheWayError(FileExistsError):
    """A file that must not be replaced has the name of a result."""


def refuse_unwritable(folder: str | os.PathLike[str], command: str, inputs: Inputs = ()) -> None:
    """Check that a folder can be written, and that results replace only files of earlier runs.

    The check removes the folders that it creates.

    Parameters
    ----------
    folder
        Folder for the results; it need not exist.
    command
        Name of the command whose results are to be written.
    inputs
        Files that the run reads.

    Raises
    ------
    InTheWayError
        A result would replace a file that no earlier run wrote, or that somebody changed since.
    OSError
        The folder cannot be created or written. Or an input of the run, or something that is not a
        file, has the name of a result. The error's file name is this path or the folder.
    """
    target = Path(folder)
    made: list[Path] = []
    try:
        made = [path for path in (target, *target.parents) if not path.exists()]
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=target) as stream:
            stream.write(b"headroom")
    except OSError as error:
        reason = "is not a folder" if isinstance(error, FileExistsError) else error.strerror
        raise OSError(error.errno, reason, str(target)) from error
    finally:
        for new_folder in made:
            with suppress(OSError):
                new_folder.rmdir()
    for name in folders(named(command)):
        subfolder = target / name
        if os.path.lexists(subfolder) and not subfolder.is_dir():
            raise OSError(0, "is a file where a folder of results belongs", str(subfolder))
    refuse_foreign(target, (*certain(named(command)), *_figures_in(target)), inputs)


def refuse_foreign(target: Path, names: Iterable[str], inputs: Inputs) -> None:
    """See that every name is free, or that of a file of an earlier run that nobody changed.

    Raises
    ------
    OSError
        As :func:`refuse_unwritable`.
    """
    claims, read = claimed(target), _identities(inputs)
    for name in (*names, RUN_FILE, LIST_FILE):
        path = target / name
        status = _status(path)
        if status is None:
            continue
        if stat.S_ISDIR(status.st_mode):
            raise OSError(0, "is a folder where a result belongs", str(path))
        if _identity(path) in read:
            raise OSError(0, f"is an input of this run, {_REPLACED}", str(path))
        if name in (RUN_FILE, LIST_FILE):
            if _list(path) is None and not forced():
                raise InTheWayError(
                    0, f"is not a list of files by Headroom, {_REPLACED}", str(path)
                )
        elif not forced() and not is_ours(path, claims.get(name, frozenset())):
            raise InTheWayError(0, _why_not(name, claims), str(path))


def _why_not(name: str, claims: Claims) -> str:
    if name in claims:
        return f"was changed after Headroom wrote it, {_REPLACED}"
    return f"is not listed as a result in {RUN_FILE}, {_REPLACED}"


def source_record(paths: Sequence[str]) -> dict[str, str]:
    """Return what run.json says of the scenario of a run, whose file is the first of ``paths``."""
    if not paths:
        return {}
    name = bundled_name(paths[0])
    return {"path": os.path.realpath(paths[0])} if name is None else {"bundled": name}


def refuse_other_scenario(folder: str | os.PathLike[str], paths: Sequence[str]) -> None:
    """Check that a folder named after a scenario holds no results of another scenario of that name.

    A project that was moved or copied as a whole keeps its folders. A ``run.json`` without a record
    of its scenario passes.

    Parameters
    ----------
    folder
        Folder for the results; it need not exist.
    paths
        Files of the scenario, the scenario itself first.

    Raises
    ------
    InTheWayError
        The folder holds results of another scenario file. The error's file name is the folder.
    """
    target, ours = Path(folder), source_record(paths)
    run = _ours(target / RUN_FILE) or {}
    theirs = run.get("scenario")
    if forced() or not ours or not isinstance(theirs, dict) or theirs == ours:
        return
    bundled, path = theirs.get("bundled"), theirs.get("path")
    if not isinstance(bundled if path is None else path, str):
        return
    if path is not None and "path" in ours and isinstance(run.get("folder"), str):
        here = os.path.relpath(ours["path"], target.resolve())
        if os.path.relpath(path, run["folder"]) == here:
            return
    message = (
        f"holds the results of {_in_words(theirs)}, and this plan is of {_in_words(ours)}; give "
        "another folder with -o, or another name in the scenario"
    )
    raise InTheWayError(0, message, str(folder))


def _in_words(source: Mapping[str, str]) -> str:
    """A scenario as a person would name it on this command line."""
    if "path" not in source:
        return f"the bundled scenario {source['bundled']}"
    path = Path(source["path"])
    here = Path.cwd().resolve()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def removable(target: Path, inputs: Inputs) -> dict[str, frozenset[str]]:
    """Return the files of earlier runs that are as they were written, and no inputs."""
    read = _identities(inputs)
    return {
        name: digests
        for name, digests in claimed(target).items()
        if is_ours(target / name, digests) and _identity(target / name) not in read
    }


def is_ours(path: Path, digests: frozenset[str]) -> bool:
    """Return whether this is a file that still is what Headroom wrote."""
    status = _status(path)
    if status is None or not stat.S_ISREG(status.st_mode) or not digests:
        return False
    try:
        return digest(path) in digests
    except OSError:
        return False


def claimed(target: Path) -> dict[str, frozenset[str]]:
    """Digests by name, as the lists in a folder have them; names that cannot be ours are not."""
    claims: dict[str, frozenset[str]] = {}
    for file in (RUN_FILE, LIST_FILE):
        for name, digests in (_list(target / file) or {}).items():
            many = digests if isinstance(digests, list) else [digests]
            valid = {
                digest for digest in many if isinstance(digest, str) and _DIGEST.fullmatch(digest)
            }
            if can_be_ours(name):
                claims[name] = claims.get(name, frozenset()) | valid
    return claims


def digest(path: Path) -> str:
    """SHA-256 of a file, however large."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _list(path: Path) -> dict[str, Any] | None:
    """Return what a list of ours lists; ``None`` if it is none of ours."""
    listed = (_ours(path) or {}).get("sha256")
    return listed if isinstance(listed, dict) else None


def _ours(path: Path) -> dict[str, Any] | None:
    """Return the whole record of a run of ours, or a list of ours; ``None`` for any other file."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return None
        plain = json.loads(path.read_text(encoding="utf-8"))
        ours = plain.get("product") == PRODUCT or plain.keys() == _BEFORE_PRODUCT
    except (OSError, ValueError, AttributeError, RecursionError):
        return None
    return plain if ours else None


def _figures_in(target: Path) -> tuple[str, ...]:
    """Return what lies where figures will: which ones there will be is known too late."""
    try:
        names = sorted(path.name for path in (target / FIGURES).iterdir())
    except OSError:
        return ()
    return tuple(f"{FIGURES}/{name}" for name in names if is_figure(name))


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _identities(inputs: Inputs) -> set[tuple[int, int]]:
    identities = {_identity(Path(path)) for path in inputs}
    return {identity for identity in identities if identity is not None}


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what two names of one file share, through links of both kinds."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
