"""The command ``headroom simulate``: what a job log would have done on a machine."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import click

from planner.cli.answer import tell, write_report
from planner.cli.edges import Failure, explained, progress, refuse_unwritable_folder
from planner.cli.files import read_files
from planner.cli.simulate_compiled import announce_compiling
from planner.cli.simulate_files import Files
from planner.cli.simulate_inputs import (
    broken_rules,
    chosen_policies,
    drawn_window,
    explain_in,
    rules_of,
    words_of_check,
    words_with,
)
from planner.cli.simulate_log import log_of
from planner.cli.simulate_options import GrowthOptions, SimulateOptions
from planner.cli.simulate_seeds import simulate_over_seeds
from planner.cli.simulate_text import show
from planner.cli.size import SizeOptions, size_for
from planner.cli.typed import command, first_given, spellings

_NOT_OF_A_SIZING = (
    "--cluster", "--unavailable", "--explain", "--check", "--schedule", "--job-table", "--window",
    "--seeds",
)  # fmt: skip


@command(SimulateOptions)
def simulate(asked: SimulateOptions) -> None:
    """Run a job log on a machine under scheduling policies.

    TRACE is a log in the Standard Workload Format, of Slurm (sacct -P, jobcomp/filetxt), of PBS
    or CSV, plain or gzipped; or the name of a model that draws one: lublin (Lublin-Feitelson),
    poisson-small, poisson-large, poisson-random.
    """
    if asked.size_for is not None:
        _size_instead(asked, asked.size_for)
    elif strange := first_given(spellings(GrowthOptions), asked.given):
        raise click.UsageError(f"{strange} is for --size-for; give that too, or leave it out")
    elif asked.seeds > 1:
        simulate_over_seeds(asked)
    else:
        _simulate(asked)


def _size_instead(asked: SimulateOptions, level: str) -> None:
    """Serve the older spelling, ``headroom simulate --size-for``, and say the newer one."""
    if strange := first_given(_NOT_OF_A_SIZING, asked.given):
        raise click.UsageError(
            f"{strange} is not for --size-for, which tries many machines; write the log with "
            "--write-log, and simulate it on the machine found"
        )
    if not asked.output.quiet:
        click.echo("Note: `headroom size TRACE --for LEVEL` is the newer spelling.", err=True)
    options = SizeOptions(
        trace=asked.trace,
        level=level,
        growth=asked.growth,
        policy=asked.policy,
        rules=asked.rules,
        measured=asked.measured,
        jobs=asked.jobs,
        output=asked.output,
    )
    size_for(options, words_with("simulate", asked, seeded=True))


def _simulate(asked: SimulateOptions) -> None:
    output, quiet = asked.output, asked.output.quiet
    with explained():
        rules = rules_of(asked.policy, asked.rules, asked.measured, asked.windows, asked.clusters)
        drawn = drawn_window(asked.window, output.out)
        targets = (asked.table, asked.job_table, asked.jobs.written_log)
        table, job_table, log_file = (Path(target) if target else None for target in targets)
        files = Files(table, job_table, log_file, anonymous=asked.jobs.anonymous)
        chosen = chosen_policies(asked.policy, asked.rules)
        policies, inputs = chosen.policies, read_files(asked)
        called = [policy.name for policy in policies]
        named = {"TRACE": asked.trace, "--maui": asked.rules.maui}
        files.refuse(named, called, inputs, output.out)
        if output.out:
            refuse_unwritable_folder(Path(output.out), "simulate", inputs)
        from planner.scheduling.simulation.study import study

        log = log_of(asked.trace, asked.jobs, asked.policy.processors)
        announce_compiling(policies, rules, quiet=quiet)
        began = time.perf_counter()
        found = study(log, policies, rules, workers=asked.jobs.workers)
        words = words_with("simulate", asked, seeded=not log.sha256)
        found = replace(found, command=words, window_s=drawn, files=chosen.files)
        if asked.job is not None:
            explanations = tuple(explain_in(found, policy, asked.job) for policy in policies)
            found = replace(found, explanations=explanations)
        if asked.check:
            broken = tuple(broken_rules(found, policies))
            found = replace(found, violations=broken, checked=words_of_check(found, policies))
        files.write(found)
        with progress(0, quiet=quiet) as say:
            report = write_report(found, output.out, began=began, progress=say, inputs=inputs)
    tell(found, show, report, output, timed=True)
    if found.violations:
        raise Failure("a schedule breaks the rules of its policy")
