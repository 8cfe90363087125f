"""``headroom simulate --vary``: a log, or a model of logs, at many values of options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import click

from planner.cli.idle_options import refuse_idle
from planner.cli.own_parts import is_own
from planner.cli.simulate_inputs import chosen_policies, rules_of
from planner.cli.simulate_log import is_model, log_of
from planner.cli.simulate_options import SimulateOptions
from planner.cli.simulate_seeds import refuse_seeds, replicated
from planner.cli.vary_options import swept_options

if TYPE_CHECKING:
    from planner.answer import Answer
    from scenarios.job_logs.job_log import JobLog

_NOT_SWEPT = dict.fromkeys(
    (
        "--explain", "--check", "--write-schedule", "--write-log", "--anonymous", "--window",
        "--html",
    ),
    ("one simulation",),
)  # fmt: skip


def simulate_sweep(options: SimulateOptions) -> None:
    """Simulate every case, and print a summary."""
    refuse_idle(options.given, "a sweep", _NOT_SWEPT)
    own = next((name for name in options.policy.names if is_own(name)), "")
    if own:
        raise click.UsageError(f"--policy {own} is your own; a sweep takes policies of Headroom")
    keys = [text.partition("=")[0].strip().removeprefix("--") for text in options.sweep.vary]
    if "seed" in keys and not is_model(options.log):
        raise click.UsageError("--vary seed=... is for synthetic logs; give a model, as lublin")
    swept_options("simulate", options, options.log, _answering)


def _answering(options: SimulateOptions) -> Callable[[SimulateOptions], Answer]:
    """Read a log in a file once for all cases of a sweep."""
    model = is_model(options.log)
    refuse_seeds(options)
    log = log_of(options.log, options.jobs, options.policy.processors)
    chosen_policies(options.policy, options.rules)
    rules_of(options.policy, options.rules, options.measured, options.windows, options.clusters)
    return partial(_case, None if model else log)


def _case(read: JobLog | None, options: SimulateOptions) -> Answer:
    """Simulate a case; a synthetic log is generated for it."""
    from planner.scheduling.simulation.study import study

    refuse_seeds(options)
    chosen = chosen_policies(options.policy, options.rules)
    if options.seeds > 1:
        return replicated(options, chosen)
    policy = options.policy
    rules = rules_of(policy, options.rules, options.measured, options.windows, options.clusters)
    log = log_of(options.log, options.jobs, policy.processors) if read is None else read
    return study(log, chosen.policies, rules)
