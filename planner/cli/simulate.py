"""The command ``headroom simulate``: what a job log would have done on a machine."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

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
from planner.cli.options import option, out_option, quiet_option
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
from planner.cli.simulate_log import log_of
from planner.cli.simulate_options import job_options, measured_options, policy_options, rule_options
from planner.cli.simulate_policies import policies_of
from planner.cli.simulate_seeds import seeds_option, simulate_over_seeds
from planner.cli.simulate_text import show
from planner.cli.size import refuse_sizing_options, size_instead, sizing_options


@click.command()
@click.argument("trace", type=click.Path())
@policy_options
@option(
    "--cluster",
    "clusters",
    multiple=True,
    metavar="PARTITION=PROCESSORS",
    help="A machine of its own for a partition; repeated. Jobs of other partitions are rejected.",
)
@rule_options
@option(
    "--unavailable",
    "windows",
    multiple=True,
    metavar="FROM:TO:PROCESSORS",
    help="A reservation, planned around; with :outage behind it, one that nobody knew of [s].",
)
@measured_options
@option("--explain", "job", type=int, help="Why this job waited; by its number.")
@option("--check", is_flag=True, help="Have an independent checker look at the schedules.")
@option(
    "--schedule",
    "table",
    type=click.Path(),
    help="File for the schedule (.csv, .csv.gz, .parquet); of several policies each gets its "
    "name before the suffix.",
)
@option(
    "--job-table",
    type=click.Path(),
    help="File for what became of each job: as --schedule, with ends, waits, users, what was "
    "killed and why jobs were rejected.",
)
@job_options
@seeds_option
@option(
    "--window",
    metavar="FROM:TO",
    help="When to draw single jobs in the report [s of the log]; by default around the longest "
    "queue.",
)
@sizing_options
@out_option
@json_option
@quiet_option
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
    seeds: int,
    **asked: Any,
) -> None:
    """Run a job log on a machine under scheduling policies.

    TRACE is a log in the Standard Workload Format, of Slurm (sacct -P, jobcomp/filetxt), of PBS
    or CSV, plain or gzipped; or the name of a model that draws one: lublin (Lublin-Feitelson),
    poisson-small, poisson-large, poisson-random.
    """
    if size_for is not None:
        size_instead(context)
        return
    refuse_sizing_options(context)
    if seeds > 1:
        simulate_over_seeds(context)
        return
    with explained():
        rules, drawn = rules_of(asked), drawn_window(window, out)
        paths = [Path(each) if each else None for each in (table, job_table, written_log)]
        files = Files(paths[0], paths[1], paths[2], anonymous=anonymous)
        names = names or ("easy",)
        model = speedup_asked(speedup, names)
        chosen = policies_of(names, reservations, maui, model)
        policies = chosen.policies
        called = [policy.name for policy in policies]
        files.refuse({"TRACE": trace, "--maui": maui}, called, out)
        if out:
            refuse_unwritable_folder(Path(out), "simulate", read_files())
        from planner.scheduling.simulation.study import study

        log = log_of(trace, asked)
        if not (quiet or compiled_before(policies, rules)):
            click.echo("compiling the simulator, once after installation ...", err=True)
        began = time.perf_counter()
        found = study(log, policies, rules, workers=workers)
        found = replace(found, command=words_of(context, log), window_s=drawn, files=chosen.files)
        if job is not None:
            explanations = tuple(explain_in(found, policy, job) for policy in policies)
            found = replace(found, explanations=explanations)
        if check:
            broken = tuple(broken_rules(found, policies))
            found = replace(found, violations=broken, checked=words_of_check(found, policies))
        files.write(found)
        with progress(0, quiet=quiet) as say:
            report = write_report(found, out, began=began, progress=say)
    tell(found, show, report, as_json=as_json, quiet=quiet, timed=True)
    if found.violations:
        raise Failure("a schedule breaks the rules of its policy")
