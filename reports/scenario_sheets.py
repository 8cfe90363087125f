"""Sheets that the workbooks of all studies on a scenario share."""

from __future__ import annotations

from typing import Any, Protocol

from reports.report import Facts, Rows
from scenarios.model.scenario import Scenario


class _OnScenario(Protocol):
    """A study on a scenario."""

    @property
    def scenario(self) -> Scenario: ...
    @property
    def headline(self) -> str: ...
    @property
    def stopped_by_time(self) -> bool: ...


def summary(study: _OnScenario) -> Facts:
    """Return the first sheet: the decision, and the digests of the files."""
    files = dict.fromkeys(study.scenario.provenance.files)
    return [
        ("scenario", study.scenario.name),
        ("title", study.scenario.title),
        ("decision", study.headline),
        ("stopped by time", "yes" if study.stopped_by_time else "no"),
        *((f"SHA-256 of {name}", digest) for name, digest in files),
    ]


def sheets(study: _OnScenario) -> dict[str, Rows]:
    """Return the last sheet: every input of the scenario by its path."""
    plain = study.scenario.model_dump(mode="json", exclude={"printed"}, exclude_none=True)
    return {"inputs": [{"input": path, "value": value} for path, value in _leaves(plain, "")]}


def _leaves(value: Any, path: str) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [
            leaf
            for key, inner in value.items()
            for leaf in _leaves(inner, f"{path}.{key}" if path else key)
        ]
    if isinstance(value, list):
        if all(isinstance(number, int | float) for number in value):
            return [(path, ", ".join(f"{number:g}" for number in value))] if value else []
        return [
            leaf
            for number, inner in enumerate(value, 1)
            for leaf in _leaves(inner, f"{path}[{number}]")
        ]
    return [] if value == "" else [(path, value)]
