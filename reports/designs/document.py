"""The words of the report, and all that its template shows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.designs.break_even import MIX
from planner.designs.decision import rounded_up
from planner.designs.phrases import faster, meaning, reading_text
from planner.designs.study import DesignStudy
from planner.formatting import capitalised, given, percent, plural, telling, words
from reports.blocks import Block, grid
from reports.compact import compact
from reports.designs import tables
from reports.designs.figures.speedups import marks
from reports.designs.front import front, readings
from reports.numbers import fixed, shown, typed
from reports.provenance import provenance
from reports.skeleton import with_figure
from reports.style import Picture


def document(study: DesignStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    compared = study.decision is not None
    return with_figure(front(study), pictures) | {
        "has_designs": compared,
        "method": _method(study) if compared else "",
        "core_hour_method": _core_hour_method(study),
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
        "readings": tables.readings(study, readings(study)),
        "readings_text": _readings_text(study) if compared else "",
        "turning": compact(tables.turning(study), _TURNING)
        if len(study.overprovisioning) > 1
        else [],
        "turning_text": _turning_text(study) if compared else "",
        "core_hour": tables.core_hour(study) if compared else None,
        "bills": tables.bills(study),
        "bills_text": _bills_text(study),
        "racks": tables.racks(study),
        "racks_text": _racks_text(study),
        "rack_text": _rack_text(study),
        "rack_sizes": tables.rack_sizes(study),
        "printed": tables.printed(study),
        "printed_text": _printed_text(study),
        "limits": _limits(study),
        "certificates": compact(tables.certificates(study), "Certificates")
        if study.designs
        else [],
        "certificates_text": _certificates_text(study) if study.designs else "",
        "provenance": provenance(study.scenario, study.options, solved=bool(study.designs)),
    }


def _answers(study: DesignStudy) -> dict[str, str]:
    """The answer of each section that asks a question."""
    made: dict[str, str] = {}
    if study.decision is not None:
        made["designs"] = _faster_design(study)
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
        bills = [
            cost.cost_per_core_hour,
            cost.cost_per_core_hour_provisioned or cost.cost_per_core_hour,
            cost.cost_per_core_hour_used or cost.cost_per_core_hour,
        ]
        low, high = min(bills), max(bills)
        made["bills"] = (
            f"By up to {percent(high / low - 1)}: a used core-hour costs {telling(low, 3)} to "
            f"{telling(high, 3)} {cost.currency}."
            if high > low
            else f"No: a used core-hour costs {telling(low, 3)} {cost.currency} by every bill."
        )
    if study.racks is not None:
        made["racks"] = _racks_answer(study)
    return made


def _faster_design(study: DesignStudy) -> str:
    """Which design is faster, by how much, and for how many applications it is not."""
    decision, compared = study.decision, study.overprovisioning
    if decision is None:
        return ""
    by_more = decision.design == "overprovisioned"
    speed = faster(decision.mix_speedup)
    how = "both designs are equally fast" if speed == "equally fast" else f"it is {speed}"
    of = f"for {compared[0].application}" if len(compared) == 1 else "over the mix"
    answer = f"The {decision.design} design: {of}, {how}"
    if len(compared) == 1:
        return f"{answer}."
    others = sum(c.beneficial != by_more for c in compared)
    verb = "is" if others == 1 else "are"
    return (
        f"{answer}; {others or 'none'} of {plural(len(compared), 'application')} {verb} faster "
        "with the other design."
    )


def _racks_answer(study: DesignStudy) -> str:
    """The cost ratio with whole racks at the size of the plan, and what it does to the decision."""
    racks, decision, first = study.racks, study.decision, study.overprovisioning[0]
    if racks is None or decision is None:
        return ""
    own = next(size for size in racks.sizes if size.high_end_nodes == first.nodes_worst_case)
    ratio = fixed(own.cost_ratio, 3)
    nodes = plural(own.high_end_nodes, "high-end node")
    if study.cases[0].cost_ratio is None:
        alone = fixed(racks.price_ratio, 3)
        if alone == ratio:
            return f"No: for {nodes} it is {ratio} with and without racks."
        return (
            f"Yes: for {nodes} it is {ratio} with whole racks, which this plan uses, and {alone} "
            "for the nodes alone."
        )
    if ratio == fixed(first.cost_ratio, 3):
        return f"No: for {nodes} it is {ratio}, as this plan uses."
    used = f"Yes: for {nodes} it is {ratio}, where this plan uses {fixed(first.cost_ratio, 3)}"
    reverses = any(r.kind == "whole racks" and r.reverses for r in decision.readings)
    return f"{used}: the result {'reverses' if reverses else 'stays'}.{_other_sizes(study)}"


def _other_sizes(study: DesignStudy) -> str:
    """In how many cases the cost ratios of the other listed sizes would reverse the result."""
    racks, decision = study.racks, study.decision
    if racks is None or decision is None:
        return ""
    even = study.mix_break_even or study.break_even[0]
    ratios = [size.cost_ratio for size in racks.sizes
              if size.high_end_nodes != study.overprovisioning[0].nodes_worst_case]  # fmt: skip
    if not ratios:
        return ""
    pays = [
        any(here.start <= ratio and (here.end is None or ratio < here.end)
            for here in even.cost_ratio_pays)
        for ratio in ratios
    ]  # fmt: skip
    reverse = sum(paid != (decision.mix_speedup > 1) for paid in pays)
    if len(ratios) == 1:
        result = "reverses" if reverse else "stays"
        return f" At the cost ratio of the only other size, it {result}."
    cases = plural(reverse, "case") if reverse else "no case"
    return f" At the cost ratios of the other {len(ratios)} sizes, it reverses in {cases}."


_TURNING = "The result reverses if one input alone passes the value shown"


def _turning(study: DesignStudy) -> str:
    """Which single changes reverse the result, without the present values."""
    names = [turn.application for turn in study.turning]
    name = MIX if MIX in names else next(iter(names), "")
    starts = {
        "performance_fraction": "high-end nodes are faster by",
        "cost_ratio": "the cost ratio is",
        "power_bound_w": "the power bound is",
    }
    changes = [
        f"{starts[turn.parameter]} {turn.threshold.replace('below', 'less than')}"
        for turn in study.turning
        if turn.application == name and turn.threshold
    ]
    others = readings(study)
    reverse = sum(reading.reverses for reading in others)
    verb = "reverses" if reverse == 1 else "reverse"
    share = f"All {reverse}" if reverse == len(others) > 1 else f"{reverse} of {len(others)}"
    start = f"{share} other readings {verb} it. " if reverse else ""
    also = "also " if reverse else ""
    if not changes:
        return f"{start}No single input that was changed reverses the result."
    listed = " or ".join(filter(None, (", ".join(changes[:-1]), changes[-1])))
    return f"{start}It {also}reverses if {listed}."


def _designs(study: DesignStudy) -> list[Block]:
    every = tables.applications(study)
    more = [] if every is None else [grid(every, "Run times of all applications")]
    return [grid(tables.designs(study), "The two designs, for the same money and power"), *more]


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
        "speedups": marks(study),
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
        "Node counts are whole, so the speedup "
        "changes in steps over the cost ratio and the power bound. Beyond "
        f"{highest} measured nodes, {beyond}. The power bound carries at most "
        f"{plural(first.node_limit, 'older node')}; a cost ratio above "
        f"{rounded_up(first.node_limit / first.nodes_worst_case, 3)} buys no more. The figure "
        "follows figures 4.3 to 4.6 of Patki's thesis."
    )


def _readings_text(study: DesignStudy) -> str:
    others = readings(study)
    if not others:
        return ""
    single = len(study.overprovisioning) == 1
    over = f"for {study.overprovisioning[0].application}" if single else "over the mix"
    extrapolated = "" if all(r.measured for r in others) else (
        " * Run times at these node counts were not measured."
    )  # fmt: skip
    return (
        f"The scenario says that high-end nodes are {given(study.cases[0].performance_fraction)} "
        f"faster; this plan reads it as {meaning(study.cases[0])}. The table changes one reading "
        f"at a time. A speedup above 1 means that overprovisioning is faster {over}."
        f"{extrapolated}"
    )


def _turning_text(study: DesignStudy) -> str:
    low, high = study.break_even[0].power_range_w
    return (
        "Next, one input changes at a time; all others stay. Cost ratios were searched until the "
        f"power bound carries no more older nodes, and power bounds from {typed(low, 'W')} to "
        f"{typed(high, 'W')}. The cost ratio is the price of a high-end node over that of an older "
        f"one.{_beyond(study)}"
    )


def _beyond(study: DesignStudy) -> str:
    """What the thresholds rest on where they need more nodes than were measured."""
    if any(turn.extrapolated for turn in study.turning):
        return " * Run times at these values were not measured but extrapolated."
    if study.cases[0].outside != "clamp":
        return ""
    highest = max(case.time.measured_nodes[1] for case in study.cases)
    return (
        f" Run times on more than {plural(highest, 'older node')} were not measured but taken from "
        "the largest measured count."
    )


def _core_hour_method(study: DesignStudy) -> str:
    cost = study.core_hour
    if cost is None:
        return ""
    return (
        "Acquisition is written off in equal parts over the lifetime, and maintenance, power and "
        "staff are added. The sum is divided by the used core-hours: cores x 8,760 h x "
        "utilisation. Energy that is not stated is the power billed x 8,760 h x the energy price."
    )


def _bills_text(study: DesignStudy) -> str:
    cost = study.core_hour
    if cost is None:
        return ""
    energy = shown(cost.energy_per_year, unit=cost.currency)
    basis = f"the stated {energy} a year" if cost.energy_stated else f"{energy} a year, computed"
    return (
        "Provisioned power is reserved for the machine; used power is what it draws on average. "
        f"The first page and its figure use {basis} for power and cooling."
    )


def _racks_text(study: DesignStudy) -> str:
    racks = study.racks
    if racks is None:
        return ""
    names = [t for t in study.turning if t.application == MIX] or list(study.turning)
    points = [t.threshold for t in names if t.parameter == "cost_ratio" and t.threshold]
    limits = " or ".join(points)
    turns = f" The result reverses if the cost ratio is {limits}." if points else ""
    return (
        "Racks and their switches are bought whole, so nodes in a partly filled rack cost more "
        "(as in section 4.4.2 of Patki's thesis). The filling of the last racks changes the cost "
        f"ratio, most of all in small systems.{turns}"
    )


def _rack_text(study: DesignStudy) -> str:
    """What the table of one full rack computes."""
    racks, rack = study.racks, study.scenario.rack
    if racks is None or rack is None:
        return ""
    money = shown(racks.high_end_rack_cost, unit=tables.currency(study))
    older = round(racks.cost_ratio_one_rack * rack.nodes)
    return (
        f"One full rack of {plural(rack.nodes, 'high-end node')} costs {money}. The same money "
        f"buys {plural(older, 'older node')} in whole racks, so the cost ratio of this rack is "
        f"{older} / {rack.nodes} = {fixed(racks.cost_ratio_one_rack, 3)}."
    )


def _printed_text(study: DesignStudy) -> str:
    off = sum(not row.agrees for row in study.printed)
    agree = f"{len(study.printed) - off} of {len(study.printed)} published numbers"
    lines = [f"{agree} agree with their own formulas, within half a unit of the last digit."]
    lines += [
        reading_text(reading, study.cases[0], study.overprovisioning)
        for reading in readings(study)
        if reading.kind == "published"
    ]
    if any(reading.kind == "published" and reading.reverses for reading in readings(study)):
        lines.append("That reverses the result.")
    cost = study.core_hour
    if study.decision is not None:
        lines.append("The comparison of the designs uses the recomputed numbers.")
    if cost is not None and cost.energy_stated:
        energy = shown(cost.energy_per_year, unit=cost.currency)
        lines.append(
            f"The cost of a core-hour uses the stated {energy} a year for power and cooling, not "
            "the energy recomputed from the power."
        )
    elif cost is not None:
        lines.append("The cost of a core-hour uses the recomputed numbers.")
    return " ".join(lines)


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
    "One utilisation applies to all years; the first months of operation are not modelled.",
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
            f"A falling line reaches a run time of zero: {falls} nodes. Gains near that point "
            "come from the line, not from the machine."
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
