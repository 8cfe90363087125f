"""A note on a certificate: a kind with its values, never a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Scalar = bool | int | float | str | None
Given = tuple[Scalar | tuple[Scalar, ...], str]
"""A value and its unit, by which the reports show it."""


@dataclass(frozen=True)
class Note:
    """A disagreement that was noticed, or why there is no point or no proof.

    Attributes
    ----------
    kind
        One of the kinds that the common catalogue of messages has a template for.
    values, units
        Value and unit by the names of the template's gaps.
    """

    kind: str
    values: Mapping[str, Scalar | tuple[Scalar, ...]] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """Kind and values, as an error shows them."""
        values = (
            f"{name} {', '.join(map(str, value)) if isinstance(value, tuple) else value}"
            for name, value in self.values.items()
        )
        return ": ".join(filter(None, (self.kind, "; ".join(values))))


def note(kind: str, **given: Given) -> Note:
    """A note from pairs of value and unit.

    Examples
    --------
    >>> str(note("solver-failed", solver=("CBC 2.10", "id"), message=("stopped", "message")))
    'solver-failed: solver CBC 2.10; message stopped'
    """
    values = {name: value for name, (value, _) in given.items()}
    return Note(kind, values, {name: unit for name, (_, unit) in given.items()})
