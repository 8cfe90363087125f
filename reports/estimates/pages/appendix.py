"""Provenance: log, scheduler, command, versions, and every warning."""

from __future__ import annotations

from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.wording import seeds
from planner.scheduling.simulation.wording import source
from reports.blocks import Block, Drawn, Page, grid
from reports.estimates.pages.front import command, log_name
from reports.estimates.wording import signs
from reports.grid import Table, table
from reports.versions import version_rows
from reports.warned import in_full
from scenarios.job_logs.origin import header_words


def page(study: EstimateStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    blocks: list[Block] = [
        grid(_provenance(study), "Provenance"),
        *in_full([signs(each) for each in study.warnings], "estimate.json"),
    ]
    return Page("Appendix: provenance", "", tuple(blocks))


def _provenance(study: EstimateStudy) -> Table:
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
        ("Command", command(study) or "made from Python"),
        ("Seeds", seeds(study)),
        ("Repeatability", "the same input, seeds and versions give the same bytes"),
        *version_rows(),
    ]
    return table((("Item", False), ("Value", False)), (1, 3), rows, exact=True)
