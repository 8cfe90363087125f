"""The options of ``headroom colocate`` for co-runs with profiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from planner.cli.quantities import Share
from planner.cli.typed import option

if TYPE_CHECKING:
    from planner.sharing_nodes.gate.own_data import Basis


@dataclass(frozen=True, kw_only=True)
class GateOptions:
    """Options for a gate that decides on new applications; those of Python have these names."""

    profiles: str | None = option(
        type=click.Path(),
        metavar="FILE",
        help="Decide which new applications may share cores. FILE has one row of counters for each "
        "application, and TABLE the measured co-runs.",
    )
    profiles_sheet: str | None = option(
        metavar="NAME", help="Sheet of the workbook of --profiles to read."
    )
    references: str | None = option(
        joined=True,
        metavar="A,B,...",
        help="Reference applications, from whose co-runs the gate learns. By default a quarter of "
        "those in TABLE.",
    )
    bad_share: float = option(
        type=Share(0, 1, above=True, below=True),
        default=0.1,
        help="Largest acceptable share of bad co-runs, as a mean over new applications.",
    )
    limit: float = option(
        type=click.FloatRange(min=1),
        default=1.1,
        metavar="TIMES",
        help="A co-run is bad if it takes more than TIMES as long as one job after the other.",
    )
    basis: Basis = option(
        type=click.Choice(["job", "step"]),
        default="job",
        help="Times of co-runs: run times of whole jobs, or seconds per step or iteration.",
    )
    test_gates: bool = option(
        is_flag=True,
        help="Also test Tangram's gate on each measured application, with that one left out.",
    )
