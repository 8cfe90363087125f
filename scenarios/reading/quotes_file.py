"""Tables of quotes and packages in a file of their own, which the scenario names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scenarios.faults import Fault, ScenarioError
from scenarios.files import TextFile, inside, read_text
from scenarios.formatting import short
from scenarios.positions import find_positions
from scenarios.reading.groups import entries
from scenarios.reading.source import Included, Source
from scenarios.reading.toml_text import parse_toml


def include_quotes(source: Source, folder: Path) -> tuple[Source, list[Fault], list[TextFile]]:
    """Add the tables of ``quotes_file`` to those of the scenario, behind them.

    Returns
    -------
    source, errors, files
        Errors of the added tables get their lines in that file.
    """
    name = source.raw.get("quotes_file")
    if not isinstance(name, str) or not name:
        return source, [], []
    where = ("quotes_file",)
    path = inside(folder, name)
    if path is None or Path(name).name != name:
        message = f"{short(name)} is not in the scenario's folder; move it next to the scenario"
        return source, [source.here(where, message)], []
    try:
        file = read_text(path, str(folder / name), line_feeds=True)
        raw = parse_toml(file)
    except ScenarioError as error:
        return source, list(error.faults), []
    positions = find_positions(file.text)
    faults = [
        Fault(file.name, positions.line((key,)), key, _UNKNOWN.format(key=short(key)))
        for key in raw
        if key not in _GROUPS
    ]
    added = {key: entries(raw, key) for key in _GROUPS if key in raw}
    if not any(added.values()) and not faults:
        message = "has no [[quotes]] or [[packages]]; write it with `headroom check FILE --propose`"
        faults.append(Fault(file.name, 0, "", message))
    own = {key: entries(source.raw, key) for key in added}
    merged: dict[str, Any] = {**source.raw, **{k: [*own[k], *added[k]] for k in added}}
    included = Included(file.name, positions, {key: len(own[key]) for key in added})
    return (
        Source(source.shown, source.positions, merged, source.typed, included),
        faults,
        [TextFile(file.name, "", file.sha256)],
    )


_GROUPS = ("quotes", "packages")
_UNKNOWN = "unknown key {key}; a file of quotes has [[quotes]] and [[packages]] only"
