"""Every pattern predicted anew, from docs/evidence/aggregation.md and equations 1 to 5.

What is given: the measurements, and the groups of ranks that the heuristic found.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
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
Runs = Sequence[tuple[int, float, float | None]]
"""Pattern, seconds and joules of whole runs."""
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
    measured: NodeMeasurements,
    setting: tuple[int, float],
    groups: dict[int, Any],
    tried: Runs = (),
    *,
    expected: bool = False,
) -> dict[int, Row]:
    """Each possible pattern: IPC, seconds of an iteration, and energy of the run by metered power.

    Runs correct them; without a run they are what is expected, if that is asked for.

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
        found[pattern] = {"ipc": ipc, "compute_s": compute, "communication_bound_s": bound}
    if tried or expected:
        _correct(measured, setting, found, tried)
    joules: dict[int, list[float]] = {}
    for pattern, _, energy_j in tried:
        joules.setdefault(pattern, []).extend([] if energy_j is None else [energy_j])
    for pattern, row in found.items():
        run_s = (row["compute_s"] + row["communication_bound_s"]) * program.iterations
        row |= {"run_s": run_s, "energy_j": None}
        if watts is not None:
            tasks = at[pattern].tasks
            power = float(np.array([*parts[pattern], tasks * row["ipc"]]) @ watts)
            row["energy_j"] = program.traffic.tasks // tasks * power * run_s
    ratios = [fmean(each) / found[pattern]["energy_j"] for pattern, each in joules.items()
              if each and watts is not None]  # fmt: skip
    for pattern, row in found.items():
        if row["energy_j"] is not None and ratios:
            row["energy_j"] *= math.prod(ratios) ** (1 / len(ratios))
            row["energy_j"] = fmean(joules.get(pattern) or [row["energy_j"]])
    return found


def _correct(
    measured: NodeMeasurements, setting: tuple[int, float], found: dict[int, Row], tried: Runs
) -> None:
    """Predictions after runs: patterns one after the other correct times and shown messages.

    From docs/evidence/aggregation.md. The state is the log of the time of each pattern, and the
    share of the bound of messages that shows.
    """
    program, patterns = measured.program, [*found]
    share, apart, ipc = doubt(measured, setting, found)
    block_b = program.traffic.block_b
    whole = dict.fromkeys(patterns, 0.0)
    for p in patterns if block_b else ():
        rows = [(e.size_b, e.time_s, "") for e in measured.exchanges if e.pattern == p]
        whole[p] = time_at(rows, block_b)
    first, sends = [], []
    for p, away in zip(patterns, apart, strict=True):
        sent = found[p]["communication_bound_s"] - whole[p]
        computes = found[p]["compute_s"] / math.exp(share * away)
        first.append(computes + whole[p] + sent / 2)
        sends.append((computes / first[-1], sent / first[-1]))
    work, sent = np.array(sends).T
    covariance = np.zeros((len(patterns) + 1,) * 2)
    covariance[:-1, :-1] = (
        work[:, None] * ipc * work + 0.29**2 * np.outer(sent, sent) + 0.05**2
        + np.diag(0.1**2 * sent**2 + 0.004**2)
    )  # fmt: skip
    covariance[-1, :-1] = covariance[:-1, -1] = 0.29**2 * sent
    covariance[-1, -1] = 0.29**2
    mean = np.array([*np.log(first), 0.5])
    taken: dict[int, list[float]] = {}
    for pattern, time_s, _ in tried:
        taken.setdefault(pattern, []).append(time_s / program.iterations)
    for pattern, times in taken.items():
        at = patterns.index(pattern)
        gain = covariance[at] / (covariance[at, at] + 0.004**2 / len(times))
        mean = mean + gain * (math.log(fmean(times)) - mean[at])
        covariance = covariance - np.outer(gain, covariance[at])
    shown = min(max(float(mean[-1]), 0.0), 1.0)
    for at, p in enumerate(patterns):
        row = found[p]
        time_s = fmean(taken[p]) if p in taken else math.exp(mean[at])
        messages = whole[p] + shown * (row["communication_bound_s"] - whole[p])
        messages = min(messages, 0.9 * time_s)
        computes = time_s - messages
        row |= {"ipc": row["ipc"] * row["compute_s"] / computes, "compute_s": computes,
                "communication_bound_s": messages}  # fmt: skip
    one = patterns.index(1)
    for at, p in enumerate(patterns):
        both = covariance[at, at] + covariance[one, one] - 2 * covariance[at, one]
        found[p]["doubt"] = math.sqrt(max(both, 0.004**2))


