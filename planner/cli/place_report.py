"""``headroom place -o DIR``: the report on a placement."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from planner.cli.answer import write_report
from planner.cli.edges import progress
from planner.cli.files import read_files
from planner.cli.values import words_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from planner.cli.place_options import PlaceOptions
    from planner.placement.layout import Layout
    from planner.placement.placement import Placement
    from planner.placement.study import PlacementStudy


def reported(
    placement: Placement,
    layout: Layout,
    options: PlaceOptions,
    out: str,
    *,
    pins: Mapping[int, int],
    seconds: float,
) -> PlacementStudy:
    """Compare a placement with what other algorithms find, and write its report.

    Parameters
    ----------
    placement, layout
        The placement that the command line requests, and its hosts and cores.
    options, out
        Options of the command line, and the folder of the report.
    pins
        Node of each rank that must be there.
    seconds
        Time that the algorithm took.
    """
    from planner.placement.compared import PlacementSettings
    from planner.placement.own import files_of, find_algorithm
    from planner.placement.study import study
    from scenarios.communication.ping_pong import read_ping_pong

    chosen = find_algorithm(options.algorithm)
    how = PlacementSettings(
        chosen.name,
        options.seed,
        options.starts,
        options.time_limit,
        options.reading.traffic or "all",
        options.rank_file_form,
        pins,
        words_of("place", options, {"seed": 0}),
        files_of(chosen),
    )
    table = read_ping_pong(Path(options.ping_pong)) if options.ping_pong else None
    began = time.perf_counter() - seconds
    with progress(quiet=options.output.quiet) as say:
        compared = study(placement, layout, how, table=table, seconds=seconds, progress=say)
        inputs = read_files(options)
        write_report(compared, Path(out), began=began, progress=say, inputs=inputs)
    return compared
