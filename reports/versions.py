"""Versions of what made a report: Headroom, Python, and every library that results depend on.

All that are installed are listed, not those that this process has imported. Typesetting and
spreadsheets run in processes of their own, so that what they import is not seen here; and a
program that calls Headroom may have imported more, which must not change a report.
"""

from __future__ import annotations

import platform

from planner.version import headroom_version, libraries


def version_rows() -> list[tuple[str, str]]:
    """Return rows of a table of provenance."""
    listed = ", ".join(f"{name} {version}" for name, version in libraries().items())
    return [
        ("Headroom", headroom_version()),
        ("Libraries", listed or "unknown, because Headroom is not installed as a package"),
        ("Python", platform.python_version()),
    ]
