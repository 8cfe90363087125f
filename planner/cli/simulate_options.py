"""Options of ``headroom simulate``, and those that ``headroom size`` shares with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from planner.cli.completion import NameOrPath, log_models
from planner.cli.options import PROCESSORS, OutputOptions
from planner.cli.own_parts import OWN, PartName
from planner.cli.quantities import Factor, Share
from planner.cli.simulate_log import JobOptions
from planner.cli.simulate_policies import maui_option
from planner.cli.typed import WrittenPath, argument, group, option

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import EventOrder
    from planner.scheduling.simulation.simulate import Estimates
    from planner.scheduling.sizing.growth import GrowthBy, ThinBy

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
"""Names of :data:`planner.scheduling.policies.registry.POLICIES`, which is slow to import."""


def event_order_option() -> Any:
    """What comes first at one instant."""
    return option(
        "--event-order",
        type=click.Choice(["reference", "batch"]),
        default="reference",
        help="At one instant: submissions before ends, each with a pass; or all ends, all "
        "submissions, one pass.",
    )


@dataclass(frozen=True, kw_only=True)
class PolicyOptions:
    """Who starts when, and the machine."""

    names: tuple[str, ...] = option(
        "--policy",
        listed=True,
        type=PartName("policy", POLICIES),
        help=f"Who starts when, {OWN}; repeated, policies are compared with the first. By "
        "default easy.",
    )
    processors: int | None = option(
        type=PROCESSORS, help="Number of processors of the machine; by default as the log says."
    )
    node_processors: int = option(
        type=PROCESSORS, default=1, help="Processors of a node, where jobs take whole nodes."
    )


@dataclass(frozen=True, kw_only=True)
class RuleOptions:
    """How the policies are to work."""

    reservations: int | None = option(
        type=click.IntRange(0, 10_000),
        help="How many jobs at the head are not to be delayed, for easy, sjf-easy and "
        "largest-easy; by default 1.",
    )
    maui: str | None = maui_option()
    event_order: EventOrder = event_order_option()
    speedup: str | None = option(
        metavar="MODEL",
        help="Speedup of moldable jobs on other numbers of processors: amdahl:FRACTION, "
        "downey:PARALLELISM:SIGMA, or downey:FACTORp:SIGMA times those asked for; assumed, by "
        "default downey:p:1.",
    )
    estimates: Estimates | None = option(
        type=click.Choice(["user", "perfect", "tsafrir"]),
        help="What is planned with: requested times, run times, or predictions from the "
        "user's last two jobs. By default user, for easy++ and easy++-pass tsafrir.",
    )


@dataclass(frozen=True, kw_only=True)
class MeasuredOptions:
    """Which jobs are measured."""

    warm_up: str = option(
        metavar="SHARE|auto",
        default="0",
        help="Share of the first jobs that are not measured, or as MSER-5 finds it.",
    )
    cool_down: float = option(
        type=Share(0, 1, below=True),
        default=0.0,
        help="Share of the last jobs that are not measured.",
    )


@dataclass(frozen=True, kw_only=True)
class GrowthOptions:
    """What the machine is to be sized for besides the level, and where the demand goes."""

    growth: float = option(
        type=Factor(), default=1.0, help="Size for so many times the log's work."
    )
    growth_by: GrowthBy = option(
        type=click.Choice(["copies", "arrivals"]),
        default="copies",
        help="Jobs of other weeks at the same weekday and time of day, or faster arrivals.",
    )
    thin_by: ThinBy = option(
        type=click.Choice(["user", "job"]),
        default="user",
        help="What a part of a copy consists of.",
    )
    resamples: int = option(
        type=click.IntRange(0, 1000), default=20, help="Logs of drawn weeks that are sized too."
    )
    written_demand: str | None = option(
        "--write-demand",
        type=WrittenPath(),
        help="File for the answer as a requirement of a scenario, for headroom plan.",
    )
    demand_quantile: float = option(
        type=Share(0, 1, above=True),
        default=0.5,
        help="Share of the drawn logs for which the written demand is enough.",
    )


@dataclass(frozen=True, kw_only=True)
class SimulateOptions:
    """Of ``headroom simulate``."""

    given: frozenset[str]
    trace: str = argument(type=NameOrPath(log_models))
    policy: PolicyOptions = group(PolicyOptions)
    clusters: tuple[str, ...] = option(
        "--cluster",
        listed=True,
        metavar="PARTITION=PROCESSORS",
        help="A machine of its own for a partition; repeated. Jobs of other partitions are "
        "rejected.",
    )
    rules: RuleOptions = group(RuleOptions)
    windows: tuple[str, ...] = option(
        "--unavailable",
        listed=True,
        metavar="FROM:TO:PROCESSORS",
        help="A reservation, planned around; with :outage behind it, one that nobody knew of [s].",
    )
    measured: MeasuredOptions = group(MeasuredOptions)
    job: int | None = option("--explain", type=int, help="Why this job waited; by its number.")
    check: bool = option(is_flag=True, help="Have an independent checker look at the schedules.")
    table: str | None = option(
        "--write-schedule",
        older=("--schedule",),
        type=WrittenPath(),
        help="File for the schedule (.csv, .csv.gz, .parquet); of several policies each gets its "
        "name before the suffix.",
    )
    job_table: str | None = option(
        "--write-job-table",
        older=("--job-table",),
        type=WrittenPath(),
        help="File for what became of each job: as --write-schedule, with ends, waits, users, what "
        "was killed and why jobs were rejected.",
    )
    jobs: JobOptions = group(JobOptions)
    seeds: int = option(
        type=click.IntRange(1, 1000),
        default=1,
        help="How many synthetic logs to simulate, from --seed on; more than one gives means and "
        "paired differences over the logs, with intervals.",
    )
    window: str | None = option(
        metavar="FROM:TO",
        help="When to draw single jobs in the report [s of the log]; by default around the longest "
        "queue.",
    )
    size_for: str | None = option(
        metavar="LEVEL", hidden=True, help="Older spelling of `headroom size --for LEVEL`."
    )
    growth: GrowthOptions = group(GrowthOptions, hidden=True)
    output: OutputOptions = group(OutputOptions)
