"""The command ``headroom simulate``: what a job log would have done on a machine."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from planner.cli.edges import (
    Failure,
    a_number,
    explained,
    json_option,
    json_text,
    progress,
    refuse_unwritable_folder,
)
from planner.cli.files import read_files
from planner.cli.options import out_option
from planner.cli.simulate_compiled import compiled_before
from planner.cli.simulate_files import Files
from planner.cli.simulate_inputs import (
    broken_rules,
    drawn_window,
    explain_in,
    rules_of,
    speedup_asked,
    words_of,
    words_of_check,
)
from planner.cli.simulate_log import log_of, log_options
from planner.cli.simulate_policies import maui_option, policies_of
from planner.cli.simulate_text import show
from planner.cli.size import refuse_sizing_options, size_as_asked, sizing_options

POLICIES = (
    "fcfs", "easy", "easy++", "easy++-pass", "conservative", "sjf", "sjf-easy", "largest",
    "largest-easy", "maui", "moldable",
)  # fmt: skip
"""Names of :data:`planner.scheduling.policies.known.POLICIES`, which is slow to import."""

PROCESSORS = click.IntRange(1, 10**9)
_SHARE = click.FloatRange(0, 1, max_open=True)

event_order_option = click.option(
    "--event-order",
    type=click.Choice(["reference", "batch"]),
    default="reference",
    show_default=True,
    help="At one instant: submissions before ends, each with a pass; or all ends, all "
    "submissions, one pass.",
)


@click.command()
@click.argument("trace", type=click.Path())
@click.option(
    "--policy",
    "names",
    multiple=True,
    type=click.Choice(POLICIES),
    help="Who starts when; repeated, policies are compared with the first. By default easy.",
)
@click.option("--processors", type=PROCESSORS, help="Of the machine; by default as the log says.")
@click.option(
    "--node-processors",
    type=PROCESSORS,
    default=1,
    show_default=True,
    help="Of a node, where jobs take whole nodes.",
)
@click.option(
    "--cluster",
    "clusters",
    multiple=True,
    metavar="PARTITION=PROCESSORS",
    help="A machine of its own for a partition; repeated. Jobs of other partitions are rejected.",
)
@click.option(
    "--reservations",
    type=click.IntRange(0, 10_000),
    help="How many jobs at the head are not to be delayed, for easy, sjf-easy and largest-easy; "
    "by default 1.",
)
@maui_option
@event_order_option
@click.option(
    "--speedup",
    metavar="MODEL",
    help="Of moldable jobs on other processors, for moldable: amdahl:FRACTION, "
    "downey:PARALLELISM:SIGMA, or downey:FACTORp:SIGMA times those asked for; assumed, by default "
    "downey:p:1.",
)
@click.option(
    "--estimates",
    type=click.Choice(["user", "perfect", "tsafrir"]),
    help="What is planned with: requested times, run times, or predictions from the user's last "
    "two jobs. By default user, for easy++ and easy++-pass tsafrir.",
)
@click.option(
    "--unavailable",
    "windows",
    multiple=True,
    metavar="FROM:TO:PROCESSORS",
    help="A reservation, planned around; with :outage behind it, one that nobody knew of [s].",
)
@click.option(
    "--warm-up",
    metavar="SHARE|auto",
    default="0",
    show_default=True,
    help="Share of the first jobs that are not measured, or as MSER-5 finds it.",
)
@click.option(
    "--cool-down",
    type=_SHARE,
    callback=a_number,
    default=0.0,
    show_default=True,
    help="Share of the last jobs that are not measured.",
)
@click.option("--explain", "job", type=int, help="Why this job waited; by its number.")
@click.option("--check", is_flag=True, help="Have an independent checker look at the schedules.")
@click.option(
    "--schedule",
    "table",
    type=click.Path(),
    help="File for the schedule (.csv, .csv.gz, .parquet); of several policies each gets its "
    "name before the suffix.",
)
@click.option(
    "--job-table",
    type=click.Path(),
    help="File for what became of each job: as --schedule, with ends, waits, users, what was "
    "killed and why jobs were rejected.",
)
@click.option(
    "--write-log",
    "written_log",
    type=click.Path(),
    help="File for the log as it was simulated, cleaned or drawn, in the Standard Workload Format; "
    "gzipped if it ends in .gz.",
)
@click.option(
    "--anonymous",
    is_flag=True,
    help="Write the log of --write-log without names, job numbers, dates and comments; times, "
    "sizes and which jobs share a user remain.",
)
@log_options
@click.option(
    "--jobs", type=click.IntRange(1, 10_000_000), help="Of a drawn TRACE; by default 10000, or 30."
)
@click.option(
    "--estimate-factor",
    type=click.FloatRange(0, 1000),
    callback=a_number,
    help="Requests of a drawn TRACE are up to this much longer than runs, uniformly; by default 0.",
)
@click.option("--load", type=click.FloatRange(0, 100, min_open=True), callback=a_number,
              help="Offered load of lublin.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True)
@click.option(
    "--window",
    metavar="FROM:TO",
    help="When to draw single jobs in the report [s of the log]; by default around the longest "
    "queue.",
)
@sizing_options
@out_option
@json_option
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
@click.pass_context
def simulate(
    context: click.Context,
    /,
    trace: str,
    *,
    names: tuple[str, ...],
    reservations: int | None,
    maui: str | None,
    speedup: str | None,
    job: int | None,
    check: bool,
    table: str | None,
    job_table: str | None,
    written_log: str | None,
    anonymous: bool,
    workers: int,
    window: str | None,
    out: str | None,
    as_json: bool,
    quiet: bool,
    size_for: str | None,
    **asked: Any,
) -> None:
    """Play a job log on a machine under scheduling policies; or size the machine (--size-for).

    TRACE is a log in the Standard Workload Format, of Slurm (sacct -P, jobcomp/filetxt), of PBS
    or CSV, plain or gzipped; or the name of a model that draws one: lublin (Lublin-Feitelson),
    poisson-small, poisson-large, poisson-random.
    """
    if size_for is not None:
        size_as_asked(context)
        return
    refuse_sizing_options(context)
    with explained():
        rules, drawn = rules_of(asked), drawn_window(window, out)
        paths = [Path(each) if each else None for each in (table, job_table, written_log)]
        files = Files(paths[0], paths[1], paths[2], anonymous=anonymous)
        names = names or ("easy",)
        files.refuse({"TRACE": trace, "--maui": maui}, names, out)
        if out:
            refuse_unwritable_folder(Path(out), "simulate", read_files())
        from planner.scheduling.simulation.study import study

        model = speedup_asked(speedup, names)
        chosen = policies_of(names, reservations, maui, model)
        policies = chosen.policies
        log = log_of(trace, asked)
        if not (quiet or compiled_before(policies, rules)):
            click.echo("compiling the simulator, once after installation ...", err=True)
        began = time.perf_counter()
        found = study(log, policies, rules, workers=workers)
        found = replace(found, command=words_of(context, log), window_s=drawn, files=chosen.files)
        if job is not None:
            told = tuple(explain_in(found, policy, job) for policy in policies)
            found = replace(found, explanations=told)
        if check:
            broken = tuple(broken_rules(found, policies))
            found = replace(found, violations=broken, checked=words_of_check(found, policies))
        files.write(found)
        if out:
            import reports

            planned_s = time.perf_counter() - began
            with progress(0, quiet=quiet) as say:
                written = reports.write(
                    found, out, planned_s=planned_s, inputs=read_files(), progress=say
                )
    if as_json:
        click.echo(json_text(found.to_dict(timed=True)))
    elif not quiet:
        show(found)
        if out:
            click.echo(f"\nReport: {written.report}")
    if found.violations:
        raise Failure("a schedule breaks the rules of its policy")
