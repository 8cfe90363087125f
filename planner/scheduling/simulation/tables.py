"""A simulation study as tables: rows of plain values, as in the workbook."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from planner.scheduling.simulation.classes import by_processors, by_run_time

if TYPE_CHECKING:
    from planner.scheduling.simulation.measures import Measures
    from planner.scheduling.simulation.result import SimulationResult

Row = dict[str, Any]


def tables(study: SimulationResult) -> dict[str, list[Row]]:
    """Every table by its name."""
    record = () if study.recorded is None else (study.recorded.counted,)
    pairs = list(zip(study.rows, (*study.counted, *record), strict=True))
    return {
        "policies": [_policy(measures) for measures in study.rows],
        "partitions": [partition.to_dict() for partition in study.by_partition],
        "comparisons": [
            {"first": comparison.first, "second": comparison.second, "quantity": quantity}
            | asdict(interval)
            | {"low": interval.low, "high": interval.high}
            for comparison in study.every_comparison
            for quantity, interval in comparison.differences.items()
        ],
        "by processors": [
            {"policy": measures.policy} | by_processor.to_dict()
            for measures, schedule in pairs
            for by_processor in by_processors(schedule)
        ],
        "by run time": [
            {"policy": measures.policy} | job_class.to_dict()
            for measures, schedule in pairs
            for job_class in by_run_time(schedule)
        ],
        "users": [row for measures in study.rows for row in _users(study, measures)],
        "jobs of the log": [{"what": kind, "jobs": n} for kind, n in study.log.counts.items()],
        "rejected": [
            {"job": job, "reason": reason}
            for job, reason in study.simulations[0].schedule.rejected.items()
        ],
        "explanations": [
            {"policy": simulation.schedule.policy, "job": explanation.job} | asdict(look)
            | {"sentence": look.sentence}
            for simulation, explanation in zip(study.simulations, study.explanations, strict=False)
            for look in explanation.looks
        ],
        "violations": [asdict(violation) for violation in study.violations or ()],
    }  # fmt: skip


def _policy(measures: Measures) -> Row:
    flat = measures.to_dict()
    del flat["simulation_seconds"]
    return flat


def _users(study: SimulationResult, measures: Measures) -> list[Row]:
    names = study.log.names.get("user", ())
    users = measures.users
    columns = zip(
        users.user.tolist(),
        users.jobs.tolist(),
        users.mean_wait_s.tolist(),
        users.mean_bounded_slowdown.tolist(),
        users.core_hours.tolist(),
        users.share.tolist(),
        strict=True,
    )
    return [
        {
            "policy": measures.policy,
            "user": names[code] if code < len(names) else code,
            "jobs": jobs,
            "mean_wait_s": wait,
            "mean_bounded_slowdown": slowed,
            "core_hours": hours,
            "share_of_core_hours": part,
        }
        for code, jobs, wait, slowed, hours, part in columns
    ]
