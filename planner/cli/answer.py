"""How every command ends: with its report, and with what it prints."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from planner.cli.edges import Failure, fail_later, failures_so_far, json_text, show_table

if TYPE_CHECKING:
    from planner.worded_study import Study
    from planner.worded_table import Table


class CommandAnswer(Protocol):
    """What a command answers with: a study, or a :class:`Message`."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        ...


class TabledAnswer(CommandAnswer, Protocol):
    """An answer whose tables are written once."""

    @property
    def headline(self) -> str:
        """The answer in a sentence or two; may be empty."""
        ...

    @property
    def confidence(self) -> str:
        """How far it can be relied on; may be empty."""
        ...

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know."""
        ...

    @property
    def shown(self) -> Sequence[Table]:
        """Its tables."""
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


def write_report(
    study: Study,
    out: str | os.PathLike[str] | None,
    *,
    began: float,
    progress: Callable[[str], None],
    inputs: Iterable[str | os.PathLike[str]],
) -> tuple[str, ...]:
    """Write the report if there is a folder for it; the lines that say where it is.

    What cannot be written is an error once the answer has been printed.

    Parameters
    ----------
    began
        When the work on the study began (:func:`time.perf_counter`).
    inputs
        Files that must stay.
    """
    if not out:
        return ()
    import reports

    planned_s = time.perf_counter() - began
    try:
        written = reports.write(
            study, out, planned_s=planned_s, inputs=tuple(inputs), progress=progress
        )
    except reports.IncompleteReportError as error:
        fail_later(Failure(f"failed: {error}"))
        return ()
    except BrokenPipeError:
        raise
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        fail_later(Failure(f"headroom: {name}{error.strerror or error}"))
        return ()
    return (f"\nReport: {written.report}",)


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


def show_tables(answer: TabledAnswer, most: int | None = 24, skip: Container[str] = ()) -> None:
    """Print the headline, the confidence, the warnings and every table, to ``most`` rows each.

    ``skip`` names tables that are in the files only.
    """
    for line in (answer.headline, answer.confidence):
        if line:
            click.echo(line)
    for warning in answer.warnings:
        click.echo(f"Warning: {warning}")
    for table in answer.shown:
        if table.name in skip:
            continue
        if table.rows:
            if table.caption:
                click.echo(f"\n{table.caption}")
            show_table(table.headings(), table.cells(most))
        if most is not None and len(table.rows) > most:
            click.echo(f"... and {len(table.rows) - most:,} more rows; use --json to see all.")
