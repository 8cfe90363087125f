"""The command ``headroom diff``: what changed between two runs, and what it is worth."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.edges import refuse_unwritable_folder
from planner.cli.finish import StudyOutputOptions, finish
from planner.cli.typed import argument, command, group, option

if TYPE_CHECKING:
    from planner.differences.values import ValueChange


@dataclass(frozen=True, kw_only=True)
class DiffOptions:
    """The options of ``headroom diff``."""

    first: str = argument(type=click.Path())
    second: str = argument(type=click.Path())
    everything: bool = option("--all", is_flag=True, help="List every value that differs.")
    output: StudyOutputOptions = group(StudyOutputOptions)


@command(DiffOptions)
def diff(options: DiffOptions) -> None:
    """Say what changed between two runs, and what the change is worth.

    FIRST and SECOND are folders that `headroom plan` wrote, or their plan.json.
    """
    from planner.differences.study import compare_runs

    began = time.perf_counter()
    inputs = [options.first, options.second]
    if options.output.out:
        refuse_unwritable_folder(Path(options.output.out), "diff", inputs)
    study = compare_runs(options.first, options.second)
    lines = tuple(_line(change) for change in study.changes) if options.everything else ()
    finish(study, options.output, began=began, inputs=inputs, lines=lines)


def _line(change: ValueChange) -> str:
    """A value of both runs, as the files have it."""
    from scenarios.faults import printable

    return printable(f"{change.where}: {change.first} -> {change.second}")
