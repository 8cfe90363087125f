"""What Smith, Hammond and Jarvis (2011) claim of their figures 4 to 6, and what holds here."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from planner.formatting import plural, spanned
from planner.replications.spread import spread
from planner.scheduling.estimates.gain_text import change, with_ends
from planner.scheduling.estimates.tools import BoundedErrorOracle

if TYPE_CHECKING:
    from planner.scheduling.estimates.result import EstimateResult, Measure

AGREES = 0.5
"""Rank correlation above which error and queue time go together: in three of four pairs."""

MOSTLY = 0.8
"""Share of the rows in which they must not, for the claim that they do not to hold."""

_NEVER_SHORT = "section 3, assumption 2"
"""Where the paper assumes that no prediction of its tool is too short."""

Holds = Literal["holds", "holds in part", "does not hold", "cannot be said"]


@dataclass(frozen=True)
class PaperClaim:
    """A claim of the paper, compared with this log.

    Attributes
    ----------
    claim
        In words; ``where`` in the paper.
    found
        What is found here, with its spread over seeds.
    holds
        Whether it does: throughout, in part, which is more often than not, or not. Every claim of
        a direction is judged for each seed; what a single seed shows is no more than that.
    """

    claim: str
    where: str
    found: str
    holds: Holds

    @property
    def by_construction(self) -> bool:
        """Whether the claim holds because the oracle is built so."""
        return self.where == _NEVER_SHORT


def claims(study: EstimateResult) -> tuple[PaperClaim, ...]:
    """Return the paper's claims, without those that need other uptakes or errors than simulated."""
    checks = [_nobody_is_killed(study), _improves(study), _falls_with_uptake(study)]
    checks += [_accuracy(study), _maximum(study)]
    applicable = [claim for claim in checks if claim is not None]
    if len(study.settings.seeds) > 1 and study.workload.users > 1:
        return tuple(applicable)
    return (applicable[0], *(replace(claim, holds="cannot be said") for claim in applicable[1:]))


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
    return PaperClaim(
        "The run times that the tool predicts are never too short, so all jobs complete.",
        _NEVER_SHORT,
        f"{plural(killed, 'job')} killed in {plural(len(oracles), 'simulation')} with the oracle",
        "holds" if killed == 0 else "does not hold",
    )


def _improves(study: EstimateResult) -> PaperClaim | None:
    cells = _played(study)
    gains = {cell: spread(study.gains(*cell)) for cell in cells}
    defined = [gain for gain in gains.values() if gain is not None]
    if not defined:
        return None
    every = sum(gain.above_zero for gain in defined)
    mean = sum(gain.mean > 0 for gain in defined)
    lowest, highest = min(gain.mean for gain in defined), max(gain.mean for gain in defined)
    deviations = [gain.deviation for gain in defined if gain.deviation is not None]
    typical = _points(float(np.mean(deviations))) if deviations else "not known"
    return PaperClaim(
        "The tool shortens the sampled users' mean wait at every uptake and error.",
        "section 5, figures 4 to 6",
        f"mean wait {spanned(change(lowest), change(highest))}"
        if study.one_user
        else f"mean wait {spanned(change(lowest), change(highest))} from "
        f"{100 * study.workload.seed_group:g} % uptake on, deviation between seeds "
        f"{typical}; {mean} of {plural(len(defined), 'cell')} better on average, {every} "
        "for every seed",
        _judged(every, mean, len(defined)),
    )


def _falls_with_uptake(study: EstimateResult) -> PaperClaim | None:
    uptakes = sorted({uptake for uptake, _ in _played(study)})
    if len(uptakes) < 2 or study.workload.users < 2:
        return None
    falls = []
    for error in study.settings.errors:
        few, many = (study.values(uptakes[index], error) for index in (0, -1))
        falls += [1 - b / a for a, b in zip(few, many, strict=True) if a > 0]
    falls_spread = spread(falls)
    if falls_spread is None:
        return None
    down = sum(fall > 0 for fall in falls)
    first, last = 100 * uptakes[0], 100 * uptakes[-1]
    return PaperClaim(
        "The wait falls as more users use the tool (Intrepid, Blue Horizon).",
        "section 5",
        f"from {first:.0f} to {last:.0f} % uptake the wait is "
        f"{with_ends(falls_spread)}; it falls for {down} of {plural(len(falls), 'pair')} of "
        "error and seed",
        _judged(down, down, len(falls)),
    )


def _accuracy(study: EstimateResult) -> PaperClaim | None:
    errors = sorted(study.settings.errors)
    if len(errors) < 3:
        return None
    uptakes = sorted({uptake for uptake, _ in _played(study)})
    tables = [np.array([study.values(uptake, error) for error in errors]).T for uptake in uptakes]
    rows = [waits for table in tables for waits in table if np.ptp(waits) > 0]  # nor NaN
    if not rows:
        return None
    rising = sum(bool((np.diff(waits) >= 0).all()) for waits in rows)
    least_is_best = sum(bool(waits[0] <= waits.min()) for waits in rows)
    agreement = [_agreement(waits) for waits in rows]
    apart = sum(agreed <= AGREES for agreed in agreement)
    return PaperClaim(
        "Greater accuracy does not directly shorten waits.",
        "section 5",
        f"{rising} of {len(rows)} rows of uptake and seed rise with each step of the error; the "
        f"least error is best in {least_is_best}. The rank correlation of error and wait is "
        f"{np.mean(agreement):.2f} on average, above {AGREES:g} in {len(rows) - apart}",
        _judged(int(apart >= MOSTLY * len(rows)), int(2 * apart > len(rows)), 1),
    )


def _agreement(waits: NDArray[np.float64]) -> float:
    """Kendall's rank correlation with the place: 1 where each wait is above all before it."""
    later, earlier = np.tril_indices(len(waits), -1)
    return float(np.sign(waits[later] - waits[earlier]).mean())


def _maximum(study: EstimateResult) -> PaperClaim | None:
    cells = _played(study)
    measure: Measure = "max_s"
    gains = [gain for cell in cells for gain in study.gains(*cell, measure) if not math.isnan(gain)]
    gain_spread = spread(gains)
    if gain_spread is None:
        return None
    if study.one_user:
        gains = gains[:: len(study.settings.seeds)]  # which are all alike
    up = sum(gain < 0 for gain in gains)
    of = plural(len(gains), "case" if study.one_user else "pair")
    pairs = of if study.one_user else f"{of} of cell and seed"
    return PaperClaim(
        "The tool raises the longest wait (Intrepid, Blue Horizon; the list of contributions "
        "says that it lowers it).",
        "section 5 against section 1",
        f"it rises for {up:,} of {pairs}; on average it is {with_ends(gain_spread)}",
        _judged(up, up, len(gains)),
    )


def _points(deviation: float) -> str:
    return f"{100 * deviation:.1f} points" if deviation <= 1 else "above 100 points"


def _judged(throughout: int, mostly: int, of: int) -> Holds:
    if throughout == of:
        return "holds"
    return "holds in part" if mostly > of / 2 else "does not hold"
