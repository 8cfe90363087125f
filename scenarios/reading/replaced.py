"""A scenario with some values replaced: by key path, and validated as a file is."""

from __future__ import annotations

import copy
import json
import re
import sys
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from scenarios.faults import Fault, ScenarioError
from scenarios.formatting import dotted, nearest, short
from scenarios.model.scenario import Scenario
from scenarios.positions import NO_LINES, KeyPath
from scenarios.reading.groups import entries
from scenarios.reading.named_files import named_files
from scenarios.reading.source import Source
from scenarios.reading.validation import remarked, validated

_STEP = re.compile(r"\[([^\[\]]+)\]|([^.\[\]]+)")
_LONGEST_PATH = 1000


class _UnknownPathError(Exception):
    """A path leads nowhere; says why and what to write."""


def with_values(scenario: Scenario, values: Mapping[str, Any]) -> Scenario:
    """Copy a scenario with some values replaced, validated as a file is.

    Parameters
    ----------
    values
        New values by key path. A path is written as in error messages: ``power.bound_w``, or
        ``node_types[2].price``, counted from 1. Entries that have a name are found by it too:
        ``node_types.ivy-bridge.price`` or ``workloads[my code].weight``. ``None`` takes a key or
        an entry away, so that the default of the format holds.

    Returns
    -------
    Scenario
        The copy. It knows the files of the other one, and what was replaced.

    Raises
    ------
    ScenarioError
        It lists every error: unknown paths, and values that a file could not have.

    Examples
    --------
    >>> import headroom as hr
    >>> hr.with_values(hr.load("thesis-7kw"), {"power.bound_w": 8e3}).power.bound_w
    8000.0
    """
    before: dict[str, Any] = _plain(scenario.model_dump(exclude_unset=True))
    defaults: dict[str, Any] = _plain(scenario.model_dump())
    raw, faults = copy.deepcopy(before), []
    for path, value in values.items():
        try:
            _put(raw, defaults, path, _plain(value))
        except _UnknownPathError as error:
            faults.append(Fault(scenario.name, 0, path, str(error)))
    raw = _without_nothing(raw)
    faults += [Fault(scenario.name, 0, *each) for each in _would_be_read_again(before, raw)]
    if faults:
        raise ScenarioError(faults)
    source = Source(scenario.name, NO_LINES, raw)
    made = validated(source)
    stated = {path: _as_json(value) for path, value in values.items()}
    known = dict(scenario.provenance.changes)
    now = {
        "of_values": remarked(made, source),
        "changes": tuple({**{p: v for p, v in known.items() if p not in stated}, **stated}.items()),
    }
    return made.with_provenance(scenario.provenance.model_copy(update=now))


def _put(raw: dict[str, Any], defaults: dict[str, Any], path: str, value: Any) -> None:
    """Put a value at a path; a list on the way that only has its default is written down."""
    holder: Any = raw
    usual: Any = defaults
    here: KeyPath = ()
    rest = path
    while True:
        key, rest = _next(holder, rest, here)
        here = (*here, key)
        if not rest:
            holder[key] = value
            return
        usual = _below(usual, key)
        if isinstance(holder, dict) and holder.get(key) is None:
            holder[key] = copy.deepcopy(usual) if isinstance(usual, list) else {}
        holder = holder[key]


def _next(holder: Any, path: str, here: KeyPath) -> tuple[str | int, str]:
    """The key that a path begins with, and the rest of the path."""
    if not isinstance(holder, dict | list):
        message = f"{dotted(here)} = {short(holder)} is not a table or list; end the path there"
        raise _UnknownPathError(message)
    names = _names(holder)
    fitting = [name for name in names if name and re.match(rf"{re.escape(name)}([.\[]|$)", path)]
    matched = _STEP.match(path)
    if len(path) > _LONGEST_PATH or not (fitting or matched):
        message = "is not a key path; write one as in power.bound_w or node_types[2].price"
        raise _UnknownPathError(message)
    text = max(fitting, key=len) if fitting else ""
    length, bracketed = len(text), ""
    if matched and not fitting:
        bracketed, text, length = matched[1] or "", matched[1] or matched[2], matched.end()
    rest = path[length:]
    rest = rest[1:] if rest[:1] == "." and rest[1:] else rest
    if isinstance(holder, dict):
        return text, rest
    return (names.index(text) if text in names else _number(bracketed, holder, text, here)), rest


