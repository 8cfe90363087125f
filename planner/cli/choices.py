"""Choices on the command line: capitals do not count, and a misspelt one is suggested."""

from __future__ import annotations

from typing import Any

import click


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
