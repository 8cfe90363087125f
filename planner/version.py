"""Versions: of the installed distribution, and of what it writes."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

FORMAT = 1
"""Version of plan.json."""


def headroom_version() -> str:
    """Version of the installed distribution."""
    try:
        return version("headroom-planner")
    except PackageNotFoundError:
        return "unknown"
