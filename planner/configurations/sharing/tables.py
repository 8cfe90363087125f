"""A sharing as tables: rows of plain values, as in the workbook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from planner.configurations.repeats import Repeats
from planner.configurations.sharing.problem import Plan
from planner.configurations.tables import repetition_tables
from scenarios.measurements.spread import RepetitionSpread
from solvers import Certificate

if TYPE_CHECKING:
    from planner.configurations.sharing.share import Shared

Row = dict[str, Any]


def tables(
    shared: Shared,
    certificates: Mapping[str, Certificate],
    repeated: Sequence[Repeats],
    spreads: Sequence[RepetitionSpread],
) -> dict[str, list[Row]]:
    """Every table by its name."""
    rules = shared.rules
    return {
        "jobs": _jobs(shared.plan),
        "methods": [_method(shared, each) for each in (shared.plan, *rules.values())]
        + [{"method": name, "reason": reason} for name, reason in shared.refused.items()],
        **{f"jobs by {name}": _jobs(rule) for name, rule in rules.items()},
        "certificates": [_certificate(what, each) for what, each in certificates.items()],
        **repetition_tables(repeated, spreads),
    }


def _jobs(plan: Plan) -> list[Row]:
    pairs = zip(plan.problem.jobs, plan.configurations, strict=True)
    return [
        {"job": place, "application": job.name, "weight": job.weight}
        | found.to_dict()
        | {"share_of_bound": found.power_w / plan.problem.bound.bound_w}
        for place, (job, found) in enumerate(pairs, 1)
    ]


def _method(shared: Shared, plan: Plan) -> Row:
    return {
        "method": plan.method,
        "weighted_time_s": plan.weighted_time_s,
        "makespan_s": plan.makespan_s,
        "power_w": plan.power_w,
        "nodes": plan.nodes,
        "above_the_bound": shared.above_bound(plan),
        "reason": None,
    }


def _certificate(what: str, found: Certificate) -> Row:
    return {
        "what": what,
        "status": found.status.value,
        "level": found.level.value,
        "value": found.objective,
        "bound": found.bound,
        "gap_relative": found.gap_relative,
        "stopped": found.stop.value,
        "solver": found.solver,
        "notes": "; ".join(found.notes),
    }
