"""Read a :class:`~scenarios.Scenario` from a TOML file, or report all its errors at once.

The order is that of the modules: text, raw values, what attached files add to them, checks.
"""

from __future__ import annotations

from pathlib import Path

from scenarios.files import read_text
from scenarios.model.scenario import Provenance, Scenario
from scenarios.positions import find_positions
from scenarios.reading.groups import entries
from scenarios.reading.mistaken import refuse_workbook
from scenarios.reading.named_files import attach_files
from scenarios.reading.package_sheets import attach_packages
from scenarios.reading.quote_sheets import attach_quotes
from scenarios.reading.quotes_file import include_quotes
from scenarios.reading.source import Source
from scenarios.reading.toml_text import parse_scenario
from scenarios.reading.validation import remarked, validated


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
    refuse_workbook(path, shown or str(path))
    file = read_text(path, shown or str(path), line_feeds=True)
    raw = parse_scenario(file)
    typed = len(entries(raw, "node_types"))
    source = Source(file.name, find_positions(file.text), raw, typed)
    source, missing, included = include_quotes(source, path.parent)
    attached = attach_quotes(source, path.parent)
    packages = attach_packages(source, path.parent)
    faults, files = attach_files(source, path.parent)
    whole = attached.whole and packages.whole and not missing
    faults = missing + attached.faults + packages.faults + faults
    scenario = validated(source, faults, whole=whole)
    files = included + attached.files + packages.files + files
    provenance = Provenance(
        files=tuple(dict.fromkeys((Path(each.name).name, each.sha256) for each in (file, *files))),
        paths=tuple(
            str(Path(each).absolute()) for each in (str(path), *(file.name for file in files))
        ),
        sheets=tuple(attached.sheets),
        of_sheets=(*attached.remarks, *packages.remarks),
        of_values=remarked(scenario, source),
    )
    return scenario.with_provenance(provenance)
