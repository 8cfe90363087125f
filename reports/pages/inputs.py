"""What was given: quotes, site, money, work, and where each comes from."""

from __future__ import annotations

from planner.procurement.study import ProcurementStudy
from reports.grid import Table, table
from reports.numbers import clipped, typed
from reports.pages.blocks import Drawn, Page, grid
from reports.pages.site import site
from reports.units import given
from scenarios.models import Workload
from scenarios.node_types import NodeType
from scenarios.procurement import Roofline


def page(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """Quotes, site and work with sources."""
    scenario, problem = study.scenario, study.problem
    vendors = {each.vendor for each in scenario.node_types}
    answer = (
        f"{len(scenario.node_types)} quotes of {len(vendors)} vendors, {len(scenario.workloads)} "
        f"workloads and {len(problem.scenario_names)} demand scenario"
        f"{'s' * (len(problem.scenario_names) != 1)} were given"
    )
    left_out = problem.excluded
    answer += f"; {len(left_out)} quotes cannot be bought." if left_out else "; none is excluded."
    blocks = [grid(_quotes(study), "Quotes", small=True)]
    if left_out:
        rows = [(each.name, each.vendor, each.reason) for each in left_out]
        heads = (("Quote", False), ("Vendor", False), ("Why it cannot be bought", False))
        blocks.append(grid(table(heads, (1, 1, 3), rows), "Excluded quotes", small=True))
    blocks += [
        grid(site(study), "Site, money and policy", small=True),
        grid(_workloads(study), "Workloads", small=True),
    ]
    if scenario.demands:
        blocks.append(grid(_demands(study), "Demand scenarios", small=True))
    blocks.append(grid(_sources(study), "Where quotes and workloads come from", small=True))
    return Page("What was given?", answer, tuple(blocks))


def _quotes(study: ProcurementStudy) -> Table:
    currency = study.problem.prices.currency
    columns = (
        ("Quote", False), ("Vendor", False), (f"Price ({currency})", True), ("Idle (W)", True),
        ("Peak (W)", True), ("Caps (W)", False), ("Memory (GB)", True), ("Cooling", False),
        ("Lead (weeks)", True), ("On offer", True),
    )  # fmt: skip
    rows = [
        (
            f"{clipped(each.title, 60)}" + (f" [{each.name}]" if each.label else ""),
            clipped(each.vendor or "–", 40),  # noqa: RUF001
            typed(each.price) + _discounts(each),
            typed(each.idle_w),
            typed(each.peak_w),
            _caps(each.package_caps_w),
            typed(each.memory_gb),
            each.cooling,
            typed(each.lead_weeks),
            _quantities(each),
        )
        for each in study.scenario.node_types
    ]
    return table(columns, (2.0, 1.1, 1.2, 0.7, 0.8, 1.1, 0.9, 0.9, 0.8, 0.9), rows)


def _discounts(node_type: NodeType) -> str:
    return "".join(
        f"; from {each.from_quantity:,} −{given(each.fraction)}"  # noqa: RUF001
        for each in node_type.discounts
    )


def _caps(caps: tuple[float, ...]) -> str:
    if len(caps) > 3:
        return f"{min(caps):g} to {max(caps):g} ({len(caps)})"
    return ", ".join(f"{cap:g}" for cap in caps) or "none"


def _quantities(node_type: NodeType) -> str:
    low, high = node_type.minimum_quantity, node_type.maximum_quantity
    if high is None:
        return "any" if low == 1 else f"from {low:,}"
    return f"to {high:,}" if low == 1 else f"{low:,} to {high:,}"


def _workloads(study: ProcurementStudy) -> Table:
    columns = (
        ("Workload", False), ("Weight", True), ("Rated by", False), ("Kinds", False),
        ("Performance", False),
    )  # fmt: skip
    total = sum(each.weight for each in study.scenario.workloads) or 1.0
    rows = [
        (
            clipped(each.name, 60),
            f"{100 * each.weight / total:.1f} %",
            "time to solution" if each.rating == "time_to_solution" else "throughput",
            ", ".join(each.kinds) or "all",
            _performance(each),
        )
        for each in study.scenario.workloads
    ]
    return table(columns, (1.6, 0.7, 1.2, 0.9, 3), rows)


def _performance(workload: Workload) -> str:
    model = workload.performance
    if model is None:
        return "run time over the node count"
    if isinstance(model, Roofline):
        return (
            f"roofline: {given(model.clock_bound)} of the time scales with the clock, power "
            f"{given(model.power_intensity)} of the peak's above idle"
        )
    rows = len(model.rows) if model.kind == "table" else len(model.runs)
    what = "figures of merit" if model.kind == "table" else "run-time curves"
    return f"{what} as measured: {rows}"


def _demands(study: ProcurementStudy) -> Table:
    columns = (("Demand", False), ("Probability", True), ("Factors on weights", False))
    rows = [
        (
            each.name,
            given(each.probability),
            ", ".join(f"{name} x {value:g}" for name, value in each.factors.items()) or "none",
        )
        for each in study.scenario.demands
    ]
    return table(columns, (1.3, 0.7, 3), rows)


def _sources(study: ProcurementStudy) -> Table:
    fallback = study.scenario.source or "not stated"
    rows = [
        (
            clipped(each.title, 60),
            each.origin or "the scenario",
            each.source or fallback,
        )
        for each in study.scenario.node_types
    ]
    rows += [
        (
            clipped(each.name, 60),
            "the scenario",
            getattr(each.performance, "source", "") or each.source or fallback,
        )
        for each in study.scenario.workloads
    ]
    columns = (("Input", False), ("Read from", False), ("Source", False))
    return table(columns, (1.2, 1.2, 4), rows)
