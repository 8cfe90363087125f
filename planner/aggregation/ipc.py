"""Instructions per cycle under every pattern, from counters under two: equations 1 to 3.

Piecewise linear regression: one ridge model per target pattern and class of IPC.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from planner.aggregation.patterns import SAMPLES, Sampled
from planner.errors import InputError
from scenarios.aggregation.task_samples import Sample
from solvers.dense import one_thread

Floats = NDArray[np.float64]

CLASS_BOUNDS = (1.0, 1.5, 2.0)
"""Bounds between the four classes of IPC, section III; a bound belongs to the class above."""

RIDGES = (1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
"""Strengths to choose among, on standardised regressors and per row."""

MOST_EVENTS = 3
"""Events to choose among at most: each costs three coefficients in every class."""


@dataclass(frozen=True)
class Phase:
    """A computation phase of a training code, measured under every pattern.

    Attributes
    ----------
    code
        Name; problem sets of one code share it.
    samples
        Counters under the two sampled patterns.
    ipc
        Measured IPC by pattern.
    """

    code: str
    samples: tuple[Sample, ...]
    ipc: Mapping[int, float]


@dataclass(frozen=True, eq=False)
class Ridge:
    """A linear model on standardised regressors.

    Attributes
    ----------
    mean, scale
        Mean and scale of each regressor but the constant.
    coefficients
        The constant, then one for each.
    """

    mean: Floats
    scale: Floats
    coefficients: Floats

    def predict(self, regressors: Floats) -> Floats:
        """IPC of rows of regressors, shape ``(rows, regressors)``."""
        answer: Floats = (
            self.coefficients[0] + (regressors - self.mean) / self.scale @ self.coefficients[1:]
        )
        return answer


@dataclass(frozen=True)
class Setting:
    """Strength of the ridge, number of events, own models of classes, and sampled patterns."""

    ridge: float
    events: int
    classes: bool = True
    sampled: Sampled = SAMPLES


@dataclass(frozen=True)
class IpcModel:
    """Models of all target patterns.

    Attributes
    ----------
    setting
        What they were fitted with.
    events
        Places in `EVENTS` of the events that each target uses.
    models
        By target pattern and class; class -1 is fitted to all phases and answers for classes
        with too few.
    """

    setting: Setting
    events: Mapping[int, tuple[int, ...]]
    models: Mapping[tuple[int, int], Ridge]

    def predict(self, samples: Sequence[Sample], pattern: int) -> float:
        """IPC under a pattern; sampled patterns answer with what was measured.

        Raises
        ------
        InputError
            A pattern that the training phases were not measured under.
        """
        if pattern in self.setting.sampled:
            return samples[self.setting.sampled.index(pattern)].ipc
        if pattern not in self.events:
            known = ", ".join(map(str, sorted(self.events)))
            raise InputError(f"pattern {pattern} has no IPC model; use one of {known}")
        row = regressors([tuple(samples)], self.events[pattern])
        return float(self.answering(samples, pattern).predict(row)[0])

    def answering(self, samples: Sequence[Sample], pattern: int) -> Ridge:
        """The model of the samples' class, or of all phases where the class has none."""
        wanted = ipc_class(samples) if self.setting.classes else -1
        return self.models.get((pattern, wanted), self.models[pattern, -1])


@dataclass(frozen=True)
class Term:
    """One regressor of equations 1 to 3, its value, and what it adds to the IPC."""

    name: str
    value: float
    adds: float


