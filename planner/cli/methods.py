"""Options that say who decides: ``--method``, and ``--solver`` of the readable program."""

from __future__ import annotations

from collections.abc import Container, Sequence
from functools import partial
from typing import Any

import click

from planner.cli.typed import option

ENGINE, REFERENCE = "engine", "reference"
"""As in :mod:`planner.formulations.by_method`, which is slow to import."""


def method_option(heuristics: Sequence[str], engine: str) -> Any:
    """Who decides.

    Parameters
    ----------
    heuristics
        Rules of thumb that can decide too.
    engine
        What the engine does, in a few words.
    """
    return option(
        type=click.Choice([ENGINE, REFERENCE, *heuristics]),
        default=ENGINE,
        help=f"Who decides: {engine}; the readable program of the documentation; or a rule of "
        "thumb, shown with its distance from the proven limit.",
    )


solver_option = partial(option, "--solver", type=click.Choice(["cbc", "highs", "both"]))
reference_solver_option = partial(
    solver_option,
    default="cbc",
    help="Who solves the program of --method reference; both must choose the same.",
)


def refuse_idle_solver(method: str, given: Container[str], *, engine_too: bool = False) -> None:
    """Refuse a solver that the method would not use.

    Parameters
    ----------
    engine_too
        Whether the engine of this command uses a solver.

    Raises
    ------
    click.UsageError
        It would not.
    """
    if "--solver" not in given or method == REFERENCE or (engine_too and method == ENGINE):
        return
    takers = "--method engine and reference" if engine_too else "--method reference"
    raise click.UsageError(
        f"--method {method} uses no solver; leave --solver out, or take {takers}"
    )
