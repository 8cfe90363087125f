"""The options of ``headroom colocate`` for a whole log of jobs, and what runs with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from planner.cli.quantities import Factor, Share
from planner.cli.typed import option
from planner.cli.values import pairs

if TYPE_CHECKING:
    from planner.colocation.queue_study import QueueStudy


@dataclass(frozen=True, kw_only=True)
class QueueOptions:
    """Of a log whose jobs may share nodes."""

    log: str | None = option(
        type=click.Path(),
        metavar="LOG",
        help="Run this job log with and without shared nodes; TABLE or SYSTEM says who disturbs "
        "whom.",
    )
    loads: tuple[float, ...] = option(
        "--load",
        listed=True,
        type=Factor(0, 10, above=True),
        help="Run LOG at this offered load; repeated. By default as it is.",
    )
    least_speed: float = option(
        type=Share(),
        default=0.8,
        help="Floor of all users: least predicted speed over that on whole nodes.",
    )
    least_gain: float = option(
        type=Share(),
        default=0.05,
        help="Work that a start must add on each shared node, in nodes, as predicted.",
    )
    alpha: float = option(
        type=Share(0, 0.5, above=True, below=True),
        default=0.05,
        help="Share of floors that errors of predictions may break.",
    )
    first_jobs: int | None = option(
        type=click.IntRange(min=1), help="Only the first N jobs of LOG."
    )
    nodes: int | None = option(
        type=click.IntRange(1, 1_000_000), help="Nodes of the machine; by default as LOG says."
    )
    processors_per_node: int = option(
        "--node-cores",
        older=("--processors-per-node",),
        type=click.IntRange(1, 100_000),
        default=1,
        help="Processors of LOG that make one node.",
    )
    columns: tuple[str, ...] = option(
        "--column",
        multiple=True,
        metavar="NAME=HEADING",
        help="Where a CSV log has another heading: run_s='Elapsed [s]'; repeated.",
    )


def of_log(
    table: str,
    options: QueueOptions,
    seeds: int | None,
    first_seed: int,
    floors: Mapping[str, float],
    progress: Callable[[int, int], None],
) -> QueueStudy:
    """Run the log."""
    from planner.colocation.queues import SEEDS, colocate_log

    return colocate_log(
        table,
        options.log or "",
        seeds=SEEDS if seeds is None else seeds,
        loads=options.loads,
        floor=options.least_speed,
        floors=floors,
        least_gain=options.least_gain,
        alpha=options.alpha,
        first_jobs=options.first_jobs,
        nodes=options.nodes,
        processors_per_node=options.processors_per_node,
        columns=pairs(options.columns, "--column"),
        first_seed=first_seed,
        progress=progress,
    )
