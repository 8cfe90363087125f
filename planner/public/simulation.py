"""Schedules of job logs: simulate, read, check, trim, measure, compare and write them."""

from planner.scheduling.simulation.checker import violations
from planner.scheduling.simulation.job_measures import turnaround_s
from planner.scheduling.simulation.measures import JobSpread, Measures, measure
from planner.scheduling.simulation.paired_jobs import paired_difference
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.schedule_file import write_schedule
from planner.scheduling.simulation.schedule_reader import read_schedule
from planner.scheduling.simulation.settings import SimulationSettings, Trim
from planner.scheduling.simulation.simulate import Simulation, simulate
from planner.scheduling.simulation.trimming import Measured, trim_by_mser, trim_by_share
from planner.scheduling.violation import Violation

__all__ = [
    "JobSchedule",
    "JobSpread",
    "Measured",
    "Measures",
    "Simulation",
    "SimulationSettings",
    "Trim",
    "Violation",
    "measure",
    "paired_difference",
    "read_schedule",
    "simulate",
    "trim_by_mser",
    "trim_by_share",
    "turnaround_s",
    "violations",
    "write_schedule",
]
