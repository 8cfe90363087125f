"""What plan.json begins with: versions, and the scenario that it answers."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from scenarios.model.scenario import Scenario

FORMAT = 1
"""Version of plan.json."""

_ROOT = Path(__file__).resolve().parents[1]
_PACKAGES = ("planner", "scenarios", "solvers")
_COMPUTING = ("highspy", "numba", "numpy", "pulp", "scipy")


def headroom_version() -> str:
    """Version of the installed distribution."""
    try:
        return version("headroom-planner")
    except PackageNotFoundError:
        return "unknown"


@cache
def program_digest() -> str:
    """What tells this program from others: its version, its sources and what computes with it.

    Results that were kept are used again under the same digest only.
    """
    digest = hashlib.sha256(headroom_version().encode())
    for name in _COMPUTING:
        digest.update(f"{name} {version(name)} ".encode())
    for package in _PACKAGES:
        for path in sorted((_ROOT / package).rglob("*.py")):
            digest.update(str(path.relative_to(_ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def head(scenario: Scenario) -> dict[str, Any]:
    """Return the first entries of plan.json."""
    read = scenario.provenance
    described: dict[str, Any] = {
        "name": scenario.name,
        "title": scenario.title,
        "files": [{"name": name, "sha256": digest} for name, digest in read.files],
    }
    if read.changes:
        described["replaced"] = {path: json.loads(value) for path, value in read.changes}
    return {"format": FORMAT, "headroom": headroom_version(), "scenario": described}
