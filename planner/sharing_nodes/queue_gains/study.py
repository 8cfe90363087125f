"""A log under rules of co-location, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass

from planner.answer import Answer
from planner.sharing_nodes.queue_gains.facts import study_of
from planner.sharing_nodes.queue_gains.result import QueueResult
from planner.study import Study


@dataclass(frozen=True, eq=False, repr=False)
class QueueStudy(QueueResult, Answer):
    """Waits, energy, bills and floors of a log with whole nodes and with shared ones, to be shown.

    Its attributes are those of :class:`~planner.sharing_nodes.queue_gains.result.QueueResult`.
    """

    def _made(self) -> Study:
        return study_of(self)
