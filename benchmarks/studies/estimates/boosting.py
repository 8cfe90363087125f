"""Boosted regression trees on the features of a job, trained again as jobs end.

The model is scikit-learn's ``HistGradientBoostingRegressor`` on ``FEATURES``. It predicts the
logarithm of the share of its request that a job uses, as a quantile or as a mean. Before the first
training, the prediction is the request. This is by far the slowest predictor here; it is a
reference for the fast ones.

Defaults
--------
These were chosen before any log was scored. The trees have the library's defaults. The quantile is
0.95, as for ``Quantile``. The model is trained on the last 20,000 ended jobs, again after every
1,000 jobs: about a week on a machine of the archive. ``MEDIAN`` uses the median, not the
mean. This was chosen on synthetic logs of users with habits: failed runs have logarithms far from
the mean (mean accuracy 0.76 with the median, 0.57 with the mean).

References
----------
Friedman (2001). Greedy function approximation: a gradient boosting machine. Annals of Statistics
29(5). Ke et al. (2017). LightGBM. NIPS, for trees on histograms.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from benchmarks.studies.estimates.features import Past, nothing_past, observe, remember
from benchmarks.studies.estimates.trees import Floats, Scores, scores_of
from planner.errors import InputError
from planner.scheduling.estimates.predictors.predictor import Integers, Known, Predicting, Rows
from solvers.dense import one_thread


@dataclass(frozen=True)
class Boosting:
    """Boosted trees, trained on the last ended jobs.

    Attributes
    ----------
    quantile
        Above 0 and below 1; ``None``: the mean of the logarithms.
    every
        Ended jobs between trainings, at least 2.
    window
        Ended jobs that a training takes, at most; at least ``every``.
    iterations
        Trees, at least 1.
    """

    quantile: float | None = 0.95
    every: int = 1_000
    window: int = 20_000
    iterations: int = 100
    name: str = "boosting"

    def __post_init__(self) -> None:
        if self.quantile is not None and not 0 < self.quantile < 1:
            raise InputError(f"a quantile of {self.quantile} is not between 0 and 1; give 0.95")
        if self.every < 2 or self.window < self.every or self.iterations < 1:
            raise InputError(
                f"every = {self.every}, window = {self.window}, iterations = {self.iterations} "
                "train nothing; give an every from 2 on, a window of at least that, and iterations"
            )

    def begin(self, known: Known, seed: int = 0) -> Predicting:
        """A pass over a log."""
        past = nothing_past(known)
        room = np.empty(len(known.submit_s), np.float64)
        return _Pass(self, seed, np.maximum(known.requested_s, 1), past, room)


@dataclass(eq=False)
class _Pass:
    """A model that is trained as jobs end.

    Attributes
    ----------
    used
        Logarithms of the shares of their requests that ended jobs used.
    ended
        Jobs in the order of their ends.
    trained_on
        How many of them the last training knew.
    scores
        What it says of jobs; ``None`` before the first.
    """

    settings: Boosting
    seed: int
    requested_s: Integers
    past: Past
    used: Floats
    ended: list[int] = field(default_factory=list)
    trained_on: int = 0
    scores: Scores | None = None

    def predict(self, rows: Rows) -> Integers:
        if len(self.ended) - self.trained_on >= self.settings.every:
            self._train()
        observe(rows, *self.past)
        requested: Integers = self.requested_s[rows]
        if self.scores is None:
            return requested
        share = np.exp(np.minimum(self.scores(rows), 0.0))
        longer = np.ceil(share * requested).astype(np.int64)
        predicted: Integers = np.clip(longer, 1, requested)
        return predicted

    def learn(self, rows: Rows, run_s: Integers) -> None:
        remember(rows, run_s, *self.past)
        share = np.log(np.maximum(run_s, 1) / self.requested_s[rows])
        self.used[rows] = np.minimum(share, 0.0)
        self.ended.extend(rows.tolist())

    @one_thread("sklearn.ensemble")  # threads that wait for each other cost more than they bring
    def _train(self) -> None:
        from sklearn.ensemble import HistGradientBoostingRegressor

        model = HistGradientBoostingRegressor(
            loss="squared_error" if self.settings.quantile is None else "quantile",
            quantile=self.settings.quantile,
            max_iter=self.settings.iterations,
            early_stopping=False,
            random_state=self.seed,
        )
        rows = np.array(self.ended[-self.settings.window :], np.intp)
        model.fit(self.past.features[rows], self.used[rows])
        self.scores = scores_of(model, self.past.features, rows)
        self.trained_on = len(self.ended)


MEDIAN = Boosting(quantile=0.5, name="boosting-median")
