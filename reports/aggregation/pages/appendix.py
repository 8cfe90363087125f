"""Provenance: measurements, command, versions, and every warning."""

from __future__ import annotations

import shlex

from planner.aggregation.aggregate import AggregationStudy
from reports.aggregation.pages.front import source
from reports.blocks import Block, Drawn, Page, grid
from reports.grid import Table, table
from reports.versions import version_rows
from reports.warned import in_full


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
        *version_rows(),
    ]
    return table((("Item", False), ("Value", False)), (1, 3), rows, exact=True)
