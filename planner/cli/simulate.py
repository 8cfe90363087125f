"""The command ``headroom simulate``: what a job log would have done on a machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from planner.cli.edges import Failure, costing_no_answer
from planner.cli.files import read_files
from planner.cli.runner import start
from planner.cli.simulate_files import SimulationFiles
from planner.cli.simulate_inputs import (
    broken_rules,
    chosen_policies,
    drawn_window,
    explain_in,
    rules_checked,
    rules_of,
    words_with,
)
from planner.cli.simulate_log import log_of
from planner.cli.simulate_options import SimulateOptions
from planner.cli.simulate_seeds import simulate_over_seeds
from planner.cli.simulate_sweep import simulate_sweep
from planner.cli.simulate_text import explanation_lines, violation_lines
from planner.cli.typed import command
from planner.cli.vary import refuse_sweep_options

if TYPE_CHECKING:
    from planner.scheduling.simulation.study import SimulationStudy


@command(SimulateOptions)
def simulate(options: SimulateOptions) -> None:
    """Simulate a job log on a machine under scheduling policies.

    LOG is a log in the Standard Workload Format, of Slurm (sacct -P, jobcomp/filetxt), PBS or
    CSV, plain or gzipped. Or it is the name of a model for a synthetic log: lublin
    (Lublin-Feitelson), poisson-small, poisson-large or poisson-random.
    """
    if options.sweep.vary:
        simulate_sweep(options)
        return
    refuse_sweep_options(options.given - {"--workers"})
    if options.seeds > 1:
        simulate_over_seeds(options)
    else:
        _simulate(options)


def _simulate(options: SimulateOptions) -> None:
    output = options.output
    rules = rules_of(
        options.policy, options.rules, options.measured, options.windows, options.clusters
    )
    window_s = drawn_window(options.window, output.out)
    targets = (options.table, options.jobs.written_log)
    table, log_file = (Path(target) if target else None for target in targets)
    files = SimulationFiles(table, log_file, anonymous=options.jobs.anonymous)
    chosen = chosen_policies(options.policy, options.rules)
    policies = chosen.policies
    called = [policy.name for policy in policies]
    named = {"LOG": options.log, "--maui": options.rules.maui}
    files.refuse(named, called, read_files(options), output.out)
    run = start("simulate", options)
    from planner.scheduling.simulation.study import study

    log = log_of(options.log, options.jobs, options.policy.processors)
    result = study(log, policies, rules, workers=options.jobs.workers)
    words = words_with("simulate", options, seeded=not log.sha256)
    result = replace(result, command=words, window_s=window_s, files=chosen.files)
    if options.job is not None:
        explanations = tuple(explain_in(result, policy, options.job) for policy in policies)
        result = replace(result, explanations=explanations)
    if options.check:
        broken = tuple(broken_rules(result, policies))
        result = replace(result, violations=broken, rules_checked=rules_checked(result, policies))
    with costing_no_answer():
        files.write(result)
    run.finish(result, _lines(result))
    if result.violations:
        raise Failure("a schedule breaks the rules of its policy")


def _lines(result: SimulationStudy) -> tuple[str, ...]:
    """Why the chosen job waited, and the rules that are broken."""
    pairs = zip(result.measures, result.explanations, strict=False)
    lines = [line for measures, why in pairs for line in explanation_lines(measures.policy, why)]
    return (*lines, *violation_lines(result.violations or ()))
