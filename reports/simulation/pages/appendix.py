"""Provenance: log, command, versions, and every warning."""

from __future__ import annotations

from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wording import source
from reports.blocks import Block, Drawn, Page, grid
from reports.grid import Table, table
from reports.simulation.pages.front import command, log_name
from reports.versions import version_rows
from reports.warned import in_full
from scenarios.job_logs.origin import header_words


def page(study: SimulationStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    blocks: list[Block] = [
        grid(_provenance(study), "Provenance"),
        *in_full(study.warnings, "simulate.json"),
    ]
    return Page("Appendix: provenance", "", tuple(blocks))


def _provenance(study: SimulationStudy) -> Table:
    rows = [
        ("Log", log_name(study)),
        ("Origin of the jobs", header_words(study.log.header)),
        ("SHA-256", study.log.sha256 or f"none: {source(study.log)}"),
        *((f"SHA-256 of {name}", digest) for name, digest in study.files),
        ("Command", command(study) or "made from Python"),
        ("Repeatability", "the same input and versions give the same bytes"),
        *version_rows(),
    ]
    return table((("Item", False), ("Value", False)), (1, 3), rows, exact=True)
