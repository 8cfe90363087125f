"""Power-aware policies on the logs of a scenario, compared and ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.answer import Answer
from planner.scheduling.power.facts import study_of
from planner.scheduling.power.files import files
from planner.scheduling.power.result import ScheduleResult
from planner.study import Study


@dataclass(frozen=True, eq=False, repr=False)
class ScheduleStudy(ScheduleResult, Answer):
    """Results of every policy on the same logs, bounds and seeds.

    Its attributes are those of :class:`~planner.scheduling.power.result.ScheduleResult`.
    """

    def _made(self) -> Study:
        return study_of(self)

    def further_files(self) -> dict[str, bytes]:
        """Return runs, jobs and watts, and the times of this run, as CSV."""
        return files(self)

    def solve_times(self) -> list[dict[str, Any]]:
        """Return the time that each policy took to decide, for each run."""
        return self.times()
