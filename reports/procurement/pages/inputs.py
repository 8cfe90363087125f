"""What was given: quotes, site, work, and where each comes from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from planner.formatting import DASH, capitalised, clipped, given, plural, words
from planner.procurement.study import ProcurementStudy
from reports.blocks import Block, Drawn, Page, grid, partly, text
from reports.grid import Table, headed, table
from reports.numbers import fixed, typed
from reports.procurement.pages.shared_sources import Shared, Stated, factored
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
        caption += "; (): number of caps"
    if any(node_type.label for node_type in _shown(study)):
        caption += "; []: name in the scenario"
    blocks = [grid(_quotes(study), caption, small=True)]
    if left_out:
        rows = [
            (exclusion.name, clipped(exclusion.vendor, 40), exclusion.reason)
            for exclusion in left_out[:_MOST]
        ]
        heads = (("Quote", False), ("Vendor", False), ("Why it is excluded", False))
        caption = partly("Excluded quotes", len(rows), len(left_out))
        blocks.append(grid(table(heads, (1, 1, 3), rows), caption, small=True))
    caption = "Site, money and policy"
    if scenario.power is not None:
        caption += "; PUE: power of the whole site over that of its computers"
    blocks.append(grid(site(study), caption, small=True))
    blocks.append(text(f"\u201c{SOURCES}\u201d states the source of each input."))
    return Page("What was quoted, and for which site?", answer, tuple(blocks))


def work(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """Workloads and how demand may shift."""
    scenario, count = study.scenario, len(study.problem.scenario_names)
    reference = scenario.reference
    answer = f"{plural(len(scenario.workloads), 'workload')} in {plural(count, 'demand scenario')}"
    if reference is not None:
        answer += f", measured against {clipped(reference.name, 60)} ({reference.nodes:,} nodes)"
    caption = f"Workloads, and their weights in the score; {_rated(study)}"
    blocks: list[Block] = [grid(_workloads(study), caption, small=True)]
    if scenario.demands:
        scored = study.plan is not None and bool(study.plan.scores)
        caption = "Demand scenarios" + (", and the score of the plan in each" if scored else "")
        blocks.append(grid(_demands(study), caption, small=True))
    return Page("Which workloads must it run?", f"{answer}.", tuple(blocks))


def performance(study: ProcurementStudy, _drawn: Drawn) -> Page | None:
    """What the program knows of the performance of each workload."""
    workloads = study.scenario.workloads
    if not workloads:
        return None
    rooflines = sum(isinstance(workload.performance, Roofline) for workload in workloads)
    measured = len(workloads) - rooflines
    parts = [f"a roofline model gives the performance of {plural(rooflines, 'workload')}"]
    parts = parts if rooflines else []
    if measured:
        parts.append(f"measurements give that of {plural(measured, 'workload')}")
    answer = capitalised("; ".join(parts))
    blocks: list[Block] = [text(_ROOFLINE), text(_CLOCK)] if rooflines else []
    blocks.append(
        grid(
            _performances(study),
            "Performance of each workload, as the scenario states it",
            small=True,
        )
    )
    return Page("Appendix: performance of the workloads", f"{answer}.", tuple(blocks))


_CLOCK = (
    "The clock follows from the cap: a node draws its idle power and the power share of (peak - "
    "idle) x r^e. Here r is the clock over the full clock, and e the clock exponent. Efficiency: "
    "the part of its rated compute rate and bandwidth that a node type reaches. Each quote states "
    "e and its efficiency."
)
"""How a node's power sets its clock."""
_ROOFLINE = (
    "A roofline model adds the time for computation and the time for memory traffic. Clock share: "
    "the part of a workload's time that scales with the compute rate and the clock of a node; the "
    "rest scales with its memory bandwidth. Power share: power above idle at full clock, as a "
    "share of the peak's."
)
SOURCES = "Appendix: where the inputs come from"
"""Heading of the page of :func:`sources`."""


