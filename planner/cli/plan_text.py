"""What ``headroom plan`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from planner.cli.edges import show_table

if TYPE_CHECKING:
    from planner.designs.study import DesignStudy


def show_designs(study: DesignStudy) -> None:
    """Print the decision and both designs for each application."""
    click.echo(study.headline)
    for remark in (study.confidence, study.exceptions):
        if remark:
            click.echo(remark)
    for warning in study.warnings:
        click.echo(f"Warning: {warning}")
    if not study.overprovisioning:
        return
    headings = ("application", "worst-case", "overprovisioned", "speedup", "faster design")
    rows: list[tuple[str, ...]] = [
        (
            design.application,
            f"{design.nodes_worst_case} nodes {design.time_worst_case_s:.3f} s",
            f"{design.nodes_overprovisioned} nodes {design.time_overprovisioned_s:.3f} s",
            f"{design.speedup:.4f}",
            "overprovisioned" if design.beneficial else "worst-case",
        )
        for design in study.overprovisioning
    ]
    show_table(headings, rows)
    if study.stopped_by_time:
        click.echo("The search stopped at its time limit, so a repeated run may differ.")
