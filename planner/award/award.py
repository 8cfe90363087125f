"""The award: every lot judged and decided; what a withdrawal would change."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from planner.award.from_scenario import Tender
from planner.award.judge import Lot, judge
from planner.award.lots import Decision, decide


@dataclass(frozen=True)
class Award:
    """What the scheme awards."""

    lots: tuple[Lot, ...]
    decisions: tuple[Decision, ...]

    def pairs(self) -> list[tuple[Lot, Decision]]:
        """Each lot with its decision."""
        return list(zip(self.lots, self.decisions, strict=True))


@dataclass(frozen=True)
class Withdrawal:
    """What changes in one lot if a package is withdrawn.

    Attributes
    ----------
    package
        The package that is withdrawn.
    before, after
        Winners of the lot with and without it; several are tied.
    """

    package: str
    lot: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def award(tender: Tender, without: Collection[str] = ()) -> Award:
    """Judge and decide all lots.

    Parameters
    ----------
    without
        Packages that are withdrawn: best and worst values are taken anew.

    Raises
    ------
    InputError
        A formula has no result, or points of people are missing.
    """
    lots = tuple(
        judge(
            tender.scheme.for_lot(name),
            name,
            [each for each in tender.candidates if each.lot == name and each.name not in without],
        )
        for name in tender.lots
    )
    return Award(lots, decide(tender.scheme, lots))


def withdrawals(tender: Tender, given: Award) -> tuple[Withdrawal, ...]:
    """What the withdrawal of each admissible package changes: its own lot, and lots that change."""
    found = []
    for lot in given.lots:
        for judged in lot.judged:
            name = judged.candidate.name
            other = award(tender, {name})
            found += [
                Withdrawal(name, before.lot, before.winners, after.winners)
                for before, after in zip(given.decisions, other.decisions, strict=True)
                if before.lot == lot.name or before.winners != after.winners
            ]
    return tuple(found)
