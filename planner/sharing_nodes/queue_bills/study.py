"""A day of jobs with and without shared nodes, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass

from planner.answer import Answer
from planner.sharing_nodes.queue_bills.facts import study_of
from planner.sharing_nodes.queue_bills.result import QueuePriceResult
from planner.study import Study


@dataclass(frozen=True, eq=False, repr=False)
class QueuePriceStudy(QueuePriceResult, Answer):
    """What sharing nodes changes on a day, and what users pay, ready to be shown.

    Its attributes are those of
    :class:`~planner.sharing_nodes.queue_bills.result.QueuePriceResult`.
    """

    def _made(self) -> Study:
        return study_of(self)
