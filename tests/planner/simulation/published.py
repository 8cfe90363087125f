"""Published schedules, which lie outside the project: where, and whether they are there."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from planner.simulation.schedule import Schedule
from planner.simulation.schedule_reader import read_schedule

TRACES = Path(__file__).parents[4] / "shared" / "data" / "traces"
PROCESSORS = {"SDSC-SP2": 128, "SDSC-SP2-10k": 128, "SDSC-BLUE": 1152}

needs_traces = pytest.mark.skipif(
    not (TRACES / "SDSC-BLUE_EASY_pyss-predictsim-2015.csv.gz").is_file(),
    reason="the published schedules are missing",
)


@cache
def published(name: str) -> Schedule:
    """A published schedule; one with perfect estimates has its run times as requests."""
    machine = PROCESSORS[name.partition("_")[0]]
    schedule = read_schedule(TRACES / f"{name}.csv.gz", machine)
    if "clairvoyant" in name:
        schedule = replace(schedule, requested_s=schedule.run_s)
    return schedule
