"""The command ``headroom colocate``: which jobs share a node."""

from __future__ import annotations

import csv
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from planner.cli.answer import show_tables, tell, write_report
from planner.cli.edges import explained, progress, refuse_unwritable_folder
from planner.cli.files import read_files
from planner.cli.options import OutputOptions, seed_option
from planner.cli.typed import argument, command, group, option
from planner.cli.values import words_of

if TYPE_CHECKING:
    from scenarios.pairs.matrix import Values
    from solvers.matching.engines import Engine


@dataclass(frozen=True, kw_only=True)
class ColocateOptions:
    """Of ``headroom colocate``."""

    table: str = argument(type=click.Path())
    jobs: str | None = option(
        metavar="A,B,...",
        help="Applications of the jobs, one for each job. By default one job of each application.",
    )
    values: Values = option(
        type=click.Choice(["speed", "slowdown"]),
        default="speed",
        help="What a matrix holds: relative speeds, or times together over times alone.",
    )
    sheet: str | None = option(metavar="NAME", help="Sheet of a workbook.")
    share: float = option(
        type=click.FloatRange(0, 1, min_open=True),
        default=0.995,
        help="Share of the best throughput that the bottleneck matchings keep.",
    )
    engine: Engine = option(
        type=click.Choice(["auto", "networkx", "rustworkx", "built-in"]),
        default="auto",
        help="Who finds the matching; the proof is built in. rustworkx needs the extra fast.",
    )
    seed: int = seed_option("Seed of the random policy.")
    output: OutputOptions = group(OutputOptions)


@command(ColocateOptions)
def colocate(asked: ColocateOptions) -> None:
    """Choose which jobs share a node, from measured pairs.

    TABLE is a CSV or XLSX file with one pair per row under a,b,solo_a_s,solo_b_s,co_a_s,co_b_s, or
    a matrix of relative speeds. The pairs gain most in total, which is proved.
    """
    with explained():
        from pathlib import Path

        from planner.colocation.colocate import study
        from planner.colocation.settings import Settings
        from scenarios.pairs.reader import read_pairs

        output, inputs = asked.output, read_files(asked)
        if output.out:
            refuse_unwritable_folder(Path(output.out), "colocate", inputs)
        table = read_pairs(asked.table, values=asked.values, sheet=asked.sheet)
        settings = Settings(share=asked.share, engine=asked.engine, seed=asked.seed)
        began = time.perf_counter()
        with progress(0, quiet=output.quiet) as say:
            found = study(
                table,
                _names(asked.jobs),
                settings,
                command=words_of("colocate", asked),
                progress=say,
            )
            lines = write_report(found, output.out, began=began, progress=say, inputs=inputs)
        tell(found, show_tables, lines, output)


def _names(text: str | None) -> tuple[str, ...]:
    """Names between commas; one with a comma stands in quotation marks."""
    if text is None:
        return ()
    names = next(csv.reader([text], skipinitialspace=True), [])
    found = tuple(name.strip() for name in names)
    if not all(found) or not found:
        message = "a name is empty; give the application of each job, as a,b,b"
        raise click.BadParameter(message, param_hint="--jobs")
    return found
