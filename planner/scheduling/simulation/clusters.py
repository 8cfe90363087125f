"""A log on several clusters: each partition on a machine of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.errors import InputError
from planner.scheduling.simulation.schedule import NEVER, JobSchedule
from planner.scheduling.simulation.simulate import Simulation, simulate
from scenarios.formatting import nearest
from scenarios.job_logs.job_log import MISSING

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from scenarios.job_logs.job_log import JobLog


def simulate_clusters(
    log: JobLog, policy: Policy, clusters: Mapping[str, int], **rules: Any
) -> dict[str, Simulation]:
    """Simulate each partition's jobs on its own cluster, without jobs of other partitions.

    Parameters
    ----------
    log
        The jobs, with their partitions.
    policy
        Policy of each cluster.
    clusters
        Processors by the partition's name, or by its number if the log has no names.
    rules
        Arguments of :func:`~planner.scheduling.simulation.simulate.simulate` for all clusters.

    Raises
    ------
    InputError
        A partition has no jobs; or as :func:`~planner.scheduling.simulation.simulate.simulate`.
    """
    names = log.names.get("partition", ())
    codes = np.unique(log.partition[log.partition != MISSING])
    partitions = [names[code] if names else str(code) for code in codes]
    simulations = {}
    for name, processors in clusters.items():
        if name not in partitions:
            remedy = nearest(name, partitions)
            raise InputError(f"{log.name} has no jobs of a partition {name!r}; {remedy}")
        code = names.index(name) if names else int(name)
        part = log.take(log.partition == code)
        simulations[name] = simulate(part, policy, processors=processors, **rules)
    return simulations


def as_one(log: JobLog, parts: Mapping[str, Simulation]) -> Simulation:
    """The clusters' schedules as one, in order of submission; all other jobs are rejected."""
    played = [part.schedule for part in parts.values()]
    elsewhere = ~np.isin(log.number, np.concatenate([schedule.number for schedule in played]))
    schedules = [*played, _rejected(played[0], log.take(elsewhere))]
    arrays: dict[str, Any] = {
        field.name: np.concatenate([getattr(schedule, field.name) for schedule in schedules])
        for field in fields(JobSchedule)
        if isinstance(getattr(schedules[0], field.name), np.ndarray)
    }
    row_of = {int(number): row for row, number in enumerate(log.number)}
    order = np.argsort([row_of[int(number)] for number in arrays["number"]], kind="stable")
    whole = replace(
        schedules[0],
        machine_processors=sum(schedule.machine_processors for schedule in played),
        rejected=dict(
            sorted(
                ((job, why) for schedule in schedules for job, why in schedule.rejected.items()),
                key=lambda pair: row_of[pair[0]],
            )
        ),
        **{name: array[order] for name, array in arrays.items()},
    )
    return Simulation(whole, sum(part.seconds for part in parts.values()), tuple(played))


def _rejected(like: JobSchedule, log: JobLog) -> JobSchedule:
    """Jobs whose partition has no cluster."""
    names = log.names.get("partition", ())

    def reason(code: int) -> str:
        if code == MISSING:
            return "has no partition, so no cluster"
        return f"is of partition {names[code] if names else code}, which has no cluster"

    codes = zip(log.number, log.partition, strict=True)
    why = {int(number): reason(int(code)) for number, code in codes}
    return replace(
        like,
        number=log.number,
        submit_s=log.submit_s,
        start_s=np.full(len(log), NEVER, np.int64),
        run_s=log.run_s,
        processors=log.processors,
        requested_s=log.requested_s,
        user=log.user,
        killed=np.zeros(len(log), np.bool_),
        rejected=why,
        estimate_s=None if like.estimate_s is None else log.requested_s,
        own_processors=None if like.own_processors is None else log.processors,
        own_run_s=None if like.own_run_s is None else log.run_s,
    )
