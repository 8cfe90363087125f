"""The words of the report, and all that its template shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.designs.break_even import MIX
from planner.designs.decision import rounded_up
from planner.designs.phrases import TEMPLATES
from planner.designs.study import DesignStudy
from planner.formatting import capitalised, percent, plural, words
from reports.blocks import Block
from reports.compact import compact
from reports.designs import tables
from reports.designs.front import front
from reports.numbers import fixed
from reports.provenance import provenance
from reports.skeleton import with_figure
from reports.style import Picture


def document(study: DesignStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    compared = study.decision is not None
    return with_figure(front(study), pictures) | {
        "has_designs": compared,
        "method": _method(study) if compared else "",
        "source_text": _source_text(study),
        "inputs": compact(tables.inputs(study), "Inputs and where they come from"),
        "workloads": compact(tables.workloads(study), "Applications: run time on n older nodes")
        if compared
        else [],
        "answers": _answers(study),
        "designs": _designs(study) if compared else [],
        "pictures": _pictures(study, pictures),
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
        "certificates": compact(tables.certificates(study), "Certificates")
        if study.designs
        else [],
        "certificates_text": _certificates_text(study) if study.designs else "",
        "provenance": provenance(study.scenario, study.options),
    }


def _answers(study: DesignStudy) -> dict[str, str]:
    """The answer of each section that asks a question."""
    made: dict[str, str] = {}
    if study.decision is not None:
        better, total = len(study.decision.gaining), len(study.overprovisioning)
        verb = "is" if better == 1 else "are"
        made["designs"] = (
            f"{better or 'None'} of {plural(total, 'application')} {verb} faster with the "
            "overprovisioned design."
        )
        made["turning"] = _turning(study)
    if study.core_hour is not None:
        cost = study.core_hour
        parts = (
            ("acquisition", cost.acquisition_per_year),
            ("maintenance and support", cost.maintenance_per_year),
            ("power and cooling", cost.energy_per_year),
            ("staff", cost.staff_per_year),
        )
        shares = [f"{name} {percent(part / cost.total_per_year)}" for name, part in parts if part]
        made["core_hour"] = f"{capitalised(words(shares))} of the cost of a year."
    if study.racks is not None:
        ratios = [size.cost_ratio for size in study.racks.sizes]
        ends = " to ".join(dict.fromkeys((fixed(min(ratios), 3), fixed(max(ratios), 3))))
        made["racks"] = (
            f"With whole racks, the cost ratio is {ends}; for the nodes alone it is "
            f"{fixed(study.racks.price_ratio, 3)}."
        )
    return made


def _turning(study: DesignStudy) -> str:
    """Which single changes reverse the recommendation, without the present values."""
    names = [turn.application for turn in study.turning]
    name = MIX if MIX in names else next(iter(names), "")
    changes = [
        turn.change.partition(" (now")[0].removeprefix("high-end nodes faster by ")
        for turn in study.turning
        if turn.application == name and not turn.change.startswith("no ")
    ]
    if not changes:
        return "No single input that was changed reverses the recommendation."
    return f"It reverses with {' or '.join(filter(None, (', '.join(changes[:-1]), changes[-1])))}."


def _designs(study: DesignStudy) -> list[Block]:
    caption = (
        "Worst-case provisioned compared with overprovisioned (* extrapolated, † nearest measured "
        "count)"
    )
    return compact(tables.designs(study), caption)


def _method(study: DesignStudy) -> str:
    case = study.cases[0]
    factor = (
        "1 − r_p, as printed in the thesis" if case.speed_ratio == "1 - r_p"  # noqa: RUF001
        else "1/(1 + r_p), the literal meaning of 'faster by r_p'"
    )  # fmt: skip
    outside = {
        "refuse": "refused",
        "clamp": "taken from the nearest measured count",
        "extrapolate": "extrapolated and marked, as long as they stay positive",
    }[case.outside]
    ratio = "given" if case.cost_ratio is not None else "that of purchases rack by rack"
    return (
        f"Node counts are floored in exact decimal arithmetic. The cost ratio r_c is {ratio}. The "
        f"time factor f of the high-end node is {factor} = {fixed(case.time_factor, 4)}. Run times "
        f"at node counts without measurements are {outside}. If s_ovp is above 1, "
        "overprovisioning is faster. All results are arithmetic on measured or published inputs; "
        "nothing is simulated."
    )


def _source_text(study: DesignStudy) -> str:
    source = study.scenario.source
    return f"Source of the scenario: {source}." if source else "The scenario names no source."


def _pictures(study: DesignStudy, pictures: Sequence[Picture]) -> list[dict[str, str]]:
    sources = {
        "speedups": TEMPLATES[study.scenario.language]["marks"],
        "sensitivity": "A speedup above 1 means that overprovisioning is faster. Cost ratio: "
        "price of a high-end node over that of an older node.",
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
        "refuse": "no run time is known, so the curves end",
        "clamp": "the run time is that of the largest measured count",
        "extrapolate": "the curves are extrapolated",
    }[study.cases[0].outside]
    return (
        "One input changes at a time; all others stay. Node counts are whole, so the speedup "
        "changes in steps over the cost ratio and the power bound. Beyond "
        f"{highest} measured nodes, {beyond}. The power bound carries at most "
        f"{plural(first.node_limit, 'older node')}; a cost ratio above "
        f"{rounded_up(first.node_limit / first.nodes_worst_case, 3)} buys no more. The figure "
        "follows figures 4.3 to 4.6 of the thesis."
    )


def _turning_text(study: DesignStudy) -> str:
    decision = study.decision
    if decision is None or decision.other_reading_mix_speedup is None:
        return "Each line changes one input; all others stay."
    effect = "reverses" if decision.turns_with_reading else "does not change"
    return (
        "High-end nodes are faster by the share r_p. "
        f"If that means a time factor of {decision.other_reading}, the speed ratio of "
        f"the mix is {fixed(decision.other_reading_mix_speedup, 4)}, which {effect} the decision. "
        "For each application, one input changes at a time:"
    )


def _core_hour_text(study: DesignStudy) -> str:
    cost = study.core_hour
    if cost is None:
        return ""
    return (
        "Acquisition is written off in equal parts over the lifetime, and maintenance, power and "
        "staff are added. The sum is divided by the used core-hours: cores x 8,760 h x "
        f"utilisation. All money is in {cost.currency}."
    )


def _racks_text(study: DesignStudy) -> str:
    racks = study.racks
    if racks is None:
        return ""
    return (
        "Racks and their switches are bought whole, so nodes in a partly filled rack cost more "
        f"(section 4.4.2 of the thesis). All money is in {tables.currency(study)}. The filling of "
        "the last racks changes the cost ratio, most of all in small systems."
    )


def _printed_text(study: DesignStudy) -> str:
    off = sum(not row.agrees for row in study.printed)
    return (
        f"{len(study.printed) - off} of {len(study.printed)} published numbers agree with their "
        "own formulas and inputs, within half a unit of the last printed digit. Elsewhere this "
        "report uses the recomputed numbers."
    )


def _limits(study: DesignStudy) -> list[str]:
    lines = list(_DESIGN_LIMITS) + _line_limits(study) if study.decision is not None else []
    return lines + (list(_CORE_HOUR_LIMITS) if study.core_hour is not None else [])


_DESIGN_LIMITS = (
    (
        "The comparison uses one run-time curve per application: the same curve chooses the "
        "design and rates it."
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
        "discounting and resale are not included."
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
            f"A falling line reaches zero: {falls} nodes. Gains near that point come from the "
            "line, not from the machine."
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
        "The designs were also computed as mixed-integer programs, with each node type alone and "
        "with both on offer (free). Where fewer nodes are as fast, the program may buy fewer than "
        "the closed form. Proved: the solution was checked and the bound derived in exact rational "
        "arithmetic. Verified: the solution was recomputed; the bound is the solver's. "
        f"Solver: {words(solvers)}."
    )
    return " ".join([text, *notes])
