"""Every figure of the report on power-aware scheduling, in the order of the report."""

from __future__ import annotations

from itertools import chain

from planner.scheduling.power.study import ScheduleStudy
from reports.schedule.figures import overall, turnaround, users, uses, watts
from reports.style import Picture


def pictures(study: ScheduleStudy) -> list[Picture]:
    """Return turnaround overall and by bound, users, watts, use of the bound and fairness."""
    made = (part.pictures(study) for part in (overall, turnaround, users, watts, uses))
    return list(chain.from_iterable(made))
