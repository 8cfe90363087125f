"""Every pattern predicted anew, from docs/evidence/aggregation.md and equations 1 to 5.

What is given: the measurements, and the groups of ranks that the heuristic found.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from statistics import fmean, median
from typing import Any

import numpy as np

from scenarios.aggregation import NodeMeasurements, TrainingRun
from tests.scenarios.aggregation.folders import close, layouts, spread

Row = dict[str, Any]
Phase = dict[int, TrainingRun]
"""Runs of a phase by pattern."""
Errors = dict[str, list[float]]
"""Relative errors of IPC by the code that was left out."""
_SETTINGS = tuple(product((1, 2, 3), (1e-5, 1e-4, 1e-3, 1e-2, 1e-1)))
"""Numbers of events and strengths of the ridge that cross-validation tries."""


def ridge(rows: Any, ipc: Any, strength: float) -> Callable[[Any], float]:
    """Penalised least squares on standardised regressors, by rows that stand for the penalty."""
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    count, width = rows.shape
    penalty = math.sqrt(strength * count) * np.eye(width)
    left = np.vstack([(rows - mean) / scale, penalty])
    slope = np.linalg.lstsq(left, np.append(ipc - ipc.mean(), np.zeros(width)))[0]
    return lambda row: float(ipc.mean() + (row - mean) / scale @ slope)


def regressors(samples: Sequence[Any], events: Sequence[int]) -> list[float]:
    """IPC of both samples, IPC times each rate, products of rates, and of the IPCs."""
    one, two = samples
    scaled = [each.ipc * each.events[e] for each in samples for e in events]
    crossed = [one.events[e] * two.events[e] for e in events]
    return [one.ipc, two.ipc, *scaled, *crossed, one.ipc * two.ipc]


def level(samples: Sequence[Any]) -> int:
    return bisect_right((1.0, 1.5, 2.0), fmean(each.ipc for each in samples))


def fitted(
    phases: Sequence[Phase], under: tuple[int, int], target: int, count: int, strength: float
) -> Callable[[Sequence[Any]], float]:
    """The IPC under a pattern, from samples: by the class, or by all where a class has too few."""
    sampled = [[phase[each] for each in under] for phase in phases]
    ipc = np.array([phase[target].ipc for phase in phases])
    rates = np.array([[run.events for run in pair] for pair in sampled]).mean(axis=1)
    off, spreads = ipc - ipc.mean(), rates - rates.mean(axis=0)
    length = np.sqrt((spreads**2).sum(axis=0))
    strengths = np.abs(off @ spreads) / np.where(length > 0, length, 1.0)
    events = sorted(sorted(range(len(strengths)), key=lambda e: -strengths[e])[:count])
    rows = np.array([regressors(pair, events) for pair in sampled])
    levels = np.array([level(pair) for pair in sampled])
    models: dict[int, Callable[[Any], float]] = {}

    def predict(samples: Sequence[Any]) -> float:
        own = levels == level(samples)
        if own.sum() <= rows.shape[1]:
            own = np.ones(len(rows), np.bool_)
        key = level(samples) if not own.all() else -1
        if key not in models:
            models[key] = ridge(rows[own], ipc[own], strength)
        return models[key](np.array(regressors(samples, events)))

    return predict


@lru_cache(maxsize=64)
def learnt(
    runs: tuple[TrainingRun, ...], under: tuple[int, int]
) -> tuple[list[Phase], dict[tuple[int, float], Errors]]:
    """Phases, and the errors of each setting on codes that are left out."""
    found: dict[tuple[str, str], Phase] = {}
    for run in runs:
        found.setdefault((run.code, run.problem), {})[run.pattern] = run
    phases = [*found.values()]
    tried: dict[tuple[int, float], Errors] = {}
    for setting in _SETTINGS:
        errors = tried[setting] = {}
        for code in sorted({run.code for run in runs}):
            others = [phase for phase in phases if phase[1].code != code]
            errors[code] = []
            for target in set.intersection(*map(set, others)) - {*under}:
                predict = fitted(others, under, target, *setting)
                errors[code] += [
                    predict([phase[each] for each in under]) / phase[target].ipc - 1
                    for phase in phases if phase[1].code == code
                ]  # fmt: skip
    return phases, tried


def mean_error(errors: Errors) -> float:
    return fmean(abs(each) for own in errors.values() for each in own)


def time_at(rows: Sequence[tuple[float, float, str]], size: float) -> float:
    """Median of repetitions, the longest over noise, from rows of size, time and noise.

    Log-log between sizes, latency below the least and bandwidth above the largest.
    """
    sizes = sorted({each for each, *_ in rows})
    seen = [[[row[1] for row in rows if (row[0], row[2]) == (each, noise)]
             for noise in {noise for *_, noise in rows}] for each in sizes]  # fmt: skip
    logs = [math.log(max(median(times) for times in each if times)) for each in seen]
    within = np.interp(math.log(max(size, sizes[0])), np.log(sizes), logs)
    return float(math.exp(within) * max(1.0, size / sizes[-1]))


def message_s(measured: NodeMeasurements, pattern: int | None, sharing: str, size: float) -> float:
    """One message under the worst noise of a pattern, or alone."""
    return time_at([(m.size_b, m.time_s, m.noise) for m in measured.messages
                    if (m.pattern, m.sharing) == (pattern, sharing)], size)  # fmt: skip


def bound_s(measured: NodeMeasurements, pattern: int, groups: Sequence[Sequence[int]]) -> float:
    """The longest of any rank: its messages one after the other, sending and receiving at once."""
    traffic, (_, dies, cores) = measured.program.traffic, layouts(measured.node)[pattern]
    seat = {rank: (node, slot // (dies * cores), slot // cores)
            for node, group in enumerate(groups) for slot, rank in enumerate(group)}  # fmt: skip
    sent, received = [0.0] * traffic.tasks, [0.0] * traffic.tasks
    known: dict[tuple[str, float], float] = {}
    columns = (traffic.source, traffic.target, traffic.size_b, traffic.count)
    for source, target, size, count in zip(*(each.tolist() for each in columns), strict=True):
        alike = [a == b for a, b in zip(seat[source], seat[target], strict=True)] + [True]
        place = "network" if not alike[0] else "node" if not alike[1] else (
            "die" if alike[2] else "processor")  # fmt: skip
        if (place, size) not in known:
            known[place, size] = message_s(measured, pattern, place, size)
        sent[source] += count * known[place, size]
        received[target] += count * known[place, size]
    rows = [(each.size_b, each.time_s, "") for each in measured.exchanges
            if each.pattern == pattern]  # fmt: skip
    exchange = time_at(rows, traffic.block_b) if traffic.block_b else 0.0
    return exchange + max(*sent, *received)


def predictions(
    measured: NodeMeasurements, setting: tuple[int, float], groups: dict[int, Any]
) -> dict[int, Row]:
    """Each possible pattern: IPC, seconds of an iteration, and energy of the run by metered power.

    Raises
    ------
    LookupError
        No groups are given for a possible pattern.
    """
    at, program = layouts(measured.node), measured.program
    under = (close(at), spread(at, measured.node))
    phases, _ = learnt(tuple(measured.training), under)
    parts = {p: (1, use[0], use[0] * use[1], use.tasks) for p, use in at.items()}
    metered = [run for run in measured.training if run.power_w is not None]
    known = np.array([(*parts[run.pattern], parts[run.pattern][-1] * run.ipc) for run in metered])
    every = np.array([(*each, each[-1] * ipc) for each in parts.values() for ipc in (1, 2)])
    ranks = [np.linalg.matrix_rank(rows) if len(rows) else 0 for rows in (known, every)]
    watts = None
    if ranks[0] == ranks[1]:  # metered runs tell apart what all runs could
        watts = np.linalg.lstsq(known, np.array([run.power_w for run in metered]))[0]
    samples = [program.samples[each] for each in under]
    found: dict[int, Row] = {}
    for pattern in sorted({run.pattern for run in measured.training}):
        tasks = at[pattern].tasks
        if tasks * program.memory_gb > measured.memory_gb or program.traffic.tasks % tasks:
            continue
        ipc = (program.samples[pattern].ipc if pattern in under
               else fitted(phases, under, pattern, *setting)(samples))  # fmt: skip
        compute = program.instructions / (ipc * measured.clock_ghz * 1e9)
        bound = bound_s(measured, pattern, groups[pattern])
        run_s, energy = (compute + bound) * program.iterations, None
        if watts is not None:
            power = float(np.array([*parts[pattern], tasks * ipc]) @ watts)
            energy = program.traffic.tasks // tasks * power * run_s
        found[pattern] = {"ipc": ipc, "compute_s": compute, "communication_bound_s": bound,
                          "run_s": run_s, "energy_j": energy}  # fmt: skip
    return found
