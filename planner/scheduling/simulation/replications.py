"""Policies compared over several synthetic logs of one model, each with a seed of its own.

The logs are independent, so that an interval over them needs no batches: Student's t over one mean
for each log. Policies are compared on the same logs (common random numbers): the interval of a
difference is that of the differences log by log.

References
----------
Law and Kelton, "Simulation modeling and analysis", 3rd ed., 2000, sections 9.4.1 and 10.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from planner.answer import Answer
from planner.errors import InputError
from planner.formatting import plural
from planner.scheduling.simulation.offered_work import OfferedWork, offered_work
from planner.scheduling.simulation.replicated_facts import study_of
from planner.scheduling.simulation.replicated_result import (
    Conditions,
    LogMeans,
    ReplicationResult,
)
from planner.scheduling.simulation.settings import SimulationSettings
from planner.scheduling.simulation.study import SimulationStudy, study
from planner.study import Study

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from planner.scheduling.simulation.measures import Measures
    from scenarios.job_logs.job_log import JobLog


_HEADINGS = {"wait": "mean_wait_s", "bounded_slowdown": "mean_bounded_slowdown"}


@dataclass(frozen=True, eq=False, repr=False)
class ReplicationStudy(ReplicationResult, Answer):
    """Results of several policies on the same synthetic logs, ready to be shown.

    Its attributes are those of
    :class:`~planner.scheduling.simulation.replicated_result.ReplicationResult`.
    """

    def _made(self) -> Study:
        return study_of(self)

    def numbers(self) -> dict[str, Any]:
        """Mean of each quantity over the logs under each policy (simulated), and its half width.

        The half width is that of the interval in the study; waits are in seconds.
        """
        row: dict[str, Any] = {}
        for policy, means in zip(self.policies, self.means, strict=True):
            for name, interval in means.items():
                row[f"{_HEADINGS.get(name, name)}.{policy}"] = interval.mean
                row[f"{_HEADINGS.get(name, name)}_half_width.{policy}"] = interval.half_width
        return row


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
    rejected: list[tuple[str, int]] = []
    for log in logs:
        progress(log.name)
        result = study(log, policies, settings, workers=workers, replayed=not played)
        model = model or log.name
        played.append(_means_of(result))
        sizes.append((len(log), result.measures[0].jobs_left_out))
        offered.append(offered_work(log, result.simulations[0].schedule))
        if refused := len(result.simulations[0].schedule.rejected):
            rejected.append((log.name, refused))
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
        model, names, result.rules, every, tuple(rejected), conditions=conditions
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
