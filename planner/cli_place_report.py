"""``headroom place -o DIR``: the report on a placement."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.cli_edges import progress
from planner.cli_values import given_words

if TYPE_CHECKING:
    from planner.placement.place import Placement
    from planner.placement.study import PlacementStudy

_ELSEWHERE = frozenset({"out", "as_json", "quiet", "rank_file"})


def reported(found: Placement, asked: dict[str, Any], *, seconds: float) -> PlacementStudy:
    """Compare a placement with what other algorithms find, and write its report.

    Parameters
    ----------
    found
        As the command line asked.
    asked
        Its parameters; ``out`` is the folder.
    seconds
        That finding it took.

    Raises
    ------
    InputError
        Hosts that are none, or too few.
    """
    import reports
    from planner.placement.study import Asked, study
    from scenarios.ping_pong import read_ping_pong

    how = Asked(
        asked["algorithm"],
        asked["seed"],
        asked["starts"],
        asked["time_limit"],
        asked["traffic"],
        asked["rank_file_form"],
        _words(),
    )
    began = time.perf_counter()
    with progress(0, quiet=asked["quiet"]) as say:
        compared = study(
            found,
            how,
            table=read_ping_pong(Path(asked["ping_pong"])) if asked["ping_pong"] else None,
            hosts=asked["hosts"] or None,
            cores_per_processor=asked["cores_per_processor"],
            seconds=seconds,
            progress=say,
        )
        planned_s = seconds + time.perf_counter() - began
        reports.write(compared, asked["out"], planned_s=planned_s, progress=say)
    return compared


def _words() -> tuple[str, ...]:
    """The command that gives the same again, with all options that were given."""
    context = click.get_current_context()
    names = [Path(each).name for each in context.params["matrix"]]
    return ("place", *names, *given_words(context, _ELSEWHERE, {"seed": 0}), "-o", "DIR")
