"""Waits of jobs with similar requested processors, or similar run times on these."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.simulation.job_measures import bounded_slowdown
from planner.scheduling.simulation.measures import JobSpread
from planner.scheduling.simulation.schedule import JobSchedule

RUN_EDGES_S = (60, 600, 3600, 4 * 3600, 12 * 3600, 48 * 3600)
RUN_NAMES = (
    "up to 1 min", "1 to 10 min", "10 min to 1 h", "1 to 4 h", "4 to 12 h", "12 to 48 h",
    "above 48 h",
)  # fmt: skip
_GROWS = 4
"""Each class of processors reaches to this many times the one before."""


@dataclass(frozen=True)
class ClassMeasures:
    """Jobs of one class that started.

    Attributes
    ----------
    name
        What they have in common.
    jobs
        How many.
    wait_s, bounded_slowdown
        Over these jobs.
    """

    name: str
    jobs: int
    wait_s: JobSpread
    bounded_slowdown: JobSpread

    def to_dict(self) -> dict[str, Any]:
        """Plain values for a table."""
        flat: dict[str, Any] = {"class": self.name, "jobs": self.jobs}
        for key, spread in (("wait_s", self.wait_s), ("bounded_slowdown", self.bounded_slowdown)):
            flat |= {f"{part}_{key}": value for part, value in asdict(spread).items()}
        return flat


def by_processors(schedule: JobSchedule) -> tuple[ClassMeasures, ...]:
    """Classes of processors: 1, then each to four times the one before; empty ones left out."""
    largest = int(schedule.asked_processors.max(initial=1))
    edges = [1]
    while edges[-1] < largest:
        edges.append(edges[-1] * _GROWS)
    edges[-1] = largest
    names = ["1" if not index else _range(edges[index - 1] + 1, edge)
             for index, edge in enumerate(edges)]  # fmt: skip
    class_index = np.searchsorted(edges, schedule.asked_processors, side="left")
    return _classes(schedule, class_index, tuple(names))


def by_run_time(schedule: JobSchedule) -> tuple[ClassMeasures, ...]:
    """Classes of run times: to a minute, ten, an hour, 4, 12 and 48 hours, and longer."""
    class_index = np.searchsorted(RUN_EDGES_S, schedule.asked_run_s, side="left")
    return _classes(schedule, class_index, RUN_NAMES)


def _range(first: int, last: int) -> str:
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"


def _classes(
    schedule: JobSchedule, class_index: NDArray[np.intp], names: tuple[str, ...]
) -> tuple[ClassMeasures, ...]:
    classes = []
    for number, name in enumerate(names):
        alike = schedule.take(schedule.started & (class_index == number))
        waits, slowed = JobSpread.of(alike.wait_s), JobSpread.of(bounded_slowdown(alike))
        if waits and slowed:
            classes.append(ClassMeasures(name, len(alike), waits, slowed))
    return tuple(classes)
