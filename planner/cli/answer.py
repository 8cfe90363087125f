"""What every command prints: an answer as JSON or for a person, or a message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from planner.cli.edges import failures_so_far, json_text, show_table

if TYPE_CHECKING:
    from planner.cli.message_table import Table


class CommandAnswer(Protocol):
    """What a command answers with: a study, or a :class:`Message`."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        ...


A = TypeVar("A", bound=CommandAnswer)


@dataclass(frozen=True)
class Message:
    """An answer without a study or report: a headline, warnings, perhaps a table."""

    plain: Mapping[str, Any]
    headline: str = ""
    warnings: tuple[str, ...] = ()
    shown: tuple[Table, ...] = ()
    confidence: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return dict(self.plain)


class Printing(Protocol):
    """The options of a command that say how it prints its answer."""

    @property
    def as_json(self) -> bool:
        """One JSON object."""

    @property
    def quiet(self) -> bool:
        """Nothing for a person."""


def tell(
    answer: A, show: Callable[[A], None], further: Iterable[str], printing: Printing, **plain: Any
) -> None:
    """Print an answer: as one JSON object, or for a person with ``further`` lines; or not at all.

    An answer that could not be written is printed in any case.

    Parameters
    ----------
    plain
        Passed to the answer's ``to_dict``.
    """
    if printing.as_json:
        click.echo(json_text(answer.to_dict(**plain)))
    elif not printing.quiet or failures_so_far():
        show(answer)
        for line in further:
            click.echo(line)


def show_message(message: Message, most: int = 24) -> None:
    """Print the headline, the confidence, the warnings and every table, to ``most`` rows each."""
    for line in (message.headline, message.confidence):
        if line:
            click.echo(line)
    for warning in message.warnings:
        click.echo(f"Warning: {warning}")
    for table in message.shown:
        if table.rows:
            click.echo(f"\n{table.caption}")
            show_table(table.headings(), table.cells(most))
        if len(table.rows) > most:
            click.echo(f"... and {len(table.rows) - most:,} more rows; use --json to see all.")
