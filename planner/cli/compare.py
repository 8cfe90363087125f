"""The command ``headroom compare``: one decision by every method, in one table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from planner.cli.edges import progress
from planner.cli.options import POWER, OutputOptions, goal_of, goal_option, time_limit_option
from planner.cli.own_parts import heuristic_option
from planner.cli.place_read import row_order_option
from planner.cli.reading import repetition_option
from planner.cli.runner import start
from planner.cli.typed import WrittenPath, argument, command, group, option
from planner.cli.values import whole_numbers, words_of
from planner.formatting import telling

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from planner.comparison.study import ComparisonStudy
    from planner.configurations.table import Repetition
    from scenarios.communication.row_order import RowOrder


@dataclass(frozen=True, kw_only=True)
class CompareOptions:
    """The options of ``headroom compare``."""

    data: tuple[str, ...] = argument(type=click.Path(), nargs=-1, required=True)
    bound_w: float | None = option(
        "--power-bound",
        type=POWER,
        help="For measured runs: power bound of all jobs together, as in 6kW.",
    )
    nodes: int | None = option(
        type=click.IntRange(1, 10**9), help="For measured runs: nodes of the machine."
    )
    goal: str = goal_option(help="For measured runs: what to minimise.")
    repetition: Repetition = repetition_option()
    ranks_per_node: int | None = option(
        type=click.IntRange(1, 10**6), help="For communication matrices: ranks on each node."
    )
    row_order: RowOrder | None = row_order_option()
    sizes: str | None = option(
        joined=True,
        metavar="N,N,...",
        help="Instance sizes, as 4,8,16: number of sampled jobs, or of leading ranks.",
    )
    seeds: int = option(
        type=click.IntRange(1, 10_000),
        default=1,
        help="For measured runs: number of instances of each size.",
    )
    heuristics: tuple[str, ...] = heuristic_option("heuristic")
    node_limit: int | None = option(
        type=click.IntRange(1, 10**9), help="Largest number of branch-and-bound nodes per solve."
    )
    time_limit: float | None = time_limit_option()
    models: str | None = option(
        "--write-models",
        type=WrittenPath(),
        metavar="FOLDER",
        help="Folder for every instance as LP and MPS file, with a legend of the names.",
    )
    output: OutputOptions = group(OutputOptions)


@command(CompareOptions)
def compare(options: CompareOptions) -> None:
    """Compare exact methods, the engine and heuristics on one decision.

    DATA is a scenario (file or bundled name), a file of measured runs as for `headroom share`,
    or one or more communication matrices as for `headroom place`.
    """
    from planner.api import compare as compared

    run = start("compare", options)
    with progress(quiet=options.output.quiet) as say:
        study = compared(
            *options.data,
            bound_w=options.bound_w,
            nodes=options.nodes,
            goal=goal_of(options.goal),
            repetition=options.repetition,
            ranks_per_node=options.ranks_per_node,
            row_order=options.row_order,
            sizes=whole_numbers(options.sizes, "--sizes") if options.sizes else (),
            seeds=options.seeds,
            heuristics=options.heuristics,
            node_limit=options.node_limit,
            time_limit_s=options.time_limit,
            models=options.models,
            progress=say,
        )
    study = replace(study, command=words_of("compare", options))
    run.finish(study, tuple(_times(study)))


def _times(study: ComparisonStudy) -> Iterator[str]:
    """Seconds of each method, which no file that can be repeated has."""
    yield "\nTimes, which differ between runs (mean and longest of CPU; of wall):"
    for method in study.methods:
        outcomes = study.of(method)
        cpu = _mean_and_longest([outcome.cpu_s for outcome in outcomes])
        wall = _mean_and_longest([outcome.seconds for outcome in outcomes])
        yield f"- {method}: {cpu}; {wall}"


def _mean_and_longest(times: Sequence[float]) -> str:
    return f"{telling(sum(times) / len(times), 3)} s, {telling(max(times), 3)} s"
