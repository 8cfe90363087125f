"""Provenance: log, scheduler, command, versions, and every warning."""

from __future__ import annotations

from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.wording import seeds
from planner.scheduling.simulation.wording import source
from reports.blocks import Drawn, Page
from reports.estimates.pages.front import log_name
from reports.estimates.wording import signs
from reports.skeleton import command_line, provenance_page
from scenarios.job_logs.origin import header_words


def page(study: EstimateStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    log = study.workload.log
    paper = (
        "Smith, Hammond and Jarvis (2011). The effect of an application performance modelling "
        "tool. UKPEW."
    )
    rows = [
        ("Log", log_name(study)),
        ("Origin of the jobs", header_words(log.header)),
        ("SHA-256", log.sha256 or f"none: {source(log)}"),
        *((f"SHA-256 of {name}", digest) for name, digest in study.files),
        ("Scheduler", study.configuration.name),
        ("Paper", paper),
        ("Command", command_line(study.command) or "made from Python"),
        ("Seeds", seeds(study)),
        ("Repeatability", "the same input, seeds and versions give the same bytes"),
    ]
    return provenance_page(study, rows, [signs(each) for each in study.warnings])
