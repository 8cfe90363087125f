"""Provenance: matrix, command, versions, and every warning."""

from __future__ import annotations

from planner.placement.study import PlacementStudy
from reports.blocks import Drawn, Page
from reports.placement.wording import name_of
from reports.skeleton import command_line, provenance_page


def page(study: PlacementStudy, _drawn: Drawn) -> Page:
    """Everything that a reader needs to get the same again."""
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
        ("Command", command_line(asked.command) or "made from Python"),
        ("Seed", str(asked.seed)),
        ("Starts", f"{asked.starts:,}"),
        ("Repeatability", repeatable),
        ("Weights", f"SHA-256 of the graph {study.graph.digest}"),
    ]
    return provenance_page(study, rows)
