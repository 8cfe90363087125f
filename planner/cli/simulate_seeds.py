"""``headroom simulate --seeds``: policies compared over several synthetic logs."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import click

from planner.cli.answer import show_tables, tell, write_report
from planner.cli.edges import explained, progress, refuse_unwritable_folder
from planner.cli.files import read_files
from planner.cli.simulate_inputs import chosen_policies, rules_of, words_with
from planner.cli.simulate_log import is_model, log_of
from planner.cli.simulate_options import SimulateOptions
from planner.cli.typed import first_given

_OF_ONE_LOG = (
    "--cluster", "--explain", "--check", "--schedule", "--job-table", "--write-log", "--anonymous",
    "--window",
)  # fmt: skip


def simulate_over_seeds(asked: SimulateOptions) -> None:
    """Simulate several synthetic logs, and show the comparison."""
    if strange := first_given(_OF_ONE_LOG, asked.given):
        raise click.UsageError(f"{strange} is for one log; leave it or --seeds out")
    if not is_model(asked.trace):
        raise click.UsageError("--seeds is for synthetic logs; give lublin or another model")
    output, drawn, processors = asked.output, asked.jobs.drawn, asked.policy.processors
    with explained():
        chosen, inputs = chosen_policies(asked.policy, asked.rules), read_files(asked)
        if output.out:
            refuse_unwritable_folder(Path(output.out), "simulate", inputs)
        from planner.scheduling.simulation.replications import replicate

        began = time.perf_counter()
        seeds = range(drawn.seed, drawn.seed + asked.seeds)
        logs = (log_of(asked.trace, asked.jobs, processors, seed) for seed in seeds)
        with progress(asked.seeds, quiet=output.quiet) as say:
            found = replicate(
                logs,
                chosen.policies,
                rules_of(asked.policy, asked.rules, asked.measured, asked.windows),
                model=f"model {asked.trace}, seeds {seeds[0]} to {seeds[-1]}",
                workers=asked.jobs.workers,
                progress=say,
            )
        words = words_with("simulate", asked, seeded=True)
        found = replace(found, files=chosen.files, command=words)
        with progress(0, quiet=output.quiet) as say:
            report = write_report(found, output.out, began=began, progress=say, inputs=inputs)
    tell(found, show_tables, report, output)
