"""Bills of jobs for their runs on shared nodes, by pricing policy.

With measured time ``T`` on ``C`` cores, rate ``L`` and performance ``perf``, a job pays
``L C T perf^2``: the Pricer never sees ``T_solo``, and ``perf T`` stands for it. A job that shares
has half of twice as many nodes, so ``C`` is the same in each layout.

Two references are shown:

- ``whole nodes`` (the site's bill today): performance against a run alone on whole nodes with all
  cores. Above 1 it counts as 1: a job that ends sooner than alone pays for its time.
- ``half idle`` (the paper's): performance against a run on the same halves with the others idle. It
  is lower, as a job on whole nodes disturbs itself. A whole node among those of a job counts as 1.

A job on whole nodes pays in full under each of them.

References
----------
Breslow et al. (2013), equations 1 to 6 and sections 8.1 and 8.4.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from planner.errors import InputError
from planner.sharing_nodes.queues.meetings import Meetings
from planner.sharing_nodes.queues.performance import Combination, node_means, performance
from planner.sharing_nodes.queues.problem import MS, Floats, SharedProblem, SharedSchedule
from planner.sharing_nodes.queues.speeds import Speeds

Reference = Literal["whole nodes", "half idle"]

HOUR_MS = 3600 * MS


@dataclass(frozen=True, eq=False)
class PerformanceEstimate:
    """Performances as a pricing policy estimates them; arrays are of shares, 1 for undisturbed.

    Attributes
    ----------
    name
        Name of the policy.
    pair
        ``pair[a, b]``: estimated performance of ``a`` next to ``b``, against an idle other half.
        Shape ``(applications, applications)``.
    full
        Estimated speed on whole nodes over that with halves idle, for the reference of whole
        nodes. Shape ``(applications,)``.
    spread
        Standard error of one job's performance next to ``b``; shape as ``pair``, empty for none.
        A job has one error for all its nodes and its whole run, which is the worst case for it.
    unbiased
        Whether the price charges ``perf^2`` less the square of its standard error, as the square
        of an estimate is too large by that on average.
    """

    name: str
    pair: Floats
    full: Floats
    spread: Floats = field(default_factory=lambda: np.empty(0))
    unbiased: bool = False

    def __post_init__(self) -> None:
        pair = np.asarray(self.pair, np.float64)
        if pair.shape != (len(self.full),) * 2 or self.spread.size not in (0, pair.size):
            raise InputError(
                f"{self.name}: estimates of {pair.shape} pairs and {len(self.full)} applications "
                "do not fit together; give a square matrix, a vector as long, and no spread or one "
                "of the matrix' shape"
            )
        if not ((pair > 0) & np.isfinite(pair)).all():
            raise InputError(f"{self.name}: an estimated performance is not above 0")


def state_of_practice(speeds: Speeds) -> PerformanceEstimate:
    """Return the estimate under which users pay for their time: performance counts as 1."""
    return PerformanceEstimate("state of practice", np.ones_like(speeds.pair), np.ones(len(speeds)))


def oracle(speeds: Speeds) -> PerformanceEstimate:
    """Return the true performances; for scoring only."""
    return PerformanceEstimate(
        "oracle", speeds.pair / speeds.half[:, None], speeds.full / speeds.half
    )


@dataclass(frozen=True, eq=False)
class Bills:
    """Bills of all jobs; arrays of shape ``(jobs,)``, 0 for rejected jobs.

    Attributes
    ----------
    policy, reference
        Who prices, and against which run.
    performance
        Performance that the price rests on, with its error, at most 1 under ``whole nodes``.
    price_su
        Price [SU]; with the rate 1 an SU is a core-hour.
    """

    policy: str
    reference: Reference
    performance: Floats
    price_su: Floats

    @property
    def revenue_su(self) -> float:
        """All prices together [SU]."""
        return float(self.price_su.sum())


def core_hours(schedule: SharedSchedule, problem: SharedProblem) -> Floats:
    """Return cores times run time of each job [core-hours]; 0 for rejected jobs."""
    hours = (schedule.end_ms - schedule.start_ms) / HOUR_MS
    cores = problem.jobs.nodes * problem.cores_per_node
    return np.where(schedule.runs, hours * cores, 0.0)


def bills(
    schedule: SharedSchedule,
    problem: SharedProblem,
    meetings: Meetings,
    estimate: PerformanceEstimate,
    *,
    reference: Reference = "whole nodes",
    combination: Combination = "slowest at each time",
    rate_su: float = 1.0,
    seed: int = 0,
) -> Bills:
    """Price every job.

    Parameters
    ----------
    rate_su
        ``L`` [SU per core-hour].
    seed
        Seed of the errors of the estimates.
    """
    if len(estimate.full) != len(problem.speeds):
        raise InputError(
            f"{estimate.name} has estimates of {len(estimate.full)} applications, where the speeds "
            f"name {len(problem.speeds)}; make both from the same table"
        )
    scale = 1 / estimate.full if reference == "whole nodes" else np.ones(len(estimate.full))
    pair = estimate.pair * scale[:, None]
    measured = performance(schedule, problem, meetings, pair, scale, combination)
    error = _standard_errors(schedule, problem, meetings, estimate, scale)
    normal = np.random.default_rng(seed).standard_normal(len(error))
    measured = np.maximum(measured + error * normal, 0.0)
    square = measured**2 - (error**2 if estimate.unbiased else 0.0)
    if reference == "whole nodes":
        measured, square = np.minimum(measured, 1.0), np.minimum(square, 1.0)
    price = rate_su * core_hours(schedule, problem) * np.maximum(square, 0.0)
    return Bills(estimate.name, reference, measured, price)


def _standard_errors(
    schedule: SharedSchedule,
    problem: SharedProblem,
    meetings: Meetings,
    estimate: PerformanceEstimate,
    scale: Floats,
) -> Floats:
    """Return the standard error of each job's performance: the mean over its nodes and its time."""
    count = schedule.count
    if not estimate.spread.size or not len(schedule.node):
        return np.zeros(len(count))
    spread = np.asarray(estimate.spread) * scale[:, None]
    means = node_means(schedule, problem, meetings, spread, np.zeros(len(scale)), whole=0.0)
    job = np.repeat(np.arange(len(count)), count)
    total = np.bincount(job, weights=means, minlength=len(count))
    return np.where(schedule.shared, total / np.maximum(count, 1), 0.0)
