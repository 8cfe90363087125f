"""Parse a TOML file, after a look for texts that would take the parser for ever."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from scenarios.faults import Fault, ScenarioError
from scenarios.files import TextFile
from scenarios.reading.mistaken import configures_scheduler, mistaken

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
_GROUPED = re.compile(r"=\s*([+-]?\d{1,3}([,. ])\d{3}(?:\2\d{3})*)\s*(?:#.*)?$")
_LONG_NUMBER = re.compile(r"\d[\d_]{4299}")


def parse_scenario(file: TextFile) -> dict[str, Any]:
    """Parse a scenario into raw values, which may be wrong.

    Raises
    ------
    ScenarioError
        The file is not TOML, holds quotes only, or configures a scheduler.
    """
    try:
        raw = parse_toml(file)
    except ScenarioError:
        if not (what := mistaken(file.text)):
            raise
    else:
        if raw.keys() == {"quotes"}:
            name = Path(file.name).name
            message = f"holds [[quotes]] only; name it in a scenario: quotes_file = {name!r}"
            raise ScenarioError([Fault(file.name, 0, "", message)])
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


def _grouped_number(line: str) -> str:
    """How to write a number whose thousands are separated; empty if the line has none."""
    found = _GROUPED.search(line)
    if found is None:
        return ""
    return f"; write {re.sub(r'[,. ]', '_', found[1])}"
