"""``headroom simulate --seeds``: policies compared over several synthetic logs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from planner.cli.edges import progress
from planner.cli.runner import start
from planner.cli.simulate_inputs import chosen_policies, rules_of, words_with
from planner.cli.simulate_log import is_model, log_of
from planner.cli.simulate_options import SimulateOptions
from planner.cli.typed import first_given

if TYPE_CHECKING:
    from planner.cli.simulate_policies import ChosenPolicies
    from planner.scheduling.simulation.replications import ReplicationStudy

_OF_ONE_LOG = (
    "--explain", "--check", "--write-schedule", "--write-log", "--anonymous", "--window",
)  # fmt: skip


def simulate_over_seeds(options: SimulateOptions) -> None:
    """Simulate several synthetic logs, and show the comparison."""
    if name := first_given(_OF_ONE_LOG, options.given):
        raise click.UsageError(f"{name} is for one log; remove it or --seeds")
    refuse_seeds(options)
    chosen = chosen_policies(options.policy, options.rules)
    run = start("simulate", options)
    with progress(quiet=options.output.quiet) as say:
        study = replicated(options, chosen, workers=options.workers, progress=say)
    words = words_with("simulate", options, seeded=True)
    run.finish(replace(study, files=chosen.files, command=words))


def refuse_seeds(options: SimulateOptions) -> None:
    """Refuse several seeds for what is one log."""
    if options.seeds > 1 and options.clusters:
        raise click.UsageError("--cluster is for one log; remove it or --seeds")
    if options.seeds > 1 and not is_model(options.log):
        raise click.UsageError("--seeds is for synthetic logs; give the model lublin, for example")


def replicated(
    options: SimulateOptions,
    chosen: ChosenPolicies,
    *,
    workers: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> ReplicationStudy:
    """Simulate several synthetic logs.

    Raises
    ------
    PlanError
        As :func:`planner.scheduling.simulation.replications.replicate`.
    """
    from planner.scheduling.simulation.replications import replicate

    first, processors = options.jobs.synthetic.seed, options.policy.processors
    seeds = range(first, first + options.seeds)
    return replicate(
        (log_of(options.log, options.jobs, processors, seed) for seed in seeds),
        chosen.policies,
        rules_of(options.policy, options.rules, options.measured, options.windows),
        model=f"model {options.log}, seeds {seeds[0]} to {seeds[-1]}",
        workers=workers,
        progress=progress,
    )
