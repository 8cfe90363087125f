"""EASY++: EASY by predictions, and behind the head the shortest prediction first.

As published, jobs can starve: no pass follows the correction of a prediction, and each reservation
rests on predictions that are often too short. The variant with passes lets nobody wait for want of
a pass; reservations are no firmer for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from planner.scheduling.policies.predicted import backfill_by_prediction
from planner.scheduling.policies.problem import SchedulingProblem, Starts


@dataclass(frozen=True)
class EasyPlusPlus:
    """EASY++, by the predictions of the problem or by its estimates.

    Attributes
    ----------
    passes_at_corrections
        Whether a pass follows the corrections of an instant; as published, and in predictsim, none
        does.

    References
    ----------
    Tsafrir, Etsion and Feitelson (2007). IEEE TPDS 18(6), section 6.
    """

    passes_at_corrections: bool = False
    name: str = "easy++"

    def schedule(self, problem: SchedulingProblem) -> Starts:
        """Start every job.

        Raises
        ------
        PlanError
            There are outages or reservations.
        """
        return backfill_by_prediction(
            problem, shortest_first=True, passes=self.passes_at_corrections
        )
