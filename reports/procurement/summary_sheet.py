"""The first sheet of a procurement's workbook: the decision in numbers, its risks, its sources."""

from __future__ import annotations

from planner.formatting import capitalised
from planner.procurement import summary
from planner.procurement.findings import labels
from planner.procurement.plan import Plan
from planner.procurement.problem import UNLIMITED
from planner.procurement.study import ProcurementStudy
from reports.report import Facts
from reports.scenario_sheets import summary as of_scenario
from reports.versions import version_rows


def first_sheet(study: ProcurementStudy) -> Facts:
    """Return score, money, power, purchases, warnings and exclusions; then hashes and versions."""
    shared = of_scenario(study)
    hashes = [fact for fact in shared if fact[0].startswith("SHA-256 of ")]
    return [
        *(fact for fact in shared if fact not in hashes),
        *([("confidence", study.confidence)] if study.confidence else []),
        *(_in_numbers(study, study.plan) if study.plan is not None else []),
        *_texts("warning", _warnings(study)),
        *_texts("excluded quote", study.unbuyable),
        *hashes,
        *version_rows(),
    ]


def _in_numbers(study: ProcurementStudy, plan: Plan) -> Facts:
    """What the plan reaches and takes, each amount above its limit."""
    limits, cost, currency = study.problem.limits, study.cost, study.problem.prices.currency
    names = labels(study.problem)
    facts: Facts = [
        ("score", plan.score),
        (f"score of the reference machine, {study.reference_name}", 1),
        (f"capital [{currency}]", plan.bill.capital),
        (f"capital allowed [{currency}]", _limit(limits.capital)),
    ]
    if cost is not None:
        facts += [
            (
                f"operating cost per year, expected [{currency}]",
                cost.operating_per_year_expected,
            ),
            (
                f"operating cost per year at the highest energy price [{currency}]",
                cost.operating_per_year_highest,
            ),
        ]
    facts.append((f"operating cost per year allowed [{currency}]", _limit(limits.operating)))
    if cost is not None:
        years = f"{cost.lifetime_years:g} year{'' if cost.lifetime_years == 1 else 's'}"
        facts.append((f"total cost over {years} [{currency}]", cost.total_cost))
    facts += [
        ("IT power, largest [W]", plan.it_power_w),
        ("IT power allowed [W]", _limit(limits.it_power_w)),
        ("IT power, mean [W]", plan.mean_it_w),
        ("power at the feed, largest [W]", plan.it_power_w * study.problem.prices.feed_per_it),
        ("nodes", sum(lot.nodes for lot in plan.purchases)),
    ]
    for lot in plan.purchases:
        cap = f" at {lot.cap_w:g} W" if lot.cap_w else ""
        vendor = f" ({lot.vendor})" if lot.vendor else ""
        facts.append((f"nodes of {names[lot.offer]}{vendor}{cap}", lot.nodes))
    return [
        *facts,
        ("racks", sum(plan.bill.racks)),
        ("rack places", _limit(limits.racks)),
    ]


def _limit(value: float) -> float | str:
    return "unlimited" if value == UNLIMITED else value


def _warnings(study: ProcurementStudy) -> list[str]:
    """Every warning but those on excluded quotes, which have rows of their own."""
    excluded = set(study.unbuyable)
    return [
        *summary.stopped(study),
        *(warning for warning in study.warnings if warning not in excluded),
    ]


def _texts(what: str, lines: list[str]) -> Facts:
    return [(what, capitalised(line)) for line in lines] or [(f"{what}s", "none")]
