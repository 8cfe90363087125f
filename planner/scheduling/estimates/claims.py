"""What Smith, Hammond and Jarvis (2011) claim of their figures 4 to 6, and what holds here."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from planner.replications.spread import SeedSpread, spread
from planner.scheduling.estimates.tools import BoundedErrorOracle

if TYPE_CHECKING:
    from planner.scheduling.estimates.result import EstimateResult

AGREES = 0.5
"""Rank correlation above which error and queue time go together: in three of four pairs."""

MOSTLY = 0.8
"""Share of the rows in which they must not, for the claim that they do not to hold."""

Holds = Literal["holds", "holds in part", "does not hold", "cannot be said"]
Claimed = Literal["never too short", "improves", "falls with uptake", "accuracy", "longest rises"]


@dataclass(frozen=True)
class PaperClaim:
    """A claim of the paper, compared with this log.

    Attributes
    ----------
    claim
        One of the paper's: no estimate of the tool is too short (section 3, assumption 2); the tool
        shortens the sampled users' mean wait at every uptake and error (section 5, figures 4 to 6);
        the wait falls as more users use it; accuracy does not directly shorten waits; the tool
        raises the longest wait (section 5 against section 1).
    count, of
        In how many of how many cases it holds: killed jobs of simulations with the oracle (which
        must be none); cells that are better for every seed; pairs of error and seed in which the
        wait falls; rows of uptake and seed whose rank correlation is at most ``AGREES``; pairs of
        cell and seed in which the longest wait rises.
    change, change_low, change_high
        Relative change of the wait: mean, least and most; of ``improves`` of the cells' means.
    correlation
        Mean rank correlation (Kendall's) of error and wait.
    holds
        Whether it does: throughout, in part, which is more often than not, or not. Every claim of
        a direction is judged for each seed; what a single seed shows is no more than that.
    """

    claim: Claimed
    count: int
    of: int
    holds: Holds
    change: float | None = None
    change_low: float | None = None
    change_high: float | None = None
    correlation: float | None = None


def claims(study: EstimateResult) -> tuple[PaperClaim, ...]:
    """Return the paper's claims, without those that need other uptakes or errors than simulated."""
    first, *others = (_nobody_is_killed(study), *_directions(study))
    if len(study.settings.seeds) > 1 and study.workload.users > 1:
        return (first, *others)
    return (first, *(replace(claim, holds="cannot be said") for claim in others))


def _directions(study: EstimateResult) -> Iterator[PaperClaim]:
    yield from _improves(study)
    yield from _falls_with_uptake(study)
    yield from _accuracy(study)
    yield from _longest(study)


def _played(study: EstimateResult) -> list[tuple[float, float]]:
    """Return the uptakes and errors at which all sampled users use the tool."""
    smallest = study.workload.seed_group
    return [
        (uptake, error)
        for uptake in study.settings.uptakes
        if uptake >= smallest
        for error in study.settings.errors
    ]


def _nobody_is_killed(study: EstimateResult) -> PaperClaim:
    oracles = [
        outcome
        for case, outcome in study.outcomes.items()
        if isinstance(case.tool, BoundedErrorOracle)
    ]
    killed = sum(oracle.jobs_killed for oracle in oracles)
    holds: Holds = "holds" if killed == 0 else "does not hold"
    return PaperClaim("never too short", killed, len(oracles), holds)


def _improves(study: EstimateResult) -> Iterator[PaperClaim]:
    gains = [spread(study.gains(*cell)) for cell in _played(study)]
    defined = [gain for gain in gains if gain is not None]
    if not defined:
        return
    every = sum(gain.above_zero for gain in defined)
    better = sum(gain.mean > 0 for gain in defined)
    means = [gain.mean for gain in defined]
    yield PaperClaim(
        "improves", every, len(defined), _judged(every, better, len(defined)),
        -float(np.mean(means)), -max(means), -min(means),
    )  # fmt: skip


def _falls_with_uptake(study: EstimateResult) -> Iterator[PaperClaim]:
    uptakes = sorted({uptake for uptake, _ in _played(study)})
    if len(uptakes) < 2 or study.workload.users < 2:
        return
    falls = []
    for error in study.settings.errors:
        few, many = (study.values(uptakes[index], error) for index in (0, -1))
        falls += [1 - b / a for a, b in zip(few, many, strict=True) if a > 0]
    found = spread(falls)
    if found is not None:
        down = sum(fall > 0 for fall in falls)
        yield _changed("falls with uptake", found, down, down, len(falls))


def _accuracy(study: EstimateResult) -> Iterator[PaperClaim]:
    errors = sorted(study.settings.errors)
    if len(errors) < 3:
        return
    uptakes = sorted({uptake for uptake, _ in _played(study)})
    tables = [np.array([study.values(uptake, error) for error in errors]).T for uptake in uptakes]
    rows = [waits for table in tables for waits in table if np.ptp(waits) > 0]  # nor NaN
    if rows:
        agreement = [_agreement(waits) for waits in rows]
        apart = sum(agreed <= AGREES for agreed in agreement)
        holds = _judged(int(apart >= MOSTLY * len(rows)), int(2 * apart > len(rows)), 1)
        mean = float(np.mean(agreement))
        yield PaperClaim("accuracy", apart, len(rows), holds, correlation=mean)


def _agreement(waits: NDArray[np.float64]) -> float:
    """Kendall's rank correlation with the place: 1 where each wait is above all before it."""
    later, earlier = np.tril_indices(len(waits), -1)
    return float(np.sign(waits[later] - waits[earlier]).mean())


def _longest(study: EstimateResult) -> Iterator[PaperClaim]:
    every = [gain for cell in _played(study) for gain in study.gains(*cell, "max_s")]
    gains = [gain for gain in every if not math.isnan(gain)]
    found = spread(gains)
    if found is None:
        return
    if study.one_user:
        gains = gains[:: len(study.settings.seeds)]  # which are all alike
    up = sum(gain < 0 for gain in gains)
    yield _changed("longest rises", found, up, up, len(gains))


def _changed(claim: Claimed, gains: SeedSpread, every: int, mostly: int, of: int) -> PaperClaim:
    """A claim with the change of a wait: the negative gain."""
    judged = _judged(every, mostly, of)
    return PaperClaim(claim, every, of, judged, -gains.mean, -gains.most, -gains.least)


def _judged(throughout: int, mostly: int, of: int) -> Holds:
    if throughout == of:
        return "holds"
    return "holds in part" if mostly > of / 2 else "does not hold"
