"""Scenarios of scheduling from a few lines, for tests."""

from __future__ import annotations

from pathlib import Path

from scenarios import Scenario
from scenarios.reading.reader import read_scenario

HEAD = """\
format = 1
name = "s"
title = "s"
"""

TWO_APPLICATIONS = """\
[[schedule.applications]]
name = "SC"
problem = "D"
[[schedule.applications]]
name = "BT-MZ"
problem = "D"
priority = 2.0
"""

RANDOM = """\
[[schedule.logs]]
name = "random"
kind = "random"
offered_load = 0.8
"""


def scenario_of(folder: Path, body: str) -> Scenario:
    """The scenario with this body, written into and read from the folder."""
    path = folder / "s.toml"
    path.write_text(HEAD + body, encoding="utf-8")
    return read_scenario(path, "s.toml")


def simulated(
    folder: Path, *, details: str = "", cluster: str = "nodes = 64", schedule: str = ""
) -> Scenario:
    """Two simulated applications and a random log."""
    return scenario_of(
        folder,
        f"[schedule]\nbounds_w = [9000.0]\n{schedule}\n[schedule.cluster]\n{cluster}\n"
        f"[schedule.details]\n{details}\n{TWO_APPLICATIONS}{RANDOM}",
    )
