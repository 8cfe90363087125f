"""Answers as tables: rows of plain values, each with its application, as in the workbook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.degree import NodeCurve
from planner.configurations.repeats import Repeats
from planner.configurations.table import Configuration
from scenarios.measurements.spread import RepetitionSpread

if TYPE_CHECKING:
    from planner.configurations.prediction.study import PredictionStudy

Row = dict[str, Any]
_QUANTILES = {"median": 0.5, "p90": 0.9, "largest": 1.0}


def tables(
    answers: Sequence[ConfigurationAnswer],
    mix: NodeCurve | None,
    repeated: Sequence[Repeats],
    spreads: Sequence[RepetitionSpread],
) -> dict[str, list[Row]]:
    """Every table by its name; empty ones are left out."""
    named = {
        name: [
            {"application": answer.application} | row for answer in answers for row in make(answer)
        ]
        for name, make in _TABLES.items()
    }
    if mix is not None:
        named["mix"] = mix.to_dicts()
    named |= repetition_tables(repeated, spreads)
    return {name: rows for name, rows in named.items() if rows}


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
    }


def prediction_tables(prediction: PredictionStudy) -> dict[str, list[Row]]:
    """Tabulate how well models and designs do."""
    verified = [row.to_dict() for row in prediction.verified]
    at_bounds = [
        {"application": row["application"], "training": row["training"]} | at_bound
        for row in verified
        for at_bound in row.pop("at_bounds")
    ]
    every = {
        "model_errors": [row.to_dict() for row in prediction.errors],
        "model_decisions": [row.to_dict() for row in prediction.decisions],
        "verified_decisions": verified,
        "verified_at_bounds": at_bounds,
        "runs_needed": [row.to_dict() for row in prediction.curves],
    }
    return {name: rows for name, rows in every.items() if rows}


def _compared(answer: ConfigurationAnswer) -> Iterable[Row]:
    """The best configuration, and what people do without measuring."""
    bound = answer.question.bound.bound_w
    for choice in answer.compared:
        if choice.configuration is None:
            yield {"what": choice.name, "reason": choice.reason}
            continue
        row = {"what": choice.name} | _unused(choice.configuration, bound)
        if choice.gain is not None:
            row |= {f"best_gains_{key}": value for key, value in choice.gain.to_dict().items()}
        yield row


def _unused(configuration: Configuration, bound_w: float) -> Row:
    unused = bound_w - configuration.power_w
    return configuration.to_dict() | {"unused_w": unused, "unused_fraction": unused / bound_w}


def _beside(answer: ConfigurationAnswer) -> Iterable[Row]:
    """Canonical configurations relative to the best, at several bounds and without one."""
    for neighbour in answer.neighbours:
        bound = {"bound_w": neighbour.bound_w, "bounded": neighbour.bound_w is not None}
        yield bound | {"what": "best"} | neighbour.best.to_dict() | {"relative_performance": 1.0}
        for other in neighbour.canonical:
            row = bound | {"what": other.name}
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
        for name, gain in (
            ("packed_max", at_bound.gain), ("worst_case", at_bound.gain_over_worst_case),
        ):  # fmt: skip
            if gain is not None:
                row |= {f"over_{name}_{key}": value for key, value in gain.to_dict().items()}
        yield row


def _lines(answer: ConfigurationAnswer) -> Iterable[Row]:
    fits = [at_bound.line_fit for at_bound in answer.at_bounds]
    return [fit.to_dict() for fit in (answer.line_fit, *fits) if fit is not None]


def _nodes(answer: ConfigurationAnswer) -> Iterable[Row]:
    for neighbour in answer.neighbours:
        for row in neighbour.node_curve.to_dicts():
            yield {"bound_w": neighbour.bound_w, "bounded": neighbour.bound_w is not None} | row


def _configurations(answer: ConfigurationAnswer) -> Iterable[Row]:
    table = answer.table
    for row, within in enumerate(answer.question.bound.holds(table.charged_w).tolist()):
        yield table.row(row).to_dict() | {"within_bound": within}


_TABLES: Mapping[str, Callable[[ConfigurationAnswer], Iterable[Row]]] = {
    "compared": _compared,
    "canonical": _beside,
    "at_bounds": _at_bounds,
    "near_optimal": lambda answer: (near.to_dict() for near in answer.near_optimal),
    "nodes": _nodes,
    "degree": lambda answer: [answer.degree.to_dict()],
    "lines": _lines,
    "winners": lambda answer: answer.curve.to_dicts(),
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
