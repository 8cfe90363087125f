"""The job log of a command: read from a file and cleaned, or synthetic."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import click

from planner.cli.options import column_option, seed_option, workers_option
from planner.cli.quantities import Factor
from planner.cli.typed import WrittenPath, group, option, parameters_with_values
from planner.cli.values import pairs

if TYPE_CHECKING:
    from scenarios.job_logs.cleaning import Cleaning
    from scenarios.job_logs.job_log import JobLog
    from scenarios.job_logs.reader import Form

_LUBLIN_JOBS, _LUBLIN_PROCESSORS = 10_000, 256


@dataclass(frozen=True, kw_only=True)
class LogOptions:
    """How a log in a file is read and cleaned."""

    form: Form | None = option(
        type=click.Choice(["swf", "sacct", "jobcomp", "pbs", "csv", "json", "parquet"]),
        help="Format of LOG.",
    )
    columns: tuple[str, ...] = column_option(
        help="Column of a CSV or sacct log: its content and its heading, as in "
        "'requested_s=limit [min]'; may be repeated."
    )
    clean: tuple[str, ...] = option(
        listed=True,
        metavar="RULE=CHOICE",
        help="How to treat jobs that cannot be simulated unchanged; may be repeated.",
    )
    overruns: str | None = option(
        type=click.Choice(["kill", "keep", "leave-out"]),
        help="Jobs that ran longer than requested: cut at the request, raise the request, or "
        "leave out. Default: kill.",
    )
    limits: tuple[str, ...] = option(
        "--default-limit",
        listed=True,
        metavar="[PARTITION=]TIME",
        help="Time limit of jobs without one in the log, such as 24h or gpu=2d; may be repeated. "
        "Default: their run time.",
    )
    zone: str | None = option(
        metavar="NAME", help="Time zone of dates that have none. Default: UTC."
    )


@dataclass(frozen=True, kw_only=True)
class SyntheticOptions:
    """What a synthetic log is like."""

    jobs: int | None = option(
        type=click.IntRange(1, 10_000_000),
        help="Number of jobs of a synthetic log. Default: 10,000 (lublin) or 30 (poisson).",
    )
    estimate_factor: float | None = option(
        type=Factor(0, 1000),
        help="Requested times of a synthetic log exceed run times by up to this factor "
        "(uniform). Default: 0.",
    )
    load: float | None = option(
        type=Factor(0, 5, above=True), help="Offered load of the lublin model, as in 80%."
    )
    seed: int = seed_option()


@dataclass(frozen=True, kw_only=True)
class JobOptions:
    """The file for the log, how it is read or drawn, and how many simulations run at once."""

    written_log: str | None = option(
        "--write-log",
        type=WrittenPath(),
        help="File for the simulated log (after cleaning) in the Standard Workload Format; "
        "gzipped if it ends in .gz.",
    )
    anonymous: bool = option(
        is_flag=True,
        recorded=False,
        help="With --write-log: omit names, job numbers, dates and comments; keep times, sizes "
        "and which jobs share a user.",
    )
    reading: LogOptions = group(LogOptions)
    synthetic: SyntheticOptions = group(SyntheticOptions)
    workers: int = workers_option()


def log_of(
    source: str, options: JobOptions, processors: int | None, seed: int | None = None
) -> JobLog:
    """Read the log, or generate a synthetic log if the name is that of a model.

    ``processors`` and ``seed`` apply to synthetic logs only; the default seed is in the options.
    """
    if is_model(source):
        _refuse(options.reading, "a log in a file; remove it")
        return _synthetic(
            source, options.synthetic, processors, options.synthetic.seed if seed is None else seed
        )
    _refuse(options.synthetic, "synthetic logs; remove it, or give the name of a model")
    return read_log(source, options.reading)


def _refuse(options: LogOptions | SyntheticOptions, reason: str) -> None:
    for parameter, value, _ in parameters_with_values(options):
        if value not in (None, ()) and parameter.name != "seed":
            raise click.UsageError(f"{parameter.opts[0]} is for {reason}")


def read_log(source: str, options: LogOptions) -> JobLog:
    """Read and clean the log in a file."""
    from scenarios.job_logs.reader import form_of, read_job_log
    from scenarios.job_logs.time_limits import with_limits

    rules = cleaning_of(options.clean, options.overruns)
    columns = pairs(options.columns, "--column") or None
    form = options.form or form_of(Path(source), source, columns)
    if form == "swf" and options.zone:
        raise click.UsageError("--zone is for times with a date; a log in the swf format has none")
    limits = limits_of(options.limits)
    log = read_job_log(source, form=form, columns=columns, clean=rules, zone=options.zone or "UTC")
    return with_limits(log, limits)


def is_model(source: str) -> bool:
    """Return whether the name is that of a model of synthetic logs, and not of a file."""
    model = source == "lublin" or source.startswith("poisson-")
    return model and not Path(source).exists()


def cleaning_of(texts: tuple[str, ...], overruns: str | None) -> Cleaning:
    """Return the rules of cleaning from RULE=CHOICE texts; a choice may be written with hyphens."""
    from scenarios.formatting import nearest
    from scenarios.job_logs.cleaning import Cleaning

    choices = {name: get_args(kind) for name, kind in get_type_hints(Cleaning).items()}
    rules: dict[str, Any] = {}
    for name, text in pairs(texts, "--clean").items():
        rule, choice = name.replace("-", "_"), text.replace("-", " ")
        if rule not in choices:
            message = f"rule {name!r} is unknown; {nearest(rule, list(choices))}"
            raise click.BadParameter(message, param_hint="--clean")
        if choice not in choices[rule]:
            listed = ", ".join(choice.replace(" ", "-") for choice in choices[rule])
            message = f"{text!r} is not a choice of {rule}; choose one of {listed}"
            raise click.BadParameter(message, param_hint="--clean")
        if rule in rules:
            raise click.BadParameter(f"{rule} is given twice; keep one", param_hint="--clean")
        rules[rule] = choice
    if overruns is not None:
        if "overruns" in rules:
            raise click.UsageError("--overruns and --clean overruns are the same option; keep one")
        rules["overruns"] = overruns.replace("-", " ")
    return Cleaning(**rules)


def limits_of(texts: tuple[str, ...]) -> dict[str, int]:
    """Limits [s] by partition from [PARTITION=]TIME texts; "" is any other partition."""
    from scenarios.job_logs.time_limits import parse_limit
    from scenarios.tables.cell_text import CellError

    limits: dict[str, int] = {}
    for text in texts:
        try:
            partition, seconds = parse_limit(text)
        except CellError as error:
            raise click.BadParameter(str(error), param_hint="--default-limit") from None
        if partition in limits:
            message = f"{partition or 'the general limit'} is given twice; keep one"
            raise click.BadParameter(message, param_hint="--default-limit")
        limits[partition] = seconds
    return limits


def _synthetic(model: str, options: SyntheticOptions, processors: int | None, seed: int) -> JobLog:
    factor = options.estimate_factor or 0.0
    if model == "lublin":
        from scenarios.job_logs.lublin import lublin_log

        jobs = options.jobs or _LUBLIN_JOBS
        machine = processors or _LUBLIN_PROCESSORS
        return lublin_log(jobs, machine, seed, load=options.load, estimate_factor=factor)
    from scenarios.job_logs.poisson import Kind, poisson_log

    if options.load is not None:
        raise click.UsageError("--load is for the lublin model; remove it")
    kinds: dict[str, Kind] = {f"poisson-{kind}": kind for kind in get_args(Kind)}
    if model not in kinds:
        raise click.UsageError(f"{model} is not a model; choose one of lublin, {', '.join(kinds)}")
    return poisson_log(kinds[model], seed, jobs=options.jobs or 30, estimate_factor=factor)
