"""A decision by every method, on one or more instances, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.answer import Answer
from planner.comparison.facts import study_of
from planner.comparison.files import files
from planner.comparison.result import ComparisonResult
from planner.study import Study


@dataclass(frozen=True, eq=False, repr=False)
class ComparisonStudy(ComparisonResult, Answer):
    """The results of every method on the same instances, ready to be shown.

    Its attributes are those of :class:`~planner.comparison.result.ComparisonResult`.
    """

    def _made(self) -> Study:
        return study_of(self)

    def further_files(self) -> dict[str, bytes]:
        """Every answer as CSV, the methods as a LaTeX table, and the times of this run."""
        return files(self)

    def solve_times(self) -> list[dict[str, Any]]:
        """Wall and CPU seconds of every method on every instance."""
        return self.times()
