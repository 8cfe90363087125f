"""EASY++: EASY by predictions, where the shortest predictions behind the head come first.

As published, jobs can starve. No pass follows the correction of a prediction, and reservations use
predictions that are often too short. In the variant with passes, no job waits because a pass is
missing. Its reservations are as unreliable.
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
