"""A linear model of the share of its request that a job uses, learnt job by job.

The logarithm of the share is a linear function of ``FEATURES``. It is fitted by recursive least
squares with forgetting and an asymmetric loss. Let x be a job's features, y its logarithm, and f
the forgetting factor; v is 1 where the model was too short, else ``too_long``:

    k = P x / (f / v + x' P x),  w += k (y - w' x),  P = (P - k x' P) / f,

It starts from w = 0, which predicts the request, and P = I / ridge. If the features hardly vary, P
would grow without limit. So the model does not forget while the trace of P is above its start.

The prediction is exp(w' x + m d) times the request, rounded up, at most the request. Here d is the
recent mean distance between model and run time, at least 0.05. It is that of the user's jobs, and
before the user's first job that of everybody's. The margin m follows the quantile of the distances.
It grows by ``step`` (1 - under) when an ended job is above the limit, else it shrinks by ``step``
under. In the long run, about the share ``under`` of the jobs runs longer than predicted. The limit
is computed at the job's end, not at its submission: with the old limit, a long queue would make the
margin overshoot.

Defaults
--------
These were chosen before any log was scored. One job in twenty exceeds its prediction, as for the
quantile. Steps are 0.05, so a margin settles within about a hundred jobs. The memory is 10,000
ended jobs, months on a machine of the archive. The ridge has one job's weight. The loss was chosen
on synthetic logs of users with habits (three seeds, 12,000 jobs each). A symmetric loss left
1.4 to 1.9 times as much of the requests' over-estimate, at the same share of jobs that exceed their
prediction. Huber's loss gained little.

References
----------
Gaussier, Glesser, Reis and Trystram (2015). Improving backfilling by using machine learning to
predict running times. SC '15: online regression on what is known at submission and on the user's
last run times, with an asymmetric loss. Departures: linear and not polynomial features, in
logarithms; least squares and not gradients; and the margin.
Newey and Powell (1987). Asymmetric least squares estimation and testing. Econometrica 55(4),
section 2, for the loss. Haykin (2002). Adaptive filter theory, chapter 9, for recursive least
squares. Gibbs and Candes (2021). Adaptive conformal inference under distribution shift. NeurIPS,
equation 2, for the margin. Lei et al. (2018). Distribution-free predictive inference for
regression. JASA 113(523), section 5.2, for its scale.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from benchmarks.studies.estimates.features import (
    FEATURES,
    SEEN,
    Floats,
    Past,
    nothing_past,
    observe_one,
    remember_one,
)
from planner.errors import InputError
from planner.scheduling.estimates.predictors.predictor import Integers, Known, Predicting, Rows
from planner.scheduling.policies.compiled import compiled, compiled_entry

COUNT = len(FEATURES)
LEAST_DEVIATION = 0.05
RECENT = 0.2
"""Weight of the last distance in a user's mean; everybody's has a twentieth of it."""


@dataclass(frozen=True)
class Linear:
    """Recursive, asymmetric least squares in logarithms, and a margin.

    Attributes
    ----------
    under
        Target share of the jobs that run longer than predicted; above 0 and below 1.
    step
        Step of the margin, in mean distances; above 0.
    memory
        Number of later ended jobs after which a job counts for 1/e; above 1.
    ridge
        Amount of data that the model needs before it departs from the request; above 0.
    too_long
        Weight in the loss of a job with too long a prediction, relative to one with too short a
        prediction; above 0. ``None``: under / (1 - under), which makes the model's own limit that
        expectile. 1 is the symmetric loss.
    """

    under: float = 0.05
    step: float = 0.05
    memory: float = 10_000.0
    ridge: float = 1.0
    too_long: float | None = None
    name: str = "linear"

    def __post_init__(self) -> None:
        if not 0 < self.under < 1:
            raise InputError(f"under = {self.under} is not between 0 and 1; give 0.05")
        for meaning, value, lowest in (
            ("step", self.step, 0.0),
            ("memory", self.memory, 1.0),
            ("ridge", self.ridge, 0.0),
            ("too_long", self.loss, 0.0),
        ):
            if not (value > lowest and math.isfinite(value)):
                raise InputError(
                    f"{meaning} = {value} is not above {lowest:g}; give a larger number"
                )

    @property
    def loss(self) -> float:
        """Weight of a job that the model was too long for."""
        return self.under / (1 - self.under) if self.too_long is None else self.too_long

    def begin(self, known: Known, seed: int = 0) -> Predicting:  # noqa: ARG002 - nothing is drawn
        """A pass over a log."""
        past = nothing_past(known)
        model = np.zeros((COUNT + 1, COUNT))
        model[1:] = np.eye(COUNT) / self.ridge
        constants = np.array(
            [math.exp(-1 / self.memory), COUNT / self.ridge, self.step, self.under, self.loss]
        )
        deviation = np.full(len(past.ended) + 1, np.nan)
        deviation[-1] = 0.0
        return _Pass(np.maximum(known.requested_s, 1), past, model, constants, deviation)


@dataclass(frozen=True, eq=False)
class _Pass:
    """A model that learns during a pass over a log.

    Attributes
    ----------
    model
        The weights, and below them P; shape ``(1 + features, features)``.
    constants
        Forgetting factor, largest trace, step, target share of longer runs, and ``loss``.
    deviation
        Mean distances by owner, NaN before the first job. The last entry is the margin.
    """

    requested_s: Integers
    past: Past
    model: Floats
    constants: Floats
    deviation: Floats

    def predict(self, rows: Rows) -> Integers:
        predicted = np.empty(len(rows), np.int64)
        features, owners, ended = self.past
        arrays = (self.requested_s, features, owners, ended, self.model, self.deviation)
        _predict(rows, *arrays, predicted)
        return predicted

    def learn(self, rows: Rows, run_s: Integers) -> None:
        features, owners, ended = self.past
        gain = np.empty(COUNT)
        arrays = (features, owners, ended, self.model, self.deviation, self.constants)
        _learn(rows, run_s, *arrays, gain)


@compiled_entry
def _predict(
    rows: Rows,
    requested: Integers,
    features: Floats,
    owners: Integers,
    ended: Floats,
    model: Floats,
    deviation: Floats,
    predicted: Integers,
) -> None:
    for i in range(len(rows)):
        job = rows[i]
        observe_one(job, features, owners, ended)
        share = _modelled(job, features, model) + _margin(job, owners, deviation)
        predicted[i] = requested[job]
        if share < 0:
            longer = math.ceil(math.exp(share) * requested[job])
            predicted[i] = max(1, min(longer, requested[job]))


@compiled_entry
def _learn(
    rows: Rows,
    run_s: Integers,
    features: Floats,
    owners: Integers,
    ended: Floats,
    model: Floats,
    deviation: Floats,
    constants: Floats,
    gain: Floats,
) -> None:
    for i in range(len(rows)):
        job = rows[i]
        if features[job, SEEN] == 0:
            observe_one(job, features, owners, ended)
        share = min(math.log(max(run_s[i], 1)) - features[job, 1], 0.0)
        distance = share - _modelled(job, features, model)
        outlived = distance > _margin(job, owners, deviation)
        deviation[-1] += constants[2] * ((1.0 if outlived else 0.0) - constants[3])
        _deviate(owners[job, 0], abs(distance), RECENT, deviation)
        _deviate(owners[job, 3], abs(distance), RECENT / 20, deviation)
        weight = 1.0 if distance > 0 else constants[4]
        _update(job, distance, weight, features, model, constants, gain)
        remember_one(job, run_s[i], features, owners, ended)


@compiled
def _modelled(job: int, features: Floats, model: Floats) -> float:
    total = 0.0
    for column in range(COUNT):
        total += model[0, column] * features[job, column]
    return total


@compiled
def _margin(job: int, owners: Integers, deviation: Floats) -> float:
    scale = deviation[owners[job, 0]]
    if math.isnan(scale):
        scale = deviation[owners[job, 3]]
    if math.isnan(scale):
        scale = 0.0
    return float(deviation[-1] * max(scale, LEAST_DEVIATION))


@compiled
def _deviate(owner: int, distance: float, weight: float, deviation: Floats) -> None:
    if math.isnan(deviation[owner]):
        deviation[owner] = distance
    deviation[owner] += weight * (distance - deviation[owner])


@compiled
def _update(
    job: int,
    distance: float,
    weight: float,
    features: Floats,
    model: Floats,
    constants: Floats,
    gain: Floats,
) -> None:
    """One step of recursive least squares; ``gain`` is room for P x."""
    trace = 0.0
    spread = 0.0
    for row in range(COUNT):
        total = 0.0
        for column in range(COUNT):
            total += model[1 + row, column] * features[job, column]
        gain[row] = total
        spread += total * features[job, row]
        trace += model[1 + row, row]
    factor = constants[0] if trace < constants[1] else 1.0
    below = factor / weight + max(spread, 0.0)
    for row in range(COUNT):
        model[0, row] += gain[row] / below * distance
        for column in range(row, COUNT):
            value = (model[1 + row, column] - gain[row] * gain[column] / below) / factor
            model[1 + row, column] = value
            model[1 + column, row] = value
