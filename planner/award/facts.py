"""What an award states: its headline, facts, findings, pages and figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from planner.award.findings import (
    assumptions,
    expected_penalties,
    next_steps,
    risks,
)
from planner.award.leads import deliveries, leads, parts_of_leads
from planner.award.operation import (
    HOURS_PER_YEAR,
    annuity,
    energy_kwh_per_year,
    energy_price,
    has_total_cost,
    kwh_per_watt,
    total_cost,
)
from planner.award.result import AwardResult, ModelScores
from planner.award.sheets import performance_texts, value_unit
from planner.award.tables import outcome, tables
from planner.award.together import required_work
from planner.decimals import decimal
from planner.figure import Figure
from planner.finding import Fact, Finding, finding, risks_of
from planner.study import Question, Study, provenance_of, stated
from planner.table import Row, Table, in_data
from planner.version import head
from scenarios.model.scenario import Budget

_MOST_COLUMNS = 6
"""Criteria of a scheme above which a table has a row for each of them."""


def study_of(result: AwardResult, words: tuple[str, ...]) -> Study:
    """The study of an award."""
    scenario, every = result.scenario, tables(result)
    members, made = in_data(every, *(each.name for each in every))
    return stated(
        result, _headline, leads, _facts, risks, parts_of_leads, deliveries, assumptions,
        next_steps, _questions(result, members.get("delivered", ())), made, _figures(made),
        command="award",
        title=finding("note", "title", title=(scenario.title, "text")),
        data=_data(result) | members,
        provenance=provenance_of(words, scenario.provenance.files),
        language=scenario.language,
    )  # fmt: skip


def _headline(result: AwardResult) -> Finding:
    won, price = result.award.won(), (float(result.purchase.net), result.money)
    if not won:
        return finding("headline", "no-award")
    if len(result.tender.lots) == 1:
        ((lot, winner),) = won
        return finding("headline", "one-lot", lot=(lot.name, "text"),
                       package=(winner.candidate.title, "text"),
                       vendor=(winner.candidate.vendor, "text"), price=price)  # fmt: skip
    vendors = tuple(dict.fromkeys(winner.candidate.vendor for _, winner in won))
    return finding("headline", "lots", awarded=((len(won), len(result.tender.lots)), "of:count"),
                   vendors=(vendors, "text"), price=price)  # fmt: skip


def _of_scheme(result: AwardResult) -> Iterator[Finding]:
    """How the scheme rounds, decides ties and groups packages, and its hash."""
    scheme, candidates = result.scheme, result.tender.candidates
    if scheme.decimals is None:
        yield finding("note", "exact")
    else:
        yield finding("note", "rounded", decimals=(scheme.decimals, "count"),
                      what=(scheme.rounding, "rounded-what"))  # fmt: skip
    if scheme.ties:
        yield finding("note", "ties", ties=(scheme.ties, "tie-key"))
    for group in dict.fromkeys(each.group for each in candidates if each.group is not None):
        packages = tuple(each.title for each in candidates if each.group == group)
        if len(packages) > 1:
            yield finding("note", "group", packages=(packages, "text"))
    yield finding("note", "hash", sha256=(scheme.sha256, "id"))
    if scheme.published_sha256 is not None:
        yield finding("note", "published")


def _facts(result: AwardResult) -> Iterator[Fact]:
    won = result.award.won()
    if won:
        yield from _purchase_facts(result)
        firm = [
            each
            for each in result.successions
            if each.successors and not each.successors[0].purchase.missed
        ]
        yield Fact("successor_fits", (len(firm), len(won)), "of:count")


def _purchase_facts(result: AwardResult) -> Iterator[Fact]:
    """What all winners cost together, and which limits of the scenario they meet."""
    bought, money = result.purchase, result.money
    off = None
    if bought.net != bought.gross:
        off = finding("note", "off-gross", gross=(float(bought.gross), money),
                      off=(float(bought.gross - bought.net), money))  # fmt: skip
    yield Fact("price", float(bought.net), money, off)
    yield from _life_cost(result)
    if bought.checks:
        met = sum(each.met is True for each in bought.checks)
        yield Fact("limits_met", (met, len(bought.checks)), "of:count")


def _life_cost(result: AwardResult) -> Iterator[Fact]:
    """Total cost of the winners less their discounts, where power and budget tell it."""
    bought, budget = result.purchase, result.scenario.budget
    bills = [result.tender.bills[name] for name in bought.packages]
    if budget is None or not has_total_cost(result.scenario, bills):
        return
    gross = total_cost(result.scenario, bills)
    note = finding("note", "over-life", years=(budget.lifetime_years, "year"),
                   rate=(budget.discount_rate, "share given"))  # fmt: skip
    yield Fact("life_cost", float(gross - bought.gross + bought.net), result.money, note)


def _questions(result: AwardResult, ends: Sequence[Row]) -> Iterator[Question]:
    method, criteria = result.scheme.method, result.scheme.criteria
    yield Question("award", tables=("award",), texts=(method,))
    kinds = {each.what for each in result.purchase.checks} & {"share", "throughput", "power"}
    is_open = any(each.met is None for each in result.purchase.checks)
    yield Question("checks", tuple(_throughputs(result)), tables=("checks",),
                   texts=("checks", *(f"checks_{kind}" for kind in sorted(kinds)),
                          *(("checks_open",) if is_open else ())))  # fmt: skip
    yield Question("withdrawals", tables=("successors", "vendors"), texts=("withdrawals",))
    yield Question("ranking", tables=("ranking",), figures=("points",))
    few = len(criteria) <= _MOST_COLUMNS
    formulas = {each.formula for each in criteria} & {"linear", "two_sided"}
    yield Question("points", (*_source(result), *_worked(result)),
                   tables=("criteria", *(("values", "points_matrix") if few else ("points",))),
                   texts=("criteria", *(f"criteria_{each}" for each in sorted(formulas)),
                          *performance_texts(result)))  # fmt: skip
    yield Question("excluded", tables=("excluded",))
    expected = tuple(expected_penalties(result))
    explained = {
        "delivered_less": any(row.get("safe_side") == "number down" for row in ends),
        "delivered_value": any(row.get("end_value") is not None for row in ends),
        "delivered_threshold": any(row["threshold"] is not None for row in ends),
        "delivered_required": any(row["required"] is not None for row in ends),
        "expected": bool(expected),
    }
    yield Question("delivered", findings=expected, tables=("delivered", "penalties"),
                   texts=("delivered", *(key for key in explained if explained[key])))  # fmt: skip
    yield Question("weights", tables=("weights",), texts=("weights",))
    if result.model is not None:
        yield Question("model", facts=tuple(_model(result.model)), texts=("model",))
    yield Question("prices", tuple(_operation(result)), tables=_of_prices(result),
                   texts=("prices",))  # fmt: skip
    has_median = any(each.combine == "median" for each in criteria)
    yield Question("evaluations", tables=("evaluations",), texts=("median",) if has_median else ())
    yield Question("conditions", tables=("conditions_by_lot",))
    yield Question("figures", tables=("figures",), texts=("figures",))
    yield Question("lines", tables=("lines",))
    noted = [replace(each, severity="note") for each in risks_of(result.scenario.remarks)]
    yield Question("method", findings=(*_of_scheme(result), *noted), texts=("method", "workbook"))


def _of_prices(result: AwardResult) -> tuple[str, ...]:
    """Tables of what packages cost; discounts and currencies where there are any."""
    packages = [each.package for each in result.tender.bills.values()]
    other = any(each.discount or each.rate or each.vat for each in packages)
    return ("scope", *(("prices",) if other else ()), "operation")


def _throughputs(result: AwardResult) -> Iterator[Finding]:
    """The division that gives each throughput of the winners."""
    for work, _ in required_work(result.tender, result.purchase.packages):
        yield finding("note", "throughput-basis", requirement=(work.workload, "text"),
                      total=(float(work.total), "given"), base=(float(work.base), "given"),
                      value=(float(work.total / work.base), "ratio"))  # fmt: skip
        if work.low < work.total:
            packages = result.titles(tuple(name for name, _ in work.figures))
            widths = tuple(each.half_width or 0.0 for _, each in work.figures)
            yield finding("note", "low-basis", requirement=(work.workload, "text"),
                          packages=(packages, "text"), widths=(widths, "share given"),
                          lows=(tuple(map(float, work.lows)), "given"),
                          base=(float(work.base), "given"),
                          value=(float(work.low / work.base), "number down"))  # fmt: skip


def _operation(result: AwardResult) -> Iterator[Finding]:
    """How energy and total cost of packages are taken, where a criterion judges them."""
    scenario, budget = result.scenario, result.scenario.budget or Budget()
    sources = {each.value_from for each in result.scheme.criteria}
    if sources & {"energy", "total cost"}:
        feed = float(kwh_per_watt(scenario) / HOURS_PER_YEAR * 1000)
        site = scenario.power
        yield finding("note", "energy-basis", utilisation=(budget.utilisation, "share given"),
                      pue=(site.pue if site else 1.0, "given"),
                      loss=(site.conversion_loss if site else 0.0, "share given"),
                      feed=(feed, "ratio"))  # fmt: skip
    judged = [
        winner
        for lot, winner in result.award.won()
        if any(each.value_from == "total cost" for each in lot.scheme.criteria)
    ]
    for winner in judged[:1]:
        bill = result.tender.bills[winner.candidate.name]
        price = Fraction(bill.total)
        yearly = Fraction(bill.per_year) + price * decimal(budget.maintenance_fraction_per_year)
        kwh = energy_price(budget)
        energy = energy_kwh_per_year(scenario, bill.package, bill) if kwh else Fraction(0)
        yield finding("note", "total-cost-basis", package=(bill.package.title, "text"),
                      price=(float(price), result.money), annuity=(float(annuity(budget)), "given"),
                      yearly=(float(yearly), result.money), kwh_price=(float(kwh), "given"),
                      energy=(float(energy), "count"), years=(budget.lifetime_years, "year"),
                      rate=(budget.discount_rate, "share given"),
                      total=(float(total_cost(scenario, [bill])),
                             result.money))  # fmt: skip


def _source(result: AwardResult) -> Iterator[Finding]:
    if result.scheme.source:
        yield finding("note", "source", source=(result.scheme.source, "quotation"))


def _worked(result: AwardResult) -> Iterator[Finding]:
    """The arithmetic of one criterion of the first winner, as an example."""
    for lot, winner in result.award.won():
        for at, criterion in enumerate(lot.scheme.criteria):
            values = [each.values[at] for each in lot.judged]
            if criterion.formula == "ratio":
                unit = value_unit(result, criterion)
                best = min(values) if criterion.better == "less" else max(values)
                yield finding("note", f"worked-{criterion.better}",
                              package=(winner.candidate.title, "text"),
                              criterion=(criterion.name, "text"),
                              most=(criterion.points, "given"), best=(float(best), unit),
                              value=(float(winner.values[at]), unit),
                              points=(float(winner.points[at]), result.points_unit))  # fmt: skip
                return


def _model(model: ModelScores) -> Iterator[Fact]:
    yield Fact("award_score", float(model.award), "score")
    if model.best is not None:
        yield Fact("best_score", model.best, "score")


def _figures(made: tuple[Table, ...]) -> Iterator[Figure]:
    if any(each.name == "points" for each in made):
        yield Figure("points", "stacks", "points", "package", ("points",), series="criterion",
                     across="lot", high="total")  # fmt: skip


def _data(result: AwardResult) -> dict[str, Any]:
    """The members of award.json besides the study: exact fractions as texts."""
    return {
        "scenario": head(result.scenario)["scenario"],
        "scheme": {"method": result.scheme.method, "sha256": result.scheme.sha256},
        "currency": result.tender.currency,
        "lots": [
            {
                "lot": lot.name, "outcome": outcome(lot, decision),
                "winners": list(decision.winners), "passed_over": list(decision.passed_over),
                "packages": [
                    {
                        "package": each.candidate.name, "vendor": each.candidate.vendor,
                        "rank": each.rank, "price": _cents(each.candidate.price),
                        "points": str(each.total), "points_without_price": str(each.without_price),
                        "quotient": None if each.quotient is None else str(each.quotient),
                        "stays": each.stays,
                        "criteria": {
                            criterion.name: {"value": str(value), "points": str(points)}
                            for criterion, value, points in zip(
                                lot.scheme.criteria, each.values, each.points, strict=True
                            )
                        },
                    }
                    for each in lot.ranked
                ],
                "excluded": [each.name for each in lot.excluded],
            }
            for lot, decision in result.award.pairs()
        ],
    }  # fmt: skip


def _cents(price: Fraction) -> str:
    """A price, which has whole cents, as people write it."""
    return f"{Decimal(int(price * 100)).scaleb(-2):.2f}"
