"""Mean errors of the bounded-error oracle on a job log, by its bound and placement."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.scheduling.estimates.binning import PLACEMENTS, Placement, binned
from scenarios.job_logs.job_log import Integers

MOST_ERROR_PERCENT = (10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
"""The bounds in Table 3 of Smith, Hammond and Jarvis (2011)."""


@dataclass(frozen=True)
class MeanErrors:
    """Mean errors of the bounded-error oracle by its bound, for one placement.

    Attributes
    ----------
    placement
        Where classes end.
    most_error_percent
        The bounds.
    mean_error_percent, largest_error_percent
        Mean and largest value of (estimate - run) / run over the jobs; ``None`` where none ran for
        a second.
    classes
        How many there are.
    """

    placement: Placement
    most_error_percent: tuple[float, ...]
    mean_error_percent: tuple[float | None, ...]
    largest_error_percent: tuple[float | None, ...]
    classes: tuple[int, ...]


@dataclass(frozen=True)
class OracleErrors:
    """Mean errors of the oracle on a log.

    Attributes
    ----------
    by_placement
        An entry for each placement.
    zero_runs
        Number of jobs with a run time of 0 s; mean errors leave them out.
    """

    by_placement: tuple[MeanErrors, ...]
    zero_runs: int

    @property
    def are_known(self) -> bool:
        """Whether any job ran for a second."""
        return any(
            mean is not None for error in self.by_placement for mean in error.mean_error_percent
        )

    def rows(self) -> list[dict[str, Any]]:
        """Rows of plain values, by placement and bound."""
        return [
            {"placement": error.placement, "most_error_percent": largest_error}
            | {"mean_error_percent": mean, "largest_error_percent": largest, "classes": classes}
            for error in self.by_placement
            for largest_error, mean, largest, classes in zip(
                error.most_error_percent,
                error.mean_error_percent,
                error.largest_error_percent,
                error.classes,
                strict=True,
            )
        ]


def oracle_errors(
    run_s: Integers, most_error_percent: Sequence[float] = MOST_ERROR_PERCENT
) -> OracleErrors:
    """Compute the mean errors of the oracle, by bound and placement.

    Parameters
    ----------
    run_s
        Run times of the jobs [s], shape ``(jobs,)``.
    most_error_percent
        Bounds of the oracle's error, as a percentage of the run time.

    Raises
    ------
    InputError
        A bound is out of range.
    """
    bounds = tuple(most_error_percent)
    return OracleErrors(
        tuple(_mean_errors(run_s, placement, bounds) for placement in PLACEMENTS),
        int(np.count_nonzero(run_s == 0)),
    )


def _mean_errors(run_s: Integers, placement: Placement, bounds: tuple[float, ...]) -> MeanErrors:
    errors = [binned(run_s, bound / 100, placement) for bound in bounds]
    return MeanErrors(
        placement=placement,
        most_error_percent=bounds,
        mean_error_percent=tuple(_in_percent(error.mean_error) for error in errors),
        largest_error_percent=tuple(_in_percent(error.largest_error) for error in errors),
        classes=tuple(error.classes for error in errors),
    )


def _in_percent(error: float | None) -> float | None:
    return None if error is None else 100 * error
