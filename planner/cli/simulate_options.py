"""Options that ``headroom simulate`` and ``headroom size`` share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from planner.cli.options import option, stacked
from planner.cli.own_parts import OWN, PartName
from planner.cli.simulate_log import log_options
from planner.cli.simulate_policies import maui_option

_Command = Callable[..., Any]

POLICIES = (
    "fcfs",
    "easy",
    "easy++",
    "easy++-pass",
    "conservative",
    "sjf",
    "sjf-easy",
    "largest",
    "largest-easy",
    "maui",
    "moldable",
)
"""Names of :data:`planner.scheduling.policies.known.POLICIES`, which is slow to import."""

PROCESSORS = click.IntRange(1, 10**9)
_SHARE = click.FloatRange(0, 1, max_open=True)

event_order_option = option(
    "--event-order",
    type=click.Choice(["reference", "batch"]),
    default="reference",
    help="At one instant: submissions before ends, each with a pass; or all ends, all "
    "submissions, one pass.",
)


def policy_options(command: _Command) -> _Command:
    """Add who starts when, and the machine."""
    return stacked(
        option(
            "--policy",
            "names",
            multiple=True,
            type=PartName("policy", POLICIES),
            help=f"Who starts when, {OWN}; repeated, policies are compared with the first. By "
            "default easy.",
        ),
        option(
            "--processors",
            type=PROCESSORS,
            help="Number of processors of the machine; by default as the log says.",
        ),
        option(
            "--node-processors",
            type=PROCESSORS,
            default=1,
            help="Processors of a node, where jobs take whole nodes.",
        ),
    )(command)


def rule_options(command: _Command) -> _Command:
    """Add how the policies are to work."""
    return stacked(
        option(
            "--reservations",
            type=click.IntRange(0, 10_000),
            help="How many jobs at the head are not to be delayed, for easy, sjf-easy and "
            "largest-easy; "
            "by default 1.",
        ),
        maui_option,
        event_order_option,
        option(
            "--speedup",
            metavar="MODEL",
            help="Speedup of moldable jobs on other numbers of processors: amdahl:FRACTION, "
            "downey:PARALLELISM:SIGMA, or downey:FACTORp:SIGMA times those asked for; assumed, by "
            "default "
            "downey:p:1.",
        ),
        option(
            "--estimates",
            type=click.Choice(["user", "perfect", "tsafrir"]),
            help="What is planned with: requested times, run times, or predictions from the "
            "user's last "
            "two jobs. By default user, for easy++ and easy++-pass tsafrir.",
        ),
    )(command)


def measured_options(command: _Command) -> _Command:
    """Add which jobs are measured."""
    return stacked(
        option(
            "--warm-up",
            metavar="SHARE|auto",
            default="0",
            help="Share of the first jobs that are not measured, or as MSER-5 finds it.",
        ),
        option(
            "--cool-down",
            type=_SHARE,
            default=0.0,
            help="Share of the last jobs that are not measured.",
        ),
    )(command)


def job_options(command: _Command) -> _Command:
    """Add the file for the log, how it is read or drawn, and how many simulations run at once."""
    return stacked(
        option(
            "--write-log",
            "written_log",
            type=click.Path(),
            help="File for the log as it was simulated, cleaned or drawn, in the Standard "
            "Workload Format; "
            "gzipped if it ends in .gz.",
        ),
        option(
            "--anonymous",
            is_flag=True,
            help="Write the log of --write-log without names, job numbers, dates and comments; "
            "times, "
            "sizes and which jobs share a user remain.",
        ),
        log_options,
        option(
            "--jobs",
            type=click.IntRange(1, 10_000_000),
            help="Number of jobs of a synthetic log; by default 10000, or 30.",
        ),
        option(
            "--estimate-factor",
            type=click.FloatRange(0, 1000),
            help="Requests of a drawn TRACE are up to this much longer than runs, uniformly; by "
            "default 0.",
        ),
        option(
            "--load", type=click.FloatRange(0, 100, min_open=True), help="Offered load of lublin."
        ),
        option("--seed", type=click.IntRange(0, 2**31 - 1), default=0),
        option("--workers", type=click.IntRange(1, 256), default=1),
    )(command)
