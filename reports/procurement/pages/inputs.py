"""What was given: quotes, site, work, and where each comes from."""

from __future__ import annotations

from collections.abc import Sequence

from planner.formatting import DASH, capitalised, clipped, given, plural
from planner.procurement.study import ProcurementStudy
from reports.blocks import Block, Drawn, Page, grid, partly, text
from reports.grid import Table, table
from reports.numbers import fixed, typed
from reports.procurement.pages.shared_sources import SCENARIO, Shared, Stated, factored
from reports.procurement.pages.site import NOT_STATED, site, site_sources
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
    given_site, based = site(study)
    caption = f"Site, money and policy{based}"
    if scenario.power is not None:
        caption += "; PUE: power of the whole site over that of its computers"
    blocks.append(grid(given_site, caption, small=True))
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
                "Performance follows a roofline model. Clock share: the part of a workload's time "
                "that scales with the compute rate and the clock of a node; the rest scales with "
                "its memory bandwidth. Power share: power above idle at full clock, as a share of "
                "the peak's."
            )
        )
    caption = "Workloads, and their weights in the score"
    if not _timed(study):
        caption += "; all are rated by throughput"
    blocks.append(grid(_workloads(study), caption, small=True))
    if scenario.demands:
        scored = study.plan is not None and bool(study.plan.scores)
        caption = "Demand scenarios" + (", and the score of the plan in each" if scored else "")
        blocks.append(grid(_demands(study), caption, small=True))
    return Page("Which workloads must it run?", f"{answer}.", tuple(blocks))


def sources(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """Where each input was read, and where its figures come from; what several share once."""
    fallback = study.scenario.source or NOT_STATED
    every = len(study.scenario.node_types) + len(study.scenario.workloads)
    stated = [
        Stated(
            clipped(node_type.title, 60),
            node_type.origin or SCENARIO,
            node_type.source or fallback,
            "quotes",
        )
        for node_type in _shown(study)
    ]
    stated += [
        Stated(
            clipped(workload.name, 60),
            SCENARIO,
            getattr(workload.performance, "source", "") or workload.source or fallback,
            "workloads",
        )
        for workload in study.scenario.workloads
    ]
    shared, own = factored(stated)
    blocks: list[Block] = []
    places = [source.with_place for source in stated if source.place]
    sentences = []
    if any("'!" in place for place in places):
        sentences.append("A place in a file is written as file: 'sheet'!row.")
    site_rows = site_sources(study)
    if len(site_rows) == 1:
        sentences.append(f"Inputs of the site: \u201c{site_rows[0][1]}\u201d.")
    if len(shared) <= _FEW_SOURCES:
        sentences += [
            f"{capitalised(', '.join(each.inputs))}: \u201c{each.words}\u201d." for each in shared
        ]
    if places and not own:
        sentences.append(f"Read from: {'; '.join(places)}.")
    if sentences:
        blocks.append(text(" ".join(sentences)))
    if len(site_rows) > 1:
        heads = (("Inputs of the site", False), ("Source", False))
        given_site = table(heads, (2.1, 3.9), site_rows)
        blocks.append(grid(given_site, "Sources of the site's inputs", small=True))
    if len(shared) > _FEW_SOURCES:
        heads = (("Source that several inputs share", False), ("Inputs", False))
        rows = [(each.words, ", ".join(each.inputs)) for each in shared]
        blocks.append(grid(table(heads, (3.4, 2.6), rows), _shared_caption(shared), small=True))
    if own:
        heads = (("Input, and where it was read", False), ("Source", False))
        caption = (
            "Further sources" if shared else "Sources as the scenario and the quotes state them"
        )
        caption = partly(caption, len(stated), every)
        blocks.append(grid(table(heads, (1.5, 5), own), caption, small=True))
    return Page("Appendix: where the inputs come from", "", tuple(blocks))


_FEW_SOURCES = 2
"""As many shared sources are sentences; more are a table."""


def _shared_caption(shared: Sequence[Shared]) -> str:
    numbered = any(each.numbered for each in shared)
    return "Sources that several inputs share" + (
        "; [a], [b]: numbers that differ, in brackets behind each input" if numbered else ""
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


def _timed(study: ProcurementStudy) -> bool:
    """Whether some workload is rated by its time to solution."""
    return any(workload.rating == "time_to_solution" for workload in study.scenario.workloads)


def _workloads(study: ProcurementStudy) -> Table:
    """A row per workload; what all of them share is in the caption or the text above."""
    workloads = study.scenario.workloads
    roofline = all(isinstance(workload.performance, Roofline) for workload in workloads)
    columns: list[tuple[str, bool]] = [("Workload", False), ("Weight", True)]
    columns += [("Rated by", False)] if _timed(study) else []
    columns += [("Runs on node types", False)]
    columns += [("Clock share", True), ("Power share", True)] if roofline else [
        ("Performance", False)
    ]  # fmt: skip
    total = sum(workload.weight for workload in workloads) or 1.0
    stated = (node_type.kind for node_type in study.scenario.node_types)
    kinds = ", ".join(dict.fromkeys(kind for kind in stated if kind)) or "all"
    rows = []
    for workload in workloads:
        row = [clipped(workload.name, 60), f"{100 * workload.weight / total:.1f} %"]
        if _timed(study):
            timed = workload.rating == "time_to_solution"
            row.append("time to solution" if timed else "throughput")
        row.append(", ".join(workload.kinds) or kinds)
        model = workload.performance
        if roofline and isinstance(model, Roofline):
            row += [given(model.clock_bound), given(model.power_intensity)]
        else:
            row.append(_performance(workload))
        rows.append(row)
    width = {"Workload": 1.8, "Weight": 0.7, "Performance": 3.0}
    return table(columns, [width.get(name, 1.1) for name, _ in columns], rows)


def _performance(workload: Workload) -> str:
    model = workload.performance
    if model is None:
        return "run time over the node count"
    if isinstance(model, Roofline):
        clock, power = given(model.clock_bound), given(model.power_intensity)
        return f"roofline: clock share {clock}, power share {power}"
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
