"""Provenance: matrix, command, versions, and every warning."""

from __future__ import annotations

from planner.placement.study import PlacementStudy
from reports.blocks import Block, Drawn, Page, grid
from reports.grid import Table, table
from reports.placement.pages.front import command
from reports.placement.wording import DATA, name_of
from reports.versions import version_rows
from reports.warned import in_full


def page(study: PlacementStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
    blocks: list[Block] = [
        grid(_provenance(study), "Provenance"),
        *in_full(study.warnings, DATA),
    ]
    return Page("Appendix: provenance", "", tuple(blocks))


def _provenance(study: PlacementStudy) -> Table:
    found, asked = study.placement.communication, study.asked
    used = study.table
    repeatable = "the same input, seed and versions give the same bytes"
    if study.stopped_by_time:
        repeatable = (
            f"an algorithm stopped at {asked.time_limit_s:g} s, so another run may differ; "
            "the others give the same again"
        )
    rows = [
        ("Matrix", name_of(study)),
        ("SHA-256", found.sha256 or "made in Python"),
        ("Form", found.form or "made in Python"),
        *([("Ping-pong table", used.name), ("SHA-256 of it", used.sha256)] if used else []),
        ("Command", command(study) or "made from Python"),
        ("Seed", str(asked.seed)),
        ("Starts", f"{asked.starts:,}"),
        ("Repeatability", repeatable),
        ("Weights", f"SHA-256 of the graph {study.graph.digest}"),
        *version_rows(),
    ]
    return table((("Item", False), ("Value", False)), (1, 3), rows, exact=True)
