"""Two runs compared, ready to be shown."""

from __future__ import annotations

import os
from dataclasses import dataclass

from planner.answer import Answer
from planner.differences.facts import study_of
from planner.differences.result import DifferenceResult
from planner.differences.values import difference, read_plan
from planner.study import Study


@dataclass(frozen=True, eq=False, repr=False)
class DifferenceStudy(DifferenceResult, Answer):
    """What differs between two runs, ready to be shown.

    Its attributes are those of :class:`~planner.differences.result.DifferenceResult`.
    """

    def _made(self) -> Study:
        return study_of(self)


def compare_runs(first: str | os.PathLike[str], second: str | os.PathLike[str]) -> DifferenceStudy:
    """Compare two runs of ``headroom plan``: folders, or their plan.json.

    Parameters
    ----------
    first, second
        Folders of results, or the paths of their ``plan.json``.

    Returns
    -------
    DifferenceStudy
        ``changes`` has every value that differs, inputs first.

    Raises
    ------
    ScenarioError
        One of them cannot be read.
    """
    plans = read_plan(first), read_plan(second)
    return DifferenceStudy(str(first), str(second), plans, difference(*plans))
