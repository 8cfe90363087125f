"""What is expected of each pattern, now that the program ran under some.

The log of the time of an iteration is Gaussian over all patterns. Its mean is the prediction with
the mean of :class:`planner.aggregation.prior.IpcPrior`, and with half of the bound of messages.
Its covariance has the errors of IPC, as far as a pattern computes; the share of the bound that
shows, as far as it sends messages; and what all runs have in common.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from planner.aggregation.patterns import REFERENCE
from planner.aggregation.selection import Candidate, Predictor
from solvers.dense import one_thread
from solvers.portable import exp, log

if TYPE_CHECKING:
    from planner.aggregation.prior import IpcPrior
    from planner.aggregation.tried import TriedPattern
    from scenarios.aggregation.task_samples import Program

Floats = NDArray[np.float64]

SHOWN = 0.5
SHOWN_SPREAD = 0.29
"""Share of the bound of point-to-point messages that shows: any from 0 to 1, evenly. Exchanges of
all ranks count whole: they are timed as such, and hide behind nothing."""
OWN_SHOWN = 0.1
"""By how much that share differs from pattern to pattern."""
ALL_RUNS = 0.05
"""Deviation of the log of times that all runs share: start-up, files, inexact iterations."""
SCATTER = 0.004
"""Deviation of the log of the time between runs of one pattern."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """The time of an iteration under each candidate.

    Attributes
    ----------
    candidates
        With corrected IPC, times, slowdown and energy.
    covariance
        Covariance of the logs of their times.
    """

    candidates: tuple[Candidate, ...]
    covariance: Floats

    def slowdown(self, candidate: Candidate, level: float) -> float:
        """The slowdown that is not exceeded with a probability."""
        spread = self._spread(candidate)
        return (1 + candidate.slowdown) * exp(NormalDist().inv_cdf(level) * spread) - 1

    def within(self, candidate: Candidate, threshold: float) -> float:
        """Probability that the slowdown is tolerable; 1 for the reference."""
        if candidate.pattern.id == REFERENCE:
            return 1.0
        room = log((1 + threshold) / (1 + candidate.slowdown))
        return NormalDist().cdf(room / self._spread(candidate))

    def _spread(self, candidate: Candidate) -> float:
        at = self.candidates.index(candidate)
        one = next(k for k, c in enumerate(self.candidates) if c.pattern.id == REFERENCE)
        known = self.covariance
        variance = known[at, at] + known[one, one] - 2 * known[at, one]
        return math.sqrt(max(float(variance), SCATTER**2))


@one_thread()
def posterior(
    predictor: Predictor,
    program: Program,
    predicted: Sequence[Candidate],
    prior: IpcPrior,
    tried: Sequence[TriedPattern],
) -> Posterior:
    """Correct predictions by runs.

    A tried pattern has the mean time of its runs, and the mean energy where it was metered. The
    power of others is scaled by what was metered over what was predicted.
    """
    samples = [program.samples[key] for key in predictor.ipc.setting.sampled]
    apart = np.array([prior.disagreement(samples, c.pattern.id, c.ipc) for c in predicted])
    messages = np.array([c.communication_s - c.exchange_s for c in predicted])
    compute = np.array([c.compute_s for c in predicted]) * exp(-prior.line_share * apart)
    exchanged = np.array([c.exchange_s for c in predicted])
    first = compute + exchanged + SHOWN * messages
    computing, sending = compute / first, messages / first
    ipc = np.outer(computing, computing) * prior.covariance([c.pattern for c in predicted], apart)
    bound = np.outer(sending, sending) * SHOWN_SPREAD**2 + np.diag((OWN_SHOWN * sending) ** 2)
    covariance: Floats = ipc + bound + ALL_RUNS**2 + SCATTER**2 * np.eye(len(predicted))
    at = {c.pattern.id: k for k, c in enumerate(predicted)}
    seen = [at[run.pattern] for run in tried]
    measured_s = np.array([run.time_s / program.iterations for run in tried])
    scatter = np.array([SCATTER**2 / len(run.times_s) for run in tried])
    shift, shown = np.zeros(len(predicted)), SHOWN
    if seen:
        off = log(measured_s) - log(first[seen])
        beside = covariance[:, seen]
        weights = np.linalg.solve(covariance[np.ix_(seen, seen)] + np.diag(scatter), beside.T).T
        shift = weights @ off
        among = np.linalg.solve(covariance[np.ix_(seen, seen)] + np.diag(scatter), off)
        shown += float(SHOWN_SPREAD**2 * sending[seen] @ among)
        covariance = covariance - weights @ beside.T
    times_s = first * exp(shift)
    times_s[seen] = measured_s
    shown = min(max(shown, 0.0), 1.0)
    # a run that is shorter than its messages computes for a part of it all the same
    passed_s = np.minimum(exchanged + shown * messages, 0.9 * times_s)
    return Posterior(
        _corrected(predictor, program, predicted, times_s, passed_s, tried), covariance
    )


def _corrected(
    predictor: Predictor,
    program: Program,
    predicted: Sequence[Candidate],
    times_s: Floats,
    passed_s: Floats,
    tried: Sequence[TriedPattern],
) -> tuple[Candidate, ...]:
    (one,) = (k for k, c in enumerate(predicted) if c.pattern.id == REFERENCE)
    made = []
    for c, time_s, communication_s in zip(
        predicted, times_s.tolist(), passed_s.tolist(), strict=True
    ):
        compute_s = time_s - communication_s
        corrected = replace(
            c,
            ipc=c.ipc * c.compute_s / compute_s,
            compute_s=compute_s,
            communication_s=communication_s,
            slowdown=time_s / float(times_s[one]) - 1,
        )
        made.append(replace(corrected, energy_j=predictor.energy_j(program, corrected)))
    metered = {run.pattern: run.energy_j for run in tried if run.energy_j is not None}
    ratios = [
        metered[c.pattern.id] / c.energy_j
        for c in made
        if c.pattern.id in metered and c.energy_j is not None
    ]
    over = exp(sum(map(log, ratios)) / len(ratios)) if ratios else 1.0
    return tuple(
        c if c.energy_j is None
        else replace(c, energy_j=metered.get(c.pattern.id, over * c.energy_j))
        for c in made
    )  # fmt: skip
