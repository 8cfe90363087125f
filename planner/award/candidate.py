"""A package as the scheme sees it: its price, its values, and what excludes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from planner.finding import Finding
from scenarios.model.scheme import Evaluation


@dataclass(frozen=True)
class Candidate:
    """One package.

    Attributes
    ----------
    name, title, vendor, lot
        As in the scenario.
    price
        The bill at the quoted quantities, net, in the currency of the budget.
    values
        Value by the name of the criterion; benchmarks and people have none here.
    figures
        Committed figures, by name.
    given
        Rows of the evaluators by the name of the criterion.
    excluded
        Why the package is not compared; empty if it is admissible.
    group
        At most one package of a group wins.
    """

    name: str
    vendor: str
    lot: str
    price: Fraction
    values: Mapping[str, Fraction] = field(default_factory=dict)
    figures: Mapping[str, Fraction] = field(default_factory=dict)
    given: Mapping[str, tuple[Evaluation, ...]] = field(default_factory=dict)
    excluded: tuple[Finding, ...] = ()
    group: str | None = None
    title: str = ""
