"""Logs, published starts and stopwatches of the benchmark of the simulator."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from planner.scheduling.policies.problem import EventOrder, JobArrays, SchedulingProblem, Starts
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.measures import measure
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.schedule_reader import read_schedule
from planner.scheduling.simulation.simulate import simulate
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lublin import lublin_log
from scenarios.job_logs.reader import read_job_log
from tests.planner.scheduling.simulation.published import PROCESSORS
from tests.shared_data import TRACES

PROCESSORS_DRAWN = 256
ESTIMATE_FACTOR = 2.0
LEAST_S = 0.2
"""A policy is run again until it has had so much time; the best run counts."""

REFERENCES = (
    ("SDSC-SP2-10k_fcfs_pyss-2007", "fcfs"),
    ("SDSC-SP2-10k_easy_pyss-2007", "easy"),
    ("SDSC-SP2-10k_cons_pyss-2007", "conservative"),
    ("SDSC-SP2_EASY_pyss-predictsim-2015", "easy"),
    ("SDSC-SP2_EASY-clairvoyant_pyss-predictsim-2015", "easy"),
    ("SDSC-BLUE_EASY_pyss-predictsim-2015", "easy"),
    ("SDSC-BLUE_EASY-clairvoyant_pyss-predictsim-2015", "easy"),
)


class Run(NamedTuple):
    """A schedule and the CPU seconds that the policy took at best."""

    schedule: JobSchedule
    cpu_s: float

    @property
    def rate(self) -> float:
        """Jobs per second."""
        return len(self.schedule) / self.cpu_s

    @property
    def queue(self) -> float:
        """Mean number of waiting jobs."""
        return measure(self.schedule).mean_jobs_waiting or 0.0


class Timed:
    """A policy with a watch that counts only the CPU time of this process."""

    def __init__(self, name: str) -> None:
        self.policy = find_policy(name)
        self.name = name
        self.cpu_s = float("inf")

    def schedule(self, task: SchedulingProblem) -> Starts:
        """Start every job; the least CPU of all calls is kept, but for those that warm up."""
        began = time.process_time()
        schedule = self.policy.schedule(task)
        if len(task.jobs.submit) > 1:
            self.cpu_s = min(self.cpu_s, time.process_time() - began)
        return schedule


def timed(log: JobLog, name: str, event_order: EventOrder = "reference", **settings: Any) -> Run:
    """Return the best of several runs, once the loops are compiled."""
    policy = Timed(name)
    began = time.process_time()
    runs = 0
    while runs < 2 or (time.process_time() - began < LEAST_S and runs < 50):
        simulation = simulate(log, policy, event_order=event_order, **settings)
        runs += 1
    return Run(simulation.schedule, policy.cpu_s)


def have_traces() -> bool:
    return (TRACES / "SDSC-BLUE.swf.gz").is_file()


@cache
def trace(name: str) -> JobLog:
    return read_job_log(TRACES / f"{name}.swf.gz")


@cache
def synthetic_log(jobs: int, load: float) -> JobLog:
    """Return a Lublin log for 256 processors; requests of up to three times the run time."""
    return lublin_log(jobs, PROCESSORS_DRAWN, 1, load=load, estimate_factor=ESTIMATE_FACTOR)


def check_references() -> None:
    """Every start of the published schedules."""
    for name, policy in REFERENCES:
        machine = PROCESSORS[name.partition("_")[0]]
        published = read_schedule(TRACES / f"{name}.csv.gz", machine)
        estimate = published.run_s if "clairvoyant" in name else published.requested_s
        jobs = JobArrays(published.submit_s, published.run_s, published.processors, estimate)
        users = np.zeros(len(published), np.int32)
        schedule = find_policy(policy).schedule(SchedulingProblem(jobs, users, machine))
        if not np.array_equal(schedule.start_s, published.start_s):
            different = int((schedule.start_s != published.start_s).sum())
            raise SystemExit(f"failed: {different} starts are not those of {name}")
        print(f"  {name}: all {len(published):,} starts")


def path_of(name: str) -> Path:
    return TRACES / f"{name}.swf.gz"
