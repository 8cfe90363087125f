"""What identifies this program, and what plan.json begins with: versions and the scenario."""

from __future__ import annotations

import hashlib
import json
import platform
import re
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scenarios.model.scenario import Scenario

FORMAT = 1
"""Version of plan.json."""

_ROOT = Path(__file__).resolve().parents[1]
_PACKAGES = ("planner", "scenarios", "solvers")
_NOT_SOURCES = (".pyc", ".nbi", ".nbc")
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9._-]+)(?:.*;.*\bextra\s*==\s*['\"](?P<extra>\w+)['\"])?"
)
_NOT_COMPUTING = ("dask", "dev", "docs")
"""Extras whose libraries change no result."""


def headroom_version() -> str:
    """Version of the installed distribution."""
    try:
        return metadata.version("headroom-planner")
    except metadata.PackageNotFoundError:
        return "unknown"


def libraries() -> dict[str, str]:
    """Version of every library that results depend on and that is installed."""
    versions = {}
    for name in _declared():
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:  # an extra that is not installed
            continue
    return versions


def versions() -> dict[str, str]:
    """Versions of Headroom, Python and every library that results depend on."""
    return {
        "Headroom": headroom_version(),
        "Python": platform.python_version(),
        **libraries(),
    }


def _declared() -> list[str]:
    try:
        requirements = metadata.requires("headroom-planner") or []
    except metadata.PackageNotFoundError:
        return []
    matches = [match for requirement in requirements if (match := _REQUIREMENT.match(requirement))]
    return sorted({match["name"] for match in matches if match["extra"] not in _NOT_COMPUTING})


@cache
def program_digest() -> str:
    """What tells this program from others: its version, its files and what computes with it.

    Results that were kept are used again under the same digest only.
    """
    digest = hashlib.sha256(f"{headroom_version()} {platform.python_version()} ".encode())
    digest.update(json.dumps(libraries()).encode())
    for package in _PACKAGES:
        for path in sorted((_ROOT / package).rglob("*")):
            if path.is_file() and path.suffix not in _NOT_SOURCES:
                name = str(path.relative_to(_ROOT)).encode()
                digest.update(name + b"\0" + path.read_bytes() + b"\0")
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
