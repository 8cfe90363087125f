"""Everything that an award found, for the modules that state and show it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from planner.award.award import Award, Withdrawal
from planner.award.candidate import Candidate
from planner.award.delivered import Delivery
from planner.award.from_scenario import Tender
from planner.award.successors import Succession, VendorWithdrawal
from planner.award.together import Purchase
from planner.award.weights import WeightRange
from scenarios.model.scenario import Scenario
from scenarios.model.scheme import Scheme


@dataclass(frozen=True)
class ModelScores:
    """Scores of the procurement model.

    Attributes
    ----------
    award
        Score of all awarded nodes as one machine.
    best
        Score of the best plan; ``None`` where no plan exists.
    """

    award: Fraction
    best: float | None


@dataclass(frozen=True, repr=False)
class AwardResult:
    """What a scheme awards, and how firmly.

    Attributes
    ----------
    tender
        Packages with their bills, values and exclusions.
    award
        Points and ranks of every lot, and the decisions.
    withdrawals
        What the withdrawal of each admissible package changes.
    ranges
        Points of each criterion for which the winners stay.
    model
        Scores of the procurement model, where they were asked for.
    deliveries
        How little of its committed figures each winner may deliver.
    purchase
        The awarded packages as one purchase.
    successions
        Who follows the winner of each lot.
    without_vendors
        The award without each vendor that wins.
    """

    tender: Tender
    award: Award
    withdrawals: tuple[Withdrawal, ...]
    ranges: tuple[WeightRange, ...]
    purchase: Purchase
    successions: tuple[Succession, ...]
    without_vendors: tuple[VendorWithdrawal, ...]
    model: ModelScores | None = None
    deliveries: tuple[Delivery, ...] = ()

    @property
    def scenario(self) -> Scenario:
        """The scenario that was judged."""
        return self.tender.scenario

    @property
    def scheme(self) -> Scheme:
        """Its scheme."""
        return self.tender.scheme

    @property
    def points_unit(self) -> str:
        """Unit of points: with as many decimals as the scheme rounds to."""
        decimals = self.scheme.decimals
        if decimals == 0:
            return "count"
        if decimals is None or decimals in (3, 4):
            return "score"
        return "index" if decimals in (1, 2) else "given"

    @property
    def ordered(self) -> tuple[Candidate, ...]:
        """All packages: lot by lot, best first, then the excluded ones."""
        return tuple(
            each
            for lot in self.award.lots
            for each in (*(judged.candidate for judged in lot.ranked), *lot.excluded)
        )

    @property
    def money(self) -> str:
        """Unit of prices."""
        return f"price {self.tender.currency}"

    def title(self, package: str) -> str:
        """What people call a package."""
        return next(each.title for each in self.tender.candidates if each.name == package)

    def vendor(self, package: str) -> str:
        """The vendor of a package."""
        return next(each.vendor for each in self.tender.candidates if each.name == package)

    def titles(self, packages: tuple[str, ...]) -> tuple[str, ...]:
        """What people call some packages."""
        return tuple(map(self.title, packages))
