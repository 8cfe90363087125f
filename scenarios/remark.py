"""What a reader remarks: a kind with its values, never a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from scenarios.faults import Fault

Scalar = bool | int | float | str
Given = tuple[Scalar | tuple[Scalar, ...], str]
"""A value and its unit, as :mod:`planner.finding` has them."""


@dataclass(frozen=True)
class Remark:
    """What was read and may not have been meant, or what a reader did about it.

    Attributes
    ----------
    kind
        One of the kinds that the common catalogue of messages has a template for.
    values
        Value and unit by the names of the template's gaps.
    """

    kind: str
    values: Mapping[str, Given] = field(default_factory=dict)


def remark(kind: str, **values: Given) -> Remark:
    """A remark from pairs of value and unit.

    Examples
    --------
    >>> remark("log-rounded", jobs=(5, "job")).values["jobs"]
    (5, 'job')
    """
    return Remark(kind, values)


def remark_at(place: Fault, kind: str, **values: Given) -> Remark:
    """A remark on a place of a file, which is the value ``place``.

    Parameters
    ----------
    place
        File, line and key path or cell; its message is not used.

    Examples
    --------
    >>> remark_at(Fault("folder/q.csv", 2, "price", ""), "quotes-hidden-rows").values
    {'place': ('q.csv:2: price', 'place')}
    """
    shown = str(replace(place, file=Path(place.file).name, message=""))
    return Remark(kind, {"place": (shown, "place"), **values})
