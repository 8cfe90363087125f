"""Provenance: file, command, versions, and every warning."""

from __future__ import annotations

import platform
import shlex
from importlib.metadata import version

from planner.configuration.study import ConfigurationStudy
from planner.version import headroom_version
from reports.configuration.pages.front import file_name, warnings
from reports.grid import Table, table
from reports.pages.blocks import Block, Drawn, Page, bullets, grid, subheading
from reports.units import given

_LIBRARIES = ("numpy", "matplotlib", "typst", "xlsxwriter")
_MOST_WARNINGS = 60
_MOST_NAMES = 20


def page(study: ConfigurationStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    blocks: list[Block] = [grid(_provenance(study), "Provenance")]
    if list(study.warnings) != warnings(study):
        found = list(study.warnings)
        left = len(found) - _MOST_WARNINGS
        more = [f"{left:,} more stand in configure.json."] if left > 0 else []
        blocks += [subheading("All warnings"), bullets([*found[:_MOST_WARNINGS], *more])]
    return Page("Appendix: provenance", "", tuple(blocks))


def _provenance(study: ConfigurationStudy) -> Table:
    rows = [
        ("Measurements", file_name(study)),
        ("SHA-256", study.measurements.sha256),
        ("Command", command(study)),
        ("Guard", given(study.question.bound.guard)),
        ("Repeatability", "the same input and versions give the same bytes; nothing is random"),
        ("Headroom", headroom_version()),
        ("Libraries", ", ".join(f"{each} {version(each)}" for each in _LIBRARIES)),
        ("Python", platform.python_version()),
    ]
    return table((("Item", False), ("Value", False)), (1, 3), rows, exact=True)


def command(study: ConfigurationStudy) -> str:
    """The command that gives this report, with every option that matters spelled out."""
    question, node = study.question, study.question.node
    words = ["headroom", "configure", file_name(study)]
    words += ["--bound-w", f"{question.bound.bound_w:.12g}"]
    answered = {answer.application for answer in study.answers}
    asked = answered | {application for application, _ in study.refused}
    if asked != set(study.measurements.runs):
        for application in study.measurements.runs:
            words += ["-A", application] if application in asked else []
    for option, value in (
        ("--sockets", node.sockets),
        ("--tdp-w", node.tdp_w),
        ("--dram-max-w", node.dram_max_w),
        ("--guard", 100 * question.bound.guard),
        ("--tolerance", 100 * question.tolerance),
    ):
        words += [option, f"{value:.12g}"]
    words += ["--repetition", question.repetition]
    for application, weight in study.weights.items():
        words += ["--weight", f"{application}={weight:.12g}"]
    if question.fixed_cost_nodes is not None:
        words += ["--fixed-cost-nodes", f"{question.fixed_cost_nodes:.12g}"]
    return " ".join(shlex.quote(word) for word in (*words, *study.reading, "-o", "DIR"))
