"""What an award states: its headline, facts, findings, pages and figures."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from planner.award.findings import deliveries, expected_penalties, next_steps, risks, turns
from planner.award.result import AwardResult, ModelScores
from planner.award.sheets import performance_texts
from planner.award.tables import outcome, shown_points, tables
from planner.figure import Figure
from planner.finding import Fact, Finding, finding, risks_of
from planner.study import Question, Study, provenance_of, stated
from planner.table import Table, in_data
from planner.version import head


def study_of(result: AwardResult, words: tuple[str, ...]) -> Study:
    """The study of an award."""
    scenario, every = result.scenario, tables(result)
    members, made = in_data(every, *(each.name for each in every))
    return stated(
        result, _headline, _confidence, _facts, risks, turns, deliveries, next_steps,
        tuple(risks_of(scenario.remarks)), _questions, made, _figures(made),
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
    return finding("headline", "lots", awarded=((len(won), len(result.tender.lots)), "of:count"),
                   vendors=(vendors, "text"))  # fmt: skip


def _confidence(result: AwardResult) -> Iterator[Finding]:
    scheme = result.scheme
    if scheme.decimals is None:
        yield finding("confidence", "exact")
    else:
        yield finding("confidence", "rounded", decimals=(scheme.decimals, "count"),
                      what=(scheme.rounding, "rounded-what"))  # fmt: skip
    yield finding("confidence", "unpublished" if scheme.published_sha256 is None else "published")


def _facts(result: AwardResult) -> Iterator[Fact]:
    won, lots = result.award.won(), result.award.lots
    yield Fact("awarded", (len(won), len(lots)), "of:count")
    if won:
        price = sum((each.candidate.price for _, each in won), Fraction(0))
        yield Fact("price", float(price), f"money {result.tender.currency}")
    admissible = sum(len(lot.judged) for lot in lots)
    yield Fact("admissible", (admissible, len(result.tender.candidates)), "of:count")
    if len(lots) == 1 and won:
        yield Fact("points", float(shown_points(*won[0])), result.points_unit)
    changed = {each.package for each in result.withdrawals if each.before != each.after}
    yield Fact("sensitive", (len(changed), admissible), "of:count")
    yield Fact("method", result.scheme.method, "scheme-method")


def _questions(result: AwardResult) -> Iterator[Question]:
    method = result.scheme.method
    yield Question("award", tables=("award",), texts=(method,))
    yield Question("ranking", tables=("ranking",), figures=("points",))
    yield Question("points", tables=("points",), texts=performance_texts(result))
    yield Question("excluded", tables=("excluded",))
    yield Question("withdrawals", tables=("withdrawals",), texts=("withdrawals",))
    yield Question("delivered", findings=tuple(expected_penalties(result)),
                   tables=("delivered", "penalties"), texts=("delivered",))  # fmt: skip
    yield Question("weights", tables=("weights",), figures=("weights",), texts=("weights",))
    if result.model is not None:
        yield Question("model", facts=tuple(_model(result.model)), texts=("model",))
    yield Question("evaluations", tables=("evaluations",))
    yield Question("prices", tables=("prices", "operation", "figures"), texts=("prices",))
    yield Question("lines", tables=("lines",))
    hashed = finding("note", "hash", sha256=(result.scheme.sha256, "id"))
    yield Question("method", findings=(hashed,), texts=("method", "workbook"))


def _model(model: ModelScores) -> Iterator[Fact]:
    yield Fact("award_score", float(model.award), "score")
    if model.best is not None:
        yield Fact("best_score", model.best, "score")


def _figures(made: tuple[Table, ...]) -> Iterator[Figure]:
    names = {each.name for each in made}
    if "points" in names:
        yield Figure("points", "stacks", "points", "package", ("points",), series="criterion")
    if "weights" in names:
        yield Figure("weights", "intervals", "weights", "row", ("points",), low="drawn_low",
                     high="drawn_high")  # fmt: skip


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
