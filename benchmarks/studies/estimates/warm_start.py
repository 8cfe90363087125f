"""A simulation that begins in the middle of a log, with the machine and the queue as recorded.

A log begins with an empty machine, which the real one was not. How much that matters is seen where
the log itself tells what ran and who waited.

    python -m benchmarks.studies.estimates.warm_start theta_2022.swf.gz --processors 4360

A row is a day of the restart: how far EASY is from the recorded schedule, over the rest of the log
and over the first week, for jobs submitted from then on. *Later* has the whole log simulated.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from planner.errors import InputError
from planner.scheduling.estimates.deviation import deviation
from planner.scheduling.policies.easy import Easy
from planner.scheduling.policies.problem import Policy, Unavailable
from planner.scheduling.simulation.recorded import recorded_schedule
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.simulate import simulate
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log

_DAY_S = 86_400
_DAYS = (7, 30, 60, 100, 150, 200, 300)


class Restarted(NamedTuple):
    """Jobs that had not started by then, in the order of the log, and their schedule."""

    log: JobLog
    schedule: JobSchedule


def simulate_from_record(
    log: JobLog, policy: Policy, at_s: int, machine_processors: int
) -> Restarted:
    """Play a log from a time on: what ran by then ends as recorded, who waited by then queues.

    Parameters
    ----------
    log
        Jobs with recorded waits, whose runs were not cut.
    policy
        Of the simulation. It knows when the jobs that run at first will end, and takes the queue in
        the order of submission, as if all of it had been submitted at ``at_s``.
    at_s
        When to begin [s], on the log's own clock.
    machine_processors
        Of the machine.

    Raises
    ------
    InputError
        Nothing is left to play, or more was recorded to run by then than the machine holds.
    PlanError
        The policy does not plan around processors that are held.
    """
    recorded = recorded_schedule(log, machine_processors)
    runs = recorded.started & (recorded.start_s < at_s) & (recorded.end_s > at_s)
    held = int(recorded.processors[runs].sum())
    if held > machine_processors:
        raise InputError(
            f"at {at_s} s {log.name} ran jobs on {held:,} processors, more than the machine's "
            f"{machine_processors:,}; begin at another time"
        )
    later = (recorded.start_s >= at_s) | (log.submit_s >= at_s)
    if not later.any():
        raise InputError(f"no job of {log.name} starts after {at_s} s; begin earlier")
    rest = log.take(later)
    windows = tuple(
        Unavailable(at_s, int(end), int(processors))
        for end, processors in zip(recorded.end_s[runs], recorded.processors[runs], strict=True)
    )
    queued = replace(rest, submit_s=np.maximum(rest.submit_s, at_s))
    played = simulate(queued, policy, processors=machine_processors, unavailable=windows).schedule
    return Restarted(rest, replace(played, submit_s=rest.submit_s))


def compare(log: JobLog, day: int, machine_processors: int) -> None:
    """Print how far EASY is from the record from a day on: later, begun empty, begun as recorded.

    Each cell has the area between completions [h per job] and the rank correlation of the first
    week's waits.
    """
    at = int(log.submit_s.min()) + day * _DAY_S
    rest, warm = simulate_from_record(log, Easy(), at, machine_processors)
    counted = rest.submit_s >= at
    new = rest.take(counted)
    recorded = recorded_schedule(rest, machine_processors).take(counted)
    empty = simulate(new, Easy(), processors=machine_processors).schedule
    whole = simulate(log, Easy(), processors=machine_processors).schedule
    later = whole.take(np.isin(whole.number, new.number))
    week = new.submit_s < at + 7 * _DAY_S
    cells = []
    for schedule in (later, empty, warm.take(counted)):
        over_all = deviation(recorded, schedule)
        first = deviation(recorded.take(week), schedule.take(week))
        cells.append(f"{over_all.area_h_per_job:.1f} h, {first.rank_correlation or 0:.2f}")
    print(f"| {day} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log")
    parser.add_argument("--processors", type=int, required=True)
    given = parser.parse_args()
    log = read_job_log(given.log, clean=Cleaning(overruns="keep"))
    print("| day | later | begun empty | begun as recorded |")
    print("|---|---|---|---|")
    for day in _DAYS:
        compare(log, day, given.processors)


if __name__ == "__main__":
    main()
