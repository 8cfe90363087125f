"""Choose the next run from the runs so far and from predictions for all candidates.

References
----------
M. A. Gelbart, J. Snoek, R. P. Adams, "Bayesian optimization with unknown constraints", UAI 2014:
expected improvement times probability of keeping to the constraint. The sum over bounds is ours.
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


class View:
    """The runs so far and the predictions for all candidates, from which the next run is chosen."""

    def __init__(
        self,
        runs: Runs,
        rows: Indices,
        slow: NDArray[np.bool_],
        candidates: CandidateConfigurations,
        prediction: ModelPrediction,
    ) -> None:
        self.runs, self.slow, self.candidates = runs, slow, candidates
        self.prediction = prediction
        self.rows = rows
        self.open = np.ones(len(candidates), dtype=bool)
        self.open[rows[rows >= 0]] = False

    def incumbent(self, bound_w: float) -> float | None:
        """Return the least time measured within a bound; ``None`` if no sound run kept to it."""
        chosen = fastest(self.runs, ~self.slow, bound_w)
        return None if chosen is None else chosen.time_s

    def repeat(self, bounds_w: Sequence[float]) -> Suggestion | None:
        """A configuration whose only runs were outliers, if it may be the best within a bound."""
        sound = set(self.rows[~self.slow].tolist())
        for row in np.unique(self.rows[self.slow]):
            if row < 0 or int(row) in sound or (self.rows == row).sum() > 2:
                continue
            time, power = self.prediction.time_s[row], self.prediction.power_w[row]
            for bound in bounds_w:
                best = self.incumbent(bound)
                if power <= bound and (best is None or time < best):
                    return self._suggest(int(row), "repeat", bound)
        return None

    def improve(self, bounds_w: Sequence[float]) -> Suggestion | None:
        """The open candidate of largest expected improvement."""
        gain = np.zeros(len(self.open))
        for bound in bounds_w:
            gain += self._expected(bound)
        gain[~self.open] = 0.0
        best = int(np.argmax(gain))
        return self._suggest(best, "improve", None) if gain[best] > 0 else None

    def _expected(self, bound_w: float) -> Floats:
        from scipy.special import ndtr

        best = self.incumbent(bound_w)
        against = best if best is not None else float(self.prediction.time_s.max())
        spread = np.maximum(_spread(self.prediction.time_spread), 1e-6)
        z = (np.log(against) - np.log(self.prediction.time_s)) / spread
        gain = spread * (z * ndtr(z) + np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi))
        room = np.log(bound_w / self.prediction.power_w)
        probability = ndtr(room / np.maximum(_spread(self.prediction.power_spread), 1e-6))
        expected: Floats = np.maximum(gain, 0.0) * probability
        return expected

    def verify(self, bounds_w: Sequence[float], guard: float) -> Suggestion | None:
        """The open candidate that promises most over what was measured, for any one bound."""
        promised: list[tuple[float, int, float]] = []
        for bound in bounds_w:
            allowed = self.open & (self.prediction.power_w <= bound * (1 - guard))
            if not allowed.any():
                continue
            row = int(np.argmin(np.where(allowed, self.prediction.time_s, np.inf)))
            best = self.incumbent(bound)
            gain = np.inf if best is None else np.log(best / self.prediction.time_s[row])
            promised.append((float(gain), row, bound))
        gain, row, bound = max(promised, default=(0.0, -1, 0.0))
        return self._suggest(row, "verify", bound) if gain > 0 else None

    def _suggest(self, row: int, reason: Reason, bound_w: float | None) -> Suggestion:
        time, power = self.prediction.time_s[row], self.prediction.power_w[row]
        key = self.candidates.key(row)
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
