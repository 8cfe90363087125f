r"""Conformal risk control: a threshold that keeps the rate of bad co-runs at or below alpha.

Setting
    Applications are exchangeable: those that calibrate the gate and the new one come from one
    distribution. A pair is admitted where its score is below the threshold ``t``.

Co-runs of a new application with reference applications (theorem 1)
    The partners are fixed reference applications, so a pair holds one exchangeable application. Let
    ``F_i(t)`` be the share of the co-runs of application ``i`` that are bad, 0 without a co-run.
    It may fall with ``t``; the loss ``L_i(t)``, its largest value up to ``t``, does not. All of
    ``i`` that the loss depends on are its own runs and probes, so ``L_1 .. L_{n+1}`` are
    exchangeable. The rule takes the largest threshold with

    .. math:: \frac{n}{n + 1} \bar L_n(t) + \frac{1}{n + 1} \le \alpha .

    Then ``E F_{n+1}(t) <= E L_{n+1}(t) <= alpha``. No ``alpha`` below ``1 / (n + 1)`` is possible.

References
----------
A. N. Angelopoulos, S. Bates, A. Fisch, L. Lei, T. Schuster, "Conformal risk control", ICLR 2024,
theorem 1, and section 2.3 for losses that are not monotone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.sharing_nodes.tangram.metrics import Floats

Flags = NDArray[np.bool_]


def least_alpha(applications: int) -> float:
    """The smallest rate that calibration applications, by their number, can certify.

    Examples
    --------
    >>> least_alpha(5)  # five known applications, and the sixth is new
    0.16666666666666666
    >>> round(least_alpha(40), 4)
    0.0244
    """
    return 1 / (applications + 1)


@dataclass(frozen=True)
class Certified:
    """A threshold with its guarantee.

    Attributes
    ----------
    threshold
        Pairs with a score below it are admitted; minus infinity admits none.
    alpha
        The rate that is kept, on average over sites.
    least_alpha
        The smallest rate that the calibration applications can certify.
    loss
        Mean loss of the calibration applications at the threshold.
    """

    threshold: float
    alpha: float
    least_alpha: float
    loss: float

    @property
    def possible(self) -> bool:
        """Whether there are enough calibration applications for this rate."""
        return self.alpha >= self.least_alpha


def certified_threshold(
    scores: Floats, bad: Flags, units: NDArray[np.generic], alpha: float
) -> Certified:
    """The largest threshold that theorem 1 certifies.

    Parameters
    ----------
    scores
        Scores of the pairs of calibration applications with reference applications: (pairs,).
        Infinite where a pair is never admitted.
    bad
        Whether each is a bad co-run if it is admitted.
    units
        Number of the calibration application of each pair.
    alpha
        Rate to keep, in (0, 1).

    Raises
    ------
    InputError
        ``alpha`` is not a valid rate, or there is no calibration application.
    """
    _check(alpha)
    names = np.unique(units)
    if not len(names):
        raise InputError("no calibration application is given; measure at least one")
    at, grown, _ = _all_steps(scores, bad, units)
    return _certified(at, grown / len(names), len(names), alpha)


@dataclass(frozen=True)
class CoRuns:
    """Co-runs of calibration applications, and how many of them were bad.

    Attributes
    ----------
    number, bad
        All admitted pairs, and those above the limit.
    mean_share
        Mean over applications of the share that was bad; 0 for an application without a co-run.
    """

    number: int
    bad: int
    mean_share: float

    @property
    def rate(self) -> float | None:
        """Share of all co-runs that were bad; ``None`` without a co-run."""
        return self.bad / self.number if self.number else None


def left_out_co_runs(
    scores: Floats, bad: Flags, units: NDArray[np.generic], alpha: float
) -> CoRuns:
    """Co-runs of each calibration application at the threshold that the others certify.

    The threshold was chosen with the co-runs of all applications, so their own rate of bad co-runs
    would be too low for a new application. Nothing is guaranteed for the result. Parameters are
    those of :func:`certified_threshold`.
    """
    names, flags = np.unique(units), np.asarray(bad)
    at, grown, owner = _all_steps(scores, bad, units)
    counts, others = [], max(len(names) - 1, 1)
    for name in names:
        rest, own = owner != name, units == name
        result = _certified(at[rest], grown[rest] / others, len(names) - 1, alpha)
        admitted = scores[own] < result.threshold
        counts.append((int(admitted.sum()), int((admitted & flags[own]).sum())))
    shares = [worse / number if number else 0.0 for number, worse in counts]
    return CoRuns(
        sum(number for number, _ in counts),
        sum(worse for _, worse in counts),
        sum(shares) / len(shares),
    )


def _all_steps(
    scores: Floats, bad: Flags, units: NDArray[np.generic]
) -> tuple[Floats, Floats, NDArray[np.generic]]:
    """The steps of all applications: score, growth of the loss, and whose step it is."""
    steps = [
        (score, growth, name)
        for name in np.unique(units)
        for score, growth in _steps(scores[units == name], np.asarray(bad)[units == name])
    ]
    return (
        np.array([score for score, _, _ in steps]),
        np.array([growth for _, growth, _ in steps]),
        np.array([name for _, _, name in steps], dtype=units.dtype),
    )


def _check(alpha: float) -> None:
    if not 0 < alpha < 1:
        raise InputError(f"bad_share = {alpha:g}; give a rate above 0 and below 1, such as 0.1")


def _steps(scores: Floats, bad: Flags) -> Iterator[tuple[float, float]]:
    """Scores at which the loss of one application grows once they are admitted, and by how much."""
    order = np.argsort(scores, kind="stable")
    values = scores[order]
    shares = np.cumsum(np.asarray(bad)[order]) / np.arange(1, len(values) + 1)
    last = np.append(values[1:] > values[:-1], True) & np.isfinite(values)
    worst = np.maximum.accumulate(np.append(0.0, shares[last]))
    for value, growth in zip(values[last], np.diff(worst), strict=True):
        if growth > 0:
            yield float(value), float(growth)


def _certified(scores: Floats, growth: Floats, applications: int, alpha: float) -> Certified:
    """The first score at which the mean loss would exceed its limit; admission is below it."""
    least = least_alpha(applications)
    room = alpha * (applications + 1) - 1
    if room < 0:
        return Certified(-inf, alpha, least, 0.0)
    most = room / applications
    order = np.argsort(scores, kind="stable")
    over = np.flatnonzero(np.cumsum(growth[order]) > most + 1e-12)
    result = inf if not len(over) else float(scores[order[over[0]]])
    return Certified(result, alpha, least, float(growth[scores < result].sum()))
