"""Which jobs share nodes, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass

from planner.answer import Answer
from planner.sharing_nodes.pairs.facts import study_of
from planner.sharing_nodes.pairs.result import ColocationResult
from planner.study import Study


@dataclass(frozen=True, eq=False, repr=False)
class ColocationStudy(ColocationResult, Answer):
    """Pairs of greatest gain with their proof, and other ways to pair, ready to be shown.

    Its attributes are those of :class:`~planner.sharing_nodes.pairs.result.ColocationResult`.
    """

    def _made(self) -> Study:
        return study_of(self)
