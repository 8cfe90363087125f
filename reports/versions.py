"""Versions of what made a report: Headroom, Python, and every library that Headroom declares.

All that are installed are listed, not those that this process has imported. Typesetting and
spreadsheets run in processes of their own, so that what they import is not seen here; and a
program that calls Headroom may have imported more, which must not change a report.
"""

from __future__ import annotations

import platform
import re
from importlib import metadata

from planner.version import headroom_version

_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9._-]+)(?:.*;.*\bextra\s*==\s*['\"](?P<extra>\w+)['\"])?"
)
_DEVELOPMENT = "dev"


def version_rows() -> list[tuple[str, str]]:
    """Return rows of a table of provenance."""
    listed = ", ".join(f"{name} {version}" for name, version in libraries().items())
    return [
        ("Headroom", headroom_version()),
        ("Libraries", listed or "unknown, because Headroom is not installed as a package"),
        ("Python", platform.python_version()),
    ]


def libraries() -> dict[str, str]:
    """Version of every library that Headroom declares to need and finds, extras included."""
    versions = {}
    for name in _declared():
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:  # an extra that is not installed
            continue
    return versions


def _declared() -> list[str]:
    try:
        requirements = metadata.requires("headroom-planner") or []
    except metadata.PackageNotFoundError:
        return []
    matches = [match for requirement in requirements if (match := _REQUIREMENT.match(requirement))]
    return sorted({match["name"] for match in matches if match["extra"] != _DEVELOPMENT})
