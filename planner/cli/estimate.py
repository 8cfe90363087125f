"""The command ``headroom estimate``: what users gain by better run-time estimates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from planner.cli.edges import counted_progress
from planner.cli.options import (
    OutputOptions,
    keep_option,
    processors_option,
    seed_option,
    workers_option,
)
from planner.cli.own_parts import OWN, PartName, is_own
from planner.cli.quantities import Share
from planner.cli.runner import start
from planner.cli.simulate_log import LogOptions, is_model, read_log
from planner.cli.simulate_policies import configuration_of, maui_option
from planner.cli.typed import argument, command, group, option
from planner.cli.values import percents, words_of

if TYPE_CHECKING:
    from planner.scheduling.estimates.settings import EstimateSettings

PREDICTORS = ("requested", "last-two", "quantile", "refining")
"""Names of :data:`planner.scheduling.estimates.tools.TOOLS`, which is slow to import."""

STRATEGIES = ("extend", "request", "double")


@dataclass(frozen=True, kw_only=True)
class EstimateOptions:
    """Options of ``headroom estimate``."""

    log: str = argument(type=click.Path())
    maui: str | None = maui_option()
    processors: int | None = processors_option()
    uptake: str = option(
        metavar="PERCENT[,...]|FROM:TO:STEP",
        default="0:100:10",
        help="Shares of the users that use the tool, in per cent.",
    )
    error: str = option(
        metavar="PERCENT[,...]|FROM:TO:STEP",
        default="0:100:10",
        help="Largest errors of the bounded-error oracle, in per cent of the run time.",
    )
    seeds: int = option(
        type=click.IntRange(1, 1000), default=10, help="Number of random orders of users."
    )
    seed: int = seed_option(help="First seed.")
    seed_group: float = option(
        "--sampled-users",
        type=Share(0, 1, above=True, percent=True),
        default=20.0,
        help="Share of the users whose waits are reported, as in 20%.",
    )
    predictors: tuple[str, ...] = option(
        "--predictor",
        listed=True,
        type=PartName("predictor", [*PREDICTORS, "none"]),
        help=f"Real predictor to compare with the oracle, {OWN}; may be repeated. Default: "
        "last-two, quantile and the oracle refining.",
    )
    strategies: tuple[str, ...] = option(
        "--strategy",
        listed=True,
        type=click.Choice(STRATEGIES),
        help="What follows when a job exceeds its prediction. The prediction is extended, or the "
        "job is resubmitted with its request or twice the estimate. Default: all three.",
    )
    margin: float = option(
        type=click.FloatRange(0.01, 1000), default=1.0, help="Factor on all predictions."
    )
    weights: bool = option(
        "--weights/--no-weights",
        default=True,
        help="Remove each scheduler weight, and multiply it by ten, to see what depends on it.",
    )
    reading: LogOptions = group(LogOptions)
    workers: int = workers_option(help="Number of simulations at once.")
    keep: str | None = keep_option()
    output: OutputOptions = group(OutputOptions)


@command(EstimateOptions)
def estimate(options: EstimateOptions) -> None:
    """Study what users gain from better run-time estimates.

    LOG is a log with users in the Standard Workload Format, of Slurm (sacct -P,
    jobcomp/filetxt), PBS or CSV, plain or gzipped. It is simulated under a Maui-like scheduler:
    without a tool, with a bounded-error oracle, and with real predictors. The oracle is used by
    growing shares of the users.
    """
    if is_model(options.log):
        raise click.UsageError(
            f"the model {options.log} has no users and exact requests; give a log in a file"
        )
    settings = _settings(options)
    run = start("estimate", options)
    from planner.parts import files_of
    from planner.scheduling.estimates.study import estimate_study
    from planner.scheduling.estimates.workload import workload_of

    configuration, files = configuration_of(options.maui)
    log = read_log(options.log, options.reading)
    workload = workload_of(log, options.processors, options.seed_group / 100)
    with counted_progress("simulations", quiet=options.output.quiet) as say:
        study = estimate_study(
            workload,
            configuration,
            settings,
            keep=None if options.keep is None else Path(options.keep),
            workers=options.workers,
            progress=say,
        )
    files = (*files, *files_of(settings.own))
    run.finish(replace(study, files=files, command=words_of("estimate", options)))


def _settings(options: EstimateOptions) -> EstimateSettings:
    from planner.scheduling.estimates.predictors.registry import find_predictor
    from planner.scheduling.estimates.settings import EstimateSettings

    predictors = tuple(dict.fromkeys(options.predictors))
    if "none" in predictors and len(predictors) > 1:
        raise click.UsageError("--predictor none excludes all others; remove one of them")
    settings = EstimateSettings(
        uptakes=percents(options.uptake, "--uptake"),
        errors=percents(options.error, "--error"),
        seeds=tuple(range(options.seed, options.seed + options.seeds)),
        strategies=tuple(dict.fromkeys(options.strategies)) or STRATEGIES,
        margin=options.margin,
        weights=options.weights,
    )
    if predictors:
        own = tuple(find_predictor(text) for text in predictors if is_own(text))
        names = tuple(name for name in predictors if name != "none" and not is_own(name))
        settings = replace(settings, predictors=names, own=own)
    settings.check()
    return settings
