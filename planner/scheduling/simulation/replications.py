"""Policies compared over several synthetic logs of one model, each with a seed of its own.

The logs are independent, so that an interval over them needs no batches: Student's t over one mean
for each log. Policies are compared on the same logs (common random numbers): the interval of a
difference is that of the differences log by log.

References
----------
Law and Kelton, "Simulation modeling and analysis", 3rd ed., 2000, sections 9.4.1 and 10.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from planner.errors import InputError
from planner.formatting import durations, plural
from planner.replications.batch_means import MeanInterval, over_replications
from planner.scheduling.policies.display import in_prose, in_table
from planner.scheduling.simulation.comparison import COMPARED, PolicyComparison
from planner.scheduling.simulation.offered_work import OfferedWork, offered_text, offered_work
from planner.scheduling.simulation.replicated_summary import (
    ENDS,
    WAIT,
    difference,
    is_equal,
    shortest,
    signed_difference,
    without_unit,
)
from planner.scheduling.simulation.settings import SimulationSettings
from planner.scheduling.simulation.study import SimulationStudy, study
from planner.scheduling.simulation.trimming import ALL_JOBS
from planner.scheduling.simulation.wait_text import share, slowdown
from planner.worded_study import TabledStudy
from planner.worded_table import Column, Table

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from planner.scheduling.simulation.measures import Measures
    from scenarios.job_logs.job_log import JobLog


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

    @property
    def workload(self) -> list[str]:
        """The offered load of the logs, and how requested times relate to run times."""
        return offered_text(
            [log.load for log in self.offered],
            sum(log.requested_s for log in self.offered),
            sum(log.run_s for log in self.offered),
        )


@dataclass(frozen=True, eq=False, repr=False)
class ReplicationStudy(TabledStudy):
    """Results of several policies on the same synthetic logs.

    Attributes
    ----------
    model
        Description of the model that generates the logs.
    policies, rules
        Names of the policies, and a description of each.
    logs
        Results of each log: one entry for each policy, in the order of ``policies``.
    conditions
        How the logs were simulated; ``None`` if unknown.
    files, command
        As in :class:`~planner.scheduling.simulation.study.SimulationStudy`.
    """

    model: str
    policies: tuple[str, ...]
    rules: tuple[str, ...]
    logs: tuple[tuple[LogMeans, ...], ...]
    warnings: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    command: tuple[str, ...] = ()
    conditions: Conditions | None = None

    @property
    def title(self) -> str:
        """Title of the document."""
        return f"Scheduling policies over {plural(len(self.logs), 'synthetic log')}"

    @cached_property
    def means(self) -> tuple[Mapping[str, MeanInterval], ...]:
        """Mean of each quantity over the logs with its interval, by policy."""
        return tuple(
            {name: over_replications(self._of(index, name)) for name in COMPARED}
            for index in range(len(self.policies))
        )

    @cached_property
    def comparisons(self) -> tuple[PolicyComparison, ...]:
        """How every other policy differs from the first one, log by log."""
        first, *others = self.policies
        return tuple(
            PolicyComparison(
                first,
                other,
                {name: over_replications(self._differences(index, name)) for name in COMPARED},
            )
            for index, other in enumerate(others, 1)
        )

    @property
    def headline(self) -> str:
        """The policy or policies under which jobs wait least."""
        waits = [mean["wait"].mean for mean in self.means]
        return shortest(self.policies, waits, len(self.logs), unsure=not self._leads(waits))

    @property
    def by_slowdown(self) -> str:
        """That another policy is best by bounded slowdown; empty if it is the same one."""
        waits = [mean["wait"].mean for mean in self.means]
        slowdowns = [mean["bounded_slowdown"].mean for mean in self.means]
        by_wait, best = waits.index(min(waits)), slowdowns.index(min(slowdowns))
        if slowdowns[best] == slowdowns[by_wait]:
            return ""
        chance = "" if self._apart(by_wait, best, "bounded_slowdown") else " (may be chance)"
        return (
            f" By bounded slowdown {in_prose(self.policies[best])} is best: "
            f"{slowdown(slowdowns[best])}, against {slowdown(slowdowns[by_wait])} under "
            f"{in_prose(self.policies[by_wait])}{chance}."
        )

    def _leads(self, waits: Sequence[float]) -> bool:
        """Return whether the shortest mean wait is below the next by more than chance."""
        best = waits.index(min(waits))
        longer = [k for k, wait in enumerate(waits) if not is_equal(wait, waits[best])]
        return not longer or self._apart(min(longer, key=waits.__getitem__), best, "wait")

    def _apart(self, one: int, other: int, quantity: str) -> bool:
        """Return whether two policies differ by more than chance."""
        pairs = zip(self._of(one, quantity), self._of(other, quantity), strict=True)
        interval = over_replications([value - less for value, less in pairs])
        return interval.tells_apart or interval.half_width == 0

    @property
    def confidence(self) -> str:
        """How each policy differs from the first, with its interval."""
        return " ".join([f"Simulated ({self.model}).", *self.differences])

    @property
    def differences(self) -> list[str]:
        """How each policy differs from the first; of one policy the interval of its mean wait."""
        return [difference(comparison) for comparison in self.comparisons] or [
            f"95 % interval of the mean wait: {' to '.join(_ends(self.means[0]['wait']))}."
        ]

    @property
    def settings(self) -> Mapping[str, str]:
        """What was simulated."""
        files = {f"SHA-256 of {name}": digest for name, digest in self.files}
        command = {"command": " ".join(("headroom", *self.command))} if self.command else {}
        return {
            "logs": self.model,
            "intervals": "95 %, Student's t over one mean, or one paired difference, for each log",
            **({"measured jobs": _measured(self.conditions)} if self.conditions else {}),
            **files,
            **command,
        }

    @property
    def shown(self) -> tuple[Table, ...]:
        """Means, differences, rules, and every log."""
        return (
            Table("policies", "Means over the logs, with 95 % intervals", _POLICY, self._means()),
            Table("comparisons", f"Differences from {in_prose(self.policies[0])}, log by log, with "
                  "95 % intervals", _COMPARED, self._compared()),
            Table("rules", "What each policy does", _RULE, [
                {"policy": name, "rule": rule}
                for name, rule in zip(self.policies, self.rules, strict=True)
            ]),
            Table("logs", "Every log under every policy", _LOG, [
                {"log": run.name, "policy": run.policy, "mean_wait_s": run.wait,
                 "mean_bounded_slowdown": run.bounded_slowdown, "utilisation": run.utilisation}
                for log in self.logs for run in log
            ]),
        )  # fmt: skip

    def _of(self, policy: int, quantity: str) -> list[float]:
        return [getattr(log[policy], quantity) for log in self.logs]

    def _differences(self, policy: int, quantity: str) -> list[float]:
        pairs = zip(self._of(policy, quantity), self._of(0, quantity), strict=True)
        return [other - first for other, first in pairs]

    def _means(self) -> list[dict[str, Any]]:
        return [
            {"policy": policy, "logs": len(self.logs)}
            | _flat("mean_wait_s", means["wait"])
            | _flat("mean_bounded_slowdown", means["bounded_slowdown"])
            for policy, means in zip(self.policies, self.means, strict=True)
        ]

    def _compared(self) -> list[dict[str, Any]]:
        return [
            {"policy": comparison.second, "quantity": _WORDS[name]}
            | _flat("difference", comparison.differences[name])
            | {"less_in": sum(value < 0 for value in self._differences(index, name))}
            for index, comparison in enumerate(self.comparisons, 1)
            for name in COMPARED
        ]


def replicate(
    logs: Iterable[JobLog],
    policies: Sequence[Policy],
    settings: SimulationSettings | None = None,
    *,
    model: str = "",
    workers: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> ReplicationStudy:
    """Run every log under each policy.

    The user's own policies are replayed on the first log, to check that they use no foreknowledge.

    Parameters
    ----------
    logs
        Independent logs of one model, two or more; each is read once.
    policies
        The others are compared with the first.
    settings
        Machine and rules.
    model
        Description of the model that generates the logs; by default the name of the first log.
    workers
        Policies simulated at once.
    progress
        Called with the name of each log.

    Raises
    ------
    InputError
        There are fewer than two logs, or a log has no measured job; or as
        :func:`~planner.scheduling.simulation.study.study`.
    PlanError
        As :func:`~planner.scheduling.simulation.study.study`.
    """
    played: list[tuple[LogMeans, ...]] = []
    sizes: list[tuple[int, int]] = []
    offered: list[OfferedWork] = []
    result: SimulationStudy | None = None
    warnings: dict[str, None] = {}
    for log in logs:
        progress(log.name)
        result = study(log, policies, settings, workers=workers, replayed=not played)
        model = model or log.name
        played.append(_means_of(result))
        sizes.append((len(log), result.measures[0].jobs_left_out))
        offered.append(offered_work(log, result.simulations[0].schedule))
        warnings |= dict.fromkeys(f"{log.name}: {warning}" for warning in _of_log(result))
    if result is None or len(played) < 2:
        raise InputError(
            f"{plural(len(played), 'log')} {'gives' if len(played) == 1 else 'give'} no confidence "
            "interval; "
            "give two or more"
        )
    names = tuple(policy.name for policy in policies)
    every = tuple(played)
    conditions = _conditions(result, sizes, offered)
    return ReplicationStudy(
        model, names, result.rules, every, tuple(warnings), conditions=conditions
    )


def _conditions(
    result: SimulationStudy, sizes: Sequence[tuple[int, int]], offered: Sequence[OfferedWork]
) -> Conditions:
    jobs, left_out = zip(*sizes, strict=True)
    return Conditions(
        jobs,
        left_out,
        result.simulations[0].schedule.machine_processors,
        result.settings.event_order,
        tuple(measures.estimates for measures in result.measures),
        result.measured.rule,
        tuple(offered),
    )


def _measured(conditions: Conditions) -> str:
    """Which jobs are measured, and how many that leaves out."""
    left_out = conditions.left_out
    if not any(left_out):
        return conditions.rule if conditions.rule == ALL_JOBS else f"{conditions.rule}: all jobs"
    omitted = f"{min(left_out):,} to {max(left_out):,}"
    if min(left_out) == max(left_out):
        omitted = f"{max(left_out):,}"
    return f"{conditions.rule}; {omitted} jobs of each log are simulated but not measured"


def _of_log(result: SimulationStudy) -> tuple[str, ...]:
    """Warnings of the log, without those on intervals over its batches, which are not shown."""
    rejected = result.simulations[0].schedule.rejected
    return (f"{plural(len(rejected), 'job')} rejected, too large for the machine",) * bool(rejected)


def _means_of(result: SimulationStudy) -> tuple[LogMeans, ...]:
    return tuple(_means_under(result.log.name, measure) for measure in result.measures)


def _means_under(name: str, measures: Measures) -> LogMeans:
    if measures.wait_s is None or measures.bounded_slowdown is None:
        raise InputError(
            f"no job of {name} is measured under {measures.policy}; use more jobs, or a shorter "
            "warm-up and cool-down"
        )
    wait, slowed = measures.wait_s.mean, measures.bounded_slowdown.mean
    return LogMeans(name, measures.policy, wait, slowed, measures.utilisation)


def _flat(key: str, interval: MeanInterval) -> dict[str, float]:
    return {key: interval.mean, f"{key}_low": interval.low, f"{key}_high": interval.high}


def _ends(interval: MeanInterval) -> tuple[str, ...]:
    return durations(max(0.0, interval.low), interval.high)


_WORDS = {"wait": WAIT, "bounded_slowdown": "mean bounded slowdown"}


def _hours(time_s: float) -> str:
    return f"{time_s / 3600:,.2f}"


_POLICY = (
    Column("policy", "policy", in_table, width=1.4),
    Column("logs", "logs", number=True),
    Column("mean_wait_s", "mean wait (h)", _hours, number=True),
    Column("mean_wait_s_low", "95 % from", _hours, number=True),
    Column("mean_wait_s_high", "95 % to", _hours, number=True),
    Column("mean_bounded_slowdown", "slowdown", slowdown, number=True),
    Column("mean_bounded_slowdown_low", "95 % from", slowdown, number=True),
    Column("mean_bounded_slowdown_high", "95 % to", slowdown, number=True),
)
_COMPARED = (
    Column("policy", "policy", in_table, width=1.4),
    Column("quantity", "quantity", without_unit, width=1.6),
    *(
        Column(key, heading, row_text=partial(signed_difference, key=key), number=True)
        for key, heading in zip(ENDS, ("difference", "95 % from", "95 % to"), strict=True)
    ),
    Column("less_in", "logs with a lower value", number=True),
)
_RULE = (Column("policy", "policy", in_table, width=1.4), Column("rule", "rule", width=4))
_LOG = (
    Column("log", "log", width=2.5),
    Column("policy", "policy", in_table, width=1.4),
    Column("mean_wait_s", "mean wait (h)", _hours, number=True),
    Column("mean_bounded_slowdown", "slowdown", slowdown, number=True),
    Column("utilisation", "used", share, number=True),
)
