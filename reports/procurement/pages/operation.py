"""How the machine runs: which work on which nodes under which caps."""

from __future__ import annotations

from collections.abc import Iterable

from planner.formatting import power
from planner.procurement.findings import label_of, labels
from planner.procurement.study import ProcurementStudy, placements
from reports.blocks import Block, Drawn, Page, figures, grid, text
from reports.grid import Table, table
from reports.numbers import fixed, shown
from reports.procurement.figures.allocation import left_out


def page(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """Allocation, partitions and scores by demand."""
    plan, problem = study.plan, study.problem
    if plan is None:
        return None
    answer = (
        f"It draws at most {power(plan.it_power_w)} of IT power and {power(plan.mean_it_w)} on "
        "average."
    )
    source = "Watts in the heads: the cap of each package."
    if problem.capabilities:
        source += " Runs that are timed alone are in the table above."
    blocks: list[Block] = [
        text(
            "The program also decides which nodes each workload uses, and under which power cap. "
            "A cap limits each package: a processor or an accelerator, not the whole node. Nodes "
            "in use share the power bound of the system."
        ),
        grid(
            _types(study),
            "Nodes by type and the throughput work on them; power of a node, caps of a package"
            + ("; nodes of timed runs do not count as in use" if problem.capabilities else ""),
            small=True,
        ),
    ]
    if problem.capabilities:
        blocks.append(
            grid(
                _partitions(study),
                "Nodes of each run that is timed alone (partition); speed-up: time on the "
                "reference machine over this time",
                small=True,
            )
        )
    if pictures.get("allocation"):
        blocks.append(
            text(
                "The figure shows where the throughput workloads run: nodes in use, as a mean over "
                "the demand scenarios."
            )
        )
    blocks += figures(pictures, "allocation", source + left_out(study))
    return Page("Appendix: how the machine runs", answer, tuple(blocks))


def _types(study: ProcurementStudy) -> Table:
    problem, names, means = study.problem, labels(study.problem), _mean_over_year(study)
    columns: tuple[tuple[str, bool], ...] = (
        ("Node type", False), ("Installed", True), ("Mean in use", True), ("Idle (W)", True),
        ("Under its caps (W)", True), ("Peak (W)", True), ("Caps of this work (W)", False),
    )  # fmt: skip
    timed: dict[int, set[float]] = {}
    for pick in study.plan.partitions if study.plan else ():
        if pick is not None and (cap := problem.modes[pick.mode].cap_w) is not None:
            timed.setdefault(problem.modes[pick.mode].offer, set()).add(cap)
    rows = []
    for purchase in study.plan.purchases if study.plan else ():
        offer = problem.offers[purchase.offer]
        at_work = {m: n for m, n in means.items() if problem.modes[m].offer == purchase.offer}
        total = sum(at_work.values())
        consumed_w = sum(problem.modes[m].node_w * n for m, n in at_work.items())
        caps = {cap for m in at_work if (cap := problem.modes[m].cap_w) is not None}
        rows.append(
            (
                names[purchase.offer],
                f"{purchase.nodes:,}",
                fixed(total, 1),
                fixed(offer.idle_w, 0),
                fixed(consumed_w / total if total else None, 0),
                fixed(offer.peak_w, 0),
                _caps(caps),
                *([_caps(timed.get(purchase.offer, ()))] if timed else []),
            )
        )
    if timed:
        columns = (*columns, ("Caps of timed runs (W)", False))
    return table(columns, (1.6, 0.75, 0.8, 0.65, 1.0, 0.7, 1.3, 1.2)[: len(columns)], rows)


def _caps(caps: Iterable[float]) -> str:
    return ", ".join(f"{cap:g}" for cap in sorted(caps)) or "none"


def _mean_over_year(study: ProcurementStudy) -> dict[int, float]:
    """Return the mean nodes in use per mode, weighted by the ratings' shares of the year."""
    nodes_by_mode: dict[int, float] = {}
    weights = study.problem.energy_weight
    for weight, at_work in zip(weights, study.plan.at_work if study.plan else (), strict=False):
        for group in at_work:
            nodes_by_mode[group.mode] = (
                nodes_by_mode.get(group.mode, 0.0) + float(weight) * group.nodes
            )
    return nodes_by_mode


def _partitions(study: ProcurementStudy) -> Table:
    columns = (
        ("Workload", False), ("Runs on", False), ("Package cap (W)", True), ("Nodes", True),
        ("Time (h)", True), ("Speed-up", True),
    )  # fmt: skip
    result = placements(study.problem, study.plan) if study.plan else []
    rows = [
        (
            placement["workload"],
            label_of(study.problem, placement["node_type"]),
            shown(placement["cap_w"]),
            f"{placement['nodes']:,}",
            fixed(placement["time_s"] / 3600, 3),
            fixed(placement["speedup"], 2),
        )
        for placement in result
    ]
    placed = {placement["workload"] for placement in result}
    rows += [
        (capability.name, "nowhere", "", "", "", "")
        for capability in study.problem.capabilities
        if capability.name not in placed
    ]
    return table(columns, (1.3, 1.8, 1, 0.7, 0.9, 0.8), rows)
