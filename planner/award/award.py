"""The award: every lot judged and decided; what a withdrawal would change."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from planner.award.from_scenario import Tender
from planner.award.judge import Judged, Lot, judge
from planner.award.lots import Decision, decide


@dataclass(frozen=True)
class Award:
    """What the scheme awards."""

    lots: tuple[Lot, ...]
    decisions: tuple[Decision, ...]

    def pairs(self) -> list[tuple[Lot, Decision]]:
        """Each lot with its decision."""
        return list(zip(self.lots, self.decisions, strict=True))

    def won(self) -> list[tuple[Lot, Judged]]:
        """Each lot that has a winner, with it."""
        return [
            (lot, lot.named(decision.winner))
            for lot, decision in self.pairs()
            if decision.winner is not None
        ]


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


def award(tender: Tender) -> Award:
    """Judge and decide all lots.

    Raises
    ------
    InputError
        A formula has no result, or points of people are missing.
    """
    lots = tuple(_judged(tender, name) for name in tender.lots)
    return Award(lots, decide(tender.scheme, lots))


def _judged(tender: Tender, lot: str, without: Collection[str] = ()) -> Lot:
    """A lot, perhaps without packages that are withdrawn."""
    packages = [e for e in tender.candidates if e.lot == lot and e.name not in without]
    return judge(tender.scheme.for_lot(lot), lot, packages)


def award_without(tender: Tender, given: Award, packages: Collection[str]) -> Award:
    """The award without packages that are withdrawn.

    Best and worst values of their lots are taken anew, and all lots are decided anew.

    Raises
    ------
    NoResultError
        A formula has no result.
    """
    changed = {each.lot for each in tender.candidates if each.name in packages}
    lots = tuple(
        _judged(tender, each.name, packages) if each.name in changed else each
        for each in given.lots
    )
    return Award(lots, decide(tender.scheme, lots))


def withdrawals(tender: Tender, given: Award) -> tuple[Withdrawal, ...]:
    """What the withdrawal of each admissible package changes: its own lot, and lots that change."""
    found = []
    for lot in given.lots:
        for judged in lot.judged:
            name = judged.candidate.name
            without = award_without(tender, given, [name])
            found += [
                Withdrawal(name, before.lot, before.winners, after.winners)
                for before, after in zip(given.decisions, without.decisions, strict=True)
                if before.lot == lot.name or before.winners != after.winners
            ]
    return tuple(found)
