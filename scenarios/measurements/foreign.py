"""Reports of measuring tools that are recognised and not read."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

_FIRST_BYTES = 4096
_TOOLS = {
    "GEOPM": re.compile(r"^(?:#+ *geopm\b|GEOPM Version:)", re.IGNORECASE),
    "LIKWID": re.compile(r"^(?:TABLE,|STRUCT,|CPU name:)", re.MULTILINE),
}
"""By the first lines: of GEOPM's report, and of ``likwid-perfctr`` with and without ``-O``."""


def foreign_report(path: Path) -> str:
    """Return what a report is and what to do; empty for anything else."""
    beginning = b""
    with suppress(OSError), path.open("rb") as file:
        beginning = file.read(_FIRST_BYTES)
    text = beginning.decode("utf-8-sig", "replace")
    for tool, sign in _TOOLS.items():
        if sign.search(text):
            return (
                f"is a report of {tool}, which Headroom cannot read; write a table with one row "
                "per run: application,nodes,cores_per_node,package_cap_w,time_s,package_power_w"
            )
    return ""