def doubt(
    measured: NodeMeasurements, setting: tuple[int, float], found: dict[int, Row]
) -> tuple[float, list[float], Any]:
    """Share of the straight line, its distance by pattern, and the covariance of the logs of IPC.

    By the likeliest of all values, each with its whole covariance matrix.
    """
    at = layouts(measured.node)
    under = (close(at), spread(at, measured.node))
    phases, _ = learnt(tuple(measured.training), under)
    targets = sorted(set.intersection(*map(set, phases)) - {*under})

    def line(some: Iterable[Phase], target: int) -> Callable[[Any, Any], float]:
        rows = [(math.log(p[under[0]].ipc / p[under[1]].ipc),
                 math.log(p[target].ipc / p[under[1]].ipc)) for p in some]  # fmt: skip
        design = np.array([(1.0, x) for x, _ in rows])
        a, b = (np.linalg.pinv(design) @ np.array([y for _, y in rows])).tolist()
        return lambda one, two: a + b * math.log(one / two) + math.log(two)

    errors, away = [], []
    for code in sorted({phase[1].code for phase in phases}):
        others = [phase for phase in phases if phase[1].code != code]
        models = {t: fitted(others, under, t, *setting) for t in targets}
        lines = {t: line(others, t) for t in targets}
        for phase in phases:
            if phase[1].code == code:
                pair = [phase[each] for each in under]
                logs = [math.log(max(models[t](pair) / phase[t].ipc, 0.05)) for t in targets]
                errors.append([-each for each in logs])
                away.append([lines[t](pair[0].ipc, pair[1].ipc) - math.log(phase[t].ipc) - each
                             for t, each in zip(targets, logs, strict=True)])  # fmt: skip
    off, far = np.array(errors), np.array(away)
    share = min(max(float((off * far).sum() / (far**2).sum()), 0.0), 1.0)
    rest = off - share * far
    scales = np.abs(rest).mean(axis=0) * math.sqrt(math.pi / 2) + 1e-3
    best: tuple[float, Any] = (-math.inf, None)
    for common, length in product((0.0, 0.3, 0.6), (0.5, 1.0, 2.0)):
        near = _near([at[t] for t in targets], common, length)
        for wide, scale in product((0.1, 0.2, 0.4), (0.4, 0.6, 0.8, 1.0, 1.3)):
            each = (scale**2 * np.outer(scales, scales) * near
                    + wide**2 * far[:, :, None] * far[:, None, :])  # fmt: skip
            solved = np.linalg.solve(each, rest[:, :, None])[:, :, 0]
            fit = -float(((rest * solved).sum(axis=1) + np.linalg.slogdet(each)[1]).sum())
            if fit > best[0] + 1e-9 * abs(fit):
                best = fit, (common, length, wide, scale)
    common, length, wide, scale = best[1]
    one, two = (measured.program.samples[each].ipc for each in under)
    distance = [line(phases, p)(one, two) - math.log(found[p]["ipc"]) if p in targets else 0.0
                for p in found]  # fmt: skip
    own = np.array([scale * scales[targets.index(p)] if p in targets else 0.0 for p in found])
    near = _near([at[p] for p in found], common, length)
    return share, distance, np.outer(own, own) * near + wide**2 * np.outer(distance, distance)


def _near(used: Sequence[Any], common: float, length: float) -> Any:
    def alike(one: Any, two: Any) -> float:
        square: float = sum(math.log2(a / b) ** 2 for a, b in zip(one, two, strict=True))
        near = (0.8 - common) * math.exp(-float(square) / 2 / length**2)
        return common + near + (0.2 if one == two else 0.0)

    return np.array([[alike(one, two) for two in used] for one in used])
