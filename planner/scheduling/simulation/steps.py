"""Exact step functions of time: processors in use, jobs and processors waiting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.scheduling.simulation.schedule import Integers, JobSchedule


@dataclass(frozen=True, eq=False)
class Steps:
    """A function that is constant between its steps and 0 before the first of them.

    Attributes
    ----------
    time_s
        Where it changes [s], strictly ascending, shape ``(steps,)``.
    value
        From that time on; the last is 0 for sums of finite intervals.
    """

    time_s: Integers
    value: Integers

    def at(self, time_s: Integers) -> Integers:
        """Values at some times, changes at those very times included."""
        values = np.concatenate([np.zeros(1, np.int64), self.value])
        at_times: Integers = values[np.searchsorted(self.time_s, time_s, side="right")]
        return at_times

    def integral(self, start_s: int, end_s: int) -> int:
        """Area from one time to another, in units of the value times seconds."""
        if end_s <= start_s:
            return 0
        inside = (self.time_s > start_s) & (self.time_s < end_s)
        edges = np.concatenate([[start_s], self.time_s[inside], [end_s]]).astype(np.int64)
        return int(self.at(edges[:-1]) @ np.diff(edges))

    def mean(self, start_s: int, end_s: int) -> float | None:
        """Mean over time; ``None`` for an interval without length."""
        return self.integral(start_s, end_s) / (end_s - start_s) if end_s > start_s else None

    def largest(self) -> int:
        """Largest value that holds for any length of time."""
        return int(self.value.max(initial=0))


def sum_of_intervals(start_s: Integers, end_s: Integers, height: Integers) -> Steps:
    """Sum of functions, each a height on its half-open interval [start, end).

    An interval without length counts nothing, so what ends at an instant makes room for what
    starts at it.

    Examples
    --------
    >>> import numpy as np
    >>> steps = sum_of_intervals(np.array([0, 5]), np.array([5, 9]), np.array([2, 3]))
    >>> steps.time_s.tolist(), steps.value.tolist()
    ([0, 5, 9], [2, 3, 0])
    """
    long = end_s > start_s
    time = np.concatenate([start_s[long], end_s[long]]).astype(np.int64, copy=False)
    order = np.argsort(time, kind="stable")
    time = time[order]
    value = np.concatenate([height[long], -height[long]])[order]
    del order  # a log of millions of jobs has few arrays at a time
    np.cumsum(value, out=value)
    # Changes of one instant count together: only the sum behind the last of them is a value.
    last = np.ones(len(time), np.bool_)
    last[:-1] = time[1:] != time[:-1]
    value = value[last]
    changed = np.diff(value, prepend=0) != 0
    last[last] = changed
    return Steps(time[last], value[changed])


def processors_in_use(schedule: JobSchedule) -> Steps:
    """Processors that run jobs."""
    ran = schedule.take(schedule.started)
    return sum_of_intervals(ran.start_s, ran.end_s, ran.processors)


def jobs_waiting(schedule: JobSchedule) -> Steps:
    """Jobs that were submitted and start later."""
    ran = schedule.take(schedule.started)
    return sum_of_intervals(ran.submit_s, ran.start_s, np.ones(len(ran), np.int64))


def processors_waiting(schedule: JobSchedule) -> Steps:
    """Processors that the waiting jobs ask for."""
    ran = schedule.take(schedule.started)
    return sum_of_intervals(ran.submit_s, ran.start_s, ran.asked_processors)
