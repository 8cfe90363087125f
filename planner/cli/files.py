"""Files that a command reads, as its options name them: none of its outputs may replace them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from planner.cli.edges import is_result, refuse_unwritable_file
from planner.cli.own_parts import source_of
from planner.cli.typed import WrittenPath, parameters_with_values
from planner.errors import InputError

Identity = tuple[int, int] | str


def read_files(options: object) -> tuple[Path, ...]:
    """Every file that an argument or an option names, and the files in every folder so named."""
    read = (
        value
        for parameter, value, _ in parameters_with_values(options)
        if not isinstance(parameter.type, WrittenPath)
    )
    texts = (text for value in read for text in _texts(value))
    return tuple(dict.fromkeys(file for text in texts for file in _files(Path(text))))


def refuse_target(
    option: str,
    path: Path | str | None,
    inputs: Iterable[Path],
    out: str | None,
    opening: bytes = b"",
) -> None:
    """Ask before the work whether a file can be written, and replaces neither input nor result.

    Raises
    ------
    InputError
        It cannot, or it would.
    """
    if path is not None:
        refuse_replaced([(option, Path(path))], taken_by(inputs), out)
        refuse_unwritable_file(path, opening)


def taken_by(inputs: Iterable[Path]) -> dict[Identity, str]:
    """Return what is read, for :func:`refuse_replaced`."""
    return {identity(path): "an input" for path in inputs}


def refuse_replaced(
    targets: Iterable[tuple[str, Path]], taken: Mapping[Identity, str], out: str | None
) -> None:
    """See that no output replaces an input, another output, or a file of the report in ``out``.

    Raises
    ------
    InputError
        One does.
    """
    taken = dict(taken)
    for option, path in targets:
        other = taken.setdefault(identity(path), option)
        if other != option:
            what = other if other == "an input" else f"the file of {other}"
            raise InputError(f"{option} {path}: is also {what}; give another name")
        if out is not None and is_result(path, Path(out)):
            message = f"{option} {path}: the report in {out} has a file of this name"
            raise InputError(f"{message}; give another name")


def identity(path: Path) -> Identity:
    """Return what all names of one file share; of one that is not there, its full path."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return os.path.realpath(path)
    return status.st_dev, status.st_ino


def _texts(value: Any) -> Iterator[str]:
    values = value if isinstance(value, tuple) else (value,)
    for name in values:
        if isinstance(name, str):
            yield source_of(name) or name


def _files(path: Path) -> Iterator[Path]:
    try:
        if path.is_file():
            yield path
        elif path.is_dir():
            yield from (file for file in sorted(path.iterdir()) if file.is_file())
    except (OSError, ValueError):  # no path at all, or a folder that cannot be read
        return
