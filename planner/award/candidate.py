"""A package as the scheme sees it: its price, its values, and the conditions that it must meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from planner.decimals import decimal
from planner.finding import Finding, Value, finding
from scenarios.model.scheme import Evaluation


@dataclass(frozen=True)
class Condition:
    """What a package must meet, and what it states.

    Attributes
    ----------
    name, name_unit
        Name of the condition, as a user wrote it or as a word of a vocabulary.
    value
        What the package states or has; in ``unit`` where it is a number.
    least, most, required
        What is admissible: numbers, or the only statement.
    of_points
        Whether the value is points of a criterion.
    """

    name: str
    value: Fraction | float | str | bool
    least: float | None = None
    most: float | None = None
    required: float | str | bool | None = None
    unit: str = "given"
    name_unit: str = "text"
    of_points: bool = False

    @property
    def stated(self) -> tuple[Value, str]:
        """The value as a finding has it."""
        if isinstance(self.value, bool | str):
            return self.value, _unit(self.value)
        return float(self.value), self.unit

    @property
    def limits(self) -> tuple[tuple[str, float | str | bool], ...]:
        """What is admissible, each with how it limits."""
        every = (("must-be", self.required), ("least", self.least), ("most", self.most))
        return tuple((side, limit) for side, limit in every if limit is not None)

    @property
    def missed(self) -> tuple[Finding, ...]:
        """Why the package is excluded; empty if it meets the condition."""
        name = {"condition": (self.name, self.name_unit)}
        if self.required is not None:
            alike = type(self.value) is type(self.required) and self.value == self.required
            required = (self.required, _unit(self.required))
            missed = finding("reason", "not-as-required", **name, stated=self.stated,
                             required=required)  # fmt: skip
            return () if alike else (missed,)
        found = []
        value, stated = Fraction(self.value), "points" if self.of_points else "value"
        if self.least is not None and value < decimal(self.least):
            kind = "too-few-points" if self.of_points else "below-least"
            least = (float(self.least), self.unit)
            found.append(finding("reason", kind, **name, **{stated: self.stated}, least=least))
        if self.most is not None and value > decimal(self.most):
            most = (float(self.most), self.unit)
            found.append(finding("reason", "above-most", **name, value=self.stated, most=most))
        return tuple(found)


def _unit(stated: float | str | bool) -> str:  # noqa: FBT001
    return "flag" if isinstance(stated, bool) else "text" if isinstance(stated, str) else "given"


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
    conditions
        What it must meet before it is compared.
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
    conditions: tuple[Condition, ...] = ()
    group: str | None = None
    title: str = ""

    @property
    def excluded(self) -> tuple[Finding, ...]:
        """Why the package is not compared; empty if it is admissible."""
        return tuple(missed for each in self.conditions for missed in each.missed)
