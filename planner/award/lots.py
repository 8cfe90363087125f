"""Which package wins each lot, where a vendor may win only some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from planner.award.judge import Judged, Lot
from planner.errors import TooLargeError
from scenarios.model.scheme import Scheme

_MOST_STEPS = 2_000_000
"""Steps of the enumeration of sums: more than the lots and packages of any tender need."""


@dataclass(frozen=True)
class Decision:
    """What one lot is awarded.

    Attributes
    ----------
    winners
        Names of the packages: one wins, several are tied, none is a lot without an award.
    passed_over
        Better packages that could not win, because their vendor or group has its lots already.
    """

    lot: str
    winners: tuple[str, ...]
    passed_over: tuple[str, ...] = ()

    @property
    def winner(self) -> str | None:
        """The package that wins; ``None`` for a tie and for no award."""
        return self.winners[0] if len(self.winners) == 1 else None


def decide(scheme: Scheme, lots: Sequence[Lot]) -> tuple[Decision, ...]:
    """Award the lots.

    Raises
    ------
    TooLargeError
        The best sum would need too many combinations.
    """
    if scheme.lots == "best sum":
        return _by_sum(scheme, lots)
    taken = Taken(scheme.most_lots_per_vendor)
    decisions = []
    for lot in lots:
        decision = _best(lot, taken)
        decisions.append(decision)
        if decision.winner is not None:
            taken.add(lot.named(decision.winner))
    return tuple(decisions)


@dataclass
class Taken:
    """Lots that vendors and groups have already."""

    most: int | None
    vendors: Counter[str] = field(default_factory=Counter)
    groups: set[str] = field(default_factory=set)

    def allows(self, judged: Judged) -> bool:
        """Whether a package may win one more lot."""
        if judged.candidate.group in self.groups:
            return False
        return self.most is None or self.vendors[judged.candidate.vendor] < self.most

    def add(self, judged: Judged) -> None:
        """Count a package that wins."""
        self.vendors[judged.candidate.vendor] += 1
        if judged.candidate.group is not None:
            self.groups.add(judged.candidate.group)

    def remove(self, judged: Judged) -> None:
        """Take it back."""
        self.vendors[judged.candidate.vendor] -= 1
        self.groups.discard(judged.candidate.group or "")


def _best(lot: Lot, taken: Taken) -> Decision:
    eligible = [each for each in lot.judged if taken.allows(each)]
    first = min((each.rank for each in eligible), default=0)
    winners = tuple(each.candidate.name for each in eligible if each.rank == first)
    passed = (each for each in lot.ranked if not eligible or each.rank < first)
    return Decision(lot.name, winners, tuple(each.candidate.name for each in passed))


def _by_sum(scheme: Scheme, lots: Sequence[Lot]) -> tuple[Decision, ...]:
    """Every choice whose sum is largest; of those, ranks count in the order of the lots."""
    search = _Search(lots, Taken(scheme.most_lots_per_vendor))
    search.go(0, Fraction(0), ())
    decisions = []
    for at, lot in enumerate(lots):
        chosen = {choice[at] for choice in search.choices} - {None}
        winners = tuple(e.candidate.name for e in lot.judged if e.candidate.name in chosen)
        first = min((lot.named(name).rank for name in winners), default=len(lot.judged) + 1)
        passed = tuple(each.candidate.name for each in lot.ranked if each.rank < first)
        decisions.append(Decision(lot.name, winners, passed))
    return tuple(decisions)


@dataclass
class _Search:
    """All choices of one package or none for each lot, without those that cannot be best."""

    lots: Sequence[Lot]
    taken: Taken
    best: tuple[Fraction, tuple[int, ...]] | None = None
    choices: list[tuple[str | None, ...]] = field(default_factory=list)
    steps: int = 0

    def __post_init__(self) -> None:
        most = [max((e.total for e in lot.judged), default=Fraction(0)) for lot in self.lots]
        self.ahead = [sum(most[at:], Fraction(0)) for at in range(len(most) + 1)]

    def go(self, at: int, total: Fraction, chosen: tuple[Judged | None, ...]) -> None:
        """Try all choices for the lots from ``at`` on."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TooLargeError(
                "the best sum over all lots needs too many combinations; write "
                "lots = 'published order'"
            )
        if self.best is not None and total + self.ahead[at] < self.best[0]:
            return
        if at == len(self.lots):
            self._keep(total, chosen)
            return
        for judged in self.lots[at].ranked:
            if self.taken.allows(judged):
                self.taken.add(judged)
                self.go(at + 1, total + judged.total, (*chosen, judged))
                self.taken.remove(judged)
        self.go(at + 1, total, (*chosen, None))

    def _keep(self, total: Fraction, chosen: tuple[Judged | None, ...]) -> None:
        ranks = tuple(
            -(len(lot.judged) + 1 if each is None else each.rank)
            for lot, each in zip(self.lots, chosen, strict=True)
        )
        names = tuple(None if each is None else each.candidate.name for each in chosen)
        if self.best is None or (total, ranks) > self.best:
            self.best, self.choices = (total, ranks), []
        if (total, ranks) == self.best:
            self.choices.append(names)
