"""Read a :class:`~scenarios.Scenario` from a TOML file, or report all its errors at once."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from scenarios.faults import Fault, ScenarioError
from scenarios.files import TextFile, read_text
from scenarios.formatting import entries
from scenarios.model.scenario import Provenance, Scenario
from scenarios.positions import find_positions
from scenarios.quotes.names import settle_names
from scenarios.reading.attached import attach_quotes, attach_tables
from scenarios.reading.mistaken import configures_scheduler, mistaken
from scenarios.reading.schedule_files import attach_schedule
from scenarios.reading.validation import Source, remarked, validated

DEEPEST_KEY = 8
MOST_VALUES = 50_000
_QUOTED = re.compile(
    r"#[^\n]*"
    r'|"""(?:[^\\]|\\.)*?"""'
    r"|'''.*?'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_DEEP_KEY = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{DEEPEST_KEY}}}")
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_GROUPED = re.compile(r"=\s*([+-]?\d{1,3}([,. ])\d{3}(?:\2\d{3})*)\s*(?:#.*)?$")
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
        It lists every error that could be found, each with file and line.
    """
    _refuse_workbook(path, shown or str(path))
    file = read_text(path, shown or str(path), line_feeds=True)
    raw = _parsed(file)
    positions = find_positions(file.text)
    typed = len(entries(raw, "node_types"))
    attached = attach_quotes(raw, path.parent, file.name, positions)
    wrong_tables, tables = attach_tables(raw, path.parent, file.name, positions)
    wrong_logs, logs = attach_schedule(raw, path.parent, file.name, positions)
    faults = attached.faults + wrong_tables + wrong_logs
    files = attached.files + tables + logs
    settle_names(raw)

    source = Source(file.name, positions, raw, typed)
    scenario = validated(source, faults, whole=attached.whole)
    read = ((Path(each.name).name, each.sha256) for each in (file, *files))
    hashes = tuple(dict.fromkeys(read))
    warnings = tuple(
        str(replace(warning, file=Path(warning.file).name)) for warning in attached.warnings
    )
    paths = tuple(
        str(Path(each).absolute()) for each in (str(path), *(file.name for file in files))
    )
    doubts = remarked(scenario, source)
    return scenario.with_provenance(
        Provenance(files=hashes, paths=paths, warnings=warnings, remarks=doubts)
    )


def _refuse_workbook(path: Path, shown: str) -> None:
    """A table of quotes belongs into the scenario, not in its place."""
    try:
        if not path.is_file():
            return
        with path.open("rb") as stream:
            begin = stream.read(8)
    except (OSError, ValueError):
        return  # the reader of the file reports why it cannot be read
    if begin.startswith(_WORKBOOKS):
        message = (
            "is a workbook, not a scenario. A scenario is a TOML file; name workbooks of quotes in "
            "its [[quotes]] tables, as in the example that `headroom init` writes"
        )
        raise ScenarioError([Fault(shown, 0, "", message)])


def _grouped_number(line: str) -> str:
    """How to write a number whose thousands are separated; empty if the line has none."""
    found = _GROUPED.search(line)
    if found is None:
        return ""
    return f"; write {re.sub(r'[,. ]', '_', found[1])}"


def _parsed(file: TextFile) -> dict[str, Any]:
    try:
        raw = parse_toml(file)
    except ScenarioError:
        if not (what := mistaken(file.text)):
            raise
    else:
        if not configures_scheduler(raw):
            return raw
        message = (
            "is a scheduler configuration, not a scenario; use it with `headroom simulate --maui`"
        )
        raise ScenarioError([Fault(file.name, 0, "", message)])
    raise ScenarioError([Fault(file.name, 0, "", f"is not a scenario; {what}")])


def parse_toml(file: TextFile, remedy: str = "move measurements into CSV files") -> dict[str, Any]:
    """Parse with tomllib, after a look for texts that would take it for ever.

    ``remedy`` is what to do with a file of too many values.

    Raises
    ------
    ScenarioError
        Not TOML (in tomllib's own words), or nested or filled beyond reason.
    """
    bare = _QUOTED.sub(lambda found: "q" + "\n" * found[0].count("\n"), file.text)
    deep = _DEEP_KEY.search(bare)
    if deep is not None:
        line = bare[: deep.start()].count("\n") + 1
        message = f"a key has more than {DEEPEST_KEY} parts; no key of the format has more than 4"
        raise ScenarioError([Fault(file.name, line, "", message)])
    try:
        raw = tomllib.loads(file.text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r" \(at line (\d+), column \d+\)", str(error))
        line = int(found[1]) if found else file.text.count("\n") + 1
        remedy_of_number = _grouped_number((file.text.split("\n")[line - 1 : line] or [""])[0])
        message = f"not valid TOML: {error}{remedy_of_number}"
        raise ScenarioError([Fault(file.name, line, "", message)]) from None
    except ValueError:  # Python's own limit on the digits of an integer
        long = _LONG_NUMBER.search(file.text)
        line = 0 if long is None else file.text.count("\n", 0, long.start()) + 1
        message = "an integer has thousands of digits; the largest allowed is 1e15"
        raise ScenarioError([Fault(file.name, line, "", message)]) from None
    except RecursionError:
        message = "not valid TOML: brackets or braces are nested too deeply"
        raise ScenarioError([Fault(file.name, 0, "", message)]) from None
    waiting: list[Any] = [raw]
    for value in waiting:
        if isinstance(value, dict | list):
            waiting += value.values() if isinstance(value, dict) else value
        if len(waiting) > MOST_VALUES:
            message = f"contains more than {MOST_VALUES} values; {remedy}"
            raise ScenarioError([Fault(file.name, 0, "", message)])
    return raw
