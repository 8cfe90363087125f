"""What was given: quotes, site, work, and where each comes from."""

from __future__ import annotations

from planner.formatting import DASH, clipped, given, plural
from planner.procurement.study import ProcurementStudy
from reports.blocks import Block, Drawn, Page, grid, partly, text
from reports.grid import Table, table
from reports.numbers import fixed, typed
from reports.procurement.pages.site import site
from scenarios.model.node_types import NodeType
from scenarios.model.procurement import Roofline
from scenarios.model.scenario import Workload

_MOST = 60  # rows
_FEW_CAPS = 3
"""More caps of a node type are shown by their range."""


def quotes(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """What is on offer, and what bounds the plan."""
    scenario, left_out = study.scenario, study.problem.excluded
    vendors = {node_type.vendor for node_type in scenario.node_types}
    answer = f"{plural(len(scenario.node_types), 'quote')} from {plural(len(vendors), 'vendor')}"
    answer += f"; {len(left_out)} excluded." if left_out else "; none is excluded."
    caption = partly("Quotes", len(_shown(study)), len(scenario.node_types))
    if any(node_type.discounts for node_type in _shown(study)):
        caption += "; prices fall from a quantity on"
    if any(len(node_type.package_caps_w) > _FEW_CAPS for node_type in _shown(study)):
        caption += "; in brackets: how many caps"
    blocks = [grid(_quotes(study), caption, small=True)]
    if left_out:
        rows = [
            (exclusion.name, clipped(exclusion.vendor, 40), exclusion.reason)
            for exclusion in left_out[:_MOST]
        ]
        heads = (("Quote", False), ("Vendor", False), ("Why it is excluded", False))
        caption = partly("Excluded quotes", len(rows), len(left_out))
        blocks.append(grid(table(heads, (1, 1, 3), rows), caption, small=True))
    given_site, source = site(study)
    blocks.append(grid(given_site, f"Site, money and policy{source}", small=True))
    return Page("What was quoted, and for which site?", answer, tuple(blocks))


def work(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """Workloads and how demand may shift."""
    scenario, count = study.scenario, len(study.problem.scenario_names)
    reference = scenario.reference
    answer = f"{plural(len(scenario.workloads), 'workload')} in {plural(count, 'demand scenario')}"
    if reference is not None:
        answer += f", measured against {clipped(reference.name, 60)} ({reference.nodes:,} nodes)"
    blocks: list[Block] = []
    if any(isinstance(workload.performance, Roofline) for workload in scenario.workloads):
        blocks.append(
            text(
                "Roofline model: part of a workload's time scales with the compute rate and the "
                "clock of a node (clock), the rest with its memory bandwidth. Power is that above "
                "idle at full clock, as a share of the peak's."
            )
        )
    blocks.append(grid(_workloads(study), "Workloads, and their weights in the score", small=True))
    if scenario.demands:
        scored = study.plan is not None and bool(study.plan.scores)
        caption = "Demand scenarios" + (", and the score of the plan in each" if scored else "")
        blocks.append(grid(_demands(study), caption, small=True))
    return Page("Which workloads must it run?", f"{answer}.", tuple(blocks))


def sources(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """Where each input was read, and where its figures come from."""
    every = len(study.scenario.node_types) + len(study.scenario.workloads)
    listed = len(_shown(study)) + len(study.scenario.workloads)
    caption = partly("Sources as the scenario and the quotes state them", listed, every)
    return Page(
        "Appendix: where the inputs come from",
        "",
        (grid(_sources(study), caption, small=True),),
    )


def _shown(study: ProcurementStudy) -> list[NodeType]:
    """As many quotes as people read, in their order; of more, those bought come first."""
    every = list(study.scenario.node_types)
    if len(every) <= _MOST:
        return every
    bought = {purchase.name for purchase in study.plan.purchases} if study.plan else set()
    return sorted(every, key=lambda node_type: node_type.name not in bought)[:_MOST]


def _quotes(study: ProcurementStudy) -> Table:
    currency = study.problem.prices.currency
    columns = (
        ("Quote", False), ("Vendor", False), (f"Price ({currency})", True), ("Idle (W)", True),
        ("Peak (W)", True), ("Package caps (W)", False), ("Memory (GB)", True), ("Cooling", False),
        ("Lead (weeks)", True), ("On offer", True),
    )  # fmt: skip
    rows = [
        (
            clipped(node_type.title, 40)
            + (f" [{clipped(node_type.name, 24)}]" if node_type.label else ""),
            clipped(node_type.vendor or DASH, 24),
            typed(node_type.price) + _discounts(node_type),
            typed(node_type.idle_w),
            typed(node_type.peak_w),
            _caps(node_type.package_caps_w),
            typed(node_type.memory_gb),
            node_type.cooling,
            typed(node_type.lead_weeks),
            _quantities(node_type),
        )
        for node_type in _shown(study)
    ]
    return table(columns, (2.1, 1.1, 1.2, 0.7, 0.7, 1.35, 0.9, 0.85, 0.8, 0.85), rows)


def _discounts(node_type: NodeType) -> str:
    return "".join(
        f"; from {discount.from_quantity:,} −{given(discount.fraction)}"  # noqa: RUF001
        for discount in node_type.discounts
    )


def _caps(caps: tuple[float, ...]) -> str:
    if len(caps) > _FEW_CAPS:
        return f"{min(caps):g} to {max(caps):g} ({len(caps)})"
    return ", ".join(f"{cap:g}" for cap in caps) or "none"


def _quantities(node_type: NodeType) -> str:
    low, high = node_type.minimum_quantity, node_type.maximum_quantity
    if high is None:
        return "any" if low == 1 else f"from {low:,}"
    return f"to {high:,}" if low == 1 else f"{low:,} to {high:,}"


def _workloads(study: ProcurementStudy) -> Table:
    columns = (
        ("Workload", False), ("Weight", True), ("Rated by", False), ("Runs on", False),
        ("Performance", False),
    )  # fmt: skip
    total = sum(workload.weight for workload in study.scenario.workloads) or 1.0
    rows = [
        (
            clipped(workload.name, 60),
            f"{100 * workload.weight / total:.1f} %",
            "time to solution" if workload.rating == "time_to_solution" else "throughput",
            ", ".join(workload.kinds) or "all",
            _performance(workload),
        )
        for workload in study.scenario.workloads
    ]
    return table(columns, (1.6, 0.7, 1.2, 0.9, 3), rows)


def _performance(workload: Workload) -> str:
    model = workload.performance
    if model is None:
        return "run time over the node count"
    if isinstance(model, Roofline):
        return f"roofline: clock {given(model.clock_bound)}, power {given(model.power_intensity)}"
    rows = len(model.rows) if model.kind == "table" else len(model.runs)
    subject = "figures of merit" if model.kind == "table" else "run-time curves"
    return f"{subject} as measured: {rows}"


def _demands(study: ProcurementStudy) -> Table:
    scores = dict(zip(study.problem.scenario_names, study.plan.scores if study.plan else (),
                      strict=False))  # fmt: skip
    columns = [("Demand", False), ("Probability", True), ("Factors on weights", False)]
    columns += [("Score", True)] if scores else []
    rows = [
        (
            demand.name,
            given(demand.probability),
            ", ".join(f"{name} x {value:g}" for name, value in demand.factors.items()) or "none",
            *([fixed(scores.get(demand.name), 3)] if scores else []),
        )
        for demand in study.scenario.demands
    ]
    return table(columns, (1.3, 0.7, 3, 0.6)[: len(columns)], rows)


def _sources(study: ProcurementStudy) -> Table:
    fallback = study.scenario.source or "not stated"
    rows = [
        (
            clipped(node_type.title, 60),
            node_type.origin or "the scenario",
            node_type.source or fallback,
        )
        for node_type in _shown(study)
    ]
    rows += [
        (
            clipped(workload.name, 60),
            "the scenario",
            getattr(workload.performance, "source", "") or workload.source or fallback,
        )
        for workload in study.scenario.workloads
    ]
    columns = (("Input", False), ("Read from", False), ("Source", False))
    return table(columns, (1.1, 1.15, 4.6), rows)
