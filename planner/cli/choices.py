"""Choices on the command line: capitals do not count, and a misspelt one is suggested."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click


def in_any_capitals(text: str, names: Iterable[str]) -> str:
    """Return the name that a text is but for capitals; the text itself where there is none.

    Examples
    --------
    >>> in_any_capitals("sp-mz", ["SP-MZ", "LU-MZ"]), in_any_capitals("x", ["SP-MZ"])
    ('SP-MZ', 'x')
    """
    every = [*names]
    if text in every:
        return text
    alike = [name for name in every if name.casefold() == text.casefold()]
    return alike[0] if len(alike) == 1 else text


class NamedChoice(click.Choice[str]):
    """One of several names, in any capitals."""

    def __init__(self, choices: Any) -> None:
        super().__init__(choices, case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name as the command knows it, or an error with the nearest names."""
        names = [str(choice) for choice in self.choices]
        if isinstance(value, str) and value.lower() not in {name.lower() for name in names}:
            from scenarios.formatting import nearest, short

            remedy = nearest(value, names)
            self.fail(f"{short(value)} is not a choice here; {remedy}", param, ctx)
        return super().convert(value, param, ctx)
