"""What is learnt from measurements of a node: models of IPC and of power, times of messages."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TypeVar

import numpy as np

from planner.aggregation.communication import Tables, Times, worst_of
from planner.aggregation.grouping import Group, Objective
from planner.aggregation.ipc import LeftOut, Phase, Tried, chosen_setting, fit, left_out
from planner.aggregation.measurement_check import check, offered
from planner.aggregation.patterns import Pattern, Sampled, patterns, sampled
from planner.aggregation.placements import Nearness
from planner.aggregation.power import Metered, PowerModel, fit_power
from planner.aggregation.prior import IpcPrior, ipc_prior
from planner.aggregation.selection import Predictor
from planner.errors import InputError
from scenarios.aggregation import NodeMeasurements, TrainingRun
from scenarios.aggregation.task_layout import Layout
from scenarios.aggregation.task_samples import Sample


@dataclass(frozen=True, eq=False)
class Learnt:
    """A predictor, the settings that were tried for it, and the patterns that it knows.

    Attributes
    ----------
    predictor
        Predictor of all offered patterns.
    tried
        Settings of the model of IPC, the chosen one first.
    left_out
        Training phases as the chosen setting predicts them without their code.
    offered
        Patterns that training codes were measured under.
    metered_runs
        Training runs whose power was metered.
    prior
        How wrong a predicted IPC may be.
    """

    predictor: Predictor
    tried: tuple[Tried, ...]
    left_out: tuple[LeftOut, ...]
    offered: tuple[Pattern, ...]
    metered_runs: int
    prior: IpcPrior


def learnt(
    measured: NodeMeasurements,
    group: Group,
    objective: Objective = "paper",
    *,
    metered: bool = True,
) -> Learnt:
    """Fit all models to measurements.

    Parameters
    ----------
    group, objective
        Partition function, and the weights that it receives.
    metered
        Whether power must be known; otherwise the power model is fitted where possible.

    Raises
    ------
    ScenarioError
        Measurements are missing; each error has its file and line.
    InputError
        The measurements cannot identify the coefficients of a model.
    """
    check(measured, metered=metered)
    known = offered(measured)
    under = sampled(measured.node)
    phases = phases_of(measured.training, under)
    tried = chosen_setting(phases, sampled=under)
    runs = metered_of(measured.training, known)
    predictor = Predictor(
        ipc=fit(phases, tried[0].setting),
        power=_power(runs, measured.node, metered=metered),
        tables=tables_of(measured),
        group=group,
        clock_ghz=measured.clock_ghz,
        memory_gb=measured.memory_gb,
        objective=objective,
    )
    errors = left_out(phases, tried[0].setting)
    layouts = {pattern.id: pattern.layout for pattern in known}
    prior = ipc_prior(phases, errors, layouts)
    return Learnt(predictor, tried, errors, known, len(runs), prior)


def _power(runs: Sequence[Metered], node: Layout, *, metered: bool) -> PowerModel | None:
    """The model; ``None`` where there are too few runs for one that is not needed."""
    if not runs and not metered:
        return None
    try:
        return fit_power(runs, node)
    except InputError:
        if metered:
            raise
        return None


def phases_of(runs: Sequence[TrainingRun], under: Sampled) -> tuple[Phase, ...]:
    """Phases with what was counted under the sampled patterns, in their order."""
    result = []
    for (code, _), mine in _by(runs, lambda run: (run.code, run.problem)).items():
        seen = {run.pattern: run for run in mine}
        samples = tuple(Sample(seen[key].ipc, seen[key].events) for key in under)
        result.append(Phase(code, samples, {key: run.ipc for key, run in seen.items()}))
    return tuple(result)


def metered_of(runs: Sequence[TrainingRun], known: Sequence[Pattern]) -> list[Metered]:
    """Runs whose power was metered."""
    layouts = {pattern.id: pattern.layout for pattern in known}
    return [
        Metered(layouts[run.pattern], run.ipc, run.power_w)
        for run in runs
        if run.power_w is not None
    ]


def tables_of(measured: NodeMeasurements) -> Tables:
    """Times of messages: medians of repetitions, and the longest over all kinds of noise."""
    layouts = {pattern.id: pattern.layout for pattern in patterns(measured.node)}
    alone: dict[Nearness, Times] = {}
    noisy = []
    for (pattern, _, sharing), rows in _by(
        measured.messages, lambda m: (m.pattern, m.noise, m.sharing)
    ).items():
        times = _medians((row.size_b, row.time_s) for row in rows)
        if pattern is None:
            alone[sharing] = times
        else:
            noisy.append(((layouts[pattern], sharing), times))
    exchanges = {
        layouts[pattern]: _medians((row.size_b, row.time_s) for row in rows)
        for pattern, rows in _by(measured.exchanges, lambda e: e.pattern).items()
    }
    return Tables((), worst_of(noisy), alone, exchanges, measured.program.traffic.tasks)


def _medians(points: Iterable[tuple[float, float]]) -> Times:
    by_size = _by(points, lambda point: point[0])
    sizes = sorted(by_size)
    times = [median(time for _, time in by_size[size]) for size in sizes]
    return Times(np.array(sizes), np.array(times))


_Row = TypeVar("_Row")
_Key = TypeVar("_Key", bound=Hashable)


def _by(rows: Iterable[_Row], key: Callable[[_Row], _Key]) -> Mapping[_Key, list[_Row]]:
    """Rows by key, in the order in which keys first come."""
    result: dict[_Key, list[_Row]] = {}
    for row in rows:
        result.setdefault(key(row), []).append(row)
    return result
