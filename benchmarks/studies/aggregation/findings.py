"""Errors of a study beside the paper's, and which of the paper's statements hold in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.studies.aggregation.published import PRINTED_MEAN, PRINTED_MOST, PRINTED_TIME_ERROR
from benchmarks.studies.aggregation.validation import METHODS, Predicted, Study
from planner.aggregation.patterns import REFERENCE
from planner.aggregation.truths import Truths

_COLLECTIVE = "ft"
"""The test code whose messages are exchanges of all tasks."""


@dataclass(frozen=True)
class ErrorSummary:
    """Relative errors under one law of contention, as fractions.

    Attributes
    ----------
    family
        Law.
    ipc_mean, ipc_deviation, ipc_most
        Of IPC under patterns that were not sampled; mean and sample deviation of sizes.
    ipc_mean_least_seed, ipc_mean_most_seed
        Spread of the mean over seeds.
    left_out
        Mean error on training codes left out.
    time_mean, time_most
        Of total time under all patterns, by size.
    bound_point_to_point, bound_collective
        Median of the bound of communication over the true, by kind of code.
    slowdown_mean
        Mean size of the error of the slowdown, a difference of fractions.
    """

    family: str
    ipc_mean: float
    ipc_deviation: float
    ipc_most: float
    ipc_mean_least_seed: float
    ipc_mean_most_seed: float
    left_out: float
    time_mean: float
    time_most: float
    bound_point_to_point: float
    bound_collective: float
    slowdown_mean: float


def errors(study: Study) -> tuple[ErrorSummary, ...]:
    """Return one row for each law, that of the largest mean error of IPC first."""
    rows_of_errors = []
    for family in sorted({p.family for p in study.predictions}):
        rows = [p for p in study.predictions if p.family == family]
        size = np.abs([p.ipc_error for p in rows if not p.sampled])
        seeds = [
            float(np.mean(np.abs([p.ipc_error for p in rows if p.seed == s and not p.sampled])))
            for s in sorted({p.seed for p in rows})
        ]
        time = np.abs([p.time_error for p in rows])
        rows_of_errors.append(
            ErrorSummary(
                family=family,
                ipc_mean=float(size.mean()),
                ipc_deviation=float(size.std(ddof=1)),
                ipc_most=float(size.max()),
                ipc_mean_least_seed=min(seeds),
                ipc_mean_most_seed=max(seeds),
                left_out=float(np.mean([e for (f, _), e in study.left_out.items() if f == family])),
                time_mean=float(time.mean()),
                time_most=float(time.max()),
                bound_point_to_point=_median_bound(rows, collective=False),
                bound_collective=_median_bound(rows, collective=True),
                slowdown_mean=float(np.mean([abs(p.slowdown - p.true_slowdown) for p in rows])),
            )
        )
    return tuple(sorted(rows_of_errors, key=lambda row: -row.ipc_mean))


def _median_bound(rows: Sequence[Predicted], *, collective: bool) -> float:
    ratios = [p.bound_ratio for p in rows if (p.code == _COLLECTIVE) == collective]
    return float(np.median(ratios)) if ratios else float("nan")


@dataclass(frozen=True)
class Shape:
    """One statement of the paper, put to every law and seed.

    Attributes
    ----------
    statement, where
        What is said, and in which section.
    held, of
        In how many cases it is so.
    """

    statement: str
    where: str
    held: int
    of: int


def shapes(study: Study) -> tuple[Shape, ...]:
    """Return the paper's statements on 16 tasks."""
    keys = sorted({(t.family, t.seed) for t in study.truths})
    predicted = {key: [p for p in study.predictions if (p.family, p.seed) == key] for key in keys}
    chosen = [d for d in study.decisions if d.method == METHODS[0]]
    counts = [
        _count(
            "mean error of IPC at most that of the paper",
            "III",
            [_ipc(predicted[k]).mean() <= PRINTED_MEAN / 100 for k in keys],
        ),
        _count(
            "largest error of IPC at most that of the paper",
            "III",
            [_ipc(predicted[k]).max() <= PRINTED_MOST / 100 for k in keys],
        ),
        _count(
            "mean error of total time at most that of the paper",
            "I",
            [
                np.mean(np.abs([p.time_error for p in predicted[k]])) <= PRINTED_TIME_ERROR / 100
                for k in keys
            ],
        ),
        _count(
            "communication of point-to-point codes is over-predicted",
            "V",
            [_median_bound(predicted[k], collective=False) > 1.1 for k in keys],
        ),
        _count(
            "communication of collectives is predicted within 10 %",
            "V",
            [abs(_median_bound(predicted[k], collective=True) - 1) <= 0.1 for k in keys],
        ),
        _count("the best pattern is chosen", "VII", [d.chosen == d.best for d in chosen]),
        _count("the chosen pattern is at most 5 % slower", "VII", [d.within for d in chosen]),
        _count(
            "no single pattern is best for all codes",
            "II",
            [len({t.best for t in study.truths if (t.family, t.seed) == k}) > 1 for k in keys],
        ),
        _count(
            "one task per node takes the most energy",
            "VII",
            [
                max(t.outcomes, key=lambda p: t.outcomes[p].energy_j) == REFERENCE
                for t in study.truths
            ],
        ),
    ]
    for code, statement, where, holds in _OF_CODES:
        runs = [t for t in study.truths if t.code == code]
        if runs:
            counts.append(_count(statement, where, [holds(t) for t in runs]))
    return tuple(counts)


def _count(statement: str, where: str, held: Sequence[bool | np.bool_]) -> Shape:
    return Shape(statement, where, sum(map(bool, held)), len(held))


def _ipc(rows: Sequence[Predicted]) -> NDArray[np.float64]:
    sizes: NDArray[np.float64] = np.abs([p.ipc_error for p in rows if not p.sampled])
    return sizes


def _communication(run: Truths, pattern: int) -> float:
    """Communication time over that of one task per node."""
    return run.outcomes[pattern].communication_s / run.outcomes[REFERENCE].communication_s


def _least(run: Truths, *, energy: bool) -> int:
    return min(
        run.outcomes,
        key=lambda p: run.outcomes[p].energy_j if energy else run.outcomes[p].time_s,
    )


_OF_CODES: tuple[tuple[str, str, str, Callable[[Truths], bool]], ...] = (
    (
        "lu",
        "LU: communication differs by less than 10 % under patterns 2 to 6",
        "VII",
        lambda run: all(abs(_communication(run, p) - 1) < 0.1 for p in range(2, 7)),
    ),
    (
        "ft",
        "FT: communication takes 29 to 144 % longer under patterns 2 to 6",
        "VII",
        lambda run: all(1.2896 <= _communication(run, p) <= 2.441 for p in range(2, 7)),
    ),
    (
        "ft",
        "FT: of all patterns communication is slowest under 7",
        "VII",
        lambda run: max(run.outcomes, key=lambda p: _communication(run, p)) == 7,
    ),
    (
        "ft",
        "FT is fastest under pattern 2, without least energy",
        "II",
        lambda run: _least(run, energy=False) == 2 != _least(run, energy=True),
    ),
    (
        "cg",
        "CG takes least energy under pattern 5, without least time",
        "II",
        lambda run: _least(run, energy=True) == 5 != _least(run, energy=False),
    ),
    (
        "mg",
        "MG: communication falls under pattern 2, more under 3, most under 4",
        "VII",
        lambda run: 1 > _communication(run, 2) > _communication(run, 3) > _communication(run, 4),
    ),
)
