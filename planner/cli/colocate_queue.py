"""The options of ``headroom colocate`` for a whole log of jobs."""

from __future__ import annotations

from dataclasses import dataclass

import click

from planner.cli.options import column_option, node_cores_option, nodes_option
from planner.cli.quantities import Factor, Share
from planner.cli.typed import option


@dataclass(frozen=True, kw_only=True)
class QueueOptions:
    """Options for a log whose jobs may share nodes."""

    log: str | None = option(
        type=click.Path(),
        metavar="LOG",
        help="Simulate this job log with and without shared nodes. TABLE or SYSTEM gives the "
        "slowdown of each pair.",
    )
    loads: tuple[float, ...] = option(
        "--load",
        listed=True,
        type=Factor(0, 10, above=True),
        help="Offered load at which LOG is simulated, as in 80%. Default: unchanged.",
    )
    alpha: float = option(
        type=Share(0, 0.5, above=True, below=True),
        default=0.05,
        help="Share of floors that prediction errors may break.",
    )
    first_jobs: int | None = option(
        type=click.IntRange(min=1), help="Use only the first N jobs of LOG."
    )
    nodes: int | None = nodes_option()
    processors_per_node: int = node_cores_option()
    columns: tuple[str, ...] = column_option()
