"""The confidence interval of a size: the same search on logs of resampled weeks.

Whole weeks, by submit time, are sampled with replacement and put one after the other. Each such log
then grows as the log did, with its own ring and order. A job belongs to the week of its submission,
and may run into the next week, which can be any week. The incomplete last week is left out. So the
queue at the end of a week meets another week than in the log, and successive busy weeks are
separated. If busy weeks follow each other in the log, the interval is too narrow.

References
----------
Kuensch, "The jackknife and the bootstrap for general stationary observations", Annals of
Statistics 17(3), 1989: blocks; here they do not overlap and begin at one weekday and time of day.
Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13: percentile intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.scheduling.sizing.growth import LogGrowth, grow
from planner.scheduling.sizing.level import ServiceLevel
from planner.scheduling.sizing.periods import Periods, work_by_period
from planner.scheduling.sizing.sizing import size_only

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from planner.scheduling.simulation.settings import SimulationSettings
    from scenarios.job_logs.job_log import JobLog

TAIL = 0.05
"""Share of the draws beyond either end of the interval."""


@dataclass(frozen=True)
class Resampled:
    """Sizes for logs of resampled weeks under one policy.

    Attributes
    ----------
    policy
        Name of the policy.
    nodes
        Nodes for each resampled log, in order; ``None`` if no size meets the level.
    """

    policy: str
    nodes: tuple[int | None, ...]

    @property
    def without(self) -> int:
        """Number of resampled logs without an answer."""
        return sum(node is None for node in self.nodes)

    @property
    def median(self) -> int | None:
        """Number of nodes that suffices for half of the resampled logs."""
        return self.quantile(0.5)

    def quantile(self, share: float) -> int | None:
        """Number of nodes that suffices for at least this share, 0 to 1, of the resampled logs.

        Examples
        --------
        >>> [Resampled("easy", (7, 5, None, 6)).quantile(q) for q in (0.0, 0.5, 0.75, 0.95)]
        [5, 6, 7, None]
        """
        # Less a rounding error: a share of a whole number of logs must not become one log more.
        return self._ordered(max(0, math.ceil(share * len(self.nodes) - 1e-9) - 1))

    @property
    def low(self) -> int | None:
        """At most one draw in twenty needs less."""
        return self._ordered(math.floor(TAIL * len(self.nodes)))

    @property
    def high(self) -> int | None:
        """At most one draw in twenty needs more; ``None``: more than that have no answer.

        Examples
        --------
        >>> found = Resampled("easy", (7, 5, None, 6))
        >>> found.low, found.median, found.high
        (5, 6, None)
        """
        return self._ordered(len(self.nodes) - 1 - math.floor(TAIL * len(self.nodes)))

    def _ordered(self, index: int) -> int | None:
        """The n-th smallest; a draw without an answer counts as larger than all."""
        ordered = sorted(self.nodes, key=lambda nodes: math.inf if nodes is None else nodes)
        return ordered[index] if ordered else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "policy": self.policy,
            "nodes": list(self.nodes),
            "median": self.median,
            "p05": self.low,
            "p95": self.high,
            "without_answer": self.without,
        }


def resample(
    log: JobLog,
    periods: Periods,
    growth: LogGrowth,
    policies: Sequence[tuple[Policy, int | None]],
    level: ServiceLevel,
    rules: SimulationSettings,
    streams: Sequence[np.random.Generator],
    *,
    workers: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> tuple[Resampled, ...]:
    """Size the machine for one resampled log per stream, each under all policies.

    Parameters
    ----------
    log, growth, level, rules
        As for the log itself.
    periods
        The log's weeks.
    policies
        Policies, each with the expected size.
    streams
        Streams of random numbers, one for each resampled log, for the weeks and their growth.
    workers
        Number of logs at once, as threads; the loops release the interpreter's lock.
    progress
        Called with a message before each log.
    """

    def one(numbered: tuple[int, np.random.Generator]) -> list[int | None]:
        index, rng = numbered
        progress(f"draw {index} of {len(streams)}")
        weeks = rng.integers(0, periods.whole, periods.whole)
        resampled_log = grow(log, growth, rng, weeks).log
        if not len(resampled_log):
            return [1] * len(policies)  # nothing runs in these weeks: the smallest machine does
        return [size_only(resampled_log, policy, level, rules, near) for policy, near in policies]

    with ThreadPoolExecutor(max(1, min(workers, len(streams) or 1))) as pool:
        sizes = list(pool.map(one, enumerate(streams, 1)))
    return tuple(
        Resampled(policy.name, tuple(size[index] for size in sizes))
        for index, (policy, _) in enumerate(policies)
    )


def alike(periods: Periods, log: JobLog) -> float | None:
    """Lag-1 autocorrelation of the work of whole weeks; ``None`` where they are all the same."""
    work = work_by_period(periods, log)
    off = work - work.mean()
    spread = float(off @ off)
    # n - 1 products over n squares: the usual estimate, which is biased towards 0.
    return float(off[1:] @ off[:-1]) / spread if spread > 0 else None
