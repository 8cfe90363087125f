"""From a TOML file to a :class:`~scenarios.models.Scenario`, or to all its faults at once."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from scenarios.faults import Fault, ScenarioError
from scenarios.fields import LARGEST
from scenarios.files import TextFile, inside, read_text
from scenarios.models import Provenance, Scenario
from scenarios.positions import Path as KeyPath
from scenarios.positions import Positions, find_positions
from scenarios.tables import read_times

DEEPEST_KEY = 8
MOST_VALUES = 50_000
MOST_FAULTS = 100
_QUOTED = re.compile(
    r"#[^\n]*"
    r'|"""(?:[^\\]|\\.)*?"""'
    r"|'''.*?'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_DEEP_KEY = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{DEEPEST_KEY}}}")
_LONG_NUMBER = re.compile(r"\d[\d_]{4299}")


def read_scenario(path: Path, shown: str = "") -> Scenario:
    """Read, validate and cross-check one scenario.

    Parameters
    ----------
    path
        The TOML file. Files that it names must lie in its folder.
    shown
        What to call it in messages; by default the path as given.

    Raises
    ------
    ScenarioError
        With every fault that could be found, each with file and line.
    """
    file = read_text(path, shown or str(path))
    raw = parse_toml(file)
    positions = find_positions(file.text)
    faults, files = _attach_tables(raw, path.parent, file.name, positions)
    faults += [
        Fault(file.name, positions.line(where), _dotted(where), message)
        for where, message in islice(_cross_check(raw), MOST_FAULTS + 1)
    ]
    try:
        scenario = Scenario.model_validate(raw)
    except ValidationError as error:
        wrong = error.errors()
        faults += [_fault(each, raw, file.name, positions) for each in wrong[:MOST_FAULTS]]
        raise ScenarioError(_foremost(faults, file.name, len(wrong[MOST_FAULTS:]))) from None
    if faults:
        raise ScenarioError(_foremost(faults, file.name))
    hashes = tuple((Path(each.name).name, each.sha256) for each in (file, *files))
    return scenario.with_provenance(Provenance(files=hashes))


def _foremost(faults: list[Fault], shown: str, further: int = 0) -> list[Fault]:
    """The faults that one can read; a note stands for the others."""
    kept = sorted(faults)[:MOST_FAULTS]
    further += len(faults) - len(kept)
    if not further:
        return kept
    return [*kept, Fault(shown, 0, "", f"at least {further} further faults; correct these first")]


def parse_toml(file: TextFile) -> dict[str, Any]:
    """Parse with tomllib, after a look for texts that would take it for ever.

    Raises
    ------
    ScenarioError
        Not TOML (in tomllib's own words), or nested or filled beyond reason.
    """
    bare = _QUOTED.sub(lambda found: "q" + "\n" * found[0].count("\n"), file.text)
    deep = _DEEP_KEY.search(bare)
    if deep is not None:
        line = bare[: deep.start()].count("\n") + 1
        message = f"a key has more than {DEEPEST_KEY} parts; no scenario key has more than 4"
        raise ScenarioError([Fault(file.name, line, "", message)])
    try:
        raw = tomllib.loads(file.text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = int(found[1]) if found else file.text.count("\n") + 1
        raise ScenarioError([Fault(file.name, line, "", f"not valid TOML: {error}")]) from None
    except ValueError:  # Python's own limit on the digits of an integer
        long = _LONG_NUMBER.search(file.text)
        line = 0 if long is None else file.text.count("\n", 0, long.start()) + 1
        message = "an integer has thousands of digits; no quantity here is larger than 1e15"
        raise ScenarioError([Fault(file.name, line, "", message)]) from None
    except RecursionError:
        message = "not valid TOML: brackets or braces are nested too deeply"
        raise ScenarioError([Fault(file.name, 0, "", message)]) from None
    waiting: list[Any] = [raw]
    for value in waiting:
        if isinstance(value, dict | list):
            waiting += value.values() if isinstance(value, dict) else value
        if len(waiting) > MOST_VALUES:
            message = f"holds more than {MOST_VALUES} values; put measurements into CSV files"
            raise ScenarioError([Fault(file.name, 0, "", message)])
    return raw


def _attach_tables(
    raw: dict[str, Any], folder: Path, shown: str, positions: Positions
) -> tuple[list[Fault], list[TextFile]]:
    """Read the CSV files that workloads name into the raw data."""
    faults: list[Fault] = []
    files: list[TextFile] = []
    for index, workload in enumerate(_entries(raw, "workloads")):
        time = workload.get("time")
        if not isinstance(time, dict) or time.get("kind") != "table":
            continue
        if not isinstance(time.get("file"), str):
            continue
        where: KeyPath = ("workloads", index, "time", "file")
        target = inside(folder, time["file"])
        message = ""
        if target is None:
            message = f"{time['file']!r} leaves the scenario's folder; copy the file into it"
        elif "nodes" in time or "time_s" in time:
            message = "both a file and lists are given; keep one of them"
        if message or target is None:
            faults.append(Fault(shown, positions.line(where), _dotted(where), message))
            time.update(nodes=[1], time_s=[1.0])
            continue
        try:
            table = read_text(target, str(folder / time["file"]))
        except ScenarioError as error:
            here = Fault(shown, positions.line(where), _dotted(where), "")
            faults += [
                each if each.line else replace(here, message=f"{time['file']!r} {each.message}")
                for each in error.faults
            ]
            time.update(nodes=[1], time_s=[1.0])
            continue
        columns, wrong = read_times(table)
        faults += wrong
        files.append(table)
        time.update({"nodes": [1], "time_s": [1.0]} if wrong else columns)
    return faults, files


def _cross_check(raw: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Check references and uniqueness, on data that may still be wrong in other ways."""
    for group in ("node_types", "workloads"):
        seen: dict[str, int] = {}
        for index, entry in enumerate(_entries(raw, group)):
            name = entry.get("name")
            if isinstance(name, str) and name in seen:
                message = (
                    f"{_short(name)} is also the name of entry {seen[name] + 1}; names are unique"
                )
                yield (group, index, "name"), message
            elif isinstance(name, str):
                seen[name] = index
    names = (entry.get("name") for entry in _entries(raw, "node_types"))
    known = dict.fromkeys(name for name in names if isinstance(name, str))
    older = _older(raw)
    for where, name in _references(raw):
        if isinstance(name, str) and name not in known:
            yield where, f"no node type is called {_short(name)}; {_nearest(name, [*known])}"
        elif older and where[0] == "workloads" and isinstance(name, str) and name != older:
            yield where, f"measured on {_short(name)}; give run times on the older {_short(older)}"
    yield from _needs(raw)


def _older(raw: Mapping[str, Any]) -> str:
    """The node type that run times are wanted on; empty if that is not clear."""
    case = raw.get("overprovisioning")
    if not isinstance(case, dict):
        return ""
    older = case.get("older")
    known = [entry.get("name") for entry in _entries(raw, "node_types")]
    if isinstance(older, str) and older in known and older != case.get("high_end"):
        return older
    return ""


def _references(raw: Mapping[str, Any]) -> Iterator[tuple[KeyPath, Any]]:
    for index, workload in enumerate(_entries(raw, "workloads")):
        time = workload.get("time")
        if isinstance(time, dict) and "node_type" in time:
            yield ("workloads", index, "time", "node_type"), time["node_type"]
    case = raw.get("overprovisioning")
    if isinstance(case, dict):
        for role in ("high_end", "older"):
            if role in case:
                yield ("overprovisioning", role), case[role]


def _needs(raw: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    """Check what a study needs from other groups."""
    case = raw.get("overprovisioning")
    if not isinstance(case, dict):
        if isinstance(raw.get("machine"), dict):
            yield from _machine_needs(raw)
        else:
            message = (
                "nothing to decide; add [overprovisioning], or [machine] with [budget] "
                "for a cost per core-hour"
            )
            yield (), message
        return
    if "power" not in raw:
        yield ("overprovisioning",), "needs the power bound; add [power] bound_w"
    if not _entries(raw, "workloads"):
        yield ("overprovisioning",), "needs at least one application; add [[workloads]]"
    if "node_types" in raw and not _entries(raw, "node_types"):
        yield ("node_types",), "the catalogue is empty; add [[node_types]]"
    elif "node_types" not in raw:
        yield ("overprovisioning",), "needs a catalogue; add [[node_types]]"
    yield from _role_needs(raw, case)


def _role_needs(raw: Mapping[str, Any], case: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    racks = case.get("cost_ratio_from") == "racks"
    for role, power in (("high_end", "peak_w"), ("older", "idle_w")):
        for index, entry in enumerate(_entries(raw, "node_types")):
            if role not in case or entry.get("name") != case[role]:
                continue
            for key in (power, "price") if racks else (power,):
                if key not in entry:
                    yield ("node_types", index), f"{key} is missing; [overprovisioning] needs it"
    if racks and "rack" not in raw:
        yield ("overprovisioning", "cost_ratio_from"), "'racks' needs [rack]; add it"


def _machine_needs(raw: Mapping[str, Any]) -> Iterator[tuple[KeyPath, str]]:
    budget = raw.get("budget")
    if not isinstance(budget, dict):
        yield ("machine",), "a cost per core-hour needs [budget]; add it"
    elif "capital" not in budget:
        yield ("budget",), "capital is missing; a cost per core-hour needs it"


def _entries(raw: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    value = raw.get(key)
    if not isinstance(value, list):
        return []
    return [entry if isinstance(entry, dict) else {} for entry in value]


def _fault(
    details: ErrorDetails, raw: Mapping[str, Any], shown: str, positions: Positions
) -> Fault:
    """One pydantic error in our words."""
    path = details["loc"]
    if path[:1] == ("workloads",) and path[2:3] == ("time",):
        path = (*path[:3], *path[4:])  # pydantic puts the kind of time model between
    kind, value = details["type"], details["input"]
    if kind == "extra_forbidden":
        key = str(path[-1])
        remedy = _nearest(key, sorted(_fields_at(path[:-1], raw)))
        message = f"unknown key {_short(key)}; {remedy}"
    elif kind == "missing":
        message = "is missing; add it"
    elif kind.startswith("union_tag"):
        path = (*path, "kind")
        given = value.get("kind") if isinstance(value, dict) else None
        message = "is missing" if given is None else f"{_short(given)} is unknown"
        message += "; write 'linear' or 'table'"
    elif kind == "value_error":
        message = str(details["ctx"]["error"]) if "ctx" in details else details["msg"]
        group = _at(raw, path)
        named = (word for word in re.findall(r"[a-z_]+", message) if word in group)
        path = (*path, *islice(named, 1))  # the line of the key that the message names
    elif kind == "string_pattern_mismatch":
        message = (
            f"{_short(value)} is too long or holds characters that do not belong here; rewrite it"
        )
    elif kind == "too_long":
        message = f"has {len(value)} entries; give at most {details['ctx']['max_length']}"
    elif kind == "model_type":
        message = f"{_short(value)} stands where a table belongs; write its keys below a header"
    elif isinstance(value, int) and abs(value) > LARGEST:
        message = f"{_short(value)} is too large for any quantity; correct it"
    else:
        text = details["msg"].replace("Input should be", "should be", 1)
        message = f"{_short(value)} {text[0].lower()}{text[1:]}; correct it"
    return Fault(shown, positions.line(path), _dotted(path), message)


def _fields_at(path: KeyPath, raw: Mapping[str, Any]) -> set[str]:
    """Names of the fields that the group at ``path`` may have."""
    models: list[type[BaseModel]] = [Scenario]
    for part in path:
        if isinstance(part, int):
            continue
        models = [
            found
            for model in models
            if part in model.model_fields
            for found in _models_in(model.model_fields[part].annotation)
        ]
    kind = _at(raw, path).get("kind")
    if len(models) > 1 and kind is not None:
        chosen = [m for m in models if kind in get_args(m.model_fields["kind"].annotation)]
        models = chosen or models
    return {name for model in models for name in model.model_fields}


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


def _nearest(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name[:200], known[:200], n=3, cutoff=0.5)
    if close:
        return "did you mean " + " or ".join(_short(each) for each in close) + "?"
    listed = ", ".join(_clipped(each) for each in known[:20]) + (", ..." if known[20:] else "")
    return f"there {'are' if known else 'is'} {listed or 'none'}"


def _dotted(path: KeyPath) -> str:
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            text += ("." if text else "") + _clipped(part)
    return text


def _short(value: Any) -> str:
    if isinstance(value, dict | list | tuple):
        return "a table" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and value.bit_length() > 256:
        return f"an integer of {value.bit_length()} bits"
    return _clipped(str(value).lower() if isinstance(value, bool) else repr(value))


def _clipped(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."
