"""The bundled scenarios, and loading by name or path."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Any

from scenarios.faults import Fault, ScenarioError
from scenarios.model.scenario import Scenario
from scenarios.reading.mistaken import scenarios_in
from scenarios.reading.reader import read_scenario

_DATA = Path(__file__).parent / "data"


def names() -> list[str]:
    """Return names of the bundled scenarios."""
    return sorted(path.stem for path in _DATA.glob("*.toml"))


def bundled_name(path: str | os.PathLike[str]) -> str | None:
    """Return the name of the bundled scenario that this file is; ``None`` for any other file."""
    real = Path(os.path.realpath(path))
    ours = real.suffix == ".toml" and real.parent == Path(os.path.realpath(_DATA))
    return real.stem if ours else None


def load(name_or_path: str | os.PathLike[str]) -> Scenario:
    """Load a bundled scenario by name, or any scenario by path.

    Returns
    -------
    Scenario
        The whole scenario, with defaults filled in.

    Raises
    ------
    ScenarioError
        There is no such scenario, or it has errors.

    Examples
    --------
    >>> load("thesis-7kw").power.bound_w
    7000.0
    """
    text = os.fspath(name_or_path)
    if text.lower() in names():
        text = text.lower()
    if text in names():
        return read_scenario(_DATA / f"{text}.toml", f"{text}.toml")
    path = Path(text)
    if text and os.path.isdir(path):  # noqa: PTH112 - no raise
        raise ScenarioError([Fault(text, 0, "", f"is a folder; {scenarios_in(path)}")])
    if path.suffix == ".toml" or os.sep in text or os.path.lexists(path):
        return read_scenario(path)
    close = difflib.get_close_matches(text, names(), n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"bundled scenarios: {', '.join(names())}"
    message = f"there is no bundled scenario and no file of this name; {hint}"
    raise ScenarioError([Fault(text, 0, "", message)])


def schema() -> dict[str, Any]:
    """JSON Schema of the scenario, for editors and other programs."""
    document = Scenario.model_json_schema()
    document["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    document["title"] = "Headroom scenario, format 1"
    return document
