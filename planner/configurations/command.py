"""The command that gives a study of configurations again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from planner.formulations.by_method import ENGINE, REFERENCE

if TYPE_CHECKING:
    from planner.configurations.result import ConfigurationResult
    from scenarios.measurements.runs import Measurements


def digest_of(measurements: Measurements) -> dict[str, str]:
    """Name without folder and SHA-256 of the file of measured runs, if there is one."""
    name = PurePath(measurements.name).name
    return {name: measurements.sha256} if measurements.sha256 else {}


def command(result: ConfigurationResult) -> tuple[str, ...]:
    """Words behind ``headroom``, with every option that matters spelled out."""
    question, node = result.question, result.question.node
    words = ["configure", PurePath(result.measurements.name).name]
    words += ["--power-bound", f"{question.bound.bound_w:.12g}"]
    answered = {answer.application for answer in result.answers}
    requested = answered | {application for application, _ in result.refused}
    if requested != set(result.measurements.runs):
        for application in result.measurements.runs:
            words += ["-A", application] if application in requested else []
    for option, value in (
        ("--sockets", node.sockets),
        ("--socket-tdp", node.tdp_w),
        ("--socket-dram-power", node.dram_max_w),
    ):
        words += [option, f"{value:.12g}"]
    words += ["--tolerance", f"{100 * question.tolerance:.12g}%"]
    if not question.prediction_guard:  # else the default of the command
        words += ["--guard", f"{100 * question.bound.guard:.12g}%"]
    words += ["--repetition", question.repetition]
    for application, weight in result.weights.items():
        words += ["--weight", f"{application}={weight:.12g}"]
    if question.fixed_cost_nodes is not None:
        words += ["--fixed-cost-nodes", f"{question.fixed_cost_nodes:.12g}"]
    words += ["--method", question.method] if question.method != ENGINE else []
    words += ["--solver", question.solver] if question.method == REFERENCE else []
    return (*words, *_predicting(result), *result.reading, "-o", "DIR")


def _predicting(result: ConfigurationResult) -> Iterator[str]:
    if result.model:
        yield from ("--model", result.model)
    if result.grid is not None:
        axes = (
            ("nodes", result.grid.nodes),
            ("cores", result.grid.cores_per_node),
            ("caps", result.grid.caps_w),
        )
        for name, values in axes:
            if values:
                yield from ("--grid", f"{name}={axis(values)}")
    if result.prediction is not None:
        yield from ("--full", "--seed", str(result.prediction.seeds[0]))


def axis(values: Sequence[float]) -> str:
    """As first:last:step where that gives the same numbers, else as a list.

    Examples
    --------
    >>> axis((8, 10, 12)), axis((51.0, 65.0, 80.0)), axis((4,))
    ('8:12:2', '51,65,80', '4')
    """
    step = values[1] - values[0] if len(values) > 2 else 0.0
    if step > 0 and all(v == values[0] + index * step for index, v in enumerate(values)):
        return f"{values[0]:.15g}:{values[-1]:.15g}:{step:.15g}"
    return ",".join(f"{value:.15g}" for value in values)
