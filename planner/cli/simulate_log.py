"""The job log of a command: read and cleaned as asked, or drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import click

from planner.cli.options import option, stacked
from planner.cli.values import pairs

if TYPE_CHECKING:
    from scenarios.job_logs.cleaning import Cleaning
    from scenarios.job_logs.job_log import JobLog

_LUBLIN_JOBS, _LUBLIN_PROCESSORS = 10_000, 256
_OF_DRAWN = {"jobs": "--jobs", "load": "--load", "estimate_factor": "--estimate-factor"}
_OF_FILES = {
    "form": "--form",
    "columns": "--column",
    "clean": "--clean",
    "overruns": "--overruns",
    "zone": "--zone",
    "limits": "--default-limit",
}


def log_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add how a log in a file is read and cleaned."""
    options = (
        option(
            "--form",
            type=click.Choice(["swf", "sacct", "jobcomp", "pbs", "csv"]),
            help="Format of TRACE.",
        ),
        option(
            "--column",
            "columns",
            multiple=True,
            metavar="NAME=HEADING",
            help="Column of a CSV or sacct log: what it holds, and its heading; repeated.",
        ),
        option(
            "--clean",
            multiple=True,
            metavar="RULE=CHOICE",
            help="What is done with jobs that cannot be simulated as they stand; repeated.",
        ),
        option(
            "--overruns",
            type=click.Choice(["kill", "keep", "leave-out"]),
            help="Jobs that ran longer than they asked for: cut there, their request raised, or "
            "left out; by default kill.",
        ),
        option(
            "--default-limit",
            "limits",
            multiple=True,
            metavar="[PARTITION=]TIME",
            help="Time limit of jobs whose log names none, as 24h or gpu=2d; repeated. By default "
            "their own run time.",
        ),
        option(
            "--zone", metavar="NAME", help="Time zone of dates without a time zone; by default UTC."
        ),
    )
    return stacked(*options)(command)


def log_of(trace: str, asked: Mapping[str, Any]) -> JobLog:
    """Read the log, or draw it if the name is that of a model."""
    drawn = is_model(trace)
    for name, spelling in (_OF_FILES if drawn else _OF_DRAWN).items():
        if asked[name] not in (None, ()):
            reason = "a log in a file" if drawn else "drawn traces; a log has its own"
            raise click.UsageError(f"{spelling} is for {reason}")
    if drawn:
        return _drawn(trace, asked)
    from scenarios.job_logs.reader import form_of, read_job_log
    from scenarios.job_logs.time_limits import with_limits

    rules = cleaning_of(asked["clean"], asked["overruns"])
    columns = pairs(asked["columns"], "--column") or None
    form = asked["form"] or form_of(Path(trace), trace, columns)
    if form == "swf" and asked["zone"]:
        raise click.UsageError("--zone is for times with a date; a log of the form swf has none")
    zone = asked["zone"] or "UTC"
    limits = limits_of(asked["limits"])
    log = read_job_log(trace, form=form, columns=columns, clean=rules, zone=zone)
    return with_limits(log, limits)


def is_model(trace: str) -> bool:
    """Whether the log is to be drawn."""
    model = trace == "lublin" or trace.startswith("poisson-")
    return model and not Path(trace).exists()


def cleaning_of(texts: tuple[str, ...], overruns: str | None) -> Cleaning:
    """The rules of cleaning from RULE=CHOICE texts; a choice may be written with hyphens."""
    from scenarios.job_logs.cleaning import Cleaning
    from scenarios.wording import nearest

    known = {name: get_args(kind) for name, kind in get_type_hints(Cleaning).items()}
    rules: dict[str, Any] = {}
    for name, text in pairs(texts, "--clean").items():
        rule, choice = name.replace("-", "_"), text.replace("-", " ")
        if rule not in known:
            message = f"there is no rule {name!r}; {nearest(rule, list(known))}"
            raise click.BadParameter(message, param_hint="--clean")
        if choice not in known[rule]:
            listed = ", ".join(each.replace(" ", "-") for each in known[rule])
            message = f"{text!r} is no choice of {rule}; there are {listed}"
            raise click.BadParameter(message, param_hint="--clean")
        if rule in rules:
            raise click.BadParameter(f"{rule} is given twice; keep one", param_hint="--clean")
        rules[rule] = choice
    if overruns is not None:
        if "overruns" in rules:
            raise click.UsageError("--overruns and --clean overruns say the same; keep one")
        rules["overruns"] = overruns.replace("-", " ")
    return Cleaning(**rules)


def limits_of(texts: tuple[str, ...]) -> dict[str, int]:
    """Limits [s] by partition from [PARTITION=]TIME texts; "" is any other partition."""
    from scenarios.cell_text import CellError
    from scenarios.job_logs.time_limits import parse_limit

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


def _drawn(model: str, asked: Mapping[str, Any]) -> JobLog:
    factor = asked["estimate_factor"] or 0.0
    if model == "lublin":
        from scenarios.job_logs.lublin import lublin_log

        jobs = asked["jobs"] or _LUBLIN_JOBS
        machine = asked["processors"] or _LUBLIN_PROCESSORS
        return lublin_log(jobs, machine, asked["seed"], load=asked["load"], estimate_factor=factor)
    from scenarios.job_logs.poisson import Kind, poisson_log

    if asked["load"] is not None:
        raise click.UsageError("--load is for lublin")
    kinds: dict[str, Kind] = {f"poisson-{kind}": kind for kind in get_args(Kind)}
    if model not in kinds:
        raise click.UsageError(f"{model} is no model; there are lublin, {', '.join(kinds)}")
    return poisson_log(
        kinds[model], asked["seed"], jobs=asked["jobs"] or 30, estimate_factor=factor
    )
