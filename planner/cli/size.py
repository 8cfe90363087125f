"""The command ``headroom size``: the smallest machine that meets a service level for a log."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.cli.answer import tell, write_report
from planner.cli.edges import (
    Failure,
    explained,
    json_option,
    progress,
    refuse_unwritable_folder,
)
from planner.cli.files import read_files
from planner.cli.options import option, options_given, out_option, quiet_option, stacked
from planner.cli.simulate_compiled import compiled_before
from planner.cli.simulate_files import Files
from planner.cli.simulate_inputs import rules_of, speedup_asked, words_of
from planner.cli.simulate_log import log_of
from planner.cli.simulate_options import (
    job_options,
    measured_options,
    policy_options,
    rule_options,
)
from planner.cli.simulate_policies import policies_of
from planner.cli.size_text import show_sizing

if TYPE_CHECKING:
    from planner.scheduling.policies.task import Policy
    from planner.scheduling.simulation.asked import Asked
    from planner.scheduling.sizing.result import SizeFor
    from planner.scheduling.sizing.study import SizingStudy
    from scenarios.job_logs.job_log import JobLog

_OURS = (
    "growth", "growth_by", "thin_by", "resamples", "written_demand", "demand_quantile",
)  # fmt: skip
_NOT_OURS = (
    "clusters", "windows", "job", "check", "table", "job_table", "window", "seeds",
)  # fmt: skip
_Command = Callable[..., Any]


def growth_options(command: _Command) -> _Command:
    """Add what the machine is to be sized for besides the level, and where the demand goes."""
    return stacked(
        option("--growth", type=float, default=1.0, help="Size for so many times the log's work."),
        option(
            "--growth-by",
            type=click.Choice(["copies", "arrivals"]),
            default="copies",
            help="Jobs of other weeks at the same weekday and time of day, or faster arrivals.",
        ),
        option(
            "--thin-by",
            type=click.Choice(["user", "job"]),
            default="user",
            help="What a part of a copy consists of.",
        ),
        option(
            "--resamples",
            type=click.IntRange(0, 1000),
            default=20,
            help="Logs of drawn weeks that are sized too.",
        ),
        option(
            "--write-demand",
            "written_demand",
            type=click.Path(),
            help="File for the answer as a requirement of a scenario, for headroom plan.",
        ),
        option(
            "--demand-quantile",
            type=click.FloatRange(0, 1, min_open=True),
            default=0.5,
            help="Share of the drawn logs for which the written demand is enough.",
        ),
    )(command)


def sizing_options(command: _Command) -> _Command:
    """Add ``--size-for``, the older spelling of this command, and what belongs to it."""
    level = option(
        "--size-for", metavar="LEVEL", help="Older spelling of `headroom size --for LEVEL`."
    )
    return level(growth_options(command))


@click.command()
@click.argument("trace", type=click.Path())
@option(
    "--for",
    "size_for",
    metavar="LEVEL",
    required=True,
    help="The service level to meet, as p95-bounded-slowdown<=20 or mean-wait<=2h.",
)
@growth_options
@policy_options
@rule_options
@measured_options
@job_options
@out_option
@json_option
@quiet_option
@click.pass_context
def size(context: click.Context, /, **asked: Any) -> None:
    """Find the smallest machine that meets a service level for a growing job log.

    TRACE is a log or the name of a model, as for `headroom simulate`.
    """
    size_as_asked(context, asked | {"windows": (), "clusters": ()})


def refuse_sizing_options(context: click.Context) -> None:
    """Options of a sizing make no sense without one."""
    for each in options_given(context, _OURS):
        raise click.UsageError(f"{each} is for --size-for; give that too, or leave it out")


def size_instead(context: click.Context) -> None:
    """Serve the older spelling, ``headroom simulate --size-for``, and say the newer one."""
    for each in options_given(context, _NOT_OURS):
        raise click.UsageError(
            f"{each} is not for --size-for, which tries many machines; write the log with "
            "--write-log, and simulate it on the machine found"
        )
    if not context.params["quiet"]:
        click.echo("Note: `headroom size TRACE --for LEVEL` is the newer spelling.", err=True)
    size_as_asked(context, context.params)


def size_as_asked(context: click.Context, asked: dict[str, Any]) -> None:
    """Size the machine as the command line asks, and show, write and judge the answer."""
    quiet, out = asked["quiet"], asked["out"]
    with explained():
        question, rules = _question(asked)
        paths = (asked["written_log"], asked["written_demand"])
        log_file, demand_file = (Path(each) if each else None for each in paths)
        files = Files(None, None, log_file, demand_file, asked["anonymous"])
        names = asked["names"] or ("easy",)
        model = speedup_asked(asked["speedup"], names)
        chosen = policies_of(names, asked["reservations"], asked["maui"], model)
        files.refuse({"TRACE": asked["trace"], "--maui": asked["maui"]}, (), out)
        if out:
            refuse_unwritable_folder(Path(out), "size", read_files())
        policies, log = chosen.policies, _log(asked)
        if demand_file:
            from planner.scheduling.sizing.demand import refuse_demand

            refuse_demand(log.machine_processors, log.name)
        if not (quiet or compiled_before(policies, rules)):
            click.echo("compiling the simulator, once after installation ...", err=True)
        began = time.perf_counter()
        found = _sized(log, policies, question, rules, asked)
        found = replace(found, command=words_of(context, log, seeded=True), files=chosen.files)
        files.write_log(found.grown.log)
        if demand_file and found.answered:
            from planner.scheduling.sizing.demand import write_demand

            write_demand(found, demand_file, asked["demand_quantile"])
        with progress(0, quiet=quiet) as say:
            report = write_report(found, out, began=began, progress=say)
    tell(found, show_sizing, report, as_json=asked["as_json"], quiet=quiet)
    if not found.answered:
        missing = [each.policy for each in found.sizings if each.nodes is None]
        raise Failure(f"no size keeps the level under {', '.join(missing)}")


def _question(asked: dict[str, Any]) -> tuple[SizeFor, Asked]:
    from planner.scheduling.sizing.growth import Growth
    from planner.scheduling.sizing.level import parse_level
    from planner.scheduling.sizing.result import SizeFor

    growth = Growth(asked["growth"], asked["growth_by"], asked["thin_by"])
    level = parse_level(asked["size_for"])
    question = SizeFor(level, growth, asked["resamples"], asked["seed"])
    return question, replace(rules_of(asked), processors=None)


def _log(asked: dict[str, Any]) -> JobLog:
    log = log_of(asked["trace"], asked)
    if asked["processors"] is not None:
        log = replace(log, machine_processors=asked["processors"])
    return log


def _sized(
    log: JobLog, policies: Sequence[Policy], question: SizeFor, rules: Asked, asked: dict[str, Any]
) -> SizingStudy:
    from planner.scheduling.sizing.study import size

    steps = 1 + len(policies) + question.resamples
    with progress(steps, quiet=asked["quiet"]) as say:
        return size(log, policies, question, rules, workers=asked["workers"], progress=say)
