"""What the chosen pattern's numbers are made of: equations 1 to 4 with their values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.aggregation.grouping import pair_times, weights
from planner.aggregation.ipc import CLASS_BOUNDS, Term, ipc_class, terms
from planner.aggregation.result import AggregationResult


@dataclass(frozen=True)
class Explained:
    """Values behind a prediction.

    Attributes
    ----------
    terms
        What the IPC is made of; empty where it was sampled.
    mean_ipc
        Mean IPC of the samples, which decides the class.
    low, high
        Bounds of the class; the last has no upper one.
    own
        Whether the class has a model of its own.
    pairs, apart
        Pairs of tasks that exchange messages, and those whose messages are faster between nodes
        than between the farthest cores of one.
    constant
        C of equation 4 for the chosen pattern [us].
    """

    terms: tuple[Term, ...]
    mean_ipc: float
    low: float
    high: float | None
    own: bool
    pairs: int
    apart: int
    constant: float


def explained(study: AggregationResult) -> Explained:
    """Values of the chosen pattern."""
    program, predictor = study.measured.program, study.learnt.predictor
    samples = [program.samples[index] for index in study.sampled]
    pattern, position = study.chosen.pattern, ipc_class(samples)
    sampled = pattern.id in study.sampled
    model = predictor.ipc
    bounds = (0.0, *CLASS_BOUNDS)
    under = pattern.layout if study.settings.objective == "loaded" and pattern.tasks > 1 else None
    pairs = apart = 0
    constant = 0.0
    if len(program.traffic.source):
        times = pair_times(predictor.tables, program.traffic, under)
        pairs, apart = len(times.low), int(np.count_nonzero(times.apart))
        if apart:
            costs = weights(times, pattern.tasks, "paper")[times.low, times.high]
            constant = float(pattern.tasks**2 * costs[times.apart].max())
    return Explained(
        terms=() if sampled else terms(model, samples, pattern.id, study.measured.events),
        mean_ipc=float(np.mean([sample.ipc for sample in samples])),
        low=bounds[position],
        high=CLASS_BOUNDS[position] if position < len(CLASS_BOUNDS) else None,
        own=(pattern.id, position) in model.models,
        pairs=pairs,
        apart=apart,
        constant=constant,
    )
