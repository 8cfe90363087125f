"""What ``headroom aggregate`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from planner.aggregation.patterns import Pattern, patterns
from planner.aggregation.wording import energy, percent, ratio
from planner.cli.edges import show_table
from planner.formatting import plural, seconds

if TYPE_CHECKING:
    from planner.aggregation.aggregate import AggregationStudy

_MOST_NODES = 16


def show(study: AggregationStudy) -> None:
    """The choice, every pattern as predicted, every pattern in truth, and the groups."""
    if study.measured.simulated:
        click.echo(f"SIMULATED, nothing of this was measured: {study.measured.source}.")
    click.echo(f"{study.headline} {study.confidence}")
    for warning in study.warnings[study.measured.simulated :]:  # the first says so again
        click.echo(f"Warning: {warning}")
    offered = patterns(study.measured.node)
    predicted = (
        "pattern", "layout", "tasks", "nodes", "IPC", "compute", "messages", "slower", "energy",
        "of base", "predicted",
    )  # fmt: skip
    click.echo(
        "Predicted. Layout: processors x dies of each x cores of each; tasks: on a node. Compute, "
        "and messages at most: of one iteration. Energy: of the whole run "
        f"({plural(study.measured.program.iterations, 'iteration')}), all nodes together. Slower: "
        f"than one task per node, limit {100 * study.asked.threshold:.6g} %. Of base: energy over "
        f"that of pattern {study.baseline.pattern.id}, the baseline (--baseline)."
    )
    show_table(predicted, [_predicted(study, each) for each in offered])
    if study.truths is not None:
        click.echo("In truth, which no choice sees (simulated); times and energy as above:")
        headings = (
            "pattern", "IPC", "compute", "messages", "slower", "energy", "of base", "in truth",
        )  # fmt: skip
        show_table(headings, [_true(study, p) for p in offered if p.id in study.truths.outcomes])
    groups = study.chosen.groups.tolist()
    shown = [f"({' '.join(map(str, group))})" for group in groups[:_MOST_NODES]]
    more = f" and {len(groups) - _MOST_NODES} more nodes" if len(groups) > _MOST_NODES else ""
    click.echo(f"Tasks of each node, in the order of their cores: {' '.join(shown)}{more}")


def _predicted(study: AggregationStudy, pattern: Pattern) -> tuple[str, ...]:
    layout = "x".join(map(str, pattern.layout))
    if pattern.id in study.refused:
        return (str(pattern.id), layout, str(pattern.tasks), *["-"] * 7, study.refused[pattern.id])
    found = next(c for c in study.candidates if c.pattern.id == pattern.id)
    mark = "" if pattern.id in study.tolerable else "too slow"
    return (
        str(pattern.id),
        layout,
        str(pattern.tasks),
        f"{study.nodes(pattern):,}",
        f"{found.ipc:.3f}",
        seconds(found.compute_s),
        seconds(found.communication_s),
        percent(found.slowdown),
        energy(found.energy_j),
        ratio(study.saving(found)),
        "chosen" if found is study.chosen else mark,
    )


def _true(study: AggregationStudy, pattern: Pattern) -> tuple[str, ...]:
    truths = study.truths
    assert truths is not None  # noqa: S101 - asked before
    run = truths.outcomes[pattern.id]
    marks = ["chosen"] if pattern.id == study.chosen.pattern.id else []
    if pattern.id == truths.best_within(study.asked.threshold):
        marks.append("best")
    elif truths.slowdown(pattern.id) > study.asked.threshold and pattern.tasks > 1:
        marks.append("too slow")
    return (
        str(pattern.id),
        f"{run.ipc:.3f}",
        seconds(run.compute_s),
        seconds(run.communication_s),
        percent(truths.slowdown(pattern.id)),
        energy(run.energy_j),
        ratio(truths.saving(pattern.id, study.baseline.pattern.id)),
        ", ".join(marks),
    )
