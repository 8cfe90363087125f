"""What a study states: a kind with its values, never a sentence.

Units tell how a value is shown (:func:`planner.formatting.amount`). Besides physical units there
are counted nouns (``processor``), vocabularies of words (``policy``) and ``text``, which a user
wrote. The nouns and the words are in the catalogues of :mod:`reports.messages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from scenarios.remark import Remark
    from solvers import Certificate

STRICT = {"extra": "forbid", "allow_inf_nan": False}
"""A file of a study has no keys of others, and no number that is none."""

Scalar = bool | int | float | str | None
Value = Scalar | tuple[Scalar, ...]
Severity = Literal[
    "headline", "confidence", "note", "reason", "alternative", "limit", "assumption", "risk",
    "next step",
]  # fmt: skip


@dataclass(frozen=True)
class Finding:
    """A statement that can be checked.

    Attributes
    ----------
    kind
        One of the kinds that the catalogue of the command has a template for.
    severity
        What it means for the reader.
    values
        Numbers, names and dates, by the names of the template's gaps.
    units
        Unit of each value.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT

    kind: str
    severity: Severity
    values: Mapping[str, Value] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)


def finding(severity: Severity, kind: str, **given: tuple[Value, str]) -> Finding:
    """A finding from pairs of value and unit.

    Examples
    --------
    >>> finding("risk", "few-weeks", weeks=(5, "week")).units
    {'weeks': 'week'}
    """
    return Finding(
        kind,
        severity,
        {name: value for name, (value, _) in given.items()},
        {name: unit for name, (_, unit) in given.items()},
    )


def risks_of(remarks: Iterable[Remark]) -> Iterator[Finding]:
    """What a reader remarked, as risks of what is decided on its data."""
    for each in remarks:
        yield finding("risk", each.kind, **each.values)


def noted(certificates: Iterable[Certificate | None]) -> tuple[Finding, ...]:
    """What was noted on certificates, each once."""
    found: list[Finding] = []
    for certificate in certificates:
        for each in certificate.notes if certificate is not None else ():
            stated = Finding(each.kind, "note", each.values, each.units)
            found += [] if stated in found else [stated]
    return tuple(found)


def cell(stated: Finding) -> dict[str, Any]:
    """A finding as a cell of a row holds it, under a column with the unit ``finding``.

    Examples
    --------
    >>> cell(finding("reason", "tied"))
    {'kind': 'tied', 'values': {}, 'units': {}}
    """
    return {"kind": stated.kind, "values": dict(stated.values), "units": dict(stated.units)}


def in_cell(held: Mapping[str, Any]) -> Finding:
    """The finding that a cell holds."""
    return Finding(held["kind"], "reason", held["values"], held["units"])


@dataclass(frozen=True)
class Fact:
    """A label with a value.

    Attributes
    ----------
    key
        Its label in the catalogue.
    value, unit
        As of a finding.
    note
        What is shown below it.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT

    key: str
    value: Value
    unit: str = "text"
    note: Finding | None = None
