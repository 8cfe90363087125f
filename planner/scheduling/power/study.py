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

    def numbers(self) -> dict[str, Any]:
        """Mean turnaround, its ratio to the reference policy's, and use of watts of each policy.

        Turnarounds [s] are medians over the seeds; where there are several logs or bounds, each
        has its own.
        """
        logs, bounds = len(self.logs) > 1, len(self.bounds_w) > 1
        row: dict[str, Any] = {}
        for each in self.rows:
            where = f"{each.log}." * logs + f"{each.bound_w:.10g}." * bounds
            row[f"mean_turnaround_s.{where}{each.policy}"] = each.mean_turnaround_s
        for policy in self.overall:
            row[f"turnaround_ratio.{policy.policy}"] = policy.ratio
            row[f"power_utilisation.{policy.policy}"] = policy.power_utilisation
        return row

    def further_files(self) -> dict[str, bytes]:
        """Return runs, jobs and watts, and the times of this run, as CSV."""
        return files(self)

    def solve_times(self) -> list[dict[str, Any]]:
        """Return the time that each policy took to decide, for each run."""
        return self.times()
