"""The command ``headroom diff``: what changed between two runs, and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from planner.cli.options import OutputOptions
from planner.cli.runner import start
from planner.cli.typed import argument, command, group, option

if TYPE_CHECKING:
    from planner.differences.values import ValueChange


@dataclass(frozen=True, kw_only=True)
class DiffOptions:
    """The options of ``headroom diff``."""

    first: str = argument(type=click.Path())
    second: str = argument(type=click.Path())
    everything: bool = option("--all", is_flag=True, help="List every value that differs.")
    output: OutputOptions = group(OutputOptions)


@command(DiffOptions)
def diff(options: DiffOptions) -> None:
    """Say what changed between two runs, and what the change is worth.

    FIRST and SECOND are folders that `headroom plan` wrote, or their plan.json.
    """
    from planner.differences.study import compare_runs

    run = start("diff", options, (options.first, options.second))
    study = compare_runs(options.first, options.second)
    lines = tuple(_line(change) for change in study.changes) if options.everything else ()
    run.finish(study, lines)


def _line(change: ValueChange) -> str:
    """A value of both runs, as the files have it."""
    from scenarios.faults import printable

    return printable(f"{change.where}: {change.first} -> {change.second}")
