"""What ``headroom aggregate`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from planner.aggregation.summary import SIMULATED, details, energy, percent, ratio
from planner.aggregation.tables import mark, pattern_rows
from planner.cli.edges import show_columns
from planner.formatting import count, plural, seconds
from planner.worded_table import Column

if TYPE_CHECKING:
    from planner.aggregation.aggregate import AggregationStudy

_MOST_NODES = 16


_PREDICTED = (
    Column("pattern", "pattern"),
    Column("{processors}x{dies}x{cores}".format_map, "layout"),
    Column("tasks_per_node", "ranks"),
    Column("nodes", "nodes", count),
    Column("ipc", "IPC", "{:.3f}".format),
    Column("compute_s", "compute", seconds),
    Column("communication_bound_s", "messages", seconds),
    Column("slowdown", "slower", percent),
    Column("energy_j", "energy", energy),
    Column("saving", "ratio", ratio),
    Column(lambda row: row["why_not"] or mark(row, "too slow"), "predicted"),
)


_TRUE = (
    Column("pattern", "pattern"),
    Column("true_ipc", "IPC", "{:.3f}".format),
    Column("true_compute_s", "compute", seconds),
    Column("true_communication_s", "messages", seconds),
    Column("true_slowdown", "slower", percent),
    Column("true_energy_j", "energy", energy),
    Column("true_saving", "ratio", ratio),
)


def _in_truth(row: dict[str, Any], threshold: float) -> str:
    too_slow = row["true_slowdown"] > threshold and row["tasks_per_node"] > 1
    best = "best" if row["true_best"] else "too slow" if too_slow else ""
    return ", ".join(mark for mark in ("chosen" if row["chosen"] else "", best) if mark)


def show(study: AggregationStudy) -> None:
    """The choice, every pattern as predicted, every pattern in truth, and the groups."""
    if study.measured.simulated:
        click.echo(f"{SIMULATED}: {study.measured.source}.")
    click.echo(f"{study.headline} {details(study)} {study.confidence}")
    for warning in study.warnings[study.measured.simulated :]:  # the first says so again
        click.echo(f"Warning: {warning}")
    rows, program = pattern_rows(study), study.measured.program
    click.echo(
        f"Predicted patterns of {program.name} on {plural(program.traffic.tasks, 'rank')}. Layout: "
        "sockets x dies x cores used. Compute and messages (upper bound): one iteration. Energy: "
        f"the whole run ({plural(program.iterations, 'iteration')}) on all nodes. Slower: against "
        f"one rank per node (limit {100 * study.settings.threshold:.6g} %). Ratio: energy over "
        f"that of the baseline, pattern {study.baseline.pattern.id} (--baseline)."
    )
    show_columns(_PREDICTED, rows)
    if study.truths is not None:
        click.echo("Ground truth of the simulated node (not visible to the method):")
        truth = Column(lambda row: _in_truth(row, study.settings.threshold), "truth")
        show_columns((*_TRUE, truth), [row for row in rows if row["true_ipc"] is not None])
    groups = study.chosen.groups.tolist()
    shown = [f"({' '.join(map(str, group))})" for group in groups[:_MOST_NODES]]
    more = f" and {len(groups) - _MOST_NODES} more nodes" if len(groups) > _MOST_NODES else ""
    click.echo(f"Ranks of each node, in the order of their cores: {' '.join(shown)}{more}")
