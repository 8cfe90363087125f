"""What simulations of several synthetic logs gave: the means of each log under each policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from planner.replications.batch_means import MeanInterval, over_replications
from planner.scheduling.simulation.comparison import COMPARED, PolicyComparison
from planner.scheduling.simulation.offered_work import OfferedWork


@dataclass(frozen=True)
class LogMeans:
    """Means over the measured jobs of one log under one policy."""

    name: str
    policy: str
    wait: float
    bounded_slowdown: float
    utilisation: float | None


@dataclass(frozen=True)
class Conditions:
    """How each log was simulated.

    Attributes
    ----------
    jobs, left_out
        Jobs of each log, and how many of them warm-up and cool-down leave out.
    processors
        Processors of the machine.
    event_order
        As in :class:`~planner.scheduling.simulation.settings.SimulationSettings`.
    estimates
        Kind of run-time estimates, by policy.
    rule
        Which jobs are measured, in words.
    offered
        Work of each log.
    """

    jobs: tuple[int, ...]
    left_out: tuple[int, ...]
    processors: int
    event_order: str
    estimates: tuple[str, ...]
    rule: str
    offered: tuple[OfferedWork, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class ReplicationResult:
    """Results of several policies on the same synthetic logs.

    Attributes
    ----------
    model
        Description of the model that generates the logs.
    policies, rules
        Names of the policies, and a description of each.
    logs
        Results of each log: one entry for each policy, in the order of ``policies``.
    rejected
        Names of the logs with jobs that are too large for the machine, and how many these are.
    conditions
        How the logs were simulated; ``None`` if unknown.
    files, command
        As in :class:`~planner.scheduling.simulation.study.SimulationStudy`.
    """

    model: str
    policies: tuple[str, ...]
    rules: tuple[str, ...]
    logs: tuple[tuple[LogMeans, ...], ...]
    rejected: tuple[tuple[str, int], ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    command: tuple[str, ...] = ()
    conditions: Conditions | None = None

    @cached_property
    def means(self) -> tuple[Mapping[str, MeanInterval], ...]:
        """Mean of each quantity over the logs with its interval, by policy."""
        return tuple(
            {name: over_replications(self.of(index, name)) for name in COMPARED}
            for index in range(len(self.policies))
        )

    @cached_property
    def comparisons(self) -> tuple[PolicyComparison, ...]:
        """How every other policy differs from the first one, log by log."""
        return tuple(
            PolicyComparison(
                self.policies[0],
                other,
                {name: self.difference(index, 0, name) for name in COMPARED},
            )
            for index, other in enumerate(self.policies)
            if index
        )

    def of(self, policy: int, quantity: str = "wait") -> list[float]:
        """Return the means of a policy, log by log."""
        return [getattr(log[policy], quantity) for log in self.logs]

    def difference(self, policy: int, other: int, quantity: str = "wait") -> MeanInterval:
        """Return how a policy differs from another, log by log."""
        pairs = zip(self.of(policy, quantity), self.of(other, quantity), strict=True)
        return over_replications([value - less for value, less in pairs])

    def less_in(self, policy: int, other: int, quantity: str = "wait") -> int:
        """Return in how many logs a policy has the smaller mean."""
        pairs = zip(self.of(policy, quantity), self.of(other, quantity), strict=True)
        return sum(value < less for value, less in pairs)
