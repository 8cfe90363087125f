"""Who follows a winner that withdraws, and whether the award can then still be bought."""

from __future__ import annotations

from dataclasses import dataclass

from planner.award.award import Award, award_without
from planner.award.formulas import NoResultError
from planner.award.from_scenario import Tender
from planner.award.together import Purchase, purchase


@dataclass(frozen=True)
class Successor:
    """The package that wins a lot once all before it have withdrawn.

    Attributes
    ----------
    purchase
        All that is awarded then.
    """

    package: str
    purchase: Purchase


@dataclass(frozen=True)
class Succession:
    """Winners of one lot, one after the other withdrawn.

    Attributes
    ----------
    winner
        The package that wins now.
    successors
        Those that follow, in order.
    is_complete
        Whether nobody follows the last one; else a tie, or a formula without a result, follows.
    """

    lot: str
    winner: str
    successors: tuple[Successor, ...]
    is_complete: bool

    @property
    def has_none(self) -> bool:
        """Whether each one misses them."""
        missed = all(each.purchase.meets is False for each in self.successors)
        return self.is_complete and missed


@dataclass(frozen=True)
class VendorWithdrawal:
    """The award without all packages of a vendor that wins a lot.

    Attributes
    ----------
    winners
        Winners of each lot, in order; several are tied, none is a lot without an award.
    """

    vendor: str
    winners: tuple[tuple[str, ...], ...]
    purchase: Purchase


def award_purchase(tender: Tender, award: Award) -> Purchase:
    """All awarded packages as one purchase."""
    return purchase(tender, [each.candidate.name for _, each in award.won()])


def successions(tender: Tender, award: Award) -> tuple[Succession, ...]:
    """The succession of every lot with a winner."""
    return tuple(
        _succession(tender, award, lot.name, winner.candidate.name) for lot, winner in award.won()
    )


def _succession(tender: Tender, award: Award, lot: str, winner: str) -> Succession:
    place = tender.lots.index(lot)
    gone, found = [winner], list[Successor]()
    while True:
        try:
            without = award_without(tender, award, gone)
        except NoResultError:
            return Succession(lot, winner, tuple(found), is_complete=False)
        decision = without.decisions[place]
        if decision.winner is None:
            return Succession(lot, winner, tuple(found), is_complete=not decision.winners)
        gone.append(decision.winner)
        found.append(Successor(decision.winner, award_purchase(tender, without)))


def vendor_withdrawals(tender: Tender, award: Award) -> tuple[VendorWithdrawal, ...]:
    """The award without each vendor that wins a lot, as far as the formulas have results."""
    found = []
    for vendor in dict.fromkeys(each.candidate.vendor for _, each in award.won()):
        own = [each.name for each in tender.candidates if each.vendor == vendor]
        try:
            without = award_without(tender, award, own)
        except NoResultError:
            continue
        winners = tuple(each.winners for each in without.decisions)
        found.append(VendorWithdrawal(vendor, winners, award_purchase(tender, without)))
    return tuple(found)
