"""What plan.json begins with: versions, and the scenario that it answers."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from scenarios.models import Scenario

FORMAT = 1
"""Version of plan.json."""


def headroom_version() -> str:
    """Version of the installed distribution."""
    try:
        return version("headroom-planner")
    except PackageNotFoundError:
        return "unknown"


def head(scenario: Scenario) -> dict[str, Any]:
    """The first entries of plan.json."""
    read = scenario.provenance
    described: dict[str, Any] = {
        "name": scenario.name,
        "title": scenario.title,
        "files": [{"name": name, "sha256": digest} for name, digest in read.files],
    }
    if read.changes:
        described["replaced"] = {path: json.loads(value) for path, value in read.changes}
    return {"format": FORMAT, "headroom": headroom_version(), "scenario": described}
