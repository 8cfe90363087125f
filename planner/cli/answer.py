"""What every command prints: an answer as JSON or for a person, or a message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import click

from planner.cli.edges import failures_so_far, json_text, table_of

if TYPE_CHECKING:
    from planner.cli.message_table import Table

_MOST = 24


class Printing(Protocol):
    """The options of a command that say how it prints its answer."""

    @property
    def as_json(self) -> bool:
        """One JSON object."""

    @property
    def quiet(self) -> bool:
        """Nothing for a person."""


def tell(
    printing: Printing, plain: Callable[[], Mapping[str, Any]], lines: Callable[[], Iterable[str]]
) -> None:
    """Print an answer: as one JSON object, or in lines for a person; or not at all.

    An answer that could not be written is printed in any case.
    """
    if printing.as_json:
        click.echo(json_text(plain()))
    elif not printing.quiet or failures_so_far():
        for line in lines():
            click.echo(line)


@dataclass(frozen=True)
class Message:
    """An answer without a study or report: a headline, warnings, perhaps a table, further lines."""

    plain: Mapping[str, Any]
    headline: str = ""
    warnings: tuple[str, ...] = ()
    shown: tuple[Table, ...] = ()
    confidence: str = ""
    further: tuple[str, ...] = ()

    def tell(self, printing: Printing) -> None:
        """Print it."""
        tell(printing, lambda: self.plain, self._lines)

    def _lines(self) -> Iterator[str]:
        """The headline, the confidence, the warnings, and every table, to 24 rows each."""
        yield from filter(None, (self.headline, self.confidence))
        yield from (f"Warning: {warning}" for warning in self.warnings)
        for table in self.shown:
            if table.rows:
                yield f"\n{table.caption}"
                yield table_of(table.headings(), table.cells(_MOST))
            if len(table.rows) > _MOST:
                yield f"... and {len(table.rows) - _MOST:,} more rows; use --json to see all."
        yield from self.further
