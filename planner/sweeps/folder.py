"""The folder of a sweep: a record of the sweep, a file of each shard, and a summary of all.

The name of a shard's file has its number and a digest of its content. So a damaged file is found
before anything reads it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planner.dependences.digest import hold, learn
from planner.dependences.files import Files
from planner.errors import InputError
from planner.result_folder import OTHER_FOLDER, REMEDY, content_of, make_folder, written
from planner.sweeps.cases import Cases
from planner.sweeps.columns import Columns, form, is_number, packed, unpacked
from planner.version import headroom_version

RECORD, SUMMARY = "sweep.json", "summary.json"
_PRODUCT = "headroom sweep"


@dataclass(frozen=True)
class SweepFolder:
    """Files of one sweep; no file in its folder is ever replaced or deleted.

    Attributes
    ----------
    mark
        Digest of all that the answers depend on.
    parts
        The user's function, if it is one.
    """

    path: Path
    mark: str
    cases: Cases
    parts: tuple[object, ...] = ()

    def begin(self, scenario: str) -> None:
        """Make the folder where it is missing, and write the record of the sweep.

        Raises
        ------
        InputError
            The folder cannot be made, or belongs to another sweep.
        """
        make_folder(self.path)
        record = {
            "product": _PRODUCT,
            "headroom": headroom_version(),
            "scenario": scenario,
            "values": {
                path: {"count": len(listed), "first": listed[0], "last": listed[-1]}
                for path, listed in self.cases.lists.items()
            },
            "cases": self.cases.count,
            "shard_cases": self.cases.shard_cases,
            "mark": self.mark,
        }
        text = _json(record)
        if not written(self.path / RECORD, text):
            self._refuse_other(json.loads(text))

    def finished(self, shards: Iterable[int]) -> Iterator[tuple[int, Columns]]:
        """Yield number and columns of each shard that has a file.

        Raises
        ------
        InputError
            A file is not what this sweep wrote.
        """
        found = self._files()
        for shard in shards:
            if shard in found:
                yield shard, self._read(shard, found[shard])

    def _files(self) -> dict[int, list[Path]]:
        """The files of each shard: a folder of many is listed once, not for each of them."""
        found: dict[int, list[Path]] = {}
        stems = {_stem(shard): shard for shard in range(self.cases.shards)}
        for path in sorted(self.path.glob("cases-*-*")):
            shard = stems.get("-".join(path.name.split("-")[:2]))
            if shard is not None:
                found.setdefault(shard, []).append(path)
        return found

    def _read(self, shard: int, paths: Sequence[Path]) -> Columns:
        """Return the columns of a shard.

        Raises
        ------
        InputError
            Its file is not what this sweep wrote.
        """
        if len(paths) > 1:
            names = " and ".join(path.name for path in paths)
            raise InputError(f"{self.path} has {names} for one shard; move one away")
        (path,) = paths
        content = content_of(path)
        if path.name != _name(shard, content, path.suffix):
            raise InputError(f"{path} was changed or damaged; {REMEDY}")
        columns, record = unpacked(content, path.suffix.removeprefix("."))
        if record["mark"] != self.mark or record["shard"] != shard:
            raise InputError(f"{path} is a shard of another sweep; {REMEDY}")
        if not hold(record["files"], self.parts):
            raise InputError(
                f"{path}: a file that the function needed has changed since; {OTHER_FOLDER}"
            )
        learn(record["files"], self.parts)
        return columns

    def write(self, shard: int, columns: Columns, files: Sequence[Files]) -> None:
        """Write the file of a finished shard.

        Raises
        ------
        InputError
            It cannot be written, or another file has its name.
        """
        record = {"mark": self.mark, "shard": shard, "files": list(files)}
        content = packed(columns, record, form())
        path = self.path / _name(shard, content, f".{form()}")
        if not written(path, content):
            raise InputError(f"{path} was changed or damaged; {REMEDY}")

    def missing(self) -> int:
        """Return the number of shards that have no file."""
        return self.cases.shards - len(self._files())

    def summarise(self, shards: Iterable[Columns]) -> dict[str, Any]:
        """Write a summary of all shards, in their order, and return it.

        Raises
        ------
        InputError
            It cannot be written, another file has its name, or a shard is not there any more.
        """
        summary = summary_of(shards)
        if summary["cases"] != self.cases.count:
            raise InputError(f"{self.path} has lost files of shards meanwhile; run it again")
        if not written(self.path / SUMMARY, _json(summary)):
            raise InputError(f"{self.path / SUMMARY} is not the summary of its shards; {REMEDY}")
        return summary

    def _refuse_other(self, ours: Mapping[str, Any]) -> None:
        """Refuse the folder if the record in it is of another sweep.

        Raises
        ------
        InputError
            It is, or it is not a record.
        """
        path = self.path / RECORD
        try:
            theirs = json.loads(content_of(path))
            described = f"{theirs['scenario']}, {_described(theirs['values'])}"
            product = theirs["product"]
        except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
            product = ""
        if product != _PRODUCT:
            raise InputError(f"{path} is not the record of a sweep; {REMEDY}")
        if described == f"{ours['scenario']}, {_described(ours['values'])}":
            described += ", with another scenario file, function, options or version of Headroom"
        raise InputError(f"{self.path} holds another sweep ({described}); {OTHER_FOLDER}")


def summary_of(shards: Iterable[Columns]) -> dict[str, Any]:
    """Return the number of cases and of errors, and the least and largest of each number.

    It also has the first error, as a sample.
    """
    cases = errors = 0
    first: str | None = None
    ranges: dict[str, dict[str, Any]] = {}
    for columns in shards:
        cases += len(columns["case"])
        found = [error for error in columns["error"] if error is not None]
        errors += len(found)
        first = next(iter(found), None) if first is None else first
        for name, values in columns.items():
            limits = ranges.setdefault(name, {})
            numbers = [value for value in values if is_number(value)]
            if numbers:
                limits["least"] = min([*numbers, limits.get("least", math.inf)])
                limits["largest"] = max([*numbers, limits.get("largest", -math.inf)])
    for name in ("case", "error"):
        ranges.pop(name, None)
    counts = {"cases": cases, "errors": errors, "first_error": first}
    return {"product": _PRODUCT, **counts, "columns": ranges}


def _described(values: Mapping[str, Mapping[str, Any]]) -> str:
    return ", ".join(
        f"{path}: {each['count']} from {each['first']} to {each['last']}"
        for path, each in values.items()
    )


def _stem(shard: int) -> str:
    return f"cases-{shard:05d}"


def _name(shard: int, content: bytes, suffix: str) -> str:
    return f"{_stem(shard)}-{hashlib.sha256(content).hexdigest()[:16]}{suffix}"


def _json(plain: Mapping[str, Any]) -> bytes:
    return (json.dumps(plain, indent=1, ensure_ascii=False, default=str) + "\n").encode()
