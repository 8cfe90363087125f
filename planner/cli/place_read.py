"""The matrix of ``headroom place``: options that say how it is read, and the reading."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.quantities import Quantity
from planner.cli.typed import option

if TYPE_CHECKING:
    from scenarios.communication.matrix import Communication
    from scenarios.communication.monitoring import Traffic
    from scenarios.communication.reader import Form
    from scenarios.communication.row_order import RowOrder

FORM_NAMES = {
    "monitoring": "Open MPI monitoring profiles",
    "matrix": "a matrix of bytes",
    "matrix-market": "MatrixMarket",
    "metis": "a METIS graph",
    "edges": "a list of source, destination, bytes",
}
"""What a form of communication is called in messages."""


row_order_option = partial(
    option,
    "--row-order",
    type=click.Choice(["forward", "reversed"]),
    help="Whether the first row of a matrix belongs to rank 0 or to the last rank.  "
    "[default: forward]",
)


@dataclass(frozen=True, kw_only=True)
class MatrixOptions:
    """How MATRIX is read."""

    form: Form | None = option(
        type=click.Choice([*FORM_NAMES]), help="Format of MATRIX, if it cannot be recognised."
    )
    ranks: int | None = option(
        type=click.IntRange(1, 2**20),
        help="Number of ranks, if MATRIX omits silent ones at the end.",
    )
    first_rank: int | None = option(
        type=click.IntRange(0, 1), help="Number of the first rank in a list.  [default: 0]"
    )
    row_order: RowOrder | None = row_order_option()
    messages: str | None = option(
        type=click.Path(), help="Second matrix with message counts; the first has bytes."
    )
    message_bytes: float | None = option(
        "--message-size",
        type=Quantity("data", "B", 0, 1e15, above=True),
        help="Mean size of a message, for signed and paper, if MATRIX has bytes alone.",
    )
    traffic: Traffic | None = option(
        type=click.Choice(["all", "point-to-point", "collective"]),
        help="Which messages of a monitoring profile count.  [default: all]",
    )


def read(matrix: tuple[str, ...], options: MatrixOptions) -> Communication:
    """Read the files of a matrix, and refuse options that its form has no use for.

    Raises
    ------
    click.UsageError
        An option is for another form.
    """
    from scenarios.communication.reader import read_communication

    paths = [Path(name) for name in matrix]
    communication = read_communication(
        paths[0] if len(paths) == 1 else paths,
        form=options.form,
        ranks=options.ranks,
        first_rank=options.first_rank or 0,
        traffic=options.traffic or "all",
        messages=options.messages,
        row_order=options.row_order,
    )
    form = FORM_NAMES.get(communication.form, communication.form)
    if options.traffic is not None and communication.form != "monitoring":
        raise click.UsageError(
            f"--traffic applies to monitoring profiles, but {communication.name} is {form}; omit it"
        )
    if options.first_rank is not None and communication.form != "edges":
        raise click.UsageError(
            f"--first-rank applies to lists, but {communication.name} is {form}; omit it"
        )
    return communication
