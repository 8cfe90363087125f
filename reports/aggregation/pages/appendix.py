"""Provenance: measurements, command, versions, and every warning."""

from __future__ import annotations

import platform
import shlex
from importlib.metadata import version

from planner.aggregation.aggregate import AggregationStudy
from planner.version import headroom_version
from reports.aggregation.pages.front import source
from reports.grid import Table, table
from reports.pages.blocks import Block, Drawn, Page, grid
from reports.pages.warned import in_full

_LIBRARIES = ("numba", "numpy", "matplotlib", "typst", "xlsxwriter")


def page(study: AggregationStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    blocks: list[Block] = [
        grid(_provenance(study), "Provenance"),
        *in_full(study.warnings, "aggregate.json"),
    ]
    return Page("Appendix: provenance", "", tuple(blocks))


def _provenance(study: AggregationStudy) -> Table:
    command = shlex.join(("headroom", *study.command)) if study.command else "made from Python"
    rows = [
        ("Measurements", source(study)),
        ("Source, as the files say", study.measured.source or "nothing"),
        *((f"SHA-256 of {file}", digest) for file, digest in study.measured.sha256.items()),
        ("Command", command),
        ("Seed", str(study.asked.seed)),
        ("Repeatability", "the same input, seed and versions give the same bytes"),
        ("Headroom", headroom_version()),
        ("Libraries", ", ".join(f"{each} {version(each)}" for each in _LIBRARIES)),
        ("Python", platform.python_version()),
    ]
    return table((("Item", False), ("Value", False)), (1, 3), rows, exact=True)
