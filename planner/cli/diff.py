"""The command ``headroom diff``: what changed between two runs, and what it is worth."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.answer import tell, write_report
from planner.cli.edges import explained, refuse_unwritable_folder, show_table
from planner.cli.options import OutputOptions
from planner.cli.typed import argument, command, group, option

if TYPE_CHECKING:
    from planner.differences.study import DifferenceStudy


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
    with explained():
        from planner.differences.study import compare_runs

        began = time.perf_counter()
        inputs = [options.first, options.second]
        if options.output.out:
            refuse_unwritable_folder(Path(options.output.out), "diff", inputs)
        study = compare_runs(options.first, options.second)
        further = write_report(
            study, options.output.out, began=began, progress=lambda _: None, inputs=inputs
        )
        tell(
            study,
            lambda answer: _show(answer, everything=options.everything),
            further,
            options.output,
        )


def _show(study: DifferenceStudy, *, everything: bool) -> None:
    for sentence in study.sentences:
        click.echo(sentence)
    changes = study.changes if everything else study.foremost
    if changes:
        table = study.table(changes)
        show_table(table.headings(), table.cells())
    left = len(study.changes) - len(changes)
    if left:
        click.echo(f"{left:,} further values differ; --all lists them.")
