"""Decisions of a certified gate on own applications, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass

from planner.answer import Answer
from planner.sharing_nodes.gate.facts import study_of
from planner.sharing_nodes.gate.result import GateResult
from planner.study import Study


@dataclass(frozen=True, eq=False, repr=False)
class GateStudy(GateResult, Answer):
    """Which new applications may share cores with reference applications, ready to be shown.

    Its attributes are those of :class:`~planner.sharing_nodes.gate.result.GateResult`.
    """

    def _made(self) -> Study:
        return study_of(self)
