"""Compute Tables 1 to 3 of the paper for any job log, and compare them with the published ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from planner.errors import InputError
from planner.scheduling.estimates.binning import PLACEMENTS, Placement, binned
from planner.scheduling.estimates.published import MOST_ERROR_PERCENT, PublishedLog, find_published
from scenarios.job_logs.job_log import Integers, JobLog

Row = dict[str, Any]


@dataclass(frozen=True)
class ProcessorRequests:
    """Processors that jobs request; shares of no jobs are ``None``.

    Attributes
    ----------
    jobs
        Number of jobs.
    power_of_two_percent, serial_percent
        Shares of all jobs; one processor is a power of two. Table 1.
    others
        Number of jobs whose number of processors is not a power of two.
    square_percent, even_percent, multiple_of_4_percent, multiple_of_10_percent
        Shares of these others. Table 2.
    """

    jobs: int
    power_of_two_percent: float | None
    serial_percent: float | None
    others: int
    square_percent: float | None
    even_percent: float | None
    multiple_of_4_percent: float | None
    multiple_of_10_percent: float | None


@dataclass(frozen=True)
class MeanErrors:
    """Mean errors of the bounded-error oracle by its bound, for one placement: a row of Table 3.

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
    mean_deviation, largest_deviation
        Mean and largest deviation of the mean errors from the printed ones, absolute, in percentage
        points, over the bounds; ``None`` where they are not compared.
    """

    placement: Placement
    most_error_percent: tuple[float, ...]
    mean_error_percent: tuple[float | None, ...]
    largest_error_percent: tuple[float | None, ...]
    classes: tuple[int, ...]
    mean_deviation: float | None = None
    largest_deviation: float | None = None


@dataclass(frozen=True)
class LogTables:
    """Tables 1 to 3 of a log.

    Attributes
    ----------
    name
        Name of the log.
    requests
        Tables 1 and 2.
    errors
        Table 3, a row for each placement.
    zero_runs
        Number of jobs with a run time of 0 s; mean errors leave them out.
    published
        The paper's published numbers of one log, if requested.
    """

    name: str
    requests: ProcessorRequests
    errors: tuple[MeanErrors, ...]
    zero_runs: int
    published: PublishedLog | None = None

    @property
    def more_jobs(self) -> int | None:
        """Return how many more jobs this log has than the published one; ``None`` without one."""
        return None if self.published is None else self.requests.jobs - self.published.jobs

    def tables(self) -> dict[str, list[Row]]:
        """Return rows of plain values by table name; published rows come last in a table."""
        requests = {"source": self.name} | asdict(self.requests)
        first = [requests]
        third = [
            {"source": self.name, "placement": error.placement, "most_error_percent": largest_error}
            | {"mean_error_percent": mean, "largest_error_percent": largest, "classes": classes}
            for error in self.errors
            for largest_error, mean, largest, classes in zip(
                error.most_error_percent,
                error.mean_error_percent,
                error.largest_error_percent,
                error.classes,
                strict=True,
            )
        ]
        deviations = [
            {"placement": error.placement}
            | {"mean_deviation": error.mean_deviation, "largest_deviation": error.largest_deviation}
            for error in self.errors
            if error.mean_deviation is not None
        ]
        if self.published is not None:
            printed = asdict(self.published)
            first.append(
                {key: printed.get(key) for key in requests} | {"source": self.published.name}
            )
            third += [
                {
                    "source": self.published.name,
                    "placement": "printed",
                    "most_error_percent": largest_error,
                }
                | {"mean_error_percent": mean, "largest_error_percent": None, "classes": None}
                for largest_error, mean in zip(
                    MOST_ERROR_PERCENT, self.published.mean_error_percent, strict=True
                )
            ]
        return {"requests": first, "mean errors": third, "deviations": deviations}


def log_tables(
    log: JobLog,
    *,
    published: str | None = None,
    most_error_percent: Sequence[float] = MOST_ERROR_PERCENT,
    placements: Sequence[Placement] = PLACEMENTS,
) -> LogTables:
    """Compute Tables 1 to 3 of a log.

    Parameters
    ----------
    log
        The jobs.
    published
        Log of the paper to compare with: ``blue-horizon``, ``intrepid`` or ``francesca``. It is
        never guessed from a file name; the caller decides whether this is the same log.
    most_error_percent
        Bounds of the oracle's error, as a percentage of the run time.
    placements
        Rules for the class limits; see :func:`planner.scheduling.estimates.binning.binned`.

    Raises
    ------
    InputError
        The paper has no such log, it has no numbers for these bounds, or a bound is out of range.

    References
    ----------
    Smith, Hammond and Jarvis 2011, Tables 1 to 3.
    """
    paper_log = None if published is None else find_published(published)
    bounds = tuple(most_error_percent)
    if paper_log is not None and not set(bounds) <= set(MOST_ERROR_PERCENT):
        raise InputError(
            f"{paper_log.name} has published errors for 10, 20, ..., 100 % only; use these maximum "
            "errors, or remove the published log"
        )
    return LogTables(
        name=log.name,
        requests=requests(log.processors),
        errors=tuple(
            _mean_errors(log.run_s, placement, bounds, paper_log) for placement in placements
        ),
        zero_runs=int(np.count_nonzero(log.run_s == 0)),
        published=paper_log,
    )


def requests(processors: Integers) -> ProcessorRequests:
    """Shares of jobs by what their processors are, shape ``(jobs,)``, each at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> found = requests(np.array([1, 8, 9, 20]))
    >>> found.power_of_two_percent, found.square_percent, found.multiple_of_4_percent
    (50.0, 50.0, 50.0)
    """
    power = (processors & (processors - 1)) == 0
    others = processors[~power]
    roots = np.rint(np.sqrt(others)).astype(np.int64)
    return ProcessorRequests(
        jobs=len(processors),
        power_of_two_percent=_percent(power),
        serial_percent=_percent(processors == 1),
        others=len(others),
        square_percent=_percent(roots * roots == others),
        even_percent=_percent(others % 2 == 0),
        multiple_of_4_percent=_percent(others % 4 == 0),
        multiple_of_10_percent=_percent(others % 10 == 0),
    )


def _percent(meets: np.ndarray[Any, np.dtype[np.bool_]]) -> float | None:
    return 100 * float(meets.mean()) if len(meets) else None


def _mean_errors(
    run_s: Integers, placement: Placement, bounds: tuple[float, ...], published: PublishedLog | None
) -> MeanErrors:
    mean_errors = [binned(run_s, bound / 100, placement) for bound in bounds]
    means = tuple(_in_percent(error.mean_error) for error in mean_errors)
    deviations = []
    if published is not None:
        printed = dict(zip(MOST_ERROR_PERCENT, published.mean_error_percent, strict=True))
        pairs = zip(bounds, means, strict=True)
        deviations = [abs(ours - printed[int(bound)]) for bound, ours in pairs if ours is not None]
    return MeanErrors(
        placement=placement,
        most_error_percent=bounds,
        mean_error_percent=means,
        largest_error_percent=tuple(_in_percent(error.largest_error) for error in mean_errors),
        classes=tuple(error.classes for error in mean_errors),
        mean_deviation=float(np.mean(deviations)) if deviations else None,
        largest_deviation=max(deviations, default=None),
    )


def _in_percent(error: float | None) -> float | None:
    return None if error is None else 100 * error
