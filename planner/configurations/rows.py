"""Every number of configurations as plain rows: members of the data file, sheets, figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.gains_at_bounds import speedups
from planner.configurations.prediction.needed import all_needed
from planner.configurations.repeats import Repeats
from planner.configurations.table import Configuration, groups
from scenarios.measurements.runs import Runs
from scenarios.measurements.spread import RepetitionSpread

if TYPE_CHECKING:
    from planner.configurations.prediction.study import PredictionStudy
    from planner.configurations.result import ConfigurationResult

MOST_ROWS = 10_000
"""Rows of a table; of more configurations the first are in the study."""
MOST_POINTS = 2_000
"""Configurations in a figure; of more every n-th, with those near the best."""
CLASSES = ("above", "within", "near", "best")
"""How a configuration compares with the best, in the order of drawing."""
MEASURED = {"application": "text", "runs": "count", "configurations": "count", "nodes": "exact",
            "cores_per_node": "exact", "caps_w": "exact", "times_s": "interval:s",
            "powers_w": "interval:W in W"}  # fmt: skip
"""What people see of what was run."""
_FEW, _MOST_VALUES = 4, 13
Row = dict[str, Any]
_QUANTILES = {"median": 0.5, "p90": 0.9, "largest": 1.0}


def tables(result: ConfigurationResult) -> dict[str, list[Row]]:
    """Every table by its name, each row with its application; empty ones are left out."""
    named = {
        name: [
            {"application": answer.application} | row
            for answer in result.answers
            for row in make(answer)
        ]
        for name, make in _TABLES.items()
    }
    if result.mix is not None:
        named["mix"] = result.mix.to_dicts()
    named |= repetition_tables(result.repeats, result.spreads)
    if result.prediction is not None:
        named |= prediction_tables(result.prediction)
    named["measured"] = [measured(run) for run in result.runs]
    return {name: rows for name, rows in named.items() if rows}


def applications(result: ConfigurationResult) -> Iterator[Row]:
    """The best configuration of each application, and what it gains."""
    for answer in result.answers:
        rated = answer.worst_case.configuration
        yield {
            "application": answer.application,
            "best": str(answer.best),
            "nodes": answer.best.nodes,
            "cores_per_node": answer.best.cores_per_node,
            "package_cap_w": answer.best.package_cap_w,
            "time_s": answer.best.time_s,
            "power_w": answer.best.power_w,
            "unused_fraction": answer.unused_w / answer.question.bound.bound_w,
            "over_packed_max": _speedup(answer, answer.packed_max),
            "over_worst_case": _speedup(answer, rated),
            "unsure": answer.unsteady(answer.packed_max) or answer.unsteady(rated),
        }


def _speedup(answer: ConfigurationAnswer, other: Configuration | None) -> float | None:
    gained = answer.gain_over(other)
    return None if gained is None else gained.speedup


def gains(result: ConfigurationResult) -> list[Row]:
    """Certain speed-ups over packed-max at round bounds and at the requested one."""
    return [
        {"application": answer.application, "bound_w": bound_w, "speedup": speedup}
        for answer in result.answers
        for bound_w, speedup, sure in speedups(answer)
        if sure
    ]


def time_over_nodes(result: ConfigurationResult) -> list[Row]:
    """Best time by node count: of one application, without and up to the bound, or of the mix.

    Times of the mix are relative to the fewest nodes.
    """
    if len(result.answers) == 1:
        return [
            {"series": "no bound" if at.bound_w is None else f"{at.bound_w:,.10g} W",
             "nodes": nodes, "time": time}
            for at in result.answers[0].neighbours
            if at.bound_w is None or at.bound_w <= result.question.bound.bound_w
            for nodes, time in zip(at.node_curve.nodes.tolist(), at.node_curve.time_s.tolist(),
                                   strict=True)
        ]  # fmt: skip
    if result.mix is None:
        return []
    return [
        {"series": result.mix.name, "nodes": row["nodes"], "time": row["relative_at_most"]}
        for row in result.mix.to_dicts()
    ]


def space(result: ConfigurationResult) -> list[Row]:
    """Power and time of every configuration of a single application, and its class."""
    if len(result.answers) > 1:
        return []
    answer = result.answers[0]
    near = {str(each.configuration) for each in answer.near_optimal}
    found: list[Row] = []
    for row, within in enumerate(answer.question.bound.holds(answer.table.charged_w).tolist()):
        each = answer.table.row(row)
        kind = "above" if not within else "near" if str(each) in near else "within"
        if each == answer.best:
            kind = "best"
        found.append({"power_w": each.power_w, "time_s": each.time_s, "class": kind})
    step = -(-len(found) // MOST_POINTS)
    kept = [row for index, row in enumerate(found)
            if index % step == 0 or row["class"] in ("best", "near")]  # fmt: skip
    return sorted(kept, key=lambda row: CLASSES.index(row["class"]))


def models(result: ConfigurationResult) -> list[Row]:
    """Errors of time of each model, by application where there are several."""
    if result.prediction is None:
        return []
    several = len(result.prediction.applications) > 1
    return [
        {"name": f"{row.application}, {row.model}" if several else row.model,
         "median": row.time_median, "most": row.time_most}
        for row in result.prediction.errors
    ]  # fmt: skip


def regrets(result: ConfigurationResult) -> list[Row]:
    """Median regret of each strategy by runs, the mean over applications that have an answer."""
    if result.prediction is None:
        return []
    found: dict[tuple[str, int], list[float]] = {}
    for point in result.prediction.curves:
        if point.regret_median is not None:
            found.setdefault((point.strategy, point.runs), []).append(point.regret_median)
    return [
        {"strategy": strategy, "runs": runs, "regret": fmean(values)}
        for (strategy, runs), values in found.items()
    ]


def spread_row(spread: RepetitionSpread) -> Row:
    """Repetitions and slow runs of an application."""
    return {
        "application": spread.application,
        "configurations": spread.configurations,
        "repeated": spread.repeated,
        "ordinary_ratio": spread.ordinary if spread.known else None,
        "threshold_ratio": spread.threshold if spread.known else None,
        "straggling_configurations": spread.straggling,
        "stragglers": [
            asdict(straggler) | {"ratio": straggler.ratio} for straggler in spread.stragglers
        ],
    }


def measured(runs: Runs) -> Row:
    """What was run of an application."""
    power = runs.power_w
    return {
        "application": runs.application,
        "runs": len(runs),
        "configurations": len(groups(runs)),
        "nodes": values_of(runs.nodes),
        "cores_per_node": values_of(runs.cores_per_node),
        "caps_w": values_of(runs.package_cap_w),
        "times_s": (float(runs.time_s.min()), float(runs.time_s.max())),
        "powers_w": (float(power.min()), float(power.max())),
        "memory": runs.dram_power_w is not None,
    }


def values_of(column: NDArray[np.integer | np.floating]) -> str:
    """The values of an axis, each where there are few, else the first two and the last."""
    distinct = np.unique(column)
    steps = np.unique(np.diff(distinct))
    if len(distinct) > _FEW and len(steps) == 1:
        return f"{distinct[0]:g}, {distinct[1]:g} … {distinct[-1]:g}"
    if len(distinct) <= _MOST_VALUES:
        return ", ".join(f"{value:g}" for value in distinct)
    return f"{distinct[0]:g}:{distinct[-1]:g} ({len(distinct)})"


def repetition_tables(
    repeated: Sequence[Repeats], spreads: Sequence[RepetitionSpread]
) -> dict[str, list[Row]]:
    """Tabulate how far repetitions differ, and every slow run."""
    return {
        "repetitions": [_repetitions(repeats) for repeats in repeated],
        "stragglers": [
            asdict(straggler) | {"ratio": straggler.ratio}
            for spread in spreads
            for straggler in spread.stragglers
        ],
        "slow runs": [_slow(spread) for spread in spreads if spread.stragglers],
    }


def _slow(spread: RepetitionSpread) -> Row:
    """The slow runs of an application: how many, and by how much they are slower."""
    slower = [straggler.ratio - 1 for straggler in spread.stragglers]
    return {"application": spread.application, "repeated_runs": spread.runs,
            "slow_runs": len(slower), "slower_by": (min(slower), max(slower))}  # fmt: skip


def all_repeated(repeated: Iterable[Repeats]) -> bool:
    """Whether every configuration of every application was run more than once."""
    return all(repeats.repeated == repeats.configurations for repeats in repeated)


def prediction_tables(prediction: PredictionStudy) -> dict[str, list[Row]]:
    """Tabulate how well models and designs do."""
    verified = [asdict(row) for row in prediction.verified]
    at_bounds = [
        {"application": row["application"], "training": row["training"]} | at_bound
        for row in verified
        for at_bound in row.pop("at_bounds")
    ]
    every = {
        "model_errors": [asdict(row) for row in prediction.errors],
        "model_decisions": [asdict(row) for row in prediction.decisions],
        "verified_decisions": verified,
        "verified_at_bounds": at_bounds,
        "runs_needed": [asdict(row) for row in prediction.curves],
        "needed": [asdict(row) for row in all_needed(prediction)],
    }
    return {name: rows for name, rows in every.items() if rows}


def _compared(answer: ConfigurationAnswer) -> Iterable[Row]:
    """The best configuration, and what people do without measuring."""
    bound = answer.question.bound.bound_w
    for choice in answer.compared:
        if choice.configuration is None:
            yield {"what": choice.name, "reason": choice.reason}
            continue
        own = choice.configuration
        row: Row = {"what": choice.name, "configuration": str(own)} | _unused(own, bound)
        if choice.gain is not None:
            row |= {f"best_gains_{key}": value for key, value in vars(choice.gain).items()}
            row["unsure"] = answer.unsteady(own)
        yield row


def _unused(configuration: Configuration, bound_w: float) -> Row:
    unused = bound_w - configuration.power_w
    return configuration.to_dict() | {"unused_w": unused, "unused_fraction": unused / bound_w}


def _beside(answer: ConfigurationAnswer) -> Iterable[Row]:
    """Canonical configurations relative to the best, at several bounds and without one."""
    for neighbour in answer.neighbours:
        bound = {"bound_w": neighbour.bound_w, "bounded": neighbour.bound_w is not None}
        best = {"what": "best", "configuration": str(neighbour.best)}
        yield bound | best | neighbour.best.to_dict() | {"relative_performance": 1.0}
        for other in neighbour.canonical:
            row = bound | {"what": other.name, "configuration": str(other.configuration or "")}
            if other.configuration is None:
                yield row | {"reason": other.reason}
            else:
                relative = {"relative_performance": neighbour.relative(other.configuration)}
                yield row | other.configuration.to_dict() | relative


def _at_bounds(answer: ConfigurationAnswer) -> Iterable[Row]:
    for at_bound in answer.at_bounds:
        row: Row = {"bound_w": at_bound.bound_w}
        for name, configuration in (
            ("best", at_bound.best), ("packed_max", at_bound.packed_max),
            ("worst_case", at_bound.worst_case),
        ):  # fmt: skip
            plain = {} if configuration is None else configuration.to_dict()
            row |= {f"{name}_{key}": value for key, value in plain.items()}
            row[name] = None if configuration is None else str(configuration)
        for name, gain in (
            ("packed_max", at_bound.gain), ("worst_case", at_bound.gain_over_worst_case),
        ):  # fmt: skip
            if gain is not None:
                row |= {f"over_{name}_{key}": value for key, value in vars(gain).items()}
        row["unsure"] = any(map(answer.unsteady, (at_bound.packed_max, at_bound.worst_case)))
        yield row


def _lines(answer: ConfigurationAnswer) -> Iterable[Row]:
    fits = [at_bound.line_fit for at_bound in answer.at_bounds]
    return [asdict(fit) for fit in (answer.line_fit, *fits) if fit is not None]


def _nodes(answer: ConfigurationAnswer) -> Iterable[Row]:
    for neighbour in answer.neighbours:
        for row in neighbour.node_curve.to_dicts():
            yield {"bound_w": neighbour.bound_w, "bounded": neighbour.bound_w is not None} | row


def _degree(answer: ConfigurationAnswer) -> Iterable[Row]:
    """How many nodes pay; without a knee where even the last nodes pay."""
    found = answer.degree
    knee = found.marginal_nodes if found.marginal_nodes < found.largest_nodes else None
    yield found.to_dict() | {"knee": knee}


def _best_runs(answer: ConfigurationAnswer) -> Iterable[Row]:
    """The repetitions of the best configuration."""
    if answer.risk is not None:
        seen = asdict(answer.risk)
        yield {"configuration": str(answer.best), "runs": seen.pop("repetitions")} | seen


def _configurations(answer: ConfigurationAnswer) -> Iterable[Row]:
    table = answer.table
    for row, within in enumerate(answer.question.bound.holds(table.charged_w).tolist()):
        yield table.row(row).to_dict() | {"within_bound": within}


_TABLES: Mapping[str, Callable[[ConfigurationAnswer], Iterable[Row]]] = {
    "compared": _compared,
    "canonical": _beside,
    "at_bounds": _at_bounds,
    "near_optimal": lambda answer: (
        {"configuration": str(near.configuration)} | near.to_dict() for near in answer.near_optimal
    ),
    "nodes": _nodes,
    "degree": _degree,
    "best runs": _best_runs,
    "lines": _lines,
    "winners": lambda answer: (
        {"configuration": str(winner)} | row
        for winner, row in zip(answer.curve.winners, answer.curve.to_dicts(), strict=True)
    ),
    "configurations": _configurations,
}


def _repetitions(repeats: Repeats) -> Row:
    row: Row = {
        "application": repeats.application,
        "configurations": repeats.configurations,
        "repeated": repeats.repeated,
    }
    if repeats.repeated:
        values = repeats.quantiles(*_QUANTILES.values())
        row |= {f"slowdown_{n}": v for n, v in zip(_QUANTILES, values, strict=True)}
        row |= {"power_spread_largest": float(repeats.power[-1])}
    return row
