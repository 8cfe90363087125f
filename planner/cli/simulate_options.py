"""Options of ``headroom simulate``, and those that ``headroom size`` shares with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from planner.cli.options import PROCESSORS, OutputOptions, log_argument, processors_option
from planner.cli.own_parts import OWN, PartName
from planner.cli.quantities import Factor, Share
from planner.cli.simulate_log import JobOptions
from planner.cli.simulate_policies import maui_option
from planner.cli.typed import WrittenPath, group, option
from planner.cli.vary_options import OptionSweepOptions

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


event_order_option = partial(
    option,
    "--event-order",
    type=click.Choice(["reference", "batch"]),
    default="reference",
    help="Order at one instant: submissions before ends with a pass each, or all ends, all "
    "submissions, then one pass.",
)


@dataclass(frozen=True, kw_only=True)
class PolicyOptions:
    """Who starts when, and the machine."""

    names: tuple[str, ...] = option(
        "--policy",
        listed=True,
        type=PartName("policy", POLICIES),
        help=f"Scheduling policy, {OWN}. Repeat to compare policies with the first. Default: easy.",
    )
    processors: int | None = processors_option()
    node_processors: int = option(
        type=PROCESSORS, default=1, help="Processors per node, if jobs take whole nodes."
    )


@dataclass(frozen=True, kw_only=True)
class RuleOptions:
    """How the policies are to work."""

    reservations: int | None = option(
        type=click.IntRange(0, 10_000),
        help="Number of jobs at the head of the queue with a reservation (easy, sjf-easy, "
        "largest-easy). Default: 1.",
    )
    maui: str | None = maui_option()
    event_order: EventOrder = event_order_option()
    speedup: str | None = option(
        metavar="MODEL",
        help="Assumed speedup of moldable jobs: amdahl:FRACTION, downey:PARALLELISM:SIGMA, or "
        "downey:FACTORp:SIGMA (times the request). Default: downey:p:1.",
    )
    estimates: Estimates | None = option(
        type=click.Choice(["user", "perfect", "tsafrir"]),
        help="Estimates used for planning: requested times (user), run times (perfect) or "
        "predictions (tsafrir). Default: user; tsafrir for easy++.",
    )


@dataclass(frozen=True, kw_only=True)
class MeasuredOptions:
    """Which jobs are measured."""

    warm_up: str = option(
        metavar="SHARE|auto",
        default="0",
        help="Share of the first jobs to leave out of the measures, or auto (MSER-5).",
    )
    cool_down: float = option(
        type=Share(0, 1, below=True),
        default=0.0,
        help="Share of the last jobs to leave out of the measures.",
    )


@dataclass(frozen=True, kw_only=True)
class GrowthOptions:
    """Options of a sizing except the service level: growth, uncertainty, and the demand file."""

    growth: float = option(type=Factor(), default=1.0, help="Factor by which the log's work grows.")
    growth_by: GrowthBy = option(
        type=click.Choice(["copies", "arrivals"]),
        default="copies",
        help="Grow by copies of other weeks (same weekday and time of day) or by faster arrivals.",
    )
    thin_by: ThinBy = option(
        type=click.Choice(["user", "job"]),
        default="user",
        help="Whether a partial copy takes whole users or single jobs.",
    )
    resamples: int = option(
        type=click.IntRange(0, 1000),
        default=20,
        help="Number of logs of resampled weeks, for the uncertainty of the answer.",
    )
    written_demand: str | None = option(
        "--write-demand",
        type=WrittenPath(),
        help="File for the answer as a scenario requirement, for headroom plan.",
    )
    demand_quantile: float = option(
        type=Share(0, 1, above=True),
        default=0.5,
        help="Share of the resampled logs for which the written demand suffices.",
    )


@dataclass(frozen=True, kw_only=True)
class SimulateOptions:
    """Options of ``headroom simulate``."""

    given: frozenset[str]
    log: str = log_argument()
    policy: PolicyOptions = group(PolicyOptions)
    clusters: tuple[str, ...] = option(
        "--cluster",
        listed=True,
        metavar="PARTITION=PROCESSORS",
        help="Separate machine for a partition; may be repeated. Jobs of other partitions are "
        "rejected.",
    )
    rules: RuleOptions = group(RuleOptions)
    windows: tuple[str, ...] = option(
        "--unavailable",
        listed=True,
        metavar="FROM:TO:PROCESSORS",
        help="Planned reservation in seconds of the log; append :outage for an unplanned outage.",
    )
    measured: MeasuredOptions = group(MeasuredOptions)
    job: int | None = option("--explain", type=int, help="Number of a job whose wait to explain.")
    check: bool = option(is_flag=True, help="Verify the schedules with an independent checker.")
    table: str | None = option(
        "--write-schedule",
        type=WrittenPath(),
        help="File for all jobs (.csv, .csv.gz, .parquet): starts, ends, waits, users, killed "
        "jobs and reasons of rejection; with several policies one file each, with its name before "
        "the suffix.",
    )
    jobs: JobOptions = group(JobOptions)
    seeds: int = option(
        type=click.IntRange(1, 1000),
        default=1,
        help="Number of synthetic logs, from --seed on; two or more give paired differences with "
        "confidence intervals.",
    )
    window: str | None = option(
        metavar="FROM:TO",
        help="Period whose single jobs the report shows, in seconds of the log. Default: around "
        "the longest queue.",
    )
    sweep: OptionSweepOptions = group(OptionSweepOptions)
    output: OutputOptions = group(OutputOptions)

    @property
    def workers(self) -> int:
        """Number of policies, or of cases of a sweep, that are simulated at the same time."""
        return self.jobs.workers