def terms(
    model: IpcModel, samples: Sequence[Sample], pattern: int, events: Sequence[str]
) -> tuple[Term, ...]:
    """What a prediction is made of, the constant first; they add up to the IPC.

    Parameters
    ----------
    pattern
        One that was not sampled.
    events
        Names of all counted events.
    """
    ridge = model.answering(samples, pattern)
    chosen = model.events[pattern]
    (row,) = regressors([tuple(samples)], chosen)
    slopes = ridge.coefficients[1:] / ridge.scale
    sampled = model.setting.sampled
    names = [f"IPC under {s}" for s in sampled]
    names += [f"IPC x {events[e]} under {s}" for s in sampled for e in chosen]
    names += [f"{events[e]} under both" for e in chosen]
    names += ["IPC under both"]
    constant = float(ridge.coefficients[0] - slopes @ ridge.mean)
    rows = zip(names, row.tolist(), (slopes * row).tolist(), strict=True)
    return (Term("constant", 1.0, constant), *(Term(*each) for each in rows))


def ipc_class(samples: Sequence[Sample]) -> int:
    """Class 0 to 3 of a phase, by the mean IPC of its samples.

    The paper says by "observed IPC during the execution of the sample aggregation patterns" and
    leaves open which; the mean is taken.
    """
    return bisect_right(CLASS_BOUNDS, fmean(s.ipc for s in samples))


def regressors(phases: Sequence[Sequence[Sample]], events: Sequence[int]) -> Floats:
    """Regressors of equations 1 to 3 without the constant, shape ``(phases, 3 n + 3)``.

    The fit can identify only sums of these coefficients: y and z of equation 2, l and sigma of
    equations 3 and 1. The remaining terms are linear in four quantities: IPC of each sample; IPC
    times each event rate of the same sample; the product of an event's rates in both samples; and
    the product of both IPCs. The coefficients of equation 2 are those of a sample, as equation 1
    indexes alpha.
    """
    chosen = list(events)
    rates = np.array([[s.events for s in samples] for samples in phases])[:, :, chosen]
    ipc = np.array([[s.ipc for s in samples] for samples in phases])
    scaled = (ipc[:, :, None] * rates).reshape(len(ipc), -1)
    return np.hstack([ipc, scaled, rates.prod(axis=1), ipc.prod(axis=1, keepdims=True)])


@one_thread()
def fit(phases: Sequence[Phase], setting: Setting) -> IpcModel:
    """Fit every target pattern that all phases were measured under.

    Events are those whose rates in the samples correlate most with the target's IPC. A class with
    fewer phases than coefficients has no model of its own.

    Raises
    ------
    InputError
        No phases, or no pattern but the sampled ones.
    """
    return _gathered(phases, setting).fitted(setting)


@dataclass(frozen=True, eq=False)
class _Rows:
    """What fits of every strength share, of ``count`` rows of regressors.

    Attributes
    ----------
    mean, scale
        As of `Ridge`.
    products, with_ipc
        Sums of products of the standardised regressors with each other, and with the IPC.
    """

    count: int
    mean: Floats
    scale: Floats
    products: Floats
    with_ipc: Floats
    mean_ipc: float

    def fitted(self, strength: float) -> Ridge:
        """Least squares with a penalty on all coefficients but the constant."""
        square = self.products + strength * self.count * np.eye(len(self.with_ipc))
        slope = np.linalg.solve(square, self.with_ipc)
        return Ridge(self.mean, self.scale, np.array([self.mean_ipc, *slope]))


@dataclass(frozen=True)
class _Gathered:
    """Events and rows of all target patterns and classes; keys as of `IpcModel`."""

    events: Mapping[int, tuple[int, ...]]
    rows: Mapping[tuple[int, int], _Rows]

    def fitted(self, setting: Setting) -> IpcModel:
        """Fit a setting that has these events."""
        models = {key: rows.fitted(setting.ridge) for key, rows in self.rows.items()}
        return IpcModel(setting, self.events, models)


