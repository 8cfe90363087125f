"""How the machine runs: which work on which nodes under which caps."""

from __future__ import annotations

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
    source = "Mean over the demand scenarios; watts in the heads: the cap of each package."
    blocks: list[Block] = [
        text(
            "The program also decides which nodes each workload uses, and under which power cap. "
            "A cap limits each package: a processor or an accelerator, not the whole node. Nodes "
            "in use share the power bound of the system."
        ),
        grid(
            _types(study),
            "Nodes by type and the throughput work on them; power of a whole node",
            small=True,
        ),
    ]
    if problem.capabilities:
        blocks.append(
            grid(
                _partitions(study), "Nodes of each run that is timed alone (partition)", small=True
            )
        )
    blocks += figures(pictures, "allocation", source + left_out(study))
    return Page("Appendix: how the machine runs", answer, tuple(blocks))


def _types(study: ProcurementStudy) -> Table:
    problem, names, means = study.problem, labels(study.problem), _mean_over_year(study)
    columns = (
        ("Node type", False), ("Installed", True), ("Mean in use", True), ("Idle (W)", True),
        ("Under its caps (W)", True), ("Peak (W)", True), ("Package caps in use (W)", False),
    )  # fmt: skip
    rows = []
    for purchase in study.plan.purchases if study.plan else ():
        offer = problem.offers[purchase.offer]
        at_work = {m: n for m, n in means.items() if problem.modes[m].offer == purchase.offer}
        total = sum(at_work.values())
        consumed_w = sum(problem.modes[m].node_w * n for m, n in at_work.items())
        caps = sorted(cap for m in at_work if (cap := problem.modes[m].cap_w) is not None)
        rows.append(
            (
                names[purchase.offer],
                f"{purchase.nodes:,}",
                fixed(total, 1),
                fixed(offer.idle_w, 0),
                fixed(consumed_w / total if total else None, 0),
                fixed(offer.peak_w, 0),
                ", ".join(f"{cap:g}" for cap in caps) or "none",
            )
        )
    return table(columns, (1.8, 0.8, 0.9, 0.7, 1.2, 0.7, 1.6), rows)


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
        ("Time (h)", True), ("Speedup", True),
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
