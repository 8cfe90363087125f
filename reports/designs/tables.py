"""The tables of the report: columns, widths and formatted cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from planner.designs.break_even import MIX
from planner.designs.phrases import TEMPLATES, meaning
from planner.designs.readings import Reading
from planner.designs.result import DesignCheck
from planner.designs.study import DesignStudy
from planner.designs.summary import node_titles
from planner.formatting import DASH, given, plural, power_unit, run_times, spanned
from planner.phrases import phrase
from reports.grid import Table, table
from reports.numbers import fixed, shown, typed
from scenarios.fields import Group
from scenarios.model.scenario import Budget

_MOST_SIDE_BY_SIDE = 5
_MOST_IN_SUMMARY = 8
_LONGEST_SOURCE = 40
_INPUTS = ("performance_fraction", "cost_ratio", "power_bound_w")


def currency(study: DesignStudy) -> str:
    """What all prices of the scenario are in."""
    budget = study.scenario.budget
    return Budget().currency if budget is None else budget.currency


def power(watts: float) -> str:
    """Return a given power in the unit that suits it, with the digits that it was given with."""
    unit, size = power_unit([watts])
    return typed(watts / size, unit)


def short_source(source: str) -> str:
    """Return a source in brackets, if it is short enough to be named within a sentence."""
    return f" ({source})" if 0 < len(source) <= _LONGEST_SOURCE else ""


def summary(study: DesignStudy) -> Table | None:
    """Both run times and the verdict of several applications, those that differ most if many.

    A row in the middle counts those that are left out.
    """
    if len(study.overprovisioning) < 2:
        return None
    words = TEMPLATES[study.scenario.language]
    headings = (
        ("application", False), ("worst-case time", True), ("overprovisioned time", True),
        ("speedup", True), ("faster design", False),
    )  # fmt: skip
    columns = tuple((words[name], right) for name, right in headings)
    chosen = study.overprovisioning
    if len(chosen) > _MOST_IN_SUMMARY:
        ranked = sorted(chosen, key=lambda c: c.speedup)
        chosen = (*ranked[: _MOST_IN_SUMMARY // 2], *ranked[-_MOST_IN_SUMMARY // 2 :])
    rows = [
        (
            c.application,
            fixed(c.time_worst_case_s, 3) + _star(c.worst_case_origin),
            fixed(c.time_overprovisioned_s, 3) + _star(c.overprovisioned_origin),
            fixed(c.speedup, 4),
            words["overprovisioned" if c.beneficial else "worst-case"],
        )
        for c in chosen
    ]
    remaining = len(study.overprovisioning) - len(chosen)
    if remaining:
        more = words["more in"].format(count=remaining)
        rows.insert(_MOST_IN_SUMMARY // 2, (more, "", "", "", ""))
    return table(columns, (1.2, 1, 1.4, 0.8, 1.2), rows)


def inputs(study: DesignStudy) -> Table:
    """Every figure that was given, with its source."""
    scenario = study.scenario
    rows: list[tuple[str, str, Group]] = []
    if scenario.power is not None:
        rows.append(("Power bound P_sys", typed(scenario.power.bound_w, "W"), scenario.power))
    question = scenario.overprovisioning
    if question is not None:
        ratio = typed(question.cost_ratio)
        if question.cost_ratio_from == "racks":
            ratio_value = study.overprovisioning[0].cost_ratio
            ratio = f"{shown(ratio_value)}, bought rack by rack"
        rows += [
            ("Cost ratio r_c", ratio, question),
            ("High-end nodes faster by r_p", typed(question.performance_fraction), question),
        ]
    money = currency(study)
    for node_type in scenario.node_types:
        facts = [
            ("price", typed(node_type.price, money), node_type.price),
            ("cores", typed(node_type.cores), node_type.cores),
            ("idle", typed(node_type.idle_w, "W"), node_type.idle_w),
            ("peak", typed(node_type.peak_w, "W"), node_type.peak_w),
            ("caps", "/".join(f"{c:g}" for c in node_type.package_caps_w) + " W",
             node_type.package_caps_w or None),
            ("score", typed(node_type.benchmark_score), node_type.benchmark_score),
        ]  # fmt: skip
        value = ", ".join(
            f"{name} {text}" for name, text, value_given in facts if value_given is not None
        )
        rows.append((node_type.title, value or "–", node_type))  # noqa: RUF001
    if scenario.rack is not None:
        value = f"{scenario.rack.nodes} nodes, {typed(scenario.rack.price, money)} empty"
        rows.append(("Rack", value, scenario.rack))
    if scenario.switch is not None:
        switch = scenario.switch
        value = f"{switch.per_rack} per rack, {typed(switch.price, money)}"
        rows.append(("Switch", value, switch))
    rows += _money_inputs(study)
    fallback = scenario.source or "not stated"
    return table(
        (("Input", False), ("Value", False), ("Source", False)),
        (1.1, 1.3, 1.6),
        [(name, value, group.source or fallback) for name, value, group in rows],
    )


def _money_inputs(study: DesignStudy) -> list[tuple[str, str, Group]]:
    budget, machine = study.scenario.budget, study.scenario.machine
    rows: list[tuple[str, str, Group]] = []
    facts: list[tuple[str, float | None, str]]
    if budget is not None:
        facts = [
            ("Acquisition", budget.capital, budget.currency),
            ("Lifetime", budget.lifetime_years if machine else None, "years"),
            (
                "Maintenance per year",
                100 * budget.maintenance_fraction_per_year,
                "% of acquisition",
            ),
            ("Staff per year", budget.staff_per_year, budget.currency),
            ("Energy price", budget.energy_price_per_kwh, f"{budget.currency}/kWh"),
            ("Power and cooling per year, as stated", budget.energy_per_year, budget.currency),
        ]
        rows += [(name, typed(v, unit), budget) for name, v, unit in facts if v]
    if machine is not None:
        facts = [
            (f"{machine.name}: cores", machine.cores, ""),
            ("Utilisation", 100 * machine.utilisation, "%"),
            ("Power provisioned", machine.power_provisioned_w, "W"),
            ("Power used", machine.power_used_w, "W"),
        ]
        rows += [(name, typed(v, unit), machine) for name, v, unit in facts if v is not None]
    return rows


def workloads(study: DesignStudy) -> Table:
    """The run-time curves on older nodes."""
    rows = []
    continued = study.cases[0].outside == "extrapolate"
    for workload, even in zip(study.scenario.workloads, study.break_even, strict=True):
        model = workload.run_time
        low, high = model.measured_nodes
        if model.kind == "linear":
            law = f"({typed(model.slope_s_per_node)} n + {typed(model.intercept_s)}) s"
            declared = (
                "" if model.declared_nodes is None else f"; declared to {model.declared_nodes}"
            )
        else:
            law, declared = f"table, node counts measured: {len(model.nodes)}", ""
        rows.append(
            (
                workload.name,
                typed(workload.weight),
                law,
                f"{spanned(f'{low}', f'{high}')}{declared}",
                fixed(even.zero_time_nodes, 2) if continued else "–",  # noqa: RUF001
                model.source or study.scenario.source or "not stated",
            )
        )
    columns = (
        ("Application", False), ("Weight", True), ("Run time", False), ("Nodes measured", False),
        ("Zero at (nodes)", True), ("Source", False),
    )  # fmt: skip
    return table(columns, (1, 0.6, 1.4, 1.2, 0.7, 1.9), rows)


def designs(study: DesignStudy) -> Table:
    """The two designs: what power and money allow of each, and what is bought."""
    first, case = study.overprovisioning[0], study.cases[0]
    high_end, older = node_titles(study)
    budget = fixed(first.cost_worst_case, 1)
    rows = [
        ("Node type", high_end, older),
        (
            f"Nodes within the power bound of {typed(case.power_bound_w, 'W')}",
            f"{first.nodes_worst_case:,} at {typed(case.high_end_peak_w, 'W')} peak",
            f"{first.node_limit:,} at {typed(case.older_idle_w, 'W')} idle",
        ),
        (
            "Budget in prices of one older node",
            f"{first.nodes_worst_case:,} x {fixed(first.cost_ratio, 3)} = {budget}",
            budget,
        ),
        ("Nodes bought", f"{first.nodes_worst_case:,}", f"{first.nodes_overprovisioned:,}"),
        (
            "Nodes over those of the worst-case design",
            "1",
            fixed(first.degree_of_overprovisioning, 2),
        ),
        *_speeds(study),
    ]
    columns = (
        ("Quantity", False), ("Worst-case provisioned", True), ("Overprovisioned", True),
    )  # fmt: skip
    return table(columns, (1.4, 1.1, 1.1), rows)


def _speeds(study: DesignStudy) -> list[tuple[str, str, str]]:
    """The run time of the only application, or the speed over the mix of several."""
    first, decision = study.overprovisioning[0], study.decision
    if len(study.overprovisioning) == 1:
        times = run_times(first.time_worst_case_s, first.time_overprovisioned_s)
        return [(f"Run time of {first.application}", times[0], times[1])]
    if decision is None:
        return []
    return [("Speed over the mix, geometric mean", "1", fixed(decision.mix_speedup, 4))]


def applications(study: DesignStudy) -> Table | None:
    """All applications; ``None`` where the first page has them all."""
    if len(study.overprovisioning) <= _MOST_IN_SUMMARY:
        return None
    columns = (
        ("Application", False), ("Worst-case (s)", True), ("Overprovisioned (s)", True),
        ("Speedup", True), ("Time saved", True),
    )  # fmt: skip
    rows = [
        (
            c.application,
            fixed(c.time_worst_case_s, 3) + _star(c.worst_case_origin),
            fixed(c.time_overprovisioned_s, 3) + _star(c.overprovisioned_origin),
            fixed(c.speedup, 4),
            f"{fixed(100 * c.time_reduction, 2)} %",
        )
        for c in study.overprovisioning
    ]
    return table(columns, (1.5, 1, 1.2, 0.8, 0.8), rows)


def readings(study: DesignStudy, others: Sequence[Reading]) -> Table | None:
    """The plan and other readings of its inputs; ``None`` without any."""
    if not others or study.decision is None:
        return None
    case, first = study.cases[0], study.overprovisioning[0]
    names = {
        "faster by": f"{given(case.performance_fraction)} faster means {meaning(case, other=True)}",
        "node prices": "Prices of the nodes alone",
        "whole racks": "Nodes in whole racks, at the given prices",
        "published": "Published speedups",
    }
    rows = [
        ("As assumed in this plan", first.cost_ratio, first.nodes_overprovisioned,
         study.decision.mix_speedup, True),
        *((names[r.kind], r.cost_ratio, r.nodes_overprovisioned, r.mix_speedup, r.measured)
          for r in others),
    ]  # fmt: skip
    columns = (
        ("Reading", False), ("Cost ratio", True), ("Older nodes", True), ("Speedup", True),
        ("Faster design", False),
    )  # fmt: skip
    lines = [
        (
            name,
            fixed(ratio, 3),
            DASH if nodes is None else f"{nodes:,}",
            fixed(speedup, 4) + ("" if measured else "*"),
            "overprovisioned" if speedup > 1 else "worst-case",
        )
        for name, ratio, nodes, speedup, measured in rows
    ]
    return table(columns, (2, 0.8, 0.9, 0.9, 1.1), lines)


def _star(origin: str) -> str:
    return {"measured": "", "clamped": "†", "extrapolated": "*"}[origin]


def sensitivity(study: DesignStudy) -> list[Table]:
    """Speedups with one input changed, a few applications side by side in each table."""
    columns = list(dict.fromkeys(row.application for row in study.sensitivity))
    size = _MOST_SIDE_BY_SIDE
    groups = [columns[i : i + size] for i in range(0, len(columns), size)]
    return [_sensitivity_of(study, group) for group in groups]


def _sensitivity_of(study: DesignStudy, applications: Sequence[str]) -> Table:
    labels = {
        "cost_ratio": ("Cost ratio", 1.0, ""),
        "power_bound_w": ("Power bound", 1.0, "W"),
        "performance_fraction": ("High-end nodes faster by", 100.0, "%"),
    }
    here = {
        c.application: (
            c.speedup,
            "extrapolated" in (c.worst_case_origin, c.overprovisioned_origin),
        )
        for c in study.overprovisioning
    }
    if study.decision is not None:
        any_star = any(extrapolated for _, extrapolated in here.values())
        here[MIX] = (study.decision.mix_speedup, any_star)
    rows: dict[tuple[str, float], list[str]] = {}
    for row in study.sensitivity:
        if row.application in applications:
            cell = fixed(row.speedup, 4) + ("*" if row.extrapolated else "")
            rows.setdefault((row.parameter, row.value), []).append(cell)
    present = [fixed(here[name][0], 4) + "*" * here[name][1] for name in applications]
    lines: list[tuple[str, ...]] = [("As assumed in this plan", *present)]
    for (parameter, value), cells in rows.items():
        name, factor, unit = labels[parameter]
        value_shown = fixed(value, 2) if parameter == "cost_ratio" else typed(factor * value, unit)
        lines.append((f"{name} {value_shown}", *cells))
    columns = [("Input", False), *((name, True) for name in applications)]
    return table(columns, (1.9, *([1] * len(applications))), lines)


def turning(study: DesignStudy) -> Table:
    """From which value of each input on the result reverses, for each application."""
    case, first = study.cases[0], study.overprovisioning[0]
    columns = (
        ("Application", False),
        ("Faster design now", False),
        (f"High-end nodes faster by (now {given(case.performance_fraction)})", True),
        (f"Cost ratio (now {fixed(first.cost_ratio, 3)})", True),
        (f"Power bound (now {typed(case.power_bound_w, 'W')})", True),
    )
    verdicts = {c.application: c.beneficial for c in study.overprovisioning}
    if study.decision is not None and len(study.overprovisioning) > 1:
        verdicts = {MIX: study.decision.design == "overprovisioned"} | verdicts
    cells: dict[tuple[str, str], list[str]] = {}
    for turn in study.turning:
        if turn.threshold:
            cell = turn.threshold + "*" * turn.extrapolated
            cells.setdefault((turn.application, turn.parameter), []).append(cell)
    rows = [
        (
            name,
            "overprovisioned" if gains else "worst-case",
            *(" or ".join(cells.get((name, parameter), ["none found"])) for parameter in _INPUTS),
        )
        for name, gains in verdicts.items()
    ]
    return table(columns, (1, 1.2, 1.3, 1.2, 1.3), rows)


def core_hour(study: DesignStudy) -> Table | None:
    """Parts of the cost, per year and per core-hour; ``None`` if not asked for."""
    cost = study.core_hour
    if cost is None:
        return None
    words = partial(phrase, TEMPLATES, study.scenario.language)
    parts = (
        ("acquisition", cost.acquisition_per_year), ("maintenance", cost.maintenance_per_year),
        ("energy", cost.energy_per_year), ("staff", cost.staff_per_year),
        ("total", cost.total_per_year),
    )  # fmt: skip
    rows = [
        (words(name), shown(value), fixed(value / cost.core_hours_per_year, 6))
        for name, value in parts
    ]
    columns = (
        (words("part"), False), (words("per year", currency=cost.currency), True),
        (words("per core-hour", currency=cost.currency), True),
    )  # fmt: skip
    return table(columns, (2, 1, 1.2), rows)


def bills(study: DesignStudy) -> Table | None:
    """The cost of a core-hour by the power billed; ``None`` where there is one bill only."""
    cost, machine = study.core_hour, study.scenario.machine
    if cost is None or machine is None:
        return None
    rows = [
        (f"{name}: {power(power_w)}", energy, result)
        for name, power_w, energy, result in (
            ("Provisioned", machine.power_provisioned_w, cost.energy_provisioned_per_year,
             cost.cost_per_core_hour_provisioned),
            ("Used", machine.power_used_w, cost.energy_used_per_year,
             cost.cost_per_core_hour_used),
        )
        if power_w is not None and energy is not None
    ]  # fmt: skip
    if cost.energy_stated:
        rows.insert(0, ("As stated in the scenario", cost.energy_per_year, cost.cost_per_core_hour))
    if len(rows) < 2:
        return None
    columns = (
        ("Power billed", False), (f"Power and cooling ({cost.currency} per year)", True),
        (f"{cost.currency} per used core-hour", True),
    )  # fmt: skip
    lines = [(name, shown(energy), fixed(result, 6)) for name, energy, result in rows]
    return table(columns, (1.4, 1.4, 1.2), lines)


def racks(study: DesignStudy) -> Table | None:
    """The rack example without what the published numbers have; ``None`` if nothing is left."""
    racks = study.racks
    if racks is None:
        return None
    unit = currency(study)
    published = {row.quantity for row in study.printed}
    rows = [
        (item, shown(getattr(racks, name), unit=unit if "_cost" in name else ""))
        for name, item in _RACK_ITEMS.items()
        if f"racks.{name}" not in published
    ]
    return table((("Item", False), ("Value", True)), (2, 1), rows) if rows else None


_RACK_ITEMS = {
    "price_ratio": "Price ratio of the nodes alone",
    "score_ratio": "Benchmark score ratio",
    "nodes_without_racks": "Older nodes if racks were free",
    "high_end_rack_cost": "Full high-end rack",
    "high_end_cost_per_node": "Full high-end rack, per node",
    "older_rack_cost": "Full older rack",
    "older_cost_per_node": "Full older rack, per node",
    "further_nodes": "Further older nodes for the same money",
    "further_cost_per_node": "Each of these, with their rack",
    "average_cost_per_node": "Average per older node",
    "cost_ratio_one_rack": "Cost ratio of this one rack",
    "cost_ratio_full_racks": "Cost ratio with full racks only",
}
"""The numbers of the rack example, by their names in the results."""


def rack_sizes(study: DesignStudy) -> Table | None:
    """Cost ratio over the number of racks; ``None`` without prices."""
    if study.racks is None:
        return None
    first = study.overprovisioning[0]
    money, own = currency(study), first.nodes_worst_case
    columns = (
        ("Purchase", False), ("High-end nodes", True), (f"Money ({money})", True),
        ("Older nodes", True), ("Cost ratio", True),
    )  # fmt: skip
    high_end_price, prices = None, study.cases[0].racks
    alone = DASH
    if prices is not None:
        high_end_price = float(own * prices.high_end)
        alone = shown(int(own * prices.high_end / prices.older))
    rows = [
        ("Nodes alone, without racks", shown(own), shown(high_end_price), alone,
         fixed(study.racks.price_ratio, 3)),
    ]  # fmt: skip
    question = study.scenario.overprovisioning
    if question is not None and question.cost_ratio_from == "given":
        source = short_source(question.source)
        nodes = int(first.cost_worst_case + 1e-9)
        rows.append(
            (f"Used in this plan{source}", shown(own), DASH, shown(nodes),
             fixed(first.cost_ratio, 3))
        )  # fmt: skip
    rows += [
        (_racks(r.racks, own=r.high_end_nodes == own), shown(r.high_end_nodes), shown(r.money),
         shown(r.older_nodes), fixed(r.cost_ratio, 3))
        for r in study.racks.sizes
    ]  # fmt: skip
    return table(columns, (1.7, 1, 1, 0.9, 0.8), rows)


def _racks(count: int, *, own: bool) -> str:
    return f"{plural(count, 'rack')}{', the size of this plan' if own else ''}"


def printed(study: DesignStudy) -> Table | None:
    """Compare published numbers with ours; return ``None`` if none are published."""
    if not study.printed:
        return None
    columns = (
        ("Quantity", False), ("Printed", True), ("Ours", True), ("Agrees", False),
        ("Source and remark", False),
    )  # fmt: skip
    rows = [
        (
            quantity(row.quantity, currency(study)),
            _as_printed(row.printed, row.tolerance),
            shown(row.ours, 5),
            "yes" if row.agrees else "no",
            f"{row.source}. {row.note}" if row.note else row.source,
        )
        for row in study.printed
    ]
    return table(columns, (1.9, 0.75, 0.85, 0.6, 2.9), rows)


def _as_printed(value: float, tolerance: float) -> str:
    """With as many decimals as half a unit of the last printed digit tells."""
    if not 0 < tolerance < 1:
        return typed(value)
    return fixed(value, max(0, round(-math.log10(2 * tolerance))))


def quantity(path: str, money: str = "") -> str:
    """The end of a path in plan.json as words, its unit in brackets; money in ``money``."""
    group, *parts = path.split(".")
    if money and group == "cost_per_core_hour" and parts[-1] != "core_hours_per_year":
        parts[-1] += f" ({money})"
    for ending, unit in (("_s", " (s)"), ("_w", " (W)")):
        if parts[-1].endswith(ending):
            parts[-1] = parts[-1].removesuffix(ending) + unit
    return " · ".join(parts).replace("_", " ")


def _alike(checks: Sequence[DesignCheck]) -> list[tuple[DesignCheck, str]]:
    """One program for all solvers that agree on it, with their names."""
    found: dict[tuple[Any, ...], list[DesignCheck]] = {}
    for check in checks:
        one = check.certificate
        numbers = (fixed(one.objective, 5), fixed(one.bound, 5), check.plan.nodes)
        key = (check.application, check.design, *numbers, one.status, one.level, one.model_digest)
        found.setdefault(key, []).append(check)
    return [
        (same[0], ", ".join(each.certificate.solver.partition(" ")[0] for each in same))
        for same in found.values()
    ]


def certificates(study: DesignStudy) -> Table:
    """The programs with their bounds and levels."""
    columns = (
        ("Application", False), ("Design", False), ("Nodes", True), ("Program (s)", True),
        ("Bound (s)", True), ("Closed form", True), ("Its time (s)", True),
        ("Solver", False), ("Status", False), ("Level", False), ("Model", False),
    )  # fmt: skip
    rows = [
        (
            check.application,
            check.design,
            str(check.plan.nodes),
            fixed(check.certificate.objective, 5),
            fixed(check.certificate.bound, 5),
            str(check.closed_form.nodes),
            fixed(check.closed_form.time_s, 5),
            solvers,
            check.certificate.status.value,
            check.certificate.level.value,
            check.certificate.model_digest[:8],
        )
        for check, solvers in _alike(study.designs)
    ]
    return table(columns, (1.2, 1.1, 0.7, 1.1, 0.9, 0.8, 1.1, 0.8, 0.9, 0.8, 0.9), rows)
