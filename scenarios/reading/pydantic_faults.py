"""What pydantic finds wrong, in our words and at the right line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from scenarios.faults import Fault
from scenarios.fields import CURRENCY_PATTERN, IDENTIFIER_PATTERN, LARGEST
from scenarios.formatting import nearest, short, text_error
from scenarios.model.scenario import Scenario
from scenarios.positions import KeyPath
from scenarios.reading.source import Source
from scenarios.tables.cell_text import LONGEST_LABEL

_SEVERAL_KINDS = ("time", "performance")
_DATE = "should be a date; write it without quotation marks or time of day, as in 2027-03-31"
_LIST = "should be a list; write it in square brackets"
_BELONGS = {
    "date_type": _DATE, "date_parsing": _DATE, "date_from_datetime_inexact": _DATE,
    "date_from_datetime_parsing": _DATE, "tuple_type": _LIST, "list_type": _LIST,
    "string_type": "should be a text; write it in quotation marks",
    "float_type": "should be a number; write it without quotation marks or unit",
    "int_type": "should be a whole number; write it without decimals, quotation marks or unit",
    "bool_type": "should be true or false; write one of them",
    "dict_type": "should be a table; write its keys in braces, as in { key = value }",
}  # fmt: skip


def in_our_words(details: ErrorDetails, source: Source, whole: type[BaseModel] = Scenario) -> Fault:
    """One pydantic error in our words; ``whole`` is the model of the file."""
    raw = source.raw
    path = as_written(details["loc"], raw)
    kind, value = details["type"], details["input"]
    if details["loc"][-1:] == ("[key]",):
        message = _wrong_key(details)
    elif kind == "extra_forbidden":
        key = str(path[-1])
        known = {name for model in _models_at(path[:-1], raw, whole) for name in model.model_fields}
        message = f"unknown key {short(key)}; {nearest(key, sorted(known))}"
    elif kind == "missing":
        message = "is missing; add it"
    elif kind.startswith("union_tag"):
        path = (*path, "kind")
        given = value.get("kind") if isinstance(value, dict) else None
        message = "is missing" if given is None else f"{short(given)} is unknown"
        message += f"; write {_one_of(_models_at(path[:-1], {}, whole))}"
    elif kind == "value_error":
        message = str(details["ctx"]["error"]) if "ctx" in details else details["msg"]
        group = _at(raw, path)
        named = (word for word in re.findall(r"[a-z_]+", message) if word in group)
        path = (*path, *islice(named, 1))  # the line of the key that the message names
    else:
        message = _wrong_value(details)
    return source.here(path, message)


def _wrong_value(details: ErrorDetails) -> str:
    """What is wrong with a value that has a place."""
    kind, value = details["type"], details["input"]
    if kind == "string_pattern_mismatch":
        return _wrong_text(str(value), details["ctx"]["pattern"])
    if kind == "too_short":
        return f"has {len(value)} entries; give at least {details['ctx']['min_length']}"
    if kind == "too_long":
        return f"has {len(value)} entries; give at most {details['ctx']['max_length']}"
    if kind == "model_type" and details["ctx"]["class_name"] == "Column":
        return f"{short(value)} is not a heading; write the heading of the sheet in quotation marks"
    if kind == "model_type":
        return f"{short(value)} should be a table; write its keys below a header"
    if kind in _BELONGS and not _is_endless(details):
        return f"{short(value)} {_BELONGS[kind]}"
    if _is_endless(details):
        return f"{short(value)} is too large to be a quantity; correct it"
    text = details["msg"].replace("Input should be", "should be", 1)
    return f"{short(value)} {text[0].lower()}{text[1:]}; correct it"


def _is_endless(details: ErrorDetails) -> bool:
    """Whether a whole number is given where one belongs, and is beyond all quantities."""
    value = details["input"]
    return isinstance(value, int) and abs(value) > LARGEST and details["type"] != "string_type"


def is_new(details: ErrorDetails) -> bool:
    """Whether an error says more than others do: pydantic also counts what it found wrong."""
    if details["type"] != "too_short":
        return True
    given = details["input"]
    return not isinstance(given, list) or len(given) < details["ctx"]["min_length"]


def as_written(path: KeyPath, raw: Mapping[str, Any]) -> KeyPath:
    """Return the part of pydantic's path that is in the file.

    Two parts are dropped: the kinds that follow the keys of models of several kinds, and what
    pydantic adds to a value. It adds the types of a union, the field that a plain text stands for,
    and ``[key]``.
    """
    kept: list[str | int] = []
    holder: Any = raw
    before: str | int | None = None
    for part in path:
        tag, before = before in _SEVERAL_KINDS, part
        if tag:
            continue
        if part == "[key]" or not isinstance(holder, dict | list):
            break
        kept.append(part)
        try:
            holder = holder[part]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            holder = None
    return tuple(kept)


def _wrong_key(details: ErrorDetails) -> str:
    key, kind = str(details["input"]), details["type"]
    if kind == "literal_error":
        return f"unknown key {short(key)}; {nearest(key, _listed(details))}"
    if kind == "string_pattern_mismatch":
        return _wrong_text(key, details["ctx"]["pattern"])
    if kind == "value_error":
        return str(details["ctx"]["error"])
    return f"{short(key)} is not allowed as a key here; correct it"


def _listed(details: ErrorDetails) -> list[str]:
    """The values that a literal may have."""
    return re.findall(r"'([^']*)'", details["ctx"]["expected"])


def _wrong_text(text: str, pattern: str) -> str:
    """Why a text does not match the pattern of its field."""
    if pattern == CURRENCY_PATTERN:
        return f"{short(text)} is not a currency; write three capital letters, as in EUR"
    if pattern == IDENTIFIER_PATTERN:
        trouble = text_error(text, 64)
        return trouble or (
            f"{short(text)} is not a valid name; use letters A to Z, digits, '.', '_' and '-', "
            "and begin "
            "with a letter or digit"
        )
    most = int(re.findall(r"[0-9]+", pattern)[-1])
    is_label = most == LONGEST_LABEL
    trouble = text_error(text, most, int(is_label), allowed="" if is_label else "\t\n")
    return trouble or f"{short(text)} contains characters that are not allowed here; remove them"


def _one_of(models: list[type[BaseModel]]) -> str:
    kinds = [kind for model in models for kind in get_args(model.model_fields["kind"].annotation)]
    return " or ".join(f"{kind!r}" for kind in kinds)


def _models_at(
    path: KeyPath, raw: Mapping[str, Any], whole: type[BaseModel]
) -> list[type[BaseModel]]:
    """Models that the group at ``path`` may be of, by its kind in the raw data if it has one."""
    models: list[type[BaseModel]] = [whole]
    for depth, part in enumerate(path, start=1):
        if isinstance(part, int):
            continue
        below = [
            found
            for model in models
            if part in model.model_fields
            for found in _models_in(model.model_fields[part].annotation)
        ]
        models = below or models  # a key of a mapping leads no deeper
        if len(models) > 1:
            kind = _at(raw, path[:depth]).get("kind")
            chosen = [m for m in models if kind in get_args(m.model_fields["kind"].annotation)]
            models = chosen or models
    return models


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models_in(part)]


def _at(raw: Any, path: KeyPath) -> dict[str, Any]:
    for part in path:
        try:
            raw = raw[part]
        except (KeyError, IndexError, TypeError):
            return {}
    return raw if isinstance(raw, dict) else {}
