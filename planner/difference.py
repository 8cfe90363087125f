"""Two runs side by side: what was given differently, and what came out differently."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from scenarios.faults import Fault, ScenarioError

LARGEST_BYTES = 64 << 20
_SKIPPED = ("curves", "model_digest", "sha256")


@dataclass(frozen=True)
class Change:
    """One value that differs.

    Attributes
    ----------
    where
        Dotted path in plan.json; lists go by application, name or place.
    first, second
        The values; ``None`` where one run lacks it.
    difference, ratio
        second - first and second / first, for numbers.
    """

    where: str
    first: Any
    second: Any
    difference: float | None
    ratio: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def read_plan(place: str | os.PathLike[str]) -> dict[str, Any]:
    """Read plan.json, given itself or its folder.

    Raises
    ------
    ScenarioError
        Missing, too large, not JSON, or no plan of ours.
    """
    path = Path(place)
    shown = str(place)
    try:
        if path.is_dir():
            path /= "plan.json"
        with path.open("rb") as stream:
            data = stream.read(LARGEST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ScenarioError([Fault(shown, 0, "", f"no plan.json to read: {reason}")]) from error
    if len(data) > LARGEST_BYTES:
        raise ScenarioError([Fault(shown, 0, "", "plan.json is larger than 64 MiB")])
    try:
        plain = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ScenarioError([Fault(shown, 0, "", f"plan.json is not JSON: {error}")]) from error
    if not isinstance(plain, dict) or plain.get("format") != 1 or "scenario" not in plain:
        raise ScenarioError([Fault(shown, 0, "", "is no plan.json of format 1")])
    return plain


def difference(first: dict[str, Any], second: dict[str, Any]) -> tuple[Change, ...]:
    """Every value that differs, inputs first; figure data and hashes are left out."""
    before, after = dict(_leaves(first, "")), dict(_leaves(second, ""))
    paths = [*before, *(path for path in after if path not in before)]
    changes = [
        _change(path, before.get(path), after.get(path))
        for path in paths
        if before.get(path) != after.get(path)
    ]
    return tuple(sorted(changes, key=lambda change: not change.where.startswith("inputs")))


def _change(where: str, first: Any, second: Any) -> Change:
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (first, second))
    if not numbers:
        return Change(where, first, second, None, None)
    return Change(where, first, second, second - first, second / first if first else None)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in _SKIPPED:
                yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for place, inner in enumerate(value, start=1):
            yield from _leaves(inner, f"{path}.{_label(inner, place)}")
    else:
        yield path, value


def _label(entry: Any, place: int) -> str:
    """What a list entry is called: by what identifies it, else its place."""
    if not isinstance(entry, dict):
        return str(place)
    parts = [entry.get(key) for key in ("application", "design", "name", "parameter", "value")]
    if "quantity" in entry:
        parts = [entry["quantity"]]
    label = " ".join(str(part) for part in parts if isinstance(part, str | int | float))
    return label or str(place)
