"""``headroom simulate --seeds``: policies compared over several synthetic logs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.cli.answer import show_tables, tell, write_report
from planner.cli.edges import explained, progress, refuse_unwritable_folder
from planner.cli.files import read_files
from planner.cli.options import option, options_given
from planner.cli.simulate_inputs import rules_of, speedup_asked, words_of
from planner.cli.simulate_log import is_model, log_of
from planner.cli.simulate_policies import policies_of

if TYPE_CHECKING:
    from scenarios.job_logs.job_log import JobLog

_OF_ONE_LOG = (
    "clusters", "job", "check", "table", "job_table", "written_log", "anonymous", "window",
)  # fmt: skip

seeds_option = option(
    "--seeds",
    type=click.IntRange(1, 1000),
    default=1,
    help="How many synthetic logs to simulate, from --seed on; more than one gives means and "
    "paired differences over the logs, with intervals.",
)


def simulate_over_seeds(context: click.Context) -> None:
    """Simulate several synthetic logs as the command line asks, and show the comparison."""
    asked: dict[str, Any] = context.params
    for each in options_given(context, _OF_ONE_LOG):
        raise click.UsageError(f"{each} is for one log; leave it or --seeds out")
    if not is_model(asked["trace"]):
        raise click.UsageError("--seeds is for synthetic logs; give lublin or another model")
    quiet, out, seeds = asked["quiet"], asked["out"], asked["seeds"]
    with explained():
        names = asked["names"] or ("easy",)
        model = speedup_asked(asked["speedup"], names)
        chosen = policies_of(names, asked["reservations"], asked["maui"], model)
        if out:
            refuse_unwritable_folder(Path(out), "simulate", read_files())
        from planner.scheduling.simulation.replications import replicate

        began = time.perf_counter()
        last = asked["seed"] + seeds - 1
        with progress(seeds, quiet=quiet) as say:
            found = replicate(
                _logs(asked),
                chosen.policies,
                rules_of(asked),
                model=f"model {asked['trace']}, seeds {asked['seed']} to {last}",
                workers=asked["workers"],
                progress=say,
            )
        words = words_of(context, log_of(asked["trace"], asked))
        found = replace(found, files=chosen.files, command=words)
        with progress(0, quiet=quiet) as say:
            report = write_report(found, out, began=began, progress=say)
    tell(found, show_tables, report, as_json=asked["as_json"], quiet=quiet)


def _logs(asked: dict[str, Any]) -> Iterator[JobLog]:
    for seed in range(asked["seed"], asked["seed"] + asked["seeds"]):
        yield log_of(asked["trace"], asked | {"seed": seed})
