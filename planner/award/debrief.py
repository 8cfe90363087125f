"""The letter to one vendor: its own points and reasons, its rank, and who wins with how many.

What a reader can derive from the letter is listed in it, so that nothing is disclosed unawares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from planner.award.formulas import AGREED, end_of_line
from planner.award.judge import Judged, Lot
from planner.award.lots import Decision
from planner.award.result import AwardResult
from planner.award.sheets import performance_texts, value_unit
from planner.award.tables import outcome, per_price, shown_points
from planner.decimals import decimal
from planner.finding import Finding, cell, finding
from planner.study import Question, Study, provenance_of, stated
from planner.table import Column, Table, in_data, table
from scenarios.model.scheme import Criterion, TimesBest

PRICES = "prices"
"""In ``disclose``: the price of the winner."""


def study_of(result: AwardResult, vendor: str, words: tuple[str, ...]) -> Study:
    """The letter to a vendor."""
    scenario = result.scenario
    lots = [
        (lot, decision)
        for lot, decision in result.award.pairs()
        if any(each.vendor == vendor for each in _candidates(lot))
    ]
    won = sum(each.candidate.vendor == vendor for _, each in result.award.won())
    letter = _Letter(result, vendor)
    makers = (letter.results, letter.points, letter.reasons, letter.excluded, letter.disclosed)
    every = [made for made in (make(lots) for make in makers) if made.rows]
    members, made = in_data(every, *(each.name for each in every))
    derived = [found for lot, decision in lots for found in letter.derived(lot, decision)]
    return stated(
        result,
        [finding("headline", "won", vendor=(vendor, "text"), lots=((won, len(lots)), "of:count"))],
        [finding("confidence", "scheme", sha256=(result.scheme.sha256, "id"))],
        _questions(result, derived or [finding("note", "nothing")]),
        made,
        command="debrief",
        title=finding("note", "title", title=(scenario.title, "text"), vendor=(vendor, "text")),
        data={
            "scenario": {"name": scenario.name, "title": scenario.title}, "vendor": vendor,
            "currency": result.tender.currency, "sha256": result.scheme.sha256, **members,
        },
        provenance=provenance_of(words, ()),
        language=scenario.language,
    )  # fmt: skip


def _candidates(lot: Lot) -> list[Any]:
    return [*(each.candidate for each in lot.judged), *lot.excluded]


def _questions(result: AwardResult, derived: Sequence[Finding]) -> Iterator[Question]:
    yield Question("results", tables=("results",))
    yield Question("points", tables=("points",), texts=("points", *performance_texts(result)))
    yield Question("reasons", tables=("reasons",))
    yield Question("excluded", tables=("excluded",))
    yield Question("disclosed", tables=("disclosed",))
    yield Question("derived", findings=tuple(derived), texts=("derived",))


class _Letter:
    """What a vendor may read."""

    def __init__(self, result: AwardResult, vendor: str) -> None:
        self._result = result
        self._vendor = vendor
        self._disclosed = frozenset(result.scheme.disclose)

    def _own(self, lot: Lot) -> list[Judged]:
        return [each for each in lot.ranked if each.candidate.vendor == self._vendor]

    def results(self, lots: Sequence[tuple[Lot, Decision]]) -> Table:
        """Rank and points of each own package, and the winner with its points."""
        rows = [
            self._result_row(lot, decision, each)
            for lot, decision in lots
            for each in self._own(lot)
        ]
        rows += [
            self._winner_row(lot, decision, each.name) | {"package": each.title}
            for lot, decision in lots
            for each in lot.excluded
            if each.vendor == self._vendor
        ]
        unit = self._result.points_unit
        units = {
            "lot": "text", "package": "text", "rank": "of:count", "points": unit,
            "quotient": "value", "outcome": "outcome", "winner": "text", "winner_points": unit,
            "winner_quotient": "value",
        }  # fmt: skip
        return table("results", units, rows)

    def _result_row(self, lot: Lot, decision: Decision, own: Judged) -> dict[str, Any]:
        return self._winner_row(lot, decision, own.candidate.name) | {
            "package": own.candidate.title, "rank": (own.rank, len(lot.judged)),
            "points": float(shown_points(lot, own)), "quotient": per_price(own),
        }  # fmt: skip

    def _winner_row(self, lot: Lot, decision: Decision, package: str) -> dict[str, Any]:
        winner = None if decision.winner is None else lot.named(decision.winner)
        awarded = "won" if decision.winner == package else "lost"
        return {
            "lot": lot.name, "outcome": outcome(lot, decision) if winner is None else awarded,
            "winner": None if winner is None else winner.candidate.vendor,
            "winner_points": None if winner is None else float(shown_points(lot, winner)),
            "winner_quotient": None if winner is None else per_price(winner),
        }  # fmt: skip

    def points(self, lots: Sequence[tuple[Lot, Decision]]) -> Table:
        """The arithmetic of each own package."""
        rows = [
            {
                "lot": lot.name, "package": each.candidate.title, "criterion": criterion.name,
                "formula": criterion.formula, "most": criterion.points, "value": float(value),
                "unit": value_unit(self._result, criterion), "points": float(points),
            }
            for lot, _ in lots
            for each in self._own(lot)
            for criterion, value, points in zip(
                lot.scheme.criteria, each.values, each.points, strict=True
            )
        ]  # fmt: skip
        units: dict[str, str | Column] = {
            "lot": "text", "package": "text", "criterion": "text", "formula": "formula",
            "most": "given", "value": Column("value", "given", unit_at="unit"),
            "points": self._result.points_unit, "unit": "id",
        }  # fmt: skip
        return table("points", units, rows, hidden=("unit",))

    def reasons(self, lots: Sequence[tuple[Lot, Decision]]) -> Table:
        """Reasons of the evaluators for own points, without their names."""
        rows = []
        for lot, _ in lots:
            for each in self._own(lot):
                for criterion in lot.scheme.criteria:
                    agreed = criterion.combine == AGREED
                    rows += [
                        {"package": each.candidate.title, "criterion": criterion.name,
                         "points": one.points, "reason": one.reason}
                        for one in each.candidate.given.get(criterion.name, ())
                        if one.reason and (one.evaluator == AGREED or not agreed)
                    ]  # fmt: skip
        units = {"package": "text", "criterion": "text", "points": "given", "reason": "text"}
        return table("reasons", units, rows)

    def excluded(self, lots: Sequence[tuple[Lot, Decision]]) -> Table:
        """Own packages that were not compared, and why."""
        rows = [
            {"lot": lot.name, "package": each.title,
             "reasons": [cell(reason) for reason in each.excluded]}
            for lot, _ in lots
            for each in lot.excluded
            if each.vendor == self._vendor
        ]  # fmt: skip
        return table("excluded", {"lot": "text", "package": "text", "reasons": "finding"}, rows)

    def disclosed(self, lots: Sequence[tuple[Lot, Decision]]) -> Table:
        """What the scheme discloses of the winners in addition."""
        rows: list[dict[str, Any]] = []
        for lot, winner in self._winners(lots):
            for criterion, points in zip(lot.scheme.criteria, winner.points, strict=True):
                if criterion.name in self._disclosed:
                    rows.append({"lot": lot.name, "winner": winner.candidate.vendor,
                                 "item": criterion.name, "points": float(points)})  # fmt: skip
            if PRICES in self._disclosed:
                rows.append({"lot": lot.name, "winner": winner.candidate.vendor,
                             "price": float(winner.candidate.price)})  # fmt: skip
        units = {"lot": "text", "winner": "text", "item": "text",
                 "points": self._result.points_unit, "price": self._result.money}  # fmt: skip
        return table("disclosed", units, rows, labels={"item": "criterion"})

    def _winners(self, lots: Sequence[tuple[Lot, Decision]]) -> Iterator[tuple[Lot, Judged]]:
        """Winners of other vendors, in lots with an admissible package of this one or without."""
        for lot, decision in lots:
            if decision.winner is not None:
                winner = lot.named(decision.winner)
                if winner.candidate.vendor != self._vendor:
                    yield lot, winner

    def derived(self, lot: Lot, decision: Decision) -> Iterator[Finding]:
        """What follows from the letter about other packages of a lot."""
        winner = next((w for _, w in self._winners([(lot, decision)])), None)
        for at, criterion in enumerate(lot.scheme.criteria):
            most, two_sided = decimal(criterion.points), criterion.formula == "two_sided"
            own = [(each.values[at], each.points[at] / most) for each in self._own(lot)]
            best = _best(criterion, own)
            worst = _on_line(own, Fraction(0)) if two_sided else None
            for kind, end in (("best-value", best), ("worst-value", worst)):
                if end is not None and all(end != value for value, _ in own):
                    yield self._value(kind, lot, criterion, end)
            if two_sided and own and best is None and worst is None:
                yield finding("note", "relation", lot=(lot.name, "text"),
                              criterion=(criterion.name, "text"))  # fmt: skip
            if winner is not None and self._follows(lot, criterion):
                points = winner.points[at]
                value = (
                    _on_line(own, points / most) if two_sided
                    else _inverse(criterion, points, best)
                )  # fmt: skip
                if value is not None:
                    yield self._value("winner-value", lot, criterion, value)
        if winner is not None and winner.quotient:
            yield finding("note", "winner-price", lot=(lot.name, "text"),
                          price=(float(winner.without_price / winner.quotient),
                                 f"money {self._result.tender.currency}"))  # fmt: skip

    def _value(self, kind: str, lot: Lot, criterion: Criterion, value: Fraction) -> Finding:
        unit = value_unit(self._result, criterion)
        unit = f"money {self._result.tender.currency}" if unit.startswith("price ") else unit
        return finding("note", kind, lot=(lot.name, "text"), criterion=(criterion.name, "text"),
                       value=(float(value), "value" if unit == "given" else unit))  # fmt: skip

    def _follows(self, lot: Lot, criterion: Criterion) -> bool:
        """Whether the points of the winner follow: disclosed, or the rest of the stated sum."""
        if criterion.name in self._disclosed:
            return True
        summed = {
            each.name
            for each in lot.scheme.criteria
            if lot.scheme.method == "points" or not each.counts_price
        }
        return criterion.name in summed and summed - {criterion.name} <= self._disclosed


def _best(criterion: Criterion, own: Sequence[tuple[Fraction, Fraction]]) -> Fraction | None:
    """The best value of the lot, where own values and shares of the points give it."""
    if criterion.value_from == "people" or not own:
        return None
    if criterion.formula == "two_sided":
        return _on_line(own, Fraction(1))
    if criterion.formula == "linear":
        bests = (_from_linear(criterion, value, share) for value, share in own if 0 < share < 1)
        return next((best for best in bests if best is not None), None)
    value, share = max(own, key=lambda each: each[1])  # rounded least
    if not share:
        return None
    return value * share if criterion.better == "less" else value / share


def _from_linear(criterion: Criterion, value: Fraction, share: Fraction) -> Fraction | None:
    """The best value b, where an end of the line is a multiple of it: v = (1 - s) z + s f."""
    fixed, at_one = (
        (1 - share) * end_of_line(criterion.zero_at, best)
        + share * end_of_line(criterion.full_at, best)
        for best in (Fraction(0), Fraction(1))
    )
    return None if fixed == at_one else (value - fixed) / (at_one - fixed)


def _on_line(own: Sequence[tuple[Fraction, Fraction]], share: Fraction) -> Fraction | None:
    """The value with a share of the points of 'two_sided', from own values and shares.

    Two different shares give the line; one share gives only the value that has it.
    """
    for value, of_value in own:
        if of_value == share:
            return value
    if not own:
        return None
    (low, least), (high, most) = (of(own, key=lambda each: each[1]) for of in (min, max))
    return None if least == most else low + (share - least) * (high - low) / (most - least)


def _inverse(criterion: Criterion, points: Fraction, best: Fraction | None) -> Fraction | None:
    """The value that has these points; ``None`` where several have, or the best is not known."""
    most = decimal(criterion.points)
    if criterion.formula == "ratio" and points > 0 and best is not None:
        return best * most / points if criterion.better == "less" else best * points / most
    if criterion.formula == "linear" and 0 < points < most:
        ends = (criterion.full_at, criterion.zero_at)
        if best is not None or not any(isinstance(end, TimesBest) for end in ends):
            full, zero = (end_of_line(end, best or Fraction(0)) for end in ends)
            return zero - points / most * (zero - full)
    return None
