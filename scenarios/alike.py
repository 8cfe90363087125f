"""Names that a person reads as one: equal but for case, blanks and forms of characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from scenarios.formatting import folded, short

Position = TypeVar("Position")


@dataclass(frozen=True)
class Alike(Generic[Position]):
    """A name that differs from an earlier one only in case, blanks or forms of characters."""

    name: str
    position: Position
    earlier: str
    earlier_position: Position

    def message(self, earlier_position: str) -> str:
        """Return what is wrong, with the place of the earlier spelling, and the remedy.

        Examples
        --------
        >>> Alike("NORTH", 2, "North", 1).message("line 7")
        "'NORTH' and 'North' (line 7) differ only in case or blanks; use the same name for both"
        """
        names = f"{visible(self.name)} and {visible(self.earlier)} ({earlier_position})"
        return f"{names} differ only in case or blanks; use the same name for both"


def alike(names: Iterable[tuple[str, Position]]) -> Iterator[Alike[Position]]:
    """Yield every spelling that is like an earlier one, once, at its first place.

    Parameters
    ----------
    names
        Names with their places, in the order of the input; one name may occur often.
    """
    first: dict[str, tuple[str, Position]] = {}
    seen: set[str] = set()
    for name, position in names:
        if name in seen:
            continue
        seen.add(name)
        earlier, where = first.setdefault(folded(name), (name, position))
        if earlier != name:
            yield Alike(name, position, earlier, where)


def visible(name: str) -> str:
    r"""A name in quotation marks; characters that look like others or like nothing are escaped.

    Examples
    --------
    >>> visible("North\u00a0Star"), visible("Größe")
    ("'North\\xa0Star'", "'Größe'")
    """
    plain = unicodedata.normalize("NFKC", name) == name
    return short(name) if plain else ascii(name)
