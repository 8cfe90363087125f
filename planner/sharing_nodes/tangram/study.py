"""Tangram's gate in the tests of the paper and in stricter ones, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass

from planner.answer import Answer
from planner.sharing_nodes.tangram.facts import study_of
from planner.sharing_nodes.tangram.result import TangramResult
from planner.study import Study


@dataclass(frozen=True, eq=False, repr=False)
class TangramStudy(TangramResult, Answer):
    """Decisions of gates on one simulated system, ready to be shown.

    Its attributes are those of :class:`~planner.sharing_nodes.tangram.result.TangramResult`.
    """

    def _made(self) -> Study:
        return study_of(self)
