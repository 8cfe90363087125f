"""Choose the next run from the runs so far and from predictions for all candidates.

References
----------
M. A. Gelbart, J. Snoek, R. P. Adams, "Bayesian optimization with unknown constraints", UAI 2014:
expected improvement times probability of keeping to the constraint. The sum over bounds and the
chance of a slow run are ours.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.configurations.prediction.candidates import CandidateConfigurations, Reason, Suggestion
from planner.configurations.prediction.model import ModelPrediction
from planner.configurations.table import Configuration
from planner.errors import InputError
from scenarios.measurements.runs import Floats, Indices, Runs

_NEAR = 1.5
"""Runs with as many cores on at most this many times as many or as few nodes share slow runs."""

_SOUND_BEFORE = 4
"""Sound runs that each configuration is credited with: one slow run may be a chance."""

_RUNS_OF_SLOW = 3
"""A configuration without a sound run is run this often at most."""


class View:
    """The runs so far and the predictions for all candidates, from which the next run is chosen.

    ``caution`` multiplies the predicted spreads of time.
    """

    def __init__(
        self,
        runs: Runs,
        rows: Indices,
        slow: NDArray[np.bool_],
        candidates: CandidateConfigurations,
        prediction: ModelPrediction,
        caution: float,
    ) -> None:
        self.runs, self.slow, self.candidates = runs, slow, candidates
        self.prediction, self.caution = prediction, caution
        among = rows >= 0
        self.slow_runs = np.bincount(rows[among & slow], minlength=len(candidates))
        self.open = self.slow_runs < _RUNS_OF_SLOW
        self.open[rows[among & ~slow]] = False

    def improve(self, bounds_w: Sequence[float]) -> Suggestion | None:
        """The open candidate of largest expected improvement, over all bounds together."""
        row = self._largest(np.sum([self._expected(bound) for bound in bounds_w], axis=0))
        if row is None:
            return None
        for bound in bounds_w:
            if row == self._largest(self._promised(bound, 0.0)):
                return self._suggest(row, "verify", bound)
        return self._suggest(row, "improve", None)

    def verify(self, bounds_w: Sequence[float], guard: float) -> Suggestion | None:
        """The open candidate that promises most over what was measured, for any one bound."""
        gains = np.stack([self._promised(bound, guard) for bound in bounds_w])
        row = self._largest(gains.max(axis=0))
        if row is None:
            return None
        return self._suggest(row, "verify", bounds_w[int(np.argmax(gains[:, row]))])

    def _largest(self, gains: Floats) -> int | None:
        """The open candidate of largest gain, each times the chance of a sound run."""
        gains = np.where(self.open, gains * self._sound(), 0.0)
        row = int(np.argmax(gains))
        return row if gains[row] > 0 else None

    def _against(self, bound_w: float) -> float:
        """Least time measured within a bound; the longest predicted if no run kept to it."""
        chosen = fastest(self.runs, ~self.slow, bound_w)
        return float(self.prediction.time_s.max()) if chosen is None else chosen.time_s

    def _expected(self, bound_w: float) -> Floats:
        from scipy.special import ndtr

        spread = np.maximum(self.caution * _spread(self.prediction.time_spread), 1e-6)
        z = (np.log(self._against(bound_w)) - np.log(self.prediction.time_s)) / spread
        gain = spread * (z * ndtr(z) + np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi))
        room = np.log(bound_w / self.prediction.power_w)
        probability = ndtr(room / np.maximum(_spread(self.prediction.power_spread), 1e-6))
        expected: Floats = np.maximum(gain, 0.0) * probability
        return expected

    def _promised(self, bound_w: float, guard: float) -> Floats:
        """Gain in log time where power is predicted to keep to the guarded bound, else 0."""
        gain = np.log(self._against(bound_w) / self.prediction.time_s)
        fits = self.prediction.power_w <= bound_w * (1 - guard)
        return np.where(fits, np.maximum(gain, 0.0), 0.0)

    def _sound(self) -> Floats:
        """Chance that a run of each candidate is not slow, from its own runs and those near it."""
        here, runs = self.candidates, self.runs
        nodes, cores = here.nodes[:, None], here.cores_per_node[:, None]
        near = (cores == runs.cores_per_node) & (
            np.maximum(nodes, runs.nodes) <= _NEAR * np.minimum(nodes, runs.nodes)
        )
        sound = _SOUND_BEFORE + (near & ~self.slow).sum(axis=1)
        chance: Floats = sound / (_SOUND_BEFORE + near.sum(axis=1)) / (1 + self.slow_runs)
        return chance

    def _suggest(self, row: int, reason: Reason, bound_w: float | None) -> Suggestion:
        time, power = self.prediction.time_s[row], self.prediction.power_w[row]
        key = self.candidates.key(row)
        reason = "repeat" if self.slow_runs[row] else reason
        return Suggestion(*key, reason, bound_w, float(time), float(power))


def _spread(spread: Floats | None) -> Floats:
    if spread is None:
        raise InputError("the model gives no uncertainty; choose a model that does")
    return spread


def fastest(runs: Runs, sound: NDArray[np.bool_], bound_w: float) -> Configuration | None:
    """Return the fastest of the sound runs within a bound; ``None`` if none keeps to it."""
    allowed = np.flatnonzero(sound & (runs.power_w <= bound_w))
    if not len(allowed):
        return None
    row = int(allowed[np.argmin(runs.time_s[allowed])])
    return Configuration(
        int(runs.nodes[row]),
        int(runs.cores_per_node[row]),
        float(runs.package_cap_w[row]),
        float(runs.time_s[row]),
        float(runs.power_w[row]),
    )
