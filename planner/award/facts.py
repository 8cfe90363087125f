"""What an award states: its headline, facts, findings, pages and figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from planner.award.findings import (
    assumptions,
    deliveries,
    expected_penalties,
    next_steps,
    risks,
    turns,
)
from planner.award.operation import HOURS_PER_YEAR, kwh_per_watt
from planner.award.result import AwardResult, ModelScores
from planner.award.sheets import performance_texts, value_unit
from planner.award.tables import outcome, tables
from planner.decimals import decimal
from planner.figure import Figure
from planner.finding import Fact, Finding, finding, risks_of
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, in_data
from planner.version import head
from scenarios.model.scenario import Budget

_MOST_COLUMNS = 6
"""Criteria of a scheme above which a table has a row for each of them."""


def study_of(result: AwardResult, words: tuple[str, ...]) -> Study:
    """The study of an award."""
    scenario, every = result.scenario, tables(result)
    members, made = in_data(every, *(each.name for each in every))
    return stated(
        result, _headline, _confidence, _facts, risks, deliveries, assumptions, next_steps,
        _questions, made, _figures(made),
        command="award",
        title=finding("note", "title", title=(scenario.title, "text")),
        data=_data(result) | members,
        provenance=provenance_of(words, scenario.provenance.files),
        language=scenario.language,
    )  # fmt: skip


def _headline(result: AwardResult) -> Finding:
    won = [(lot, each.candidate) for lot, each in result.award.won()]
    if not won:
        return finding("headline", "no-award")
    if len(result.tender.lots) == 1:
        ((lot, winner),) = won
        return finding("headline", "one-lot", lot=(lot.name, "text"),
                       package=(winner.title, "text"), vendor=(winner.vendor, "text"))  # fmt: skip
    vendors = tuple(dict.fromkeys(winner.vendor for _, winner in won))
    packages = tuple(winner.title for _, winner in won)
    return finding("headline", "lots", awarded=((len(won), len(result.tender.lots)), "of:count"),
                   packages=(packages, "text"), vendors=(vendors, "text"))  # fmt: skip


def _confidence(result: AwardResult) -> Iterator[Finding]:
    scheme = result.scheme
    if scheme.decimals is None:
        yield finding("confidence", "exact")
    else:
        yield finding("confidence", "rounded", decimals=(scheme.decimals, "count"),
                      what=(scheme.rounding, "rounded-what"))  # fmt: skip
    if scheme.published_sha256 is not None:
        yield finding("confidence", "published")


def _facts(result: AwardResult) -> Iterator[Fact]:
    won = result.award.won()
    if won:
        yield from _purchase_facts(result)
        firm = [each for each in result.successions if each.fallback is not None]
        yield Fact("fallback", (len(firm), len(won)), "of:count")


def _purchase_facts(result: AwardResult) -> Iterator[Fact]:
    """What all winners cost together, and which limits of the scenario they meet."""
    bought, money = result.purchase, f"money {result.tender.currency}"
    off = None
    if bought.net != bought.gross:
        off = finding("note", "off-gross", gross=(float(bought.gross), money),
                      off=(float(bought.gross - bought.net), money))  # fmt: skip
    yield Fact("price", float(bought.net), money, off)
    capital = bought.capital
    if capital is not None and isinstance(capital.value, Fraction):
        limit = decimal((result.scenario.budget or Budget()).capital or 0.0)
        note = finding("note", "of-capital", capital=(float(limit), money))
        yield Fact("capital_left", float(limit - capital.value), money, note)
    if bought.checks:
        met = sum(each.met is True for each in bought.checks)
        yield Fact("limits_met", (met, len(bought.checks)), "of:count")


def _questions(result: AwardResult) -> Iterator[Question]:
    method = result.scheme.method
    yield Question("award", tables=("award",), texts=(method,))
    yield Question("checks", tables=("checks",), texts=("checks",))
    yield Question("withdrawals", tables=("successors", "vendors"), texts=("withdrawals",))
    yield Question("ranking", tables=("ranking",), figures=("points",))
    few = len(result.scheme.criteria) <= _MOST_COLUMNS
    yield Question("points", (*_source(result), *_worked(result)),
                   tables=("criteria", *(("values", "points_matrix") if few else ("points",))),
                   texts=("criteria", *performance_texts(result)))  # fmt: skip
    yield Question("excluded", tables=("excluded",))
    yield Question("delivered", findings=tuple(expected_penalties(result)),
                   tables=("delivered", "penalties"), texts=("delivered",))  # fmt: skip
    yield Question("weights", tuple(turns(result)), figures=("weights",), texts=("weights",))
    admissible = sum(len(lot.judged) for lot in result.award.lots)
    fact = Fact("admissible", (admissible, len(result.tender.candidates)), "of:count")
    yield Question("conditions", facts=(fact,), tables=("conditions",))
    if result.model is not None:
        yield Question("model", facts=tuple(_model(result.model)), texts=("model",))
    yield Question("evaluations", tables=("evaluations",))
    yield Question("prices", tuple(_energy(result)), tables=_of_prices(result),
                   texts=("prices",))  # fmt: skip
    yield Question("figures", tables=("figures",))
    yield Question("lines", tables=("lines",))
    noted = [finding("note", "hash", sha256=(result.scheme.sha256, "id"))]
    if result.scheme.published_sha256 is None:
        noted.append(finding("note", "unpublished"))
    noted += [replace(each, severity="note") for each in risks_of(result.scenario.remarks)]
    yield Question("method", findings=tuple(noted), texts=("method", "workbook"))


def _of_prices(result: AwardResult) -> tuple[str, ...]:
    """Tables of what packages cost; discounts and currencies where there are any."""
    packages = [each.package for each in result.tender.bills.values()]
    other = any(each.discount or each.rate is not None for each in packages)
    return ("scope", *(("prices",) if other else ()), "operation")


def _energy(result: AwardResult) -> Iterator[Finding]:
    """How the energy of packages is taken, where a criterion judges it."""
    if any(each.value_from in ("energy", "total cost") for each in result.scheme.criteria):
        utilisation = (result.scenario.budget or Budget()).utilisation
        feed = float(kwh_per_watt(result.scenario) / HOURS_PER_YEAR * 1000)
        yield finding("note", "energy-basis", utilisation=(utilisation, "share given"),
                      feed=(feed, "ratio"))  # fmt: skip


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
    names = {each.name for each in made}
    if "points" in names:
        yield Figure("points", "stacks", "points", "package", ("points",), series="criterion",
                     across="lot", high="total")  # fmt: skip
    if "weights" in names:
        yield Figure("weights", "intervals", "weights", "row", ("points",), low="drawn_low",
                     high="drawn_high", marked="goes_on")  # fmt: skip


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