def _gathered(phases: Sequence[Phase], setting: Setting) -> _Gathered:
    if not phases:
        raise InputError("training phases are missing; measure training codes under every pattern")
    targets = sorted(set.intersection(*(set(p.ipc) for p in phases)) - set(setting.sampled))
    if not targets:
        raise InputError(
            "training phases share only the sampled patterns; measure them under the same patterns"
        )
    position = np.array([ipc_class(p.samples) for p in phases])
    events, gathered = {}, {}
    for target in targets:
        ipc = np.array([p.ipc[target] for p in phases])
        events[target] = correlated(phases, ipc, setting.events)
        rows = regressors([p.samples for p in phases], events[target])
        gathered[target, -1] = _rows(rows, ipc)
        for ipc_level in range(len(CLASS_BOUNDS) + 1):
            here = position == ipc_level
            if setting.classes and here.sum() > rows.shape[1]:
                gathered[target, ipc_level] = _rows(rows[here], ipc[here])
    return _Gathered(events, gathered)


def correlated(phases: Sequence[Phase], ipc: Floats, count: int) -> tuple[int, ...]:
    """Places of the events whose rates, mean over samples, correlate most with a target's IPC."""
    rates = np.array([[s.events for s in p.samples] for p in phases]).mean(axis=1)
    rates = rates - rates.mean(axis=0)
    length = np.sqrt((rates**2).sum(axis=0))
    strength = np.abs((ipc - ipc.mean()) @ rates) / np.where(length > 0, length, 1.0)
    return tuple(sorted(np.argsort(strength, kind="stable")[::-1][:count].tolist()))


def _rows(rows: Floats, ipc: Floats) -> _Rows:
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    z = (rows - mean) / scale
    return _Rows(len(z), mean, scale, z.T @ z, z.T @ (ipc - ipc.mean()), ipc.mean())


@dataclass(frozen=True)
class Tried:
    """A setting and its mean and largest relative error on training codes left out."""

    setting: Setting
    mean_error: float
    most_error: float


@dataclass(frozen=True)
class LeftOut:
    """A phase predicted by models that its code had no part in.

    Attributes
    ----------
    code, pattern
        Whose phase, and the target.
    ipc, predicted
        Measured and predicted.
    """

    code: str
    pattern: int
    ipc: float
    predicted: float

    @property
    def error(self) -> float:
        """Relative, signed."""
        return self.predicted / self.ipc - 1


def left_out(phases: Sequence[Phase], setting: Setting) -> tuple[LeftOut, ...]:
    """The phases of each code, predicted by models fitted to all other codes."""
    (result,) = _left_out(phases, [setting])
    return tuple(result)


@one_thread()
def _left_out(phases: Sequence[Phase], settings: Sequence[Setting]) -> list[list[LeftOut]]:
    """The same for each of some settings that differ in the ridge alone."""
    result: list[list[LeftOut]] = [[] for _ in settings]
    for code in sorted({p.code for p in phases}):
        gathered = _gathered([p for p in phases if p.code != code], settings[0])
        models = [gathered.fitted(setting) for setting in settings]
        for phase in (p for p in phases if p.code == code):
            for target, events in gathered.events.items():
                row = regressors([phase.samples], events)
                for model, predictions in zip(models, result, strict=True):
                    predicted = float(model.answering(phase.samples, target).predict(row)[0])
                    predictions.append(LeftOut(code, target, phase.ipc[target], predicted))
    return result


def chosen_setting(
    phases: Sequence[Phase], *, classes: bool = True, sampled: Sampled = SAMPLES
) -> tuple[Tried, ...]:
    """All settings, that of the least mean error on left-out training codes first.

    Ties go to fewer events, then to the stronger ridge. No test code takes part.

    Raises
    ------
    InputError
        Fewer than three training codes.
    """
    if len({p.code for p in phases}) < 3:
        raise InputError(
            "there are fewer than three training codes; cross-validation needs at least three"
        )
    tried = []
    for events in range(1, MOST_EVENTS + 1):
        settings = [Setting(ridge, events, classes, sampled) for ridge in RIDGES]
        for setting, predictions in zip(settings, _left_out(phases, settings), strict=True):
            errors = [abs(prediction.error) for prediction in predictions]
            tried.append(Tried(setting, float(np.mean(errors)), float(max(errors))))
    return tuple(sorted(tried, key=lambda t: (t.mean_error, t.setting.events, -t.setting.ridge)))
