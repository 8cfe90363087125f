"""The words of the report, and all that its template shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.designs.decision import rounded_up
from planner.designs.study import DesignStudy
from planner.formatting import words
from reports.designs import tables
from reports.first_page import FirstPage
from reports.numbers import fixed, shown, typed
from reports.provenance import provenance
from reports.skeleton import title_page, with_figure
from reports.style import Picture


def document(study: DesignStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    compared = study.decision is not None
    stopped = (
        "Stopped by time: at least one solve ended at its time limit, so another run may "
        "differ. Its certificate shows the gap that was left."
    )
    front = title_page(
        study,
        study.scenario.title,
        study.scenario.name,
        description=study.scenario.description,
        first=FirstPage(
            reasons=_summary(study),
            risks=[*study.warnings, *((stopped,) if study.stopped_by_time else ())],
            table=tables.summary(study) if compared else None,
        ),
    )
    return with_figure(front, pictures) | {
        "has_designs": compared,
        "method": _method(study) if compared else "",
        "source_text": _source_text(study),
        "inputs": tables.inputs(study),
        "workloads": tables.workloads(study) if compared else None,
        "designs": tables.designs(study) if compared else None,
        "pictures": _pictures(pictures),
        "sensitivity": tables.sensitivity(study) if compared else None,
        "sensitivity_text": _sensitivity_text(study) if compared else "",
        "turning": tables.turning(study) if compared else None,
        "turning_text": _turning_text(study) if compared else "",
        "core_hour": tables.core_hour(study),
        "core_hour_text": _core_hour_text(study),
        "racks": tables.racks(study),
        "racks_text": _racks_text(study),
        "rack_sizes": tables.rack_sizes(study),
        "printed": tables.printed(study),
        "printed_text": _printed_text(study),
        "limits": _limits(study),
        "certificates": tables.certificates(study) if study.designs else None,
        "certificates_text": _certificates_text(study) if study.designs else "",
        "provenance": provenance(study.scenario, study.options),
    }


def _names(study: DesignStudy) -> tuple[str, str]:
    question = study.scenario.overprovisioning
    if question is None:
        return "high-end node", "older node"
    scenario = study.scenario
    return scenario.node_type(question.high_end).title, scenario.node_type(question.older).title


def _summary(study: DesignStudy) -> list[str]:
    lines = []
    if study.decision is not None:
        first, case = study.overprovisioning[0], study.cases[0]
        high_end, older = _names(study)
        lines.append(
            f"{typed(case.power_bound_w, 'W')} suffice for {first.nodes_worst_case} x {high_end} "
            f"at {typed(case.high_end_peak_w, 'W')}. {_money(study)} buys "
            f"{first.nodes_overprovisioned} x {older} (cost ratio {shown(first.cost_ratio, 4)}); "
            f"the power bound keeps {first.node_limit:,} of them alive at idle."
        )
        mix = study.decision.mix_speedup
        whose = "Over the mix" if len(study.overprovisioning) > 1 else first.application + ":"
        mean = " (weighted geometric mean)" if len(study.overprovisioning) > 1 else ""
        lines.append(
            f"{whose} the overprovisioned design runs at {fixed(mix, 4)} of the speed of the "
            f"worst-case design{mean}."
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
            "their rounding; the others are shown next to ours."
        )
    return lines


def _money(study: DesignStudy) -> str:
    """The money of the worst-case design, with its racks if they are given."""
    question, case = study.scenario.overprovisioning, study.cases[0]
    nodes = study.overprovisioning[0].nodes_worst_case
    currency = tables.currency(study)
    if question is None:
        return "The same money"
    if question.cost_ratio_from == "racks" and case.racks is not None:
        money = float(case.racks.cost(nodes, case.racks.high_end))
        return f"Their money, {typed(money, currency)} with racks,"
    price = study.scenario.node_type(question.high_end).price
    if price is None:
        return "Their money"
    return f"Their money ({typed(nodes * price, currency)} for the nodes alone)"


def _method(study: DesignStudy) -> str:
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
    ratio = "given" if case.cost_ratio is not None else "what can really be bought, rack by rack"
    return (
        f"Node counts are floored in exact decimal arithmetic. The cost ratio r_c is {ratio}. The "
        f"time factor f of the high-end node is {factor} = {fixed(case.time_factor, 4)}. Run times "
        f"at node counts that were not measured are {outside}. s_ovp above 1 means that "
        "overprovisioning is faster. Everything here is arithmetic on measured or published "
        "inputs; nothing is simulated."
    )


def _source_text(study: DesignStudy) -> str:
    source = study.scenario.source
    return f"Source of the scenario: {source}." if source else "The scenario names no source."


def _pictures(pictures: Sequence[Picture]) -> list[dict[str, str]]:
    sources = {
        "speedups": "Filled: as decided; open: the other reading.",
        "sensitivity": "",
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


def _sensitivity_text(study: DesignStudy) -> str:
    highest = max(case.time.measured_nodes[1] for case in study.cases)
    first = study.overprovisioning[0]
    beyond = {
        "refuse": "no run time is known and the curves end",
        "clamp": "the run time is that of the largest measured count",
        "extrapolate": "the curves are extrapolated",
    }[study.cases[0].outside]
    return (
        "One input is changed at a time, all others as given. Node counts are whole, so the "
        "speedup moves in steps over the cost ratio and the power bound. Beyond "
        f"{highest} measured nodes {beyond}. The power bound keeps at most {first.node_limit:,} "
        "older nodes alive; a cost ratio above "
        f"{rounded_up(first.node_limit / first.nodes_worst_case, 3)} buys no more. The figures "
        "are drawn like the thesis's 4.3 to 4.6."
    )


def _turning_text(study: DesignStudy) -> str:
    decision = study.decision
    if decision is None or decision.other_reading_mix_speedup is None:
        return "Each line changes one input and leaves all others as given."
    effect = "would turn" if decision.turns_with_reading else "would not turn"
    return (
        f"For the mix: reading 'faster by r_p' as a time ratio of {decision.other_reading} gives "
        f"{fixed(decision.other_reading_mix_speedup, 4)} and {effect} the decision. For each "
        "application, one input at a time:"
    )


def _core_hour_text(study: DesignStudy) -> str:
    cost = study.core_hour
    if cost is None:
        return ""
    return (
        "Acquisition is written off in equal parts over the lifetime; maintenance, power and "
        f"staff are added; the sum is divided by the core-hours that are used: cores x 8,760 h x "
        f"utilisation. All money is in {cost.currency}."
    )


def _racks_text(study: DesignStudy) -> str:
    racks = study.racks
    if racks is None:
        return ""
    return (
        "A rack and its switch are bought whole, so the last rack makes its nodes dearer (section "
        f"4.4.2 of the thesis). All money is in {tables.currency(study)}. How "
        "well the last racks happen to be filled moves the cost ratio, most in small systems."
    )


def _printed_text(study: DesignStudy) -> str:
    off = sum(not row.agrees for row in study.printed)
    return (
        f"{len(study.printed) - off} of {len(study.printed)} published numbers agree with what "
        "their own formulas and inputs give, within half a unit of the last printed digit. Where "
        "they do not, ours are used throughout this report."
    )


def _limits(study: DesignStudy) -> list[str]:
    lines = list(_DESIGN_LIMITS) + _line_limits(study) if study.decision is not None else []
    return lines + (list(_CORE_HOUR_LIMITS) if study.core_hour is not None else [])


_DESIGN_LIMITS = (
    (
        "The comparison is arithmetic on one run-time curve per application: the same curve "
        "chooses the design and scores it."
    ),
    (
        "Each application runs alone on the whole machine; queues and job mixes are not "
        "modelled, and the mix is a geometric mean of speedups."
    ),
    (
        "Older nodes beyond those that can run at peak are assumed to run under the bound at the "
        "measured times; power enters only as idle power."
    ),
    "Only acquisition is compared; energy, space and staff of more nodes are not.",
)
_CORE_HOUR_LIMITS = (
    (
        "The cost per core-hour covers acquisition, maintenance, power and staff; buildings, "
        "discounting and resale are not in it."
    ),
    "The utilisation is an input: the cost is inversely proportional to it.",
)


def _line_limits(study: DesignStudy) -> list[str]:
    """Where the run-time curves stop making sense."""
    continued = study.cases[0].outside == "extrapolate"
    zero = [
        f"{even.application} at {fixed(even.zero_time_nodes, 2)}"
        for even in study.break_even
        if even.zero_time_nodes is not None and continued
    ]
    lines = []
    if zero:
        falls = "; ".join(zero)
        lines.append(
            f"A falling line reaches zero: {falls} nodes. Gains near that point are artefacts of "
            "the line, not of the machine."
        )
    for workload in study.scenario.workloads:
        model = workload.run_time
        if model.kind == "linear" and model.declared_nodes is not None:
            time_s = model.slope_s_per_node * model.declared_nodes + model.intercept_s
            if time_s <= 0:
                lines.append(
                    f"{workload.name} is declared valid to {model.declared_nodes} nodes, where its "
                    f"line gives {fixed(time_s, 2)} s."
                )
    return lines


def _certificates_text(study: DesignStudy) -> str:
    solvers = sorted({check.certificate.solver for check in study.designs})
    notes = [
        f"{check.application}, {check.design}: {note}."
        for check in study.designs
        for note in check.certificate.notes
    ]
    text = (
        "The designs were also found as mixed-integer programs, with each node type alone and with "
        "both on offer (free); where fewer nodes are as fast, the program may buy fewer than the "
        "closed form. Proved means: the point was checked and the bound derived in exact "
        "rational arithmetic. Verified means: the point was recomputed, the bound is the solver's "
        f"word. Solver: {words(solvers)}."
    )
    return " ".join([text, *notes])
