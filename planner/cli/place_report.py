"""``headroom place -o DIR``: the report on a placement."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.edges import progress
from planner.cli.files import read_files
from planner.cli.values import given_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from planner.placement.layout import Layout
    from planner.placement.placement import Placement
    from planner.placement.study import PlacementStudy

_ELSEWHERE = frozenset({"out", "as_json", "quiet", "rank_file"})


def reported(
    found: Placement,
    layout: Layout,
    context: click.Context,
    *,
    pins: Mapping[int, int],
    seconds: float,
) -> PlacementStudy:
    """Compare a placement with what other algorithms find, and write its report.

    Parameters
    ----------
    found, layout
        As the command line asked, with its hosts and cores.
    context
        Its parameters; ``out`` is the folder.
    pins
        Node of each rank that must be there.
    seconds
        That finding it took.
    """
    import reports
    from planner.placement.compared import Asked
    from planner.placement.own import files_of, find_algorithm
    from planner.placement.study import study
    from scenarios.ping_pong import read_ping_pong

    asked = context.params
    chosen = find_algorithm(asked["algorithm"])
    how = Asked(
        chosen.name,
        asked["seed"],
        asked["starts"],
        asked["time_limit"],
        asked["traffic"] or "all",
        asked["rank_file_form"],
        pins,
        _words(context),
        files_of(chosen),
    )
    table = read_ping_pong(Path(asked["ping_pong"])) if asked["ping_pong"] else None
    began = time.perf_counter()
    with progress(0, quiet=asked["quiet"]) as say:
        compared = study(found, layout, how, table=table, seconds=seconds, progress=say)
        planned_s = seconds + time.perf_counter() - began
        reports.write(
            compared,
            asked["out"],
            planned_s=planned_s,
            inputs=read_files(context),
            progress=say,
        )
    return compared


def _words(context: click.Context) -> tuple[str, ...]:
    """The command that gives the same again, with all options that were given."""
    names = [Path(each).name for each in context.params["matrix"]]
    return ("place", *names, *given_words(context, _ELSEWHERE, {"seed": 0}), "-o", "DIR")