def _number(bracketed: str, holder: list[Any], text: str, here: KeyPath) -> int:
    """The place of an entry that is given by its number from 1, in brackets."""
    if re.fullmatch(r"[0-9]{1,6}", bracketed):
        if 1 <= int(bracketed) <= len(holder):
            return int(bracketed) - 1
        raise _UnknownPathError(f"{dotted(here)} has {len(holder)} entries, counted from 1")
    names = [name for name in _names(holder) if name]
    if not names:
        message = f"{dotted(here)} has no named entries; write its number, as in {dotted(here)}[1]"
        raise _UnknownPathError(message)
    raise _UnknownPathError(
        f"{dotted(here)} has no entry named {short(text)}; {nearest(text, names)}"
    )


def _names(holder: dict[str, Any] | list[Any]) -> list[str]:
    """The keys of a table, or the names of a list's entries; empty for one without."""
    if isinstance(holder, dict):
        return [*holder]
    named = (entry.get("name") if isinstance(entry, dict) else None for entry in holder)
    return [name if isinstance(name, str) else "" for name in named]


def _below(holder: Any, key: str | int) -> Any:
    try:
        return holder[key]
    except (KeyError, IndexError, TypeError):
        return None


def _would_be_read_again(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, str]]:
    """Path and message of changes that only reading the files again could follow."""
    found = []
    if before.get("quotes") != after.get("quotes"):
        message = (
            "the quotes were read when the scenario was loaded; replace node_types, or load "
            "another scenario"
        )
        found.append(("quotes", message))
    sheets = {each.get("name"): each.get("sheet") for each in entries(before, "packages")}
    for each in entries(after, "packages"):
        if each.get("sheet") != sheets.get(each.get("name")):
            message = f"the sheet of {short(each.get('name'))} was not read when the scenario was "
            message += "loaded; replace lines, or load another scenario"
            found.append(("packages", message))
    currencies = [_below(each.get("budget"), "currency") or "USD" for each in (before, after)]
    if (before.get("quotes") or any(sheets.values())) and currencies[0] != currencies[1]:
        message = f"the prices of sheets were read in {short(currencies[0])}; load another scenario"
        found.append(("budget.currency", message))
    read = _named(before)
    for group, name in sorted(_named(after) - read):
        remedy = "give the values themselves" if group == "workloads" else "load another scenario"
        message = f"{short(name)} was not read when the scenario was loaded; {remedy}"
        found.append((group, message))
    return found


def _named(raw: dict[str, Any]) -> set[tuple[str, str]]:
    """Group and name of every file that the values name."""
    return {(str(each.where[0]), each.name) for each in named_files(Source("", NO_LINES, raw))}


def numpy_free(value: Any) -> Any:
    """A number or array of numpy as plain values; anything else as it is.

    A number of few bits becomes the shortest decimal that it stands for.

    Examples
    --------
    >>> import numpy as np
    >>> numpy_free(np.float32(0.1)), numpy_free(np.array([7])), numpy_free("text")
    (0.1, [7], 'text')
    """
    if "numpy" not in sys.modules:  # then nothing is of numpy, and a command need not load it
        return value
    import numpy as np

    if isinstance(value, np.ndarray):
        return [numpy_free(each) for each in value] if value.ndim else numpy_free(value[()])
    if isinstance(value, np.floating):
        return float(str(value))
    return value.item() if isinstance(value, np.generic) else value


def _plain(value: Any) -> Any:
    """A value as a file would give it: lists and tables of plain values."""
    if isinstance(value, BaseModel):
        return _plain(value.model_dump(exclude_unset=True))
    value = numpy_free(value)
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _without_nothing(value: Any) -> Any:
    """Without the keys and entries that are ``None``: a file has no such value."""
    if isinstance(value, dict):
        return {key: _without_nothing(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_without_nothing(each) for each in value if each is not None]
    return value


def _as_json(value: Any) -> str:
    return json.dumps(_plain(value), ensure_ascii=False, default=str)
