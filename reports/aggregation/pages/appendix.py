"""Provenance: measurements, command, versions, and every warning."""

from __future__ import annotations

from planner.aggregation.aggregate import AggregationStudy
from reports.aggregation.pages.front import source
from reports.blocks import Drawn, Page
from reports.skeleton import command_line, provenance_page


def page(study: AggregationStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    rows = [
        ("Measurements", source(study)),
        ("Source, as the files say", study.measured.source or "nothing"),
        *((f"SHA-256 of {file}", digest) for file, digest in study.measured.sha256.items()),
        ("Command", command_line(study.command) or "made from Python"),
        ("Seed", str(study.asked.seed)),
        ("Repeatability", "the same input, seed and versions give the same bytes"),
    ]
    return provenance_page(study, rows)
