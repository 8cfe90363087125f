"""All that a stored result depends on, so that none is used again after any of it changed.

Known before a run: the question, this program, and the files of own parts with every version that
is installed. Known after it: the modules and files that own parts used. A result is stored under a
digest of the former, with a list of the latter; it is used again where both hold.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import distributions
from typing import Any

from planner.dependences import files as part_files
from planner.dependences.files import Files
from planner.parts import every_loaded, is_own, loaded_from
from planner.version import program_digest


def mark_of(content: Mapping[str, Any], parts: Iterable[object] = ()) -> str:
    """Return a digest of all that a result depends on, as far as it is known before the run.

    Parameters
    ----------
    content
        The question, as plain values.
    parts
        Parts whose code the run calls; only own ones count.
    """
    own = [loaded_from(part) for part in parts if is_own(part)]
    inputs: dict[str, Any] = {"content": content, "program": program_digest()}
    if own:
        inputs["parts"] = [loaded and (loaded.path.name, loaded.sha256) for loaded in own]
        inputs["installed"] = installed()
    return hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).hexdigest()


@cache
def installed() -> dict[str, str]:
    """Return the version of every library here: an own part may import any of them."""
    versions = {each.metadata["Name"]: each.version for each in distributions()}
    return {str(name): versions[name] for name in sorted(versions, key=str)}


def files_needed(parts: Iterable[object]) -> list[Files]:
    """Return the files that each own part needed so far, in the order of the parts."""
    own = [loaded_from(part) for part in parts if is_own(part)]
    return [part_files.files_needed(loaded.folder) if loaded else {} for loaded in own]


def learn(files: Sequence[Files], parts: Iterable[object]) -> None:
    """Take over what own parts needed in a worker or in the run that a kept result is from."""
    own = [loaded_from(part) for part in parts if is_own(part)]
    for loaded, needed in zip(own, files, strict=True):
        if loaded:
            part_files.learn(loaded.folder, needed)


def record() -> dict[str, Any]:
    """Return all that the results of this process depend on besides their inputs, for run.json."""
    plain: dict[str, Any] = {"program": program_digest()}
    loaded_parts = every_loaded()
    elsewhere = part_files.sources_elsewhere() if loaded_parts else {}
    parts = [
        {
            "file": str(loaded.path),
            "sha256": loaded.sha256,
            "needs": part_files.files_needed(loaded.folder, elsewhere),
        }
        for loaded in loaded_parts
    ]
    return plain | ({"installed": installed(), "parts": parts} if parts else {})


def hold(files: Sequence[Files], parts: Iterable[object]) -> bool:
    """Return whether all files that own parts needed are as they were."""
    own = [loaded_from(part) for part in parts if is_own(part)]
    if len(own) != len(files):
        return False
    return all(
        part_files.unchanged(loaded.folder, needed) if loaded else not needed
        for loaded, needed in zip(own, files, strict=True)
    )
