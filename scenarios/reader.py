"""From a TOML file to a :class:`~scenarios.models.Scenario`, or to all its faults at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from scenarios.cross_check import cross_check
from scenarios.faults import Fault, ScenarioError
from scenarios.fields import LARGEST
from scenarios.files import TextFile, inside, read_text
from scenarios.models import Provenance, Scenario
from scenarios.positions import Path as KeyPath
from scenarios.positions import Positions, find_positions
from scenarios.quotes import read_quotes
from scenarios.tables import read_times
from scenarios.wording import dotted, entries, nearest, short

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
    typed = len(entries(raw, "node_types"))
    faults, files = _attach_quotes(raw, path.parent, file.name, positions)
    wrong_tables, tables = _attach_tables(raw, path.parent, file.name, positions)
    faults, files = faults + wrong_tables, files + tables
    broken_quotes = bool(faults)
    faults += [
        _placed(Fault(file.name, positions.line(where), dotted(where), message), where, raw, typed)
        for where, message in islice(cross_check(raw), MOST_FAULTS + 1)
        if not (broken_quotes and _hangs_on_quotes(where))
    ]
    try:
        scenario = Scenario.model_validate(raw)
    except ValidationError as error:
        wrong = error.errors()
        faults += [
            _placed(_fault(each, raw, file.name, positions), each["loc"], raw, typed)
            for each in wrong[:MOST_FAULTS]
        ]
        raise ScenarioError(_foremost(faults, file.name, len(wrong[MOST_FAULTS:]))) from None
    if faults:
        raise ScenarioError(_foremost(faults, file.name))
    read = ((Path(each.name).name, each.sha256) for each in (file, *files))
    hashes = tuple(dict.fromkeys(read))
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


def _attach_quotes(
    raw: dict[str, Any], folder: Path, shown: str, positions: Positions
) -> tuple[list[Fault], list[TextFile]]:
    """Read the quotes of vendors' sheets into the catalogue, behind what is typed there."""
    faults: list[Fault] = []
    files: list[TextFile] = []
    budget = raw.get("budget")
    currency = budget.get("currency", "USD") if isinstance(budget, dict) else "USD"
    catalogue = raw.get("node_types", [])
    if not isinstance(catalogue, list) or not isinstance(currency, str):
        return faults, files
    quotes: list[dict[str, Any]] = []
    for index, table in enumerate(entries(raw, "quotes")):
        found, wrong, read = read_quotes(table, folder, shown, currency)
        where: KeyPath = ("quotes", index)
        for fault in wrong:
            if fault.file == shown and not fault.line:
                keys = [*where, *fault.where.split(".")[1:]]
                path = tuple(keys)
                fault = Fault(shown, positions.line(path), dotted(path), fault.message)  # noqa: PLW2901
            faults.append(fault)
        quotes += found
        files += read
    if quotes:
        raw["node_types"] = [*catalogue, *quotes]
    return faults, files


def _placed(
    fault: Fault, where: tuple[int | str, ...], raw: Mapping[str, Any], typed: int
) -> Fault:
    """A fault of a quote stands in the sheet's row, not in the scenario."""
    if where[:1] != ("node_types",) or len(where) < 2 or not isinstance(where[1], int):
        return fault
    if where[1] < typed:
        return fault
    origin = str(entries(raw, "node_types")[where[1]].get("origin", fault.file))
    key = ".".join(str(part) for part in where[2:])
    return Fault(origin, 0, key, fault.message)


def _hangs_on_quotes(where: KeyPath) -> bool:
    """Whether a check says nothing new while quotes could not be read."""
    return where[:1] in (("workloads",), ("requirements",), ("procurement",))


def _attach_tables(
    raw: dict[str, Any], folder: Path, shown: str, positions: Positions
) -> tuple[list[Fault], list[TextFile]]:
    """Read the CSV files that workloads name into the raw data."""
    faults: list[Fault] = []
    files: list[TextFile] = []
    for index, workload in enumerate(entries(raw, "workloads")):
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
            faults.append(Fault(shown, positions.line(where), dotted(where), message))
            time.update(nodes=[1], time_s=[1.0])
            continue
        try:
            table = read_text(target, str(folder / time["file"]))
        except ScenarioError as error:
            here = Fault(shown, positions.line(where), dotted(where), "")
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
        remedy = nearest(key, sorted(_fields_at(path[:-1], raw)))
        message = f"unknown key {short(key)}; {remedy}"
    elif kind == "missing":
        message = "is missing; add it"
    elif kind.startswith("union_tag"):
        path = (*path, "kind")
        given = value.get("kind") if isinstance(value, dict) else None
        message = "is missing" if given is None else f"{short(given)} is unknown"
        message += "; write 'linear' or 'table'"
    elif kind == "value_error":
        message = str(details["ctx"]["error"]) if "ctx" in details else details["msg"]
        group = _at(raw, path)
        named = (word for word in re.findall(r"[a-z_]+", message) if word in group)
        path = (*path, *islice(named, 1))  # the line of the key that the message names
    elif kind == "string_pattern_mismatch":
        message = (
            f"{short(value)} is too long or holds characters that do not belong here; rewrite it"
        )
    elif kind == "too_long":
        message = f"has {len(value)} entries; give at most {details['ctx']['max_length']}"
    elif kind == "model_type":
        message = f"{short(value)} stands where a table belongs; write its keys below a header"
    elif isinstance(value, int) and abs(value) > LARGEST:
        message = f"{short(value)} is too large for any quantity; correct it"
    else:
        text = details["msg"].replace("Input should be", "should be", 1)
        message = f"{short(value)} {text[0].lower()}{text[1:]}; correct it"
    return Fault(shown, positions.line(path), dotted(path), message)


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
