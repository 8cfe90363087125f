"""The matrix of ``headroom place``: options that say how it is read, and the reading."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.cli.options import option, stacked

if TYPE_CHECKING:
    from scenarios.communication.matrix import Communication

_FORMS = {
    "monitoring": "Open MPI monitoring profiles",
    "matrix": "a matrix of bytes",
    "matrix-market": "MatrixMarket",
    "metis": "a graph of METIS",
    "edges": "a list of source, destination, bytes",
}

_OPTIONS = (
    option("--form", type=click.Choice([*_FORMS]),
           help="Format of MATRIX, where the file does not show it."),
    option("--ranks", type=click.IntRange(1, 2**20),
           help="How many there are, if silent ones lie above those in MATRIX."),
    option("--first-rank", type=click.IntRange(0, 1),
           help="From where a list counts ranks.  [default: 0]"),
    option("--messages", type=click.Path(),
           help="Second matrix: numbers of messages, where the first has bytes."),
    option("--message-bytes", type=click.FloatRange(0, 1e15, min_open=True),
           help="Mean size of a message, for signed and paper, if MATRIX has bytes alone."),
    option("--traffic", type=click.Choice(["all", "point-to-point", "collective"]),
           help="Which messages of a monitoring profile count.  [default: all]"),
)  # fmt: skip


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how MATRIX is read."""
    return stacked(*_OPTIONS)(command)


def read(asked: dict[str, Any]) -> Communication:
    """Read what was asked for, and refuse options that its form has no use for.

    Raises
    ------
    click.UsageError
        An option is for another form.
    """
    from scenarios.communication.reader import read_communication

    paths = [Path(each) for each in asked["matrix"]]
    found = read_communication(
        paths[0] if len(paths) == 1 else paths,
        form=asked["form"],
        ranks=asked["ranks"],
        first_rank=asked["first_rank"] or 0,
        traffic=asked["traffic"] or "all",
        messages=asked["messages"],
    )
    if asked["traffic"] is not None and found.form != "monitoring":
        raise click.UsageError(
            f"--traffic is for monitoring profiles, and {found.name} is {_FORMS[found.form]}; "
            "leave it out"
        )
    if asked["first_rank"] is not None and found.form != "edges":
        raise click.UsageError(
            f"--first-rank is for lists, and {found.name} is {_FORMS[found.form]}; leave it out"
        )
    return found


def as_read(found: Communication) -> str:
    """The form that was read, and how many ranks it has."""
    from planner.formatting import plural
    from scenarios.faults import printable

    name, form = printable(found.name), _FORMS.get(found.form, found.form)
    return f"Read {name} as {form}, {plural(found.ranks, 'rank')}."