def sources(study: ProcurementStudy, _drawn: Drawn) -> Page:
    """Where each input was read, and where its figures come from; what several share once."""
    fallback = study.scenario.source or NOT_STATED
    every = len(study.scenario.node_types) + len(study.scenario.workloads)
    stated = [
        Stated(
            clipped(node_type.title, 60),
            node_type.source or fallback,
            "quotes",
        )
        for node_type in _shown(study)
    ]
    stated += [
        Stated(
            clipped(workload.name, 60),
            getattr(workload.performance, "source", "") or workload.source or fallback,
            "workloads",
        )
        for workload in study.scenario.workloads
    ]
    cut = {"quotes"} if len(_shown(study)) < len(study.scenario.node_types) else set()
    shared, own = factored(stated, cut)
    blocks: list[Block] = []
    sentences = []
    site_rows = site_sources(study)
    if len(site_rows) == 1:
        sentences.append(f"Inputs of the site: \u201c{site_rows[0][1]}\u201d.")
    if len(shared) <= _FEW_SOURCES:
        sentences += [
            f"{capitalised(', '.join(each.inputs))}: \u201c{each.words}\u201d." for each in shared
        ]
    places = _places(study)
    rows_stated = any(_ORIGIN.fullmatch(quote.origin or "") for quote in _shown(study))
    if len(places) == 1:
        ((place, read),) = places
        row = "; in brackets, the row" if rows_stated else ""
        sentences.append(f"Quotes were read from {place}{row}: {read}.")
    if sentences:
        blocks.append(text(" ".join(sentences)))
    if len(places) > 1:
        heads = (("File or sheet", False), ("Quotes", False))
        caption = "Where the quotes were read" + ("; in brackets: the row" if rows_stated else "")
        blocks.append(grid(table(heads, (2, 4.5), places), caption, small=True))
    if len(site_rows) > 1:
        heads = (("Inputs of the site", False), ("Source", False))
        given_site = table(heads, (2.1, 3.9), site_rows)
        blocks.append(grid(given_site, "Sources of the site's inputs", small=True))
    if len(shared) > _FEW_SOURCES:
        heads = (("Source that several inputs share", False), ("Inputs", False))
        rows = [(each.words, ", ".join(each.inputs)) for each in shared]
        listed = table(heads, (3.4, 2.6), rows) | {"breakable": True}  # of many lines
        blocks.append(grid(listed, _shared_caption(shared), small=True))
    if own:
        caption = (
            "Further sources" if shared else "Sources as the scenario and the quotes state them"
        )
        caption = partly(f"{caption}, by input", len(stated), every)
        blocks.append(grid(_by_input(own), caption, small=True))
    return Page(SOURCES, "", tuple(blocks))


def _by_input(rows: Sequence[tuple[str, str]]) -> Table:
    """Each input as a heading above its sources, which is repeated where a page begins."""
    lines: list[tuple[str]] = []
    headings = []
    for name, source in rows:
        if name:
            headings.append(len(lines))
            lines.append((name,))
        lines.append((source,))
    return headed(table((("Sources", False),), (1,), lines), headings)


_ORIGIN = re.compile(r"(?P<place>.+)(?:!|:)(?P<row>\d+)", re.DOTALL)


def _places(study: ProcurementStudy) -> list[tuple[str, str]]:
    """Each file or sheet from which quotes were read, with the quotes and their rows.

    An origin that ends in no row is a place of its own.
    """
    read: dict[str, list[str]] = {}
    for quote in _shown(study):
        if not quote.origin:
            continue
        found, name = _ORIGIN.fullmatch(quote.origin), clipped(quote.title, 60)
        place = found["place"] if found else quote.origin
        read.setdefault(place, []).append(f"{name} ({found['row']})" if found else name)
    return [(place, ", ".join(names)) for place, names in read.items()]


_FEW_SOURCES = 2
"""As many shared sources are sentences; more are a table."""


