"""What people would buy without a program, and what vendors proposed."""

from __future__ import annotations

from planner.formatting import (
    DASH,
    capitalised,
    clipped,
    given_time,
    money,
    percent,
    power,
    seconds,
)
from planner.procurement.checker import MissedThroughput
from planner.procurement.compared import Compared
from planner.procurement.findings import bought, shortfall
from planner.procurement.heuristics import BID, NAMES
from planner.procurement.problem import HOURS_PER_YEAR, MANDATE_TOLERANCE
from planner.procurement.reach import Requirement
from planner.procurement.study import ProcurementStudy
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, only, partly, text
from reports.grid import Table, table
from reports.numbers import fixed, typed
from reports.procurement.figures.heuristics import MOST, by_score, finding, ranked
from reports.units import RESOURCES, energy

_LONGEST = 2000  # letters of one line
_MOST = 150  # lines


def page(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """Every other plan, compared with the optimum."""
    if study.plan is None or not study.heuristics:
        return None
    every = len(study.heuristics)
    return Page(
        "Appendix: simpler methods, and systems as quoted",
        f"{finding(study)}.",
        (
            *_explained(study),
            *figures(
                pictures,
                "heuristics",
                f"Labels: difference to the {study.plan_name}."
                + only(MOST, every, "methods and quoted systems"),
                title="Scores of simpler methods and quoted systems",
            ),
            grid(
                _others(study),
                partly("Simpler methods and quoted systems", MOST, every),
                small=True,
            ),
            grid(
                _use(study),
                partly("Power, energy and cost of each method", MOST, every),
                small=True,
            ),
            *_rules(study),
            *_reached(study),
        ),
    )


def _explained(study: ProcurementStudy) -> list[Block]:
    """What each method does, as far as it is one of ours."""
    methods = [entry.plan.method for entry in study.heuristics]
    methods += [refusal.method for refusal in study.refused]
    counted = _COUNTED[study.problem.regime]
    lines = [
        f"{capitalised(name)}: {_METHODS[name].format(counted=counted)}"
        for name in NAMES
        if name in methods
    ]
    if any(method.startswith(BID) for method in methods):
        lines.append("As quoted by a vendor: the quantities that the vendor proposes.")
    return [text("Each machine is rated and checked like the plan."), bullets(lines)]


_METHODS = {
    "greedy per money": (
        "each workload's share of the money goes to the node type that does most of it per unit "
        "of money."
    ),
    "greedy per watt": (
        "each workload's share of the money goes to the node type that does most of it per watt."
    ),
    "rounded relaxation": (
        "the best plan with fractions of nodes, rounded down and then filled up with whole nodes."
    ),
    "closed form": (
        "one node type, as many nodes as money and power allow if each counts at {counted}; the "
        "type with the best score."
    ),
    "best single type": "one node type, as many nodes as fit under all limits; the best such type.",
}


_COUNTED = {
    "worst-case": "its peak power",
    "static": "its power under the cap",
    "overprovisioned": "its idle power",
}
"""How the closed form counts the power of installed nodes, by the regime."""


def _others(study: ProcurementStudy) -> Table:
    columns = (
        ("Method", False), ("Score", True), (f"Against {study.plan_name}", True), ("Capital", True),
        ("Buys", False), ("Violated rules", True),
    )  # fmt: skip
    currency = study.problem.prices.currency
    rows = [
        (
            clipped(heuristic.plan.method, 60),
            fixed(heuristic.plan.score, 4),
            percent(-shortfall(study, heuristic.plan), signed=True),
            money(heuristic.plan.bill.capital, currency),
            bought(study.problem, heuristic.plan, 4),
            str(len(heuristic.wrong)) if heuristic.wrong else "none",
        )
        for heuristic in ranked(study)
    ]
    rows += [
        (
            clipped(refusal.method, 60),
            DASH,
            DASH,
            DASH,
            "not available as quoted",
            str(len(refusal.wrong)),
        )
        for refusal in study.refused
    ]
    return table(columns, (1.75, 0.65, 0.8, 0.95, 3.1, 0.8), rows)


def _use(study: ProcurementStudy) -> Table:
    """Watts, energy and money: of the work that runs, where not all of it does."""
    columns = (
        ("Method", False), ("Highest IT power", True), ("Mean IT power", True),
        ("Energy a year at the feed", True), ("To operate a year", True), ("Over the life", True),
    )  # fmt: skip
    prices, every = study.problem.prices, ranked(study)
    largest = max((candidate.plan.it_power_w for candidate in every), default=0.0)
    rows = [
        (
            clipped(candidate.plan.method, 60),
            power(candidate.plan.it_power_w, like=largest),
            power(candidate.plan.mean_it_w, like=largest),
            energy(candidate.plan.mean_it_w * prices.feed_per_it * HOURS_PER_YEAR / 1000),
            money(candidate.plan.operating, prices.currency),
            money(candidate.plan.total_cost, prices.currency),
        )
        for candidate in every
    ]
    return table(columns, (1.6, 1, 0.9, 1.2, 1.1, 1.1), rows)


def _reached(study: ProcurementStudy) -> list[Block]:
    """What each machine that misses a requirement on work reaches, alone and together."""
    short = [
        heuristic
        for heuristic in by_score(study)
        if heuristic.reach is not None and heuristic.reach.missed
    ]
    lines = [
        (clipped(heuristic.plan.method, 60) if index == 0 else "", *_requirement(requirement))
        for heuristic in short
        for index, requirement in enumerate(heuristic.reach.requirements if heuristic.reach else ())
    ]
    if not lines:
        return []
    columns = (
        ("Method", False), ("Requirement", False), ("Required", True), ("Alone", True),
        ("Together", True), ("Missed", False),
    )  # fmt: skip
    caption = partly(
        "What methods that miss a requirement reach", min(_MOST, len(lines)), len(lines)
    )
    words = (
        "Alone: the best value of one requirement while all other work is idle. Together: the "
        "allocation that misses the fewest requirements; score, power and cost above are of this "
        "allocation. Throughputs are multiples of the reference machine's."
    )
    waived = [
        f"{heuristic.plan.method}: idle nodes alone exceed the limit of {RESOURCES[name]}; it is "
        "waived here."
        for heuristic in short
        for name in (heuristic.reach.waived if heuristic.reach else ())
    ]
    notes = [bullets(waived)] if waived else []
    return [text(words), *notes, grid(table(columns, (1.4, 2.6, 0.8, 0.8, 0.8, 0.6),
                                            lines[:_MOST]), caption, small=True)]  # fmt: skip


def _requirement(requirement: Requirement) -> tuple[str, ...]:
    if not requirement.demand:
        subject = f"time to solution of {requirement.workload}"
        required = DASH if requirement.required is None else given_time(requirement.required)
        reached = [seconds(value) if value is not None else "does not fit" for value in
                   (requirement.alone, requirement.together)]  # fmt: skip
        return clipped(subject, 80), required, *reached, "yes" if requirement.missed else "no"
    subject = f'{requirement.workload} in demand "{requirement.demand}"'
    minimum = requirement.required or 0.0
    cells = [_reached_cell(value, minimum) for value in (requirement.alone, requirement.together)]
    return (
        clipped(subject, 80),
        typed(requirement.required),
        *cells,
        "yes" if requirement.missed else "no",
    )


def _reached_cell(value: float | None, minimum: float) -> str:
    """Rounded to the nearest, but to no less than required where that is met, and not above."""
    if value is None:
        return "does not run"
    if abs(value - minimum) <= 2 * MANDATE_TOLERANCE * minimum:
        return typed(minimum)
    rounds_up_to_it = value < minimum <= round(value, 3)
    return fixed(value, 3, "down" if rounds_up_to_it else "nearest")


def _rules(study: ProcurementStudy) -> list[Block]:
    """List every rule that a heuristic or a quote breaks, one line each."""
    broken = [
        (heuristic.plan.method, _without_reached(heuristic))
        for heuristic in by_score(study)
        if heuristic.wrong
    ]
    broken += [(refusal.method, refusal.wrong) for refusal in study.refused]
    lines = [
        (clipped(method, 60) if first else "", reason)
        for method, reasons in broken
        for first, reason in _first_marked(_gathered(reasons))
    ]
    if not lines:
        return []
    columns = (("Method", False), ("Violation", False))
    caption = partly(
        "Requirements and limits that are violated", min(_MOST, len(lines)), len(lines)
    )
    return [grid(table(columns, (1.2, 4), lines[:_MOST]), caption, small=True)]


def _without_reached(heuristic: Compared) -> tuple[str, ...]:
    """Rules broken; throughputs that the table of what is reached has in full are counted."""
    missed = [reason for reason in heuristic.wrong if isinstance(reason, MissedThroughput)]
    if heuristic.reach is None or not heuristic.reach.missed or not missed:
        return heuristic.wrong
    others = tuple(reason for reason in heuristic.wrong if reason not in missed)
    count = f"{len(missed)} required throughput{'' if len(missed) == 1 else 's'} missed"
    return (*others, f"{count}: see the next table")


def _gathered(reasons: tuple[str, ...]) -> tuple[str, ...]:
    """Throughputs that are missed in several demands in one line."""
    missed = [reason for reason in reasons if isinstance(reason, MissedThroughput)]
    if len(missed) < 2:
        return reasons
    index = reasons.index(missed[0])
    others = [reason for reason in reasons if reason not in missed]
    return (*others[:index], "; ".join(missed), *others[index:])


def _first_marked(reasons: tuple[str, ...]) -> list[tuple[bool, str]]:
    return [
        (reason_index == 0, clipped(reason, _LONGEST))
        for reason_index, reason in enumerate(reasons)
    ]
