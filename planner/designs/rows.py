"""Rows of the tables of a comparison of designs, and of those that its figures draw."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from planner.designs.break_even import MIX
from planner.designs.overprovisioning import node_counts
from planner.errors import PlanError
from planner.formatting import amount

if TYPE_CHECKING:
    from planner.designs.break_even import Curves, Step
    from planner.designs.result import DesignResult

Row = dict[str, Any]

MOST_DRAWN = 6
"""Applications with curves: those whose result is reversed first."""
LARGEST_DRAWN = 4.0
"""Speedups above this are not drawn: there an extrapolated line runs to zero."""
_SAMPLED = 5
"""Every fifth point of a curve over r_p is drawn."""


def designs(result: DesignResult) -> list[Row]:
    """Both designs: what each buys, and what limits it."""
    if not result.overprovisioning:
        return []
    first, case = result.overprovisioning[0], result.cases[0]
    high_end, older = node_titles(result)
    return [
        {
            "design": "worst-case", "node_type": high_end, "power_per_node_w": case.high_end_peak_w,
            "nodes_by_power": first.nodes_worst_case, "nodes_by_money": first.nodes_worst_case,
            "nodes": first.nodes_worst_case, "degree": 1.0,
        },
        {
            "design": "overprovisioned", "node_type": older, "power_per_node_w": case.older_idle_w,
            "nodes_by_power": first.node_limit,
            "nodes_by_money": math.floor(node_counts(case).cost),
            "nodes": first.nodes_overprovisioned, "degree": first.degree_of_overprovisioning,
        },
    ]  # fmt: skip


def node_titles(result: DesignResult) -> tuple[str, str]:
    """Titles of the high-end and the older node type."""
    question = result.scenario.overprovisioning
    if question is None:
        return "", ""
    types = question.high_end, question.older
    high_end, older = (result.scenario.node_type(name).title for name in types)
    return high_end, older


def readings(result: DesignResult) -> list[Row]:
    """The plan as assumed, and other readings of its inputs."""
    decision = result.decision
    if decision is None:
        return []
    first = result.overprovisioning[0]
    measured = not result.unmeasured("clamped") and not result.unmeasured("extrapolated")
    assumed = {
        "reading": "as assumed", "cost_ratio": first.cost_ratio,
        "nodes_worst_case": first.nodes_worst_case,
        "nodes_overprovisioned": first.nodes_overprovisioned,
        "speedup": decision.mix_speedup, "beneficial": decision.mix_speedup > 1,
        "measured": measured,
    }  # fmt: skip
    return [assumed] + [
        {
            "reading": each.kind, "cost_ratio": each.cost_ratio,
            "nodes_worst_case": each.nodes_worst_case,
            "nodes_overprovisioned": each.nodes_overprovisioned,
            "speedup": each.mix_speedup, "beneficial": each.mix_speedup > 1,
            "measured": each.measured,
        }
        for each in decision.readings
    ]  # fmt: skip


def run_times(compared: list[Row]) -> list[Row]:
    """The run times, and which design is faster where they print apart."""
    keys = ("time_worst_case_s", "time_overprovisioned_s")
    return [
        row | {"faster": "tie" if len({amount(row[key], "s") for key in keys}) == 1
               else row["beneficial"]}
        for row in compared
    ]  # fmt: skip


def turning(result: DesignResult) -> list[Row]:
    """From which value of each input on the result reverses, the mix first."""
    if result.decision is None:
        return []
    names = [each.application for each in result.overprovisioning]
    now, case = result.cases[0], [MIX, *names]
    units = {"cost_ratio": "given", "power_bound_w": "W given",
             "performance_fraction": "share given"}  # fmt: skip
    turns = sorted(result.turning, key=lambda turn: case.index(turn.application))
    return [
        {
            "application": turn.application, "input": turn.parameter, "side": turn.side,
            "value": turn.threshold, "now": _inputs(now)[turn.parameter],
            "unit": units[turn.parameter], "extrapolated": turn.extrapolated,
        }
        for turn in turns
    ]  # fmt: skip


def changed(result: DesignResult) -> list[Row]:
    """The decision with one input changed: all inputs, the nodes, and how the mix fares."""
    if result.decision is None:
        return []
    case, first = result.cases[0], result.overprovisioning[0]
    name = MIX if len(result.cases) > 1 else first.application
    rows = [
        {"changed": "as assumed", "nodes_worst_case": first.nodes_worst_case,
         "nodes_overprovisioned": first.nodes_overprovisioned,
         "speedup": result.decision.mix_speedup, "beneficial": result.decision.mix_speedup > 1,
         "extrapolated": bool(result.unmeasured("extrapolated")), **_inputs(case)}
    ]  # fmt: skip
    for row in result.sensitivity:
        if row.application == name:
            change: dict[str, Any] = {row.parameter: row.value}
            inputs = _inputs(replace(case, **change))
            rows.append({"changed": row.parameter, **asdict(row), **inputs})
    keys = list(rows[0])
    return [{key: row[key] for key in keys} for row in rows]


def _inputs(case: Any) -> Row:
    """The three inputs of a case; the cost ratio as it is bought."""
    try:
        ratio = float(node_counts(case).cost_ratio)
    except PlanError:
        ratio = case.cost_ratio
    return {
        "cost_ratio": ratio,
        "power_bound_w": case.power_bound_w,
        "performance_fraction": case.performance_fraction,
    }


def inputs(given: Any, path: str = "") -> list[Row]:
    """Every value that was given, by its path."""
    if isinstance(given, dict):
        parts = [(f"{path}.{key}" if path else key, value) for key, value in given.items()]
    elif isinstance(given, list) and given and isinstance(given[0], dict):
        parts = [(f"{path}[{number}]", value) for number, value in enumerate(given, 1)]
    elif isinstance(given, list):
        return [{"input": path, "value": ", ".join(map(str, given))}] if given else []
    else:
        return [] if given is None or given == "" else [{"input": path, "value": given}]
    return [row for key, value in parts for row in inputs(value, key)]


def programs(result: DesignResult) -> list[Row]:
    """Each program next to the closed form."""
    return [
        {
            "application": check.application,
            "design": check.design,
            "node_type": check.plan.node_type,
            "nodes": check.plan.nodes,
            "time_s": check.plan.time_s,
            "closed_form_nodes": check.closed_form.nodes,
            "closed_form_time_s": check.closed_form.time_s,
            "agrees": check.agrees,
            "status": check.certificate.status.value,
            "level": check.certificate.level.value,
            "bound_s": check.certificate.bound,
            "gap_relative": check.certificate.gap_relative,
            "solver": check.certificate.solver,
            "model_digest": check.certificate.model_digest,
        }
        for check in result.designs
    ]


def applications(result: DesignResult) -> list[Row]:
    """The run-time curves on older nodes as they were given."""
    rows = []
    for workload in result.scenario.workloads if result.cases else ():
        model = workload.run_time
        row: Row = {
            "application": workload.name,
            "weight": workload.weight,
            "measured_nodes": tuple(model.measured_nodes),
            "source": model.source or None,
        }
        if model.kind == "linear":
            row |= {"slope_s_per_node": model.slope_s_per_node, "intercept_s": model.intercept_s,
                    "declared_nodes": model.declared_nodes}  # fmt: skip
        else:
            row |= {"points": len(model.nodes)}
        rows.append(row)
    return rows


def cost_parts(result: DesignResult) -> list[Row]:
    """Parts of the cost, per year and per used core-hour; their sum last."""
    cost = result.core_hour
    if cost is None:
        return []
    parts = (
        ("acquisition", cost.acquisition_per_year), ("maintenance", cost.maintenance_per_year),
        ("energy", cost.energy_per_year), ("staff", cost.staff_per_year),
        ("total", cost.total_per_year),
    )  # fmt: skip
    return [
        {"part": part, "per_year": value, "share": value / cost.total_per_year,
         "per_core_hour": value / cost.core_hours_per_year}
        for part, value in parts
    ]  # fmt: skip


def bills(result: DesignResult) -> list[Row]:
    """The cost of a core-hour by the power billed."""
    cost, machine = result.core_hour, result.scenario.machine
    if cost is None or machine is None:
        return []
    every = (
        ("stated", None, cost.energy_per_year if cost.energy_stated else None,
         cost.cost_per_core_hour),
        ("provisioned", machine.power_provisioned_w, cost.energy_provisioned_per_year,
         cost.cost_per_core_hour_provisioned),
        ("used", machine.power_used_w, cost.energy_used_per_year, cost.cost_per_core_hour_used),
    )  # fmt: skip
    return [
        {"bill": bill, "power_w": power_w, "energy_per_year": energy, "per_core_hour": price}
        for bill, power_w, energy, price in every
        if energy is not None
    ]


def speedups(result: DesignResult) -> list[Row]:
    """Both readings of "faster by" for each application."""
    pairs = list(zip(result.overprovisioning, result.other_reading, strict=True))
    return [
        {"application": each.application, "reading": reading, "speedup": each.speedup}
        for reading, index in (("as assumed", 0), ("faster by", 1))
        for pair in pairs
        if (each := pair[index]) is not None
    ]


def steps(result: DesignResult, parameter: str) -> list[Row]:
    """The steps of the speedup over the cost ratio or over the power bound."""
    return [
        {"application": curve.application, "start": step.start, "end": step.end,
         "speedup": _drawn(step.speedup), "extrapolated": step.extrapolated}
        for curve in _curves(result)
        for step in _joined(getattr(curve, parameter))
    ]  # fmt: skip


def over_performance(result: DesignResult) -> list[Row]:
    """The speedup over r_p."""
    return [
        {"application": curve.application, "performance_fraction": fraction,
         "speedup": _drawn(speedup)}
        for curve in _curves(result)
        for fraction, speedup in curve.performance[::_SAMPLED]
    ]  # fmt: skip


def drawn(result: DesignResult) -> list[str]:
    """What is particular in the figures: few curves, pale steps, values that are not drawn."""
    curves = _curves(result)
    steps = [step for curve in curves for step in (*curve.cost_ratio, *curve.power_bound_w)]
    speedups = [*(step.speedup for step in steps),
                *(speedup for curve in curves for _, speedup in curve.performance)]  # fmt: skip
    found = {
        "few": len(curves) < len(result.curves),
        "pale": any(step.extrapolated for step in steps),
        "high": any(each is not None and each > LARGEST_DRAWN for each in speedups),
    }
    return [name for name, is_so in found.items() if is_so]


def _drawn(speedup: float | None) -> float | None:
    return None if speedup is None or speedup > LARGEST_DRAWN else speedup


def _curves(result: DesignResult) -> list[Curves]:
    """The curves of the applications whose speedup is nearest to 1, in their order."""
    pairs = list(zip(result.curves, result.overprovisioning, strict=True))
    near = sorted(pairs, key=lambda pair: max(pair[1].speedup, 1 / pair[1].speedup))[:MOST_DRAWN]
    return [curve for curve, comparison in pairs if (curve, comparison) in near]


def _joined(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Neighbouring steps of one value as one."""
    last = None
    for step in steps:
        if last is not None and (last.speedup, last.extrapolated) == (
            step.speedup, step.extrapolated
        ):  # fmt: skip
            last = replace(last, end=step.end)
            continue
        if last is not None:
            yield last
        last = step
    if last is not None:
        yield last
