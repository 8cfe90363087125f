"""The command ``headroom price``: what users pay for jobs that share nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from planner.cli.edges import Failure, counted_progress
from planner.cli.options import (
    POSITIVE,
    OutputOptions,
    column_option,
    node_cores_option,
    nodes_option,
    workers_option,
)
from planner.cli.price_kinds import is_scenario, refuse_idle_options
from planner.cli.quantities import Quantity
from planner.cli.runner import start
from planner.cli.typed import argument, command, group, option
from planner.cli.values import pairs, words_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from planner.pricing.study import PriceStudy
    from planner.sharing_nodes.queue_bills.study import QueuePriceStudy

_MICROSECONDS = Quantity("time", "us", 0, 1e12, above=True)


@dataclass(frozen=True, kw_only=True)
class DayOptions:
    """Options of a day of a job log."""

    columns: tuple[str, ...] = column_option()
    day: int | None = option(
        type=click.IntRange(min=1),
        help="Day of LOG, numbered from 1; by default the one with the most node-hours.",
    )
    nodes: int | None = nodes_option()
    processors_per_node: int = node_cores_option()
    cores_per_node: int = option(
        type=click.IntRange(2, 4096), default=16, help="Cores of a node, for the bills."
    )


@dataclass(frozen=True, kw_only=True)
class LiveOptions:
    """Options of jobs that run on this machine."""

    live_jobs: tuple[str, ...] = option(
        "--live-job",
        multiple=True,
        metavar="NAME,USER,CORES,PID",
        help="Measure this running job (Linux); may be given several times. Needs a pricing log "
        "with accounts.",
    )
    live_s: float = option(
        "--live-time",
        type=Quantity("time", "s", 0, 1e12, above=True),
        default=60.0,
        help="Stop measuring after this time, as in 10min.",
    )
    rate: float = option(
        type=POSITIVE, default=1.0, help="Service units for one core and one hour."
    )


@dataclass(frozen=True, kw_only=True)
class PriceOptions:
    """Options of ``headroom price``."""

    what: str = argument(metavar="SCENARIO|LOG")
    seeds: int | None = option(
        type=click.IntRange(1, 1000),
        help="Number of seeds; by default that of SCENARIO, or 1 mapping of users for LOG.",
    )
    shutter_us: float | None = option(
        "--shutter-time",
        type=_MICROSECONDS,
        help="S, the length of a measurement, as in 3.2ms; by default the scenario's.",
    )
    gap_us: float | None = option(
        "--shutter-gap",
        type=_MICROSECONDS,
        help="P, the time between two rounds, as in 200ms; by default the scenario's.",
    )
    jobs_per_node: int | None = option(
        type=click.IntRange(2, 4), help="Number n of jobs on a node; by default that of SCENARIO."
    )
    replay: bool = option(
        is_flag=True,
        help="Recompute all prices of a pricing log and compare them with the bookings.",
    )
    head: str | None = option(
        metavar="DIGEST",
        help="With --replay: digest that an earlier replay printed as head; the log must still "
        "contain it.",
    )
    day: DayOptions = group(DayOptions)
    live: LiveOptions = group(LiveOptions)
    workers: int = workers_option(type=click.IntRange(1, 1024), help="Number of worker processes.")
    output: OutputOptions = group(OutputOptions)
    given: frozenset[str]


@command(PriceOptions)
def price(options: PriceOptions) -> None:
    """Show what users pay for jobs that share nodes, and how fair it is.

    SCENARIO is a file with [price], or the bundled poppa-12-codes; all pairs of applications share
    a simulated node. LOG is a job log; one of its days runs with and without shared nodes. With
    --replay or --live-job, LOG is a pricing log (docs/pricing-log.md).
    """
    if options.replay and options.live.live_jobs:
        raise click.UsageError("--replay and --live-job exclude each other; give only one")
    refuse_idle_options(
        options.what, replay=options.replay, live=bool(options.live.live_jobs), given=options.given
    )
    if options.replay:
        _replay(options)
    elif options.live.live_jobs:
        _live(options)
    else:
        _study(options)


def _study(options: PriceOptions) -> None:
    output = options.output
    run = start("price", options)
    with counted_progress("seeds", quiet=output.quiet) as say:
        study = _of_scenario(options, say) if is_scenario(options.what) else _of_log(options, say)
    run.finish(replace(study, command=words_of("price", options)))


def _of_scenario(options: PriceOptions, say: Callable[[int, int], None]) -> PriceStudy:
    from planner.pricing.price import price as priced

    return priced(
        options.what,
        seeds=options.seeds,
        shutter_us=options.shutter_us,
        gap_us=options.gap_us,
        jobs_per_node=options.jobs_per_node,
        workers=options.workers,
        progress=say,
    )


def _of_log(options: PriceOptions, say: Callable[[int, int], None]) -> QueuePriceStudy:
    from planner.sharing_nodes.queue_bills.price_log import price_log

    return price_log(
        options.what,
        day=options.day.day,
        nodes=options.day.nodes,
        processors_per_node=options.day.processors_per_node,
        cores_per_node=options.day.cores_per_node,
        columns=pairs(options.day.columns, "--column"),
        seeds=options.seeds or 1,
        workers=options.workers,
        progress=say,
    )


def _replay(options: PriceOptions) -> None:
    from planner.cli.price_log import replayed

    message, matches = replayed(options.what, options.head)
    message.tell(options.output)
    if not matches:
        raise Failure("the pricing log contradicts itself")


def _live(options: PriceOptions) -> None:
    from planner.cli.price_log import live_jobs, live_message, live_settings
    from planner.pricing.live.run import run_live

    jobs = live_jobs(options.live.live_jobs, options.live.rate)
    settings = live_settings(
        options.what, jobs, options.live.live_s, options.shutter_us, options.gap_us
    )
    live_message(run_live(settings)).tell(options.output)
