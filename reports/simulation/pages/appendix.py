"""Provenance: log, command, versions, and every warning."""

from __future__ import annotations

from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.simulation.wording import source
from reports.blocks import Drawn, Page
from reports.simulation.pages.front import log_name
from reports.skeleton import command_line, provenance_page
from scenarios.job_logs.origin import header_words


def page(study: SimulationStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    rows = [
        ("Log", log_name(study)),
        ("Origin of the jobs", header_words(study.log.header)),
        ("SHA-256", study.log.sha256 or f"none: {source(study.log)}"),
        *((f"SHA-256 of {name}", digest) for name, digest in study.files),
        ("Command", command_line(study.command) or "made from Python"),
        ("Repeatability", "the same input and versions give the same bytes"),
    ]
    return provenance_page(study, rows)
