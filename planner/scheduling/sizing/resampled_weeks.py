"""How sure a size is: the same search on logs of weeks drawn from the log.

Whole weeks, by submit time, are drawn with replacement and laid one after the other; each then
grows as the log did, with a ring and an order of its own. A job belongs to the week in which it was
submitted and runs on over the week's end into whatever week comes next. The last week, which is
not whole, is left out. So the queue that a week leaves behind meets another week, and busy weeks
that follow each other in the log are torn apart: the interval is too narrow where they do.

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
    """Sizes of logs of drawn weeks under one policy.

    Attributes
    ----------
    policy
        Who starts when.
    nodes
        Of each draw, in their order; ``None``: no size keeps the level.
    """

    policy: str
    nodes: tuple[int | None, ...]

    @property
    def without(self) -> int:
        """Draws without an answer."""
        return sum(node is None for node in self.nodes)

    @property
    def median(self) -> int | None:
        """Half of the draws need at most so many nodes."""
        return self.quantile(0.5)

    def quantile(self, share: float) -> int | None:
        """At least this share of the draws needs at most so many nodes; 0 to 1.

        Examples
        --------
        >>> [Resampled("easy", (7, 5, None, 6)).quantile(q) for q in (0.0, 0.5, 0.75, 0.95)]
        [5, 6, 7, None]
        """
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
    """Size the machine for one drawn log per stream, each under all policies.

    Parameters
    ----------
    log, growth, level, rules
        As for the log itself.
    periods
        The log's weeks.
    policies
        Each with the size that is expected.
    streams
        Of random numbers, one for each draw: which weeks, and how they grow.
    workers
        Draws at work at once, as threads: the loops let go of the interpreter.
    progress
        Called with words before each draw.
    """

    def one(numbered: tuple[int, np.random.Generator]) -> list[int | None]:
        index, rng = numbered
        progress(f"draw {index} of {len(streams)}")
        weeks = rng.integers(0, periods.whole, periods.whole)
        resampled_log = grow(log, growth, rng, weeks).log
        if not len(resampled_log):
            return [None] * len(policies)
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
    return float(off[1:] @ off[:-1]) / spread if spread > 0 else None
