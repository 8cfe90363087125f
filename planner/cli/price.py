"""The command ``headroom price``: what users pay for jobs that share nodes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.answer import show_tables, tell, write_report
from planner.cli.edges import counted_progress, explained, progress, refuse_unwritable_folder
from planner.cli.files import read_files
from planner.cli.options import POSITIVE, OutputOptions
from planner.cli.typed import argument, command, group, option

if TYPE_CHECKING:
    from planner.pricing.study import PriceStudy

_ROWS = 20


@dataclass(frozen=True, kw_only=True)
class PriceOptions:
    """Of ``headroom price``."""

    scenario: str = argument()
    seeds: int | None = option(
        type=click.IntRange(1, 1000), help="Replications; by default those of the scenario."
    )
    shutter_us: float | None = option(
        type=POSITIVE, help="S, the length of a measurement [us]; by default the scenario's."
    )
    gap_us: float | None = option(
        type=POSITIVE, help="P, the time between two rounds [us]; by default the scenario's."
    )
    jobs_per_node: int | None = option(
        type=click.IntRange(2, 4), help="n, the jobs on a node; by default the scenario's."
    )
    workers: int = option(
        type=click.IntRange(1, 1024), default=1, recorded=False, help="Processes."
    )
    output: OutputOptions = group(OutputOptions)


@command(PriceOptions)
def price(asked: PriceOptions) -> None:
    """Price jobs that share nodes, and show how fair each price is.

    SCENARIO is a file with [price], or the name of a bundled one: poppa-12-codes. Interference is
    measured on a simulated node by pausing all jobs but one for milliseconds.
    """
    with explained():
        from planner.pricing.price import price as priced

        out, inputs, quiet = asked.output.out, read_files(asked), asked.output.quiet
        if out:
            refuse_unwritable_folder(Path(out), "price", inputs)
        began = time.perf_counter()
        with counted_progress("seeds", quiet=quiet) as say:
            study = priced(
                asked.scenario,
                seeds=asked.seeds,
                shutter_us=asked.shutter_us,
                gap_us=asked.gap_us,
                jobs_per_node=asked.jobs_per_node,
                workers=asked.workers,
                progress=say,
            )
        with progress(0, quiet=quiet) as tell_step:
            report = write_report(study, out, began=began, progress=tell_step, inputs=inputs)
    tell(study, _show, report, asked.output)


def _show(study: PriceStudy) -> None:
    show_tables(study, most=_ROWS)
