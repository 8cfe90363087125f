"""Published schedules, which lie outside the project: where, and whether they are there."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.schedule_reader import read_schedule
from tests.shared_data import TRACES

PROCESSORS = {"SDSC-SP2": 128, "SDSC-SP2-10k": 128, "SDSC-BLUE": 1152}


@cache
def published(name: str) -> JobSchedule:
    """A published schedule; one with perfect estimates has its run times as requests."""
    machine = PROCESSORS[name.partition("_")[0]]
    schedule = read_schedule(TRACES / f"{name}.csv.gz", machine)
    if "clairvoyant" in name:
        schedule = replace(schedule, requested_s=schedule.run_s)
    return schedule
