"""``headroom simulate --seeds``: policies compared over several synthetic logs."""

from __future__ import annotations

from dataclasses import replace

import click

from planner.cli.edges import progress
from planner.cli.runner import start
from planner.cli.simulate_inputs import chosen_policies, rules_of, words_with
from planner.cli.simulate_log import is_model, log_of
from planner.cli.simulate_options import SimulateOptions
from planner.cli.typed import first_given

_OF_ONE_LOG = (
    "--cluster", "--explain", "--check", "--write-schedule", "--write-log",
    "--anonymous", "--window",
)  # fmt: skip


def simulate_over_seeds(options: SimulateOptions) -> None:
    """Simulate several synthetic logs, and show the comparison."""
    if name := first_given(_OF_ONE_LOG, options.given):
        raise click.UsageError(f"{name} is for one log; remove it or --seeds")
    if not is_model(options.log):
        raise click.UsageError("--seeds is for synthetic logs; give the model lublin, for example")
    chosen = chosen_policies(options.policy, options.rules)
    run = start("simulate", options)
    from planner.scheduling.simulation.replications import replicate

    first, processors = options.jobs.synthetic.seed, options.policy.processors
    seeds = range(first, first + options.seeds)
    logs = (log_of(options.log, options.jobs, processors, seed) for seed in seeds)
    with progress(quiet=options.output.quiet) as say:
        study = replicate(
            logs,
            chosen.policies,
            rules_of(options.policy, options.rules, options.measured, options.windows),
            model=f"model {options.log}, seeds {seeds[0]} to {seeds[-1]}",
            workers=options.jobs.workers,
            progress=say,
        )
    words = words_with("simulate", options, seeded=True)
    run.finish(replace(study, files=chosen.files, command=words))
