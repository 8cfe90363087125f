"""When a machine was nearly idle although jobs waited: outages that the log does not name.

A job log has no line for maintenance, failures or reservations, but they leave a gap in its
schedule. What is found is inferred from the recorded schedule, so a simulation that is given these
windows knows part of its answer: to say how much of a deviation they may explain, and for nothing
else.
"""

from __future__ import annotations

import numpy as np

from planner.scheduling.policies.problem import Unavailable
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.steps import jobs_waiting, processors_in_use

SHARE = 0.1
LEAST_S = 3600


def nearly_idle(
    schedule: JobSchedule, share: float = SHARE, least_s: int = LEAST_S
) -> tuple[Unavailable, ...]:
    """Times when less than a share of the machine was in use while at least one job waited.

    Parameters
    ----------
    schedule
        As recorded.
    share
        Share of the machine's processors below which it counts as nearly idle.
    least_s
        Shortest time that counts [s].

    Returns
    -------
    Windows, announced, each with the processors that nobody used at any time in it.
    """
    use, queue = processors_in_use(schedule), jobs_waiting(schedule)
    times = np.union1d(use.time_s, queue.time_s)
    used = use.at(times)
    idle = (used < share * schedule.machine_processors) & (queue.at(times) > 0)
    changes = np.diff(idle.astype(np.int8), prepend=0, append=0)
    # Nobody waits behind the last step, so each window that begins has an end among `times`.
    windows = zip(np.flatnonzero(changes > 0), np.flatnonzero(changes < 0), strict=True)
    return tuple(
        Unavailable(
            int(times[first]),
            int(times[end]),
            schedule.machine_processors - int(used[first:end].max()),
        )
        for first, end in windows
        if times[end] - times[first] >= least_s
    )
