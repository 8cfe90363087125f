"""The words, tables and figures of the report, as the template wants them."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

from planner.study import Study, headroom_version
from reports.figures.style import Picture
from reports.numbers import fixed, shown, typed, words
from reports.typeset import typeset

Table = dict[str, Any]
_LIBRARIES = ("highspy", "pulp", "numpy", "matplotlib", "typst")


def report(study: Study, pictures: Sequence[Picture]) -> bytes:
    """The report as PDF."""
    files = {f"{picture.name}.svg": picture.svg for picture in pictures}
    return typeset("plan.typ", document(study, pictures), files)


def document(study: Study, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    compared = study.decision is not None
    data: dict[str, Any] = {
        "title": study.scenario.title,
        "description": study.scenario.description,
        "footer": f"{study.scenario.name} · Headroom {headroom_version()}",
        "decision": study.sentence,
        "warning": "",
        "summary": _summary(study),
        "summary_table": _summary_table(study) if compared else None,
        "has_designs": compared,
        "method": _method(study) if compared else "",
        "inputs": _inputs(study),
        "workloads": _workloads(study) if compared else None,
        "designs": _designs(study) if compared else None,
        "pictures": _pictures(pictures),
        "sensitivity": _sensitivity(study) if compared else None,
        "sensitivity_text": _sensitivity_text(study) if compared else "",
        "turning": _turning(study) if compared else None,
        "turning_text": _turning_text(study) if compared else "",
        "core_hour": _core_hour(study),
        "core_hour_text": _core_hour_text(study),
        "racks": _racks(study),
        "racks_text": _racks_text(study),
        "rack_sizes": _rack_sizes(study),
        "printed": _printed(study),
        "printed_text": _printed_text(study),
        "limits": _limits(study),
        "certificates": _certificates(study) if study.designs else None,
        "certificates_text": _certificates_text(study) if study.designs else "",
        "provenance": _provenance(study),
    }
    if study.stopped_by_time:
        data["warning"] = (
            "Stopped by time: at least one solve ended at its time limit, so another run may "
            "differ. Its certificate shows the gap that was left."
        )
    return data


def _table(columns: Sequence[tuple[str, bool]], widths: Sequence[float], rows: Any) -> Table:
    return {
        "columns": [{"name": name, "right": right} for name, right in columns],
        "widths": list(widths),
        "rows": [list(row) for row in rows],
    }


def _names(study: Study) -> tuple[str, str]:
    question = study.scenario.overprovisioning
    if question is None:
        return "high-end node", "older node"
    scenario = study.scenario
    return scenario.node_type(question.high_end).title, scenario.node_type(question.older).title


def _summary(study: Study) -> list[str]:
    lines = []
    if study.decision is not None:
        first, case = study.overprovisioning[0], study.cases[0]
        high_end, older = _names(study)
        lines.append(
            f"{shown(case.power_bound_w, unit='W')} power {first.nodes_worst_case} x {high_end} at "
            f"{shown(case.high_end_peak_w, unit='W')}. The same money buys "
            f"{first.nodes_overprovisioned} x {older} (cost ratio {shown(first.cost_ratio, 3)}); "
            f"the power bound would let {first.node_limit} of them idle."
        )
        mix = study.decision.mix_speedup
        lines.append(
            f"Over the mix the overprovisioned design runs at {fixed(mix, 4)} of the speed of the "
            "worst-case design (weighted geometric mean)."
        )
        other = study.decision.other_reading_mix_speedup
        if other is not None:
            turned = (
                "which turns the decision" if study.decision.turns_with_reading
                else "which leaves the decision as it is"
            )  # fmt: skip
            lines.append(
                f"'Faster by r_p' can be read in two ways. Under a time ratio of "
                f"{study.decision.other_reading} the figure is {fixed(other, 4)}, {turned}."
            )
        agree = sum(check.agrees for check in study.designs)
        levels = {check.certificate.level.value for check in study.designs}
        lines.append(
            f"{agree} of {len(study.designs)} mixed-integer programs give the closed form's run "
            f"time (certificates: {words(sorted(levels))})."
        )
    if study.core_hour is not None:
        cost = study.core_hour
        lines.append(
            f"{shown(cost.total_per_year)} {cost.currency} a year for "
            f"{shown(cost.core_hours_per_year)} used core-hours."
        )
        if cost.cost_per_core_hour_provisioned and cost.cost_per_core_hour_used:
            lines.append(
                f"With the computed energy of the provisioned power it would be "
                f"{fixed(cost.cost_per_core_hour_provisioned, 6)}, with that of the used power "
                f"{fixed(cost.cost_per_core_hour_used, 6)} {cost.currency}."
            )
    off = sum(not row.agrees for row in study.printed)
    if study.printed:
        lines.append(
            f"{len(study.printed) - off} of {len(study.printed)} published numbers agree within "
            "their rounding; the others are shown beside ours."
        )
    return lines


def _summary_table(study: Study) -> Table:
    columns = (
        ("Application", False), ("Worst-case (s)", True), ("Overprovisioned (s)", True),
        ("Speedup", True), ("Faster design", False),
    )  # fmt: skip
    rows = [
        (
            c.application,
            fixed(c.time_worst_case_s, 3),
            fixed(c.time_overprovisioned_s, 3),
            fixed(c.speedup, 4),
            "overprovisioned" if c.beneficial else "worst-case",
        )
        for c in study.overprovisioning
    ]
    return _table(columns, (1.4, 1, 1, 0.8, 1.2), rows)


def _method(study: Study) -> str:
    case = study.cases[0]
    factor = (
        "1 − r_p as the thesis prints it" if case.speed_ratio == "1 - r_p"  # noqa: RUF001
        else "1/(1 + r_p), the literal meaning of 'faster by r_p'"
    )  # fmt: skip
    outside = {
        "refuse": "refused",
        "clamp": "taken from the nearest measured count",
        "extrapolate": "extrapolated and flagged, as long as they stay positive",
    }[case.outside]
    ratio = (
        "given" if case.cost_ratio is not None else "what can really be bought, rack by rack"
    )
    return (
        f"Node counts are floored in exact decimal arithmetic. The cost ratio r_c is {ratio}. The "
        f"time factor f of the high-end node is {factor} = {fixed(case.time_factor, 4)}. Run times "
        f"at node counts that were not measured are {outside}. s_ovp above 1 means that "
        "overprovisioning is faster. Everything here is arithmetic on measured or published "
        "inputs; nothing is simulated."
    )


def _inputs(study: Study) -> Table:
    scenario, rows = study.scenario, []
    if scenario.power is not None:
        rows.append(("Power bound P_sys", typed(scenario.power.bound_w, "W"), scenario.power))
    question = scenario.overprovisioning
    if question is not None:
        ratio = "rack by rack" if question.cost_ratio is None else typed(question.cost_ratio)
        rows += [
            ("Cost ratio r_c", ratio, question),
            ("Performance parameter r_p", typed(question.performance_fraction), question),
        ]
    currency = "" if scenario.budget is None and not scenario.node_types else (
        scenario.budget.currency if scenario.budget else "USD"
    )  # fmt: skip
    for node_type in scenario.node_types:
        facts = [
            ("price", typed(node_type.price, currency), node_type.price),
            ("cores", typed(node_type.cores), node_type.cores),
            ("idle", typed(node_type.idle_w, "W"), node_type.idle_w),
            ("peak", typed(node_type.peak_w, "W"), node_type.peak_w),
            ("caps", "/".join(f"{c:g}" for c in node_type.package_caps_w) + " W",
             node_type.package_caps_w or None),
            ("score", typed(node_type.benchmark_score), node_type.benchmark_score),
        ]  # fmt: skip
        value = ", ".join(f"{name} {text}" for name, text, given in facts if given is not None)
        rows.append((node_type.title, value or "–", node_type))  # noqa: RUF001
    if scenario.rack is not None:
        value = f"{scenario.rack.nodes} nodes, {typed(scenario.rack.price, currency)} empty"
        rows.append(("Rack", value, scenario.rack))
    if scenario.switch is not None:
        switch = scenario.switch
        value = f"{switch.per_rack} per rack, {typed(switch.price, currency)}"
        rows.append(("Switch", value, switch))
    rows += _money_inputs(study)
    fallback = scenario.source or "not stated"
    return _table(
        (("Input", False), ("Value", False), ("Source", False)),
        (1.1, 1.3, 1.6),
        [(name, value, group.source or fallback) for name, value, group in rows],
    )


def _money_inputs(study: Study) -> list[tuple[str, str, Any]]:
    budget, machine = study.scenario.budget, study.scenario.machine
    rows: list[tuple[str, str, Any]] = []
    if budget is not None:
        facts = [
            ("Acquisition", budget.capital, budget.currency),
            ("Lifetime", budget.lifetime_years, "years"),
            ("Maintenance per year", 100 * budget.maintenance_fraction_per_year, "% of acquisition"),
            ("Staff per year", budget.staff_per_year, budget.currency),
            ("Energy price", budget.energy_price_per_kwh, f"{budget.currency}/kWh"),
            ("Power and cooling per year, as stated", budget.energy_per_year, budget.currency),
        ]
        rows += [(name, typed(v, unit), budget) for name, v, unit in facts if v is not None]
    if machine is not None:
        facts = [
            (f"{machine.name}: cores", machine.cores, ""),
            ("Utilisation", 100 * machine.utilisation, "%"),
            ("Power provisioned", machine.power_provisioned_w, "W"),
            ("Power used", machine.power_used_w, "W"),
        ]
        rows += [(name, typed(v, unit), machine) for name, v, unit in facts if v is not None]
    return rows


def _workloads(study: Study) -> Table:
    rows = []
    for workload, even in zip(study.scenario.workloads, study.break_even, strict=True):
        model = workload.time
        low, high = model.measured_nodes
        if model.kind == "linear":
            law = f"{typed(model.slope_s_per_node)} n + {typed(model.intercept_s)} s"
            declared = "" if model.declared_nodes is None else f"; declared to {model.declared_nodes}"
        else:
            law, declared = f"table of {len(model.nodes)} points", ""
        rows.append(
            (
                workload.name,
                shown(workload.weight),
                law,
                f"{low} to {high}{declared}",
                shown(even.zero_time_nodes),
                model.source or "not stated",
            )
        )
    columns = (
        ("Application", False), ("Weight", True), ("Run time", False), ("Nodes measured", False),
        ("Zero at", True), ("Source", False),
    )  # fmt: skip
    return _table(columns, (1, 0.6, 1.4, 1.2, 0.7, 1.9), rows)


def _designs(study: Study) -> Table:
    rows = [
        (
            c.application,
            str(c.nodes_worst_case),
            fixed(c.cost_worst_case, 1),
            str(c.node_limit),
            str(c.nodes_overprovisioned),
            fixed(c.degree_of_overprovisioning, 2),
            fixed(c.time_worst_case_s, 3),
            fixed(c.time_overprovisioned_s, 3) + _star(c.overprovisioned_origin),
            fixed(c.speedup, 4),
            f"{fixed(100 * c.time_reduction, 2)} %",
        )
        for c in study.overprovisioning
    ]
    columns = (
        ("Application", False), ("n_wc", True), ("c_wc", True), ("n_lim", True), ("n_ovp", True),
        ("Degree", True), ("t_wc (s)", True), ("t_ovp (s)", True), ("s_ovp", True),
        ("Time saved", True),
    )  # fmt: skip
    return _table(columns, (1.5, 0.7, 0.7, 0.7, 0.7, 0.9, 1, 1, 0.9, 1.1), rows)


def _star(origin: str) -> str:
    return {"measured": "", "clamped": " (clamped)", "extrapolated": " *"}[origin]


def _pictures(pictures: Sequence[Picture]) -> list[dict[str, str]]:
    sources = {
        "speedups": "Filled: as decided; open: the other reading.",
        "sensitivity": "After the thesis, figures 4.3 to 4.6.",
        "core_hour": "",
    }
    return [
        {
            "kind": p.kind,
            "file": f"{p.name}.svg",
            "title": p.title,
            "alternative": p.alternative,
            "source": sources[p.kind],
        }
        for p in pictures
    ]


def _sensitivity(study: Study) -> Table:
    applications = [c.application for c in study.overprovisioning]
    labels = {
        "cost_ratio": ("r_c", 1.0, ""),
        "power_bound_w": ("P_sys", 1.0, "W"),
        "performance_fraction": ("r_p", 100.0, "%"),
    }
    rows: dict[tuple[str, float], list[str]] = {}
    for row in study.sensitivity:
        value = fixed(row.speedup, 3) + ("*" if row.extrapolated else "")
        rows.setdefault((row.parameter, row.value), []).append(value)
    lines = []
    for (parameter, value), cells in rows.items():
        name, factor, unit = labels[parameter]
        lines.append((f"{name} = {shown(factor * value, 3, unit)}", *cells))
    columns = [("Input", False), *((name, True) for name in applications)]
    return _table(columns, (1.4, *([1] * len(applications))), lines)


def _sensitivity_text(study: Study) -> str:
    highest = max(case.time.measured_nodes[1] for case in study.cases)
    first = study.overprovisioning[0]
    return (
        "One input is changed at a time, all others as given. Node counts are whole, so the "
        "speedup moves in steps over the cost ratio and the power bound. Beyond "
        f"{highest} measured nodes the curves are extrapolated. At this power bound a higher cost "
        f"ratio stops helping at {first.node_limit} older nodes, cost ratio "
        f"{shown(first.node_limit / first.nodes_worst_case, 3)}."
    )


def _turning(study: Study) -> Table:
    columns = (("Application", False), ("Now faster", False), ("Would turn with", False))
    verdicts = {c.application: c.beneficial for c in study.overprovisioning}
    rows = [
        (t.application, "overprovisioned" if verdicts[t.application] else "worst-case", t.change)
        for t in study.turning
    ]
    return _table(columns, (1, 1, 3), rows)


def _turning_text(study: Study) -> str:
    decision = study.decision
    if decision is None or decision.other_reading_mix_speedup is None:
        return "Each line changes one input and leaves all others as given."
    effect = "would turn" if decision.turns_with_reading else "would not turn"
    return (
        f"For the mix: reading 'faster by r_p' as a time ratio of {decision.other_reading} gives "
        f"{fixed(decision.other_reading_mix_speedup, 4)} and {effect} the decision. For each "
        "application, one input at a time:"
    )


def _core_hour(study: Study) -> Table | None:
    cost = study.core_hour
    if cost is None:
        return None
    stated = "as stated" if cost.energy_stated else "computed"
    rows = [
        ("Acquisition per year", shown(cost.acquisition_per_year)),
        ("Maintenance and support per year", shown(cost.maintenance_per_year)),
        (f"Power and cooling per year, {stated}", shown(cost.energy_per_year)),
        ("Staff per year", shown(cost.staff_per_year)),
        ("Operation per year", shown(cost.operation_per_year)),
        ("Total per year", shown(cost.total_per_year)),
        ("Used core-hours per year", shown(cost.core_hours_per_year)),
        (f"{cost.currency} per used core-hour", fixed(cost.cost_per_core_hour, 6)),
    ]
    for name, energy, result in (
        ("provisioned", cost.energy_provisioned_per_year, cost.cost_per_core_hour_provisioned),
        ("used", cost.energy_used_per_year, cost.cost_per_core_hour_used),
    ):
        if energy is not None:
            rows.append((f"Energy of the {name} power per year, computed", shown(energy)))
            rows.append((f"{cost.currency} per used core-hour with it", fixed(result, 6)))
    return _table((("Item", False), ("Value", True)), (2, 1), rows)


def _core_hour_text(study: Study) -> str:
    cost = study.core_hour
    if cost is None:
        return ""
    return (
        "Acquisition is written off in equal parts over the lifetime; maintenance, power and "
        f"staff are added; the sum is divided by the core-hours that are used: cores x 8,760 h x "
        f"utilisation. All money is in {cost.currency}."
    )


def _racks(study: Study) -> Table | None:
    racks = study.racks
    if racks is None:
        return None
    rows = [
        ("Price ratio of the nodes alone", shown(racks.price_ratio)),
        ("Benchmark score ratio", shown(racks.score_ratio)),
        ("Older nodes if racks were free", shown(racks.nodes_without_racks)),
        ("Full high-end rack", shown(racks.high_end_rack_cost)),
        ("per node", shown(racks.high_end_cost_per_node)),
        ("Full older rack", shown(racks.older_rack_cost)),
        ("per node", shown(racks.older_cost_per_node)),
        ("Further older nodes for the same money", shown(racks.further_nodes)),
        ("each, with their rack", shown(racks.further_cost_per_node)),
        ("Average per older node", shown(racks.average_cost_per_node)),
        ("Cost ratio of this one rack", shown(racks.cost_ratio_one_rack)),
        ("Cost ratio with full racks only", shown(racks.cost_ratio_full_racks)),
    ]
    return _table((("Item", False), ("Value", True)), (2, 1), rows)


def _racks_text(study: Study) -> str:
    racks = study.racks
    if racks is None:
        return ""
    return (
        "A rack and its switch are bought whole, so the last rack makes its nodes dearer. The "
        f"cost ratio rises from {fixed(racks.sizes[0].cost_ratio, 2)} for one rack to "
        f"{fixed(racks.sizes[-1].cost_ratio, 2)} for {racks.sizes[-1].racks}."
    )


def _rack_sizes(study: Study) -> Table | None:
    if study.racks is None:
        return None
    columns = (
        ("Racks", True), ("High-end nodes", True), ("Money", True), ("Older nodes", True),
        ("Cost ratio", True),
    )  # fmt: skip
    rows = [
        (shown(r.racks), shown(r.high_end_nodes), shown(r.money), shown(r.older_nodes),
         fixed(r.cost_ratio, 3))
        for r in study.racks.sizes
    ]  # fmt: skip
    return _table(columns, (1, 1, 1.2, 1, 1), rows)


def _printed(study: Study) -> Table | None:
    if not study.printed:
        return None
    columns = (
        ("Quantity", False), ("Printed", True), ("Ours", True), ("Agrees", False),
        ("Source and remark", False),
    )  # fmt: skip
    rows = [
        (
            _quantity(row.quantity),
            typed(row.printed),
            shown(row.ours, 5),
            "yes" if row.agrees else "NO",
            f"{row.source}. {row.note}" if row.note else row.source,
        )
        for row in study.printed
    ]
    return _table(columns, (1.7, 0.9, 0.9, 0.6, 2.4), rows)


def _quantity(path: str) -> str:
    """The end of a path in plan.json as words, its unit in brackets."""
    parts = path.split(".")[1:]
    for ending, unit in (("_s", " (s)"), ("_w", " (W)")):
        if parts[-1].endswith(ending):
            parts[-1] = parts[-1].removesuffix(ending) + unit
    return " · ".join(parts).replace("_", " ")


def _printed_text(study: Study) -> str:
    off = sum(not row.agrees for row in study.printed)
    return (
        f"{len(study.printed) - off} of {len(study.printed)} published numbers agree with what "
        "their own formulas and inputs give, within half a unit of the last printed digit. Where "
        "they do not, ours are used throughout this report."
    )


def _limits(study: Study) -> list[str]:
    lines = []
    if study.decision is not None:
        zero = [
            f"{e.application} at {shown(e.zero_time_nodes)}"
            for e in study.break_even
            if e.zero_time_nodes is not None
        ]
        lines += [
            "The comparison is arithmetic on one run-time curve per application: the same curve "
            "chooses the design and scores it.",
            "Each application runs alone on the whole machine; queues and job mixes are not "
            "modelled, and the mix is a geometric mean of speedups.",
            "Older nodes beyond those that can run at peak are assumed to run under the bound at "
            "the measured times; power enters only as idle power.",
            "Only acquisition is compared; energy, space and staff of more nodes are not.",
        ]
        if zero:
            lines.append(
                "A straight line falls to zero: " + "; ".join(zero) + " nodes. Gains near that "
                "point are artefacts of the line, not of the machine."
            )
        inside = [
            f"{w.name} is declared valid to {w.time.declared_nodes} nodes, where its line gives "
            f"{fixed(w.time.slope_s_per_node * w.time.declared_nodes + w.time.intercept_s, 2)} s"
            for w in study.scenario.workloads
            if w.time.kind == "linear" and w.time.declared_nodes is not None
            and w.time.slope_s_per_node * w.time.declared_nodes + w.time.intercept_s <= 0
        ]  # fmt: skip
        lines += [line + "." for line in inside]
    if study.core_hour is not None:
        lines += [
            "The cost per core-hour covers acquisition, maintenance, power and staff; buildings, "
            "discounting and resale are not in it.",
            "The utilisation is an input: the cost is inversely proportional to it.",
        ]
    return lines


def _certificates(study: Study) -> Table:
    columns = (
        ("Application", False), ("Design", False), ("Nodes", True), ("Program (s)", True),
        ("Bound (s)", True), ("Closed form (s)", True), ("Status", False), ("Level", False),
        ("Model", False),
    )  # fmt: skip
    rows = [
        (
            check.application,
            check.design,
            str(check.plan.nodes),
            fixed(check.certificate.objective, 5),
            fixed(check.certificate.bound, 5),
            fixed(check.closed_form.time_s, 5),
            check.certificate.status.value,
            check.certificate.level.value,
            check.certificate.model_digest[:8],
        )
        for check in study.designs
    ]
    return _table(columns, (1.2, 0.9, 0.6, 1, 1, 1.1, 0.9, 0.9, 0.9), rows)


def _certificates_text(study: Study) -> str:
    solvers = sorted({check.certificate.solver for check in study.designs})
    notes = [
        f"{check.application}, {check.design}: {note}."
        for check in study.designs
        for note in check.certificate.notes
    ]
    return " ".join(
        [
            "The designs were also found as mixed-integer programs, with each node type alone and "
            "with both on offer (free). Proved means: the point was checked and the bound derived "
            "in exact rational arithmetic. Verified means: the point was recomputed, the bound is "
            f"the solver's word. Solver: {words(solvers)}.",
            *notes,
        ]
    )


def _provenance(study: Study) -> Table:
    options = study.options
    rows = [
        ("Scenario", study.scenario.name),
        *((f"SHA-256 of {name}", digest) for name, digest in study.scenario.provenance.files),
        ("Command", _command(study)),
        ("Seed", str(options.seed)),
        ("Gap asked for", f"{options.gap:g}"),
        (
            "Time limit",
            "none; the same input gives the same bytes"
            if options.time_limit_s is None
            else f"{options.time_limit_s:g} s",
        ),
        ("Headroom", headroom_version()),
        ("Libraries", ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)),
        ("Python", platform.python_version()),
    ]
    return _table((("Item", False), ("Value", False)), (1, 3), rows)


def _command(study: Study) -> str:
    options = study.options
    words_ = ["headroom", "plan", study.scenario.name]
    if options.solver != "highs":
        words_ += ["--solver", options.solver]
    if options.seed:
        words_ += ["--seed", str(options.seed)]
    if options.gap != 1e-6:
        words_ += ["--gap", f"{options.gap:g}"]
    if options.time_limit_s is not None:
        words_ += ["--time-limit", f"{options.time_limit_s:g}"]
    return " ".join(words_)
