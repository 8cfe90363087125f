"""What people would buy without a program, and what vendors proposed."""

from __future__ import annotations

from planner.procurement.study import ProcurementStudy
from reports.figures.heuristics import finding, ranked
from reports.findings import bought, shortfall
from reports.grid import Table, table
from reports.numbers import DASH, clipped, fixed
from reports.pages.blocks import Block, Drawn, Page, figures, grid, partly
from reports.units import money, percent

_LONGEST = 2000  # letters of one line
_MOST = 150  # lines


def page(study: ProcurementStudy, drawn: Drawn) -> Page | None:
    """Every other plan beside the optimum."""
    if study.plan is None or not study.heuristics:
        return None
    return Page(
        "Would a simpler way have done?",
        f"{finding(study)}.",
        (
            *figures(drawn, "heuristics", "Labels: difference to the optimum."),
            grid(
                _others(study),
                "Heuristics and systems as bid, under one checker",
                small=True,
            ),
            *_rules(study),
        ),
    )


def _others(study: ProcurementStudy) -> Table:
    columns = (
        ("Way", False), ("Score", True), ("Against optimum", True), ("Capital", True),
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


def _rules(study: ProcurementStudy) -> list[Block]:
    """Every rule that a heuristic or a bid breaks, one line each."""
    broken = [(each.plan.method, each.wrong) for each in ranked(study) if each.wrong]
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
    missed = [each for each in reasons if each.startswith("throughput")]
    if len(missed) < 2:
        return reasons
    place = reasons.index(missed[0])
    others = [each for each in reasons if each not in missed]
    return (*others[:place], "; ".join(missed), *others[place:])


def _first_marked(reasons: tuple[str, ...]) -> list[tuple[bool, str]]:
    return [(place == 0, clipped(reason, _LONGEST)) for place, reason in enumerate(reasons)]
