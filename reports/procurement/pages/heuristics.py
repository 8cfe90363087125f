"""What people would buy without a program, and what vendors proposed."""

from __future__ import annotations

from planner.formatting import DASH, clipped, money, percent, power
from planner.procurement.findings import bought, shortfall
from planner.procurement.problem import HOURS_PER_YEAR, MANDATE_TOLERANCE
from planner.procurement.reach import Requirement
from planner.procurement.study import ProcurementStudy
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, only, partly, text
from reports.grid import Table, table
from reports.numbers import fixed, shown, typed
from reports.procurement.figures.heuristics import MOST, by_score, finding, ranked
from reports.units import RESOURCES, energy

_LONGEST = 2000  # letters of one line
_MOST = 150  # lines


def page(study: ProcurementStudy, drawn: Drawn) -> Page | None:
    """Every other plan beside the optimum."""
    if study.plan is None or not study.heuristics:
        return None
    every = len(study.heuristics)
    return Page(
        "Would a simpler way have done?",
        f"{finding(study)}.",
        (
            *figures(
                drawn,
                "heuristics",
                f"Labels: difference to the {study.plan_name}."
                + only(MOST, every, "heuristics and bids"),
            ),
            grid(
                _others(study),
                partly("Heuristics and systems as bid, under one checker", MOST, every),
                small=True,
            ),
            grid(
                _use(study),
                partly("Power, energy and cost of the work that each way runs", MOST, every),
                small=True,
            ),
            *_rules(study),
            *_reached(study),
        ),
    )


def _others(study: ProcurementStudy) -> Table:
    columns = (
        ("Way", False), ("Score", True), (f"Against {study.plan_name}", True), ("Capital", True),
        ("Buys", False), ("Rules broken", True),
    )  # fmt: skip
    currency = study.problem.prices.currency
    rows = [
        (
            clipped(each.plan.method, 60),
            fixed(each.plan.score, 4),
            percent(-shortfall(study, each.plan), signed=True),
            money(each.plan.bill.capital, currency),
            bought(study.problem, each.plan, 4),
            str(len(each.wrong)) if each.wrong else "none",
        )
        for each in ranked(study)
    ]
    rows += [
        (clipped(each.method, 60), DASH, DASH, DASH, "not sold so", str(len(each.wrong)))
        for each in study.refused
    ]
    return table(columns, (1.35, 0.65, 0.8, 0.95, 3.6, 0.7), rows)


def _use(study: ProcurementStudy) -> Table:
    """Watts, energy and money: of the work that runs, where not all of it does."""
    columns = (
        ("Way", False), ("IT power at most", True), ("On average", True),
        ("Energy a year at the feed", True), ("To operate a year", True), ("Over the life", True),
    )  # fmt: skip
    prices, every = study.problem.prices, ranked(study)
    largest = max((each.plan.it_power_w for each in every), default=0.0)
    rows = [
        (
            clipped(each.plan.method, 60),
            power(each.plan.it_power_w, like=largest),
            power(each.plan.mean_it_w, like=largest),
            energy(each.plan.mean_it_w * prices.feed_per_it * HOURS_PER_YEAR / 1000),
            money(each.plan.operating, prices.currency),
            money(each.plan.total_cost, prices.currency),
        )
        for each in every
    ]
    return table(columns, (1.6, 1, 0.9, 1.2, 1.1, 1.1), rows)


def _reached(study: ProcurementStudy) -> list[Block]:
    """What each machine that misses a requirement on work reaches, alone and together."""
    short = [each for each in by_score(study) if each.reach is not None and each.reach.missed]
    lines = [
        (clipped(each.plan.method, 60) if place == 0 else "", *_requirement(one))
        for each in short
        for place, one in enumerate(each.reach.requirements if each.reach else ())
    ]
    if not lines:
        return []
    columns = (
        ("Way", False), ("Requirement", False), ("Required", True), ("Alone", True),
        ("Together", True), ("Missed", False),
    )  # fmt: skip
    caption = partly(
        "What a way that misses a requirement reaches", min(_MOST, len(lines)), len(lines)
    )
    words = (
        "Alone: the most that the machine reaches of one requirement while all else is idle. "
        "Together: the allocation that misses the fewest requirements. Its score, power and cost "
        "are those above. Throughputs are multiples of the reference machine's."
    )
    waived = [
        f"{each.plan.method}: its idle nodes alone break {RESOURCES[name]}; that limit is waived "
        "here."
        for each in short
        for name in (each.reach.waived if each.reach else ())
    ]
    notes = [bullets(waived)] if waived else []
    return [text(words), *notes, grid(table(columns, (1.2, 2.6, 0.8, 0.8, 0.8, 0.6),
                                            lines[:_MOST]), caption, small=True)]  # fmt: skip


def _requirement(each: Requirement) -> tuple[str, ...]:
    if not each.demand:
        what = f"time to solution of {each.workload}"
        required = DASH if each.required is None else typed(each.required, "s")
        reached = [shown(value, 6, "s") if value is not None else "does not fit" for value in
                   (each.alone, each.together)]  # fmt: skip
        return clipped(what, 80), required, *reached, "yes" if each.missed else "no"
    what = f'{each.workload} in demand "{each.demand}"'
    least = each.required or 0.0
    cells = [_reached_cell(value, least) for value in (each.alone, each.together)]
    return clipped(what, 80), typed(each.required), *cells, "yes" if each.missed else "no"


def _reached_cell(value: float | None, least: float) -> str:
    """Rounded down, but to no less than what is required where that is met."""
    if value is None:
        return "does not run"
    if abs(value - least) <= 2 * MANDATE_TOLERANCE * least:
        return typed(least)
    return fixed(value, 3, "down")


def _rules(study: ProcurementStudy) -> list[Block]:
    """Every rule that a heuristic or a bid breaks, one line each."""
    broken = [(each.plan.method, each.wrong) for each in by_score(study) if each.wrong]
    broken += [(each.method, each.wrong) for each in study.refused]
    lines = [
        (clipped(method, 60) if first else "", reason)
        for method, reasons in broken
        for first, reason in _first_marked(_gathered(reasons))
    ]
    if not lines:
        return []
    columns = (("Way", False), ("Rule broken", False))
    caption = partly("Rules that bids and heuristics break", min(_MOST, len(lines)), len(lines))
    return [grid(table(columns, (1, 4), lines[:_MOST]), caption, small=True)]


def _gathered(reasons: tuple[str, ...]) -> tuple[str, ...]:
    """Throughputs that are missed in several demands in one line."""
    missed = [reason for reason in reasons if reason.startswith("throughput")]
    if len(missed) < 2:
        return reasons
    place = reasons.index(missed[0])
    others = [reason for reason in reasons if reason not in missed]
    return (*others[:place], "; ".join(missed), *others[place:])


def _first_marked(reasons: tuple[str, ...]) -> list[tuple[bool, str]]:
    return [(place == 0, clipped(reason, _LONGEST)) for place, reason in enumerate(reasons)]