def _shared_caption(shared: Sequence[Shared]) -> str:
    numbered = any(each.numbered for each in shared)
    return "Sources that several inputs share" + (
        "; numbers are those of the first input, those that differ are in brackets"
        if numbered
        else ""
    )


def _shown(study: ProcurementStudy) -> list[NodeType]:
    """As many quotes as people read, in their order; of more, those bought come first."""
    every = list(study.scenario.node_types)
    if len(every) <= _MOST:
        return every
    bought = {purchase.name for purchase in study.plan.purchases} if study.plan else set()
    return sorted(every, key=lambda node_type: node_type.name not in bought)[:_MOST]


def _kinds(study: ProcurementStudy) -> set[str]:
    """The kinds of node types, where there are several."""
    kinds = {node_type.kind for node_type in study.scenario.node_types if node_type.kind}
    return kinds if len(kinds) > 1 else set()


def _quotes(study: ProcurementStudy) -> Table:
    currency = study.problem.prices.currency
    kinds = _kinds(study)
    columns = (
        ("Quote", False), *([("Kind", False)] if kinds else []), ("Vendor", False),
        (f"Price ({currency})", True), ("Idle (W)", True), ("Peak (W)", True),
        ("Package caps (W)", False), ("Memory (GB)", True), ("Cooling", False),
        ("Lead (weeks)", True), ("On offer", True),
    )  # fmt: skip
    rows = [
        (
            clipped(node_type.title, 40)
            + (f" [{clipped(node_type.name, 24)}]" if node_type.label else ""),
            *([node_type.kind or DASH] if kinds else []),
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
    widths = (0.95, 1.2, 0.6, 0.65, 1.3, 0.85, 0.75, 0.8, 0.85)
    return table(columns, (2.2, *([0.5] if kinds else []), *widths), rows)


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


def _rated(study: ProcurementStudy) -> str:
    """By what the workloads are rated, for the caption of their table."""
    timed = [w.name for w in study.scenario.workloads if w.rating == "time_to_solution"]
    if not timed:
        return "all are rated by throughput"
    if len(timed) == len(study.scenario.workloads):
        return "all are rated by time to solution"
    if len(timed) > _MOST_NAMED:
        timed = [*timed[:_MOST_NAMED], f"{len(timed) - _MOST_NAMED} more"]
    return f"rated by time to solution: {words(timed)}; all others by throughput"


_MOST_NAMED = 8


def _workloads(study: ProcurementStudy) -> Table:
    """A row per workload; what they are rated by is in the caption."""
    workloads = study.scenario.workloads
    columns = (("Workload", False), ("Weight", True), ("Runs on node types", False))
    total = sum(workload.weight for workload in workloads) or 1.0
    stated = (node_type.kind for node_type in study.scenario.node_types)
    kinds = ", ".join(dict.fromkeys(kind for kind in stated if kind)) or "all"
    rows = [
        (
            clipped(workload.name, 60),
            f"{100 * workload.weight / total:.1f} %",
            ", ".join(workload.kinds) or kinds,
        )
        for workload in workloads
    ]
    return table(columns, (1.8, 0.7, 1.5), rows)


def _performances(study: ProcurementStudy) -> Table:
    """The shares of each workload, or of several models in words."""
    workloads = study.scenario.workloads
    models = [workload.performance for workload in workloads]
    names = [clipped(workload.name, 60) for workload in workloads]
    rooflines = [model for model in models if isinstance(model, Roofline)]
    if len(rooflines) < len(models):
        rows = list(zip(names, map(_performance, workloads), strict=True))
        return table((("Workload", False), ("Performance", False)), (1, 2), rows)
    shares = [
        (name, given(model.clock_bound), given(model.power_intensity))
        for name, model in zip(names, rooflines, strict=True)
    ]
    columns = (("Workload", False), ("Clock share", True), ("Power share", True))
    return table(columns, (2, 1, 1), shares)


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
