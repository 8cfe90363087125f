"""Provenance: file, command, versions, and every warning."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

from planner.configurations.study import ConfigurationStudy
from planner.formatting import given
from planner.formulations.by_method import ENGINE, REFERENCE
from reports.blocks import Drawn, Page
from reports.configuration.pages.front import MOST_RISKS, file_name
from reports.skeleton import provenance_page
from reports.warning_boxes import boxed, in_full

_MOST_WARNINGS = 12


def page(study: ConfigurationStudy, _pictures: Drawn) -> Page:
    """Make the page with everything that is needed to repeat the analysis."""
    rows = [
        ("Measurements", file_name(study)),
        ("SHA-256", study.measurements.sha256),
        ("Command", command(study)),
        ("Guard", _guard(study)),
        ("Repeatability", _repeatable(study)),
    ]
    sheet = provenance_page(study, rows, ())
    boxes = boxed(study.warnings, MOST_RISKS)
    listed = in_full(study.warnings, "configure.json", boxes, _MOST_WARNINGS)
    return replace(sheet, blocks=(*sheet.blocks, *listed))


def _guard(study: ConfigurationStudy) -> str:
    own, of_predictions = study.question.bound.guard, study.question.prediction_guard
    return f"{given(of_predictions)} for predicted power" if of_predictions else given(own)


def _repeatable(study: ConfigurationStudy) -> str:
    message = "the same input and versions give the same bytes"
    if study.prediction is None:
        return f"{message}; nothing is random"
    seeds = ", ".join(str(seed) for seed in study.prediction.seeds)
    return f"{message}; training sets and random runs use the seeds {seeds}"


def command(study: ConfigurationStudy) -> str:
    """The command that gives this report, with every option that matters spelled out."""
    question, node = study.question, study.question.node
    words = ["headroom", "configure", file_name(study)]
    words += ["--power-bound", f"{question.bound.bound_w:.12g}"]
    answered = {answer.application for answer in study.answers}
    requested = answered | {application for application, _ in study.refused}
    if requested != set(study.measurements.runs):
        for application in study.measurements.runs:
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
    for application, weight in study.weights.items():
        words += ["--weight", f"{application}={weight:.12g}"]
    if question.fixed_cost_nodes is not None:
        words += ["--fixed-cost-nodes", f"{question.fixed_cost_nodes:.12g}"]
    words += ["--method", question.method] if question.method != ENGINE else []
    words += ["--solver", question.solver] if question.method == REFERENCE else []
    words += _predicting(study)
    return " ".join(shlex.quote(word) for word in (*words, *study.reading, "-o", "DIR"))


def _predicting(study: ConfigurationStudy) -> list[str]:
    words = ["--model", study.model] if study.model else []
    if study.grid is not None:
        axes = (
            ("nodes", study.grid.nodes),
            ("cores", study.grid.cores_per_node),
            ("caps", study.grid.caps_w),
        )
        for name, values in axes:
            words += ["--grid", f"{name}={_axis(values)}"] if values else []
    if study.prediction is not None:
        words += ["--full", "--seed", str(study.prediction.seeds[0])]
    return words


def _axis(values: Sequence[float]) -> str:
    """As first:last:step where that gives the same numbers, else as a list.

    Examples
    --------
    >>> _axis((8, 10, 12)), _axis((51.0, 65.0, 80.0)), _axis((4,))
    ('8:12:2', '51,65,80', '4')
    """
    step = values[1] - values[0] if len(values) > 2 else 0.0
    if step > 0 and all(v == values[0] + index * step for index, v in enumerate(values)):
        return f"{values[0]:.15g}:{values[-1]:.15g}:{step:.15g}"
    return ",".join(f"{value:.15g}" for value in values)
