"""The command ``headroom compare``: one decision by every method, in one table."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.answer import show_tables, tell, write_report
from planner.cli.edges import (
    explained,
    json_option,
    progress,
    refuse_unwritable_folder,
    show_table,
)
from planner.cli.files import read_files
from planner.cli.options import POSITIVE, option, out_option, quiet_option, repetition_option
from planner.cli.own_parts import heuristic_option

if TYPE_CHECKING:
    from planner.comparison.study import ComparisonStudy
    from planner.configurations.table import Repetition


_ROWS = 24


@click.command()
@click.argument("data", type=click.Path())
@option("--bound-w", type=POSITIVE, help="Of measured runs: power bound [W] of all jobs together.")
@option("--nodes", type=click.IntRange(1, 10**9), help="Of measured runs: nodes of the machine.")
@option(
    "--goal",
    type=click.Choice(["weighted-time", "makespan"]),
    default="weighted-time",
    help="Of measured runs: what to minimise.",
)
@repetition_option
@option("--sizes", metavar="N,N,...", help="Sizes of instances to draw, as 4,8,16.")
@option("--seeds", type=click.IntRange(1, 10_000), default=1, help="Instances of each size.")
@heuristic_option("heuristic")
@option("--node-limit", type=click.IntRange(1, 10**9), help="Branch-and-bound nodes of a solver.")
@option(
    "--time-limit",
    type=click.FloatRange(0, 1e6, min_open=True),
    help="Seconds of each exact method; results may then differ from run to run.",
)
@out_option
@json_option
@quiet_option
def compare(
    *,
    data: str,
    bound_w: float | None,
    nodes: int | None,
    goal: str,
    repetition: Repetition,
    sizes: str | None,
    seeds: int,
    heuristics: tuple[str, ...],
    node_limit: int | None,
    time_limit: float | None,
    out: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compare exact methods, the engine and heuristics on one decision.

    DATA is a file of measured runs, as for `headroom share`.
    """
    with explained():
        from planner.api import compare as compared
        from planner.cli.values import whole_numbers

        if out:
            refuse_unwritable_folder(Path(out), "compare", read_files())
        began = time.perf_counter()
        with progress(0, quiet=quiet) as say:
            study = compared(
                data,
                bound_w=bound_w,
                nodes=nodes,
                goal="makespan" if goal == "makespan" else "weighted time",
                repetition=repetition,
                sizes=whole_numbers(sizes, "--sizes") if sizes else (),
                seeds=seeds,
                heuristics=heuristics,
                node_limit=node_limit,
                time_limit_s=time_limit,
                progress=say,
            )
            report = write_report(study, out, began=began, progress=say)
        tell(study, _show, report, as_json=as_json, quiet=quiet)


def _show(study: ComparisonStudy) -> None:
    show_tables(study, most=_ROWS, skip=() if len(study.outcomes) <= _ROWS else ("answers",))
    by_method: dict[str, list[float]] = {}
    for each in study.outcomes:
        by_method.setdefault(each.method, []).append(each.seconds)
    click.echo("\nWall time of this run, which no other run repeats")
    show_table(
        ("method", "mean", "longest"),
        [
            (method, f"{sum(times) / len(times):,.3g} s", f"{max(times):,.3g} s")
            for method, times in by_method.items()
        ],
    )
