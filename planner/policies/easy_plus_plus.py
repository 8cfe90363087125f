"""EASY++: EASY by predictions, and behind the head the shortest prediction first."""

from __future__ import annotations

from dataclasses import dataclass

from planner.policies.predicted import backfill_by_prediction
from planner.policies.task import Starts, Task


@dataclass(frozen=True)
class EasyPlusPlus:
    """EASY++, by the task's predictions or by its estimates.

    References
    ----------
    Tsafrir, Etsion and Feitelson (2007). IEEE TPDS 18(6), section 6.
    """

    name: str = "easy++"

    def schedule(self, task: Task) -> Starts:
        """Start every job.

        Raises
        ------
        PlanError
            There are outages or reservations.
        """
        return backfill_by_prediction(task, shortest_first=True)
