"""A sharing as plain rows: sheets of the workbook, and the data of figures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from planner.configurations.rows import repetition_tables
from planner.configurations.sharing.problem import SharingPlan
from solvers import Certificate

if TYPE_CHECKING:
    from planner.configurations.sharing.result import SharingResult

Row = dict[str, Any]
MOST_SINGLE = 24
"""Jobs that are shown one by one; more are grouped where they are alike."""


def tables(result: SharingResult) -> dict[str, list[Row]]:
    """Every table by its name; empty ones are left out."""
    shared, rules = result.shared, result.shared.rules
    named = {
        "jobs": jobs(result.plan),
        "methods": [_method(result, plan) for plan in (shared.plan, *rules.values())]
        + [
            {"method": name, "reason": why.values.get("why", why.kind)}
            for name, why in shared.refused.items()
        ],
        **{f"jobs by {name}": jobs(rule) for name, rule in rules.items()},
        "certificates": [
            _certificate(subject, certificate)
            for subject, certificate in result.certificates.items()
        ],
        **repetition_tables(result.repeats, result.spreads),
    }
    return {name: rows for name, rows in named.items() if rows}


def jobs(plan: SharingPlan) -> list[Row]:
    """How each job runs."""
    pairs = zip(plan.problem.jobs, plan.configurations, strict=True)
    return [
        {"job": number, "application": job.name, "weight": job.weight,
         "configuration": str(configuration)}
        | configuration.to_dict()
        | {"share_of_bound": configuration.power_w / plan.problem.bound.bound_w}
        for number, (job, configuration) in enumerate(pairs, 1)
    ]  # fmt: skip


def alike(plan: SharingPlan) -> list[Row]:
    """Jobs of one application in one configuration, taken together, those that draw most first."""
    found: dict[tuple[str, str], Row] = {}
    for row in jobs(plan):
        group = found.setdefault(
            (row["application"], row["configuration"]),
            {"application": row["application"], "configuration": row["configuration"], "jobs": 0,
             "time_s": row["time_s"], "power_w": 0.0, "share_of_bound": 0.0},
        )  # fmt: skip
        group["jobs"] += 1
        group["power_w"] += row["power_w"]
        group["share_of_bound"] += row["share_of_bound"]
    return sorted(found.values(), key=lambda row: -float(row["power_w"]))


def _method(result: SharingResult, plan: SharingPlan) -> Row:
    rule = plan is not result.plan
    slower, faster, largest = changes(result.plan, plan) if rule else (None, None, None)
    return {
        "method": plan.method if rule else "plan",
        "weighted_time_s": plan.weighted_time_s,
        "makespan_s": plan.makespan_s,
        "power_w": plan.power_w,
        "nodes": plan.nodes,
        "above_the_bound": result.shared.above_bound(plan),
        "worse": plan.value / result.plan.value - 1 if rule and result.plan.value else None,
        "slower": slower,
        "faster": faster,
        "largest_slowdown": largest,
        "reason": None,
    }


def changes(plan: SharingPlan, rule: SharingPlan) -> tuple[int, int, float]:
    """How many jobs a rule makes slower, how many faster, and by how much one at most."""
    pairs = zip(plan.configurations, rule.configurations, strict=True)
    ratios = [theirs.time_s / ours.time_s for ours, theirs in pairs]
    return sum(r > 1 for r in ratios), sum(r < 1 for r in ratios), max(0.0, max(ratios) - 1)


def slowed(plan: SharingPlan, rule: SharingPlan) -> tuple[tuple[str, ...], float]:
    """The applications of jobs that a rule makes slower, most first, and by how much at most."""
    pairs = zip(plan.problem.jobs, plan.configurations, rule.configurations, strict=True)
    ratios = [(theirs.time_s / ours.time_s, job.name) for job, ours, theirs in pairs]
    ratios.sort(key=lambda each: -each[0])
    names = dict.fromkeys(name for ratio, name in ratios if ratio > 1)
    return tuple(names), max(0.0, ratios[0][0] - 1)


def _certificate(subject: str, certificate: Certificate) -> Row:
    return {
        "what": subject,
        "status": certificate.status.value,
        "level": certificate.level.value,
        "value": certificate.objective,
        "bound": certificate.bound,
        "gap_relative": certificate.gap_relative,
        "stopped": certificate.stop.value,
        "solver": certificate.solver,
    }


def times(result: SharingResult) -> Iterator[Row]:
    """Time of each job by each method; of many jobs the mean and the ends of each application."""
    for plan in result.plans:
        label = "plan" if plan is result.plan else plan.method
        if len(plan.configurations) <= MOST_SINGLE:
            for row in jobs(plan):
                name = f"{row['job']} {row['application']}"
                yield {"method": label, "job": name, "time_s": row["time_s"]}
            continue
        found: dict[str, list[float]] = {}
        for row in jobs(plan):
            found.setdefault(row["application"], []).append(row["time_s"])
        for name, values in found.items():
            mean = sum(values) / len(values)
            yield {"method": label, "job": name, "time_s": mean}


def watts(result: SharingResult) -> Iterator[Row]:
    """Power of each application, and what is unused, by method."""
    bound_w = result.problem.bound.bound_w
    for plan in result.plans:
        label = "plan" if plan is result.plan else plan.method
        found: dict[str, float] = {}
        for job, configuration in zip(plan.problem.jobs, plan.configurations, strict=True):
            found[job.name] = found.get(job.name, 0.0) + configuration.power_w
        for name, power_w in found.items():
            yield {"method": label, "part": name, "power_w": power_w}
        yield {"method": label, "part": None, "power_w": max(0.0, bound_w - plan.power_w)}


def risks(result: SharingResult) -> list[Row]:
    """The repetitions of each chosen configuration."""
    pairs = dict(zip(result.chosen, result.risks, strict=True))
    return [
        {"application": name, "configuration": str(chosen), "runs": seen.repetitions,
         "best_s": seen.best_s, "median_s": seen.median_s, "worst_s": seen.worst_s,
         "largest_power_w": seen.largest_power_w, "runs_over_bound": seen.runs_over_bound}
        for (name, chosen), seen in pairs.items()
    ]  # fmt: skip
