"""Read a Maui-like scheduler's configuration from TOML, or report all its errors at once."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from scenarios.faults import MOST_FAULTS, Fault, ScenarioError, foremost
from scenarios.files import TextFile, read_text
from scenarios.formatting import short
from scenarios.maui.check import maui_faults, written_in_vain
from scenarios.maui.names import is_maui_s_own, remedy
from scenarios.maui.settings import MauiConfiguration
from scenarios.model.scenario import Provenance
from scenarios.positions import find_positions
from scenarios.reading.mistaken import configures_scheduler
from scenarios.reading.pydantic_faults import as_written, in_our_words, is_new
from scenarios.reading.source import Source
from scenarios.reading.toml_text import parse_toml

_MAUI_S_OWN = (
    "it looks like a maui.cfg of Maui; copy its values into the maui.toml that `headroom init` "
    "writes, which names Maui's parameters"
)
BUNDLED = Path(__file__).parents[1] / "data" / "schedulers" / "maui.toml"


def read_maui(path: Path, file_name: str = "") -> MauiConfiguration:
    """Read, validate and cross-check one configuration.

    Parameters
    ----------
    path
        The TOML file.
    file_name
        What to call it in messages; by default the path as given.

    Raises
    ------
    ScenarioError
        It lists every error that could be found, each with file and line.
    """
    remedy = "a scheduler configuration is never that large"
    file = read_text(path, file_name or str(path), remedy=remedy, line_feeds=True)
    raw = _parsed(file)
    source = Source(file.name, find_positions(file.text), raw)
    checked = chain(maui_faults(raw), written_in_vain(raw))
    crossed = list(islice(checked, MOST_FAULTS + 1))
    faults = [source.fault(*each) for each in crossed]
    try:
        configuration = MauiConfiguration.model_validate(raw)
    except ValidationError as error:
        named = {where for where, _ in crossed}
        wrong = [
            raised
            for raised in error.errors()
            if raised["loc"] and is_new(raised) and as_written(raised["loc"], raw) not in named
        ]
        faults += [_in_words(raised, source) for raised in wrong[:MOST_FAULTS]]
        raise ScenarioError(foremost(faults, file.name, len(wrong[MOST_FAULTS:]))) from None
    if faults:
        raise ScenarioError(foremost(faults, file.name))
    return configuration.with_provenance(Provenance(files=((Path(file.name).name, file.sha256),)))


def bundled_maui() -> MauiConfiguration:
    """Return the preferences of Smith, Hammond and Jarvis (2011), with weights that are assumed."""
    return read_maui(BUNDLED, BUNDLED.name)


def is_maui(path: Path) -> bool:
    """Whether a file is the configuration of such a scheduler, however faulty, and no scenario."""
    try:
        keys = set(parse_toml(read_text(path, str(path), line_feeds=True)))
    except ScenarioError:
        return False
    return configures_scheduler(keys)


def _parsed(file: TextFile) -> dict[str, Any]:
    try:
        return parse_toml(file, "delete users that need no setting of their own")
    except ScenarioError as error:
        if not is_maui_s_own(file.text):
            raise
        faults = [
            replace(fault, message=f"{fault.message}; {_MAUI_S_OWN}") for fault in error.faults
        ]
        raise ScenarioError(faults) from None


def _in_words(details: ErrorDetails, source: Source) -> Fault:
    fault = in_our_words(details, source, MauiConfiguration)
    key = str(details["loc"][-1])
    if details["type"] != "extra_forbidden" or not (other := remedy(key)):
        return fault
    return replace(fault, message=f"unknown key {short(key)}; {other}")
