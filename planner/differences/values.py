"""Two runs side by side: what was given differently, and what came out differently."""

from __future__ import annotations

import errno
import json
import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from planner.errors import InputError
from planner.study import FORMAT, read_study
from scenarios.faults import Fault, ScenarioError

LARGEST_BYTES = 64 << 20
_WHOLE_NAMES = ("quantity", "over")
"""Text under these keys names an entry alone; a quantity that is a number counts items."""

_FORMATS = (1, FORMAT)
_SKIPPED = ("curves", "model_digest", "sha256", "regrets", "scores_drawn", "study")


@dataclass(frozen=True)
class ValueChange:
    """One value that differs.

    Attributes
    ----------
    keys
        Path in plan.json; lists go by application, name or place.
    first, second
        The values; ``None`` where one run lacks it.
    difference, ratio
        second - first and second / first, for numbers.
    """

    keys: tuple[str, ...]
    first: Any
    second: Any
    difference: float | None
    ratio: float | None

    @property
    def where(self) -> str:
        """The path, with dots between its keys; a name may itself have dots."""
        return ".".join(self.keys)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "where": self.where,
            "first": self.first,
            "second": self.second,
            "difference": self.difference,
            "ratio": self.ratio,
        }


def read_plan(file: str | os.PathLike[str]) -> dict[str, Any]:
    """Read plan.json, given itself or its folder.

    Raises
    ------
    ScenarioError
        Missing, too large, not JSON, or no plan of ours.
    """
    path = Path(file)
    file_name = str(file)
    try:
        if path.is_dir():
            path /= "plan.json"
        data = _start_of(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ScenarioError([Fault(file_name, 0, "", f"no plan.json to read: {reason}")]) from error
    if len(data) > LARGEST_BYTES:
        raise ScenarioError([Fault(file_name, 0, "", "plan.json is larger than 64 MiB")])
    try:
        plain = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise ScenarioError([Fault(file_name, 0, "", f"plan.json is not JSON: {error}")]) from error
    found = plain.get("format") if isinstance(plain, dict) and "scenario" in plain else None
    if found not in _FORMATS or (found == FORMAT and "study" not in plain):
        message = "is not a plan.json of format 1 or 2; write one with headroom plan"
        raise ScenarioError([Fault(file_name, 0, "", message)])
    if found == FORMAT:
        try:
            read_study(data, file_name)
        except InputError as error:
            message = str(error).removeprefix(f"{file_name} ")
            raise ScenarioError([Fault(file_name, 0, "", message)]) from error
    read: dict[str, Any] = plain
    return read


def _start_of(path: Path) -> bytes:
    if path.exists() and not path.is_file():  # a pipe might never answer
        raise OSError(errno.EINVAL, "it is not a regular file")
    with path.open("rb") as stream:
        return stream.read(LARGEST_BYTES + 1)


def _no_number(name: str) -> None:
    raise ValueError(f"it holds {name}")


def difference(first: dict[str, Any], second: dict[str, Any]) -> tuple[ValueChange, ...]:
    """Return every value that differs, inputs first; figure data and hashes are left out."""
    before, after = dict(leaves(first)), dict(leaves(second))
    paths = [*before, *(path for path in after if path not in before)]
    changes = [
        _change(path, before.get(path), after.get(path))
        for path in paths
        if before.get(path) != after.get(path)
    ]
    return tuple(sorted(changes, key=lambda change: change.keys[0] != "inputs"))


def _change(keys: tuple[str, ...], first: Any, second: Any) -> ValueChange:
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (first, second))
    if not numbers:
        return ValueChange(keys, _finite(first), _finite(second), None, None)
    try:
        step, ratio = float(second - first), second / first if first else None
    except OverflowError:  # integers beyond any double
        return ValueChange(keys, first, second, None, None)
    return ValueChange(keys, _finite(first), _finite(second), _finite(step), _finite(ratio))


def _finite(value: Any) -> Any:
    """JSON knows no infinity, although 1e999 reads as one."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def leaves(plan: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield values with their paths, in the order of the file; not recursive, for hostile depth."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), plan)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, Mapping):
            inner = [
                (str(key), inner_value) for key, inner_value in value.items() if key not in _SKIPPED
            ]
        elif isinstance(value, list):
            inner = list(zip(_labels(value), value, strict=True))
        else:
            yield path, value
            continue
        waiting += [((*path, key), inner_value) for key, inner_value in reversed(inner)]


def _labels(entries: list[Any]) -> list[str]:
    """Name list entries by what identifies them, else by place; number those of one name."""
    labels = []
    seen: Counter[str] = Counter()
    for number, entry in enumerate(entries, start=1):
        label = _label(entry) or str(number)
        seen[label] += 1
        labels.append(label if seen[label] == 1 else f"{label} #{seen[label]}")
    return labels


def _label(entry: Any) -> str:
    if not isinstance(entry, dict):
        return ""
    keys = (
        "application", "design", "name", "method", "regime", "rating", "node_type", "cap_w",
        "workload", "demand", "item", "resource", "change", "criterion", "what", "parameter",
        "side", "value",
    )  # fmt: skip
    alone = [entry[key] for key in _WHOLE_NAMES if isinstance(entry.get(key), str)]
    parts = alone[:1] or [entry.get(key) for key in keys]
    return " ".join(str(part) for part in parts if isinstance(part, str | int | float))
