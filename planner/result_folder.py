"""Results of cases, one file each in a folder: what was interrupted goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planner.dependences.digest import hold, learn
from planner.dependences.files import Files
from planner.errors import InputError
from scenarios.faults import ScenarioError
from scenarios.files import read_bytes
from scenarios.writing import replacing, written_whole

_LARGEST_BYTES = 64 << 20
_PRODUCT = "headroom case"
OTHER_FOLDER = "give another folder"
REMEDY = f"move it away, or {OTHER_FOLDER}"


def result_text(mark: str, result: dict[str, Any], files: Sequence[Files] = ()) -> bytes:
    """Return the whole text of a result's file.

    Parameters
    ----------
    mark
        What the result depends on, as a digest.
    result
        Plain values.
    files
        What own parts needed, as :func:`planner.dependences.files_needed` returns it.
    """
    signed: dict[str, Any] = {"product": _PRODUCT, "mark": mark, "sha256": _digest(result, files)}
    signed |= {"files": list(files), "result": result}
    return (json.dumps(signed, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def result_in(text: bytes, mark: str) -> dict[str, Any]:
    """Return the values in the text of a file.

    Raises
    ------
    ValueError
        The text is not a result, is the result of another case, or is damaged.
    """
    plain = json.loads(text)
    if not isinstance(plain, dict) or plain.get("product") != _PRODUCT:
        raise ValueError("is not a result of Headroom")
    if plain.get("mark") != mark:
        raise ValueError("is the result of another case")
    result, files = plain.get("result"), plain.get("files")
    if not isinstance(result, dict) or plain.get("sha256") != _digest(result, files):
        raise ValueError("was changed or damaged")
    return result


def make_folder(path: Path) -> None:
    """Make a folder where it is missing.

    Raises
    ------
    InputError
        It cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"{path} cannot be created ({error.strerror}); {OTHER_FOLDER}"
        raise InputError(message) from None


def content_of(path: Path) -> bytes:
    """Return the content of a file.

    Raises
    ------
    InputError
        It cannot be read, or is too large to be a result.
    """
    try:
        return read_bytes(path, str(path), "a folder", _LARGEST_BYTES, REMEDY)
    except ScenarioError as error:
        raise InputError(f"{error}; {REMEDY}") from None


def written(path: Path, content: bytes) -> bool:
    """Write a file whole; return whether it has this content now: no other is replaced.

    Raises
    ------
    InputError
        It cannot be written.
    """
    try:
        with replacing(force=False), written_whole(path) as stream:
            stream.write(content)
    except FileExistsError:
        return False
    except OSError as error:
        message = f"{path} cannot be written ({error.strerror}); free some space, or"
        raise InputError(f"{message} {OTHER_FOLDER}") from None
    return True


@dataclass(frozen=True)
class ResultFolder:
    """A folder of results; it only grows. No file in it is ever replaced or deleted."""

    path: Path

    def finished(self, cases: Mapping[str, Iterable[object]]) -> dict[str, bytes]:
        """Return the texts of the finished cases by their marks; make the folder where missing.

        Parameters
        ----------
        cases
            The own parts of each case, by its mark.

        Raises
        ------
        InputError
            The folder cannot be made, or a file of such a name is not what Headroom wrote.
        """
        make_folder(self.path)
        texts = {mark: self.read(mark, parts) for mark, parts in cases.items()}
        return {mark: text for mark, text in texts.items() if text is not None}

    def read(self, mark: str, parts: Iterable[object] = ()) -> bytes | None:
        """Return the text of a finished case; ``None`` if there is none yet.

        A result is passed over if a file that one of the own ``parts`` needed has changed since.

        Raises
        ------
        InputError
            A file of such a name is not what Headroom wrote.
        """
        parts = tuple(parts)
        for path in sorted(self.path.glob(f"{_stem(mark)}*.json")):
            text = self._read(path, mark)
            files = _files_in(text)
            if hold(files, parts):
                learn(files, parts)
                return text
        return None

    def _read(self, path: Path, mark: str) -> bytes:
        text = content_of(path)
        try:
            result_in(text, mark)
        except (ValueError, RecursionError) as error:
            reason = "is damaged" if isinstance(error, json.JSONDecodeError) else str(error)
            raise InputError(f"{path} {reason}; {REMEDY}") from None
        return text

    def write(self, mark: str, text: bytes) -> None:
        """Write the file of a finished case; one that another run has just written is left.

        Raises
        ------
        InputError
            It cannot be written, or another file has its name.
        """
        path = self.path / f"{_stem(mark, _files_in(text))}.json"
        if not written(path, text):
            self._read(path, mark)


def _stem(mark: str, files: Sequence[Files] = ()) -> str:
    """Name of a file; results of own parts that needed other files have other names."""
    return mark[:24] + (f"-{_digest(files)[:12]}" if files else "")


def _files_in(text: bytes) -> list[Files]:
    files: list[Files] = json.loads(text)["files"]
    return files


def _digest(*values: Any) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
