"""How every command ends: with its report, and with what it prints."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Container, Iterable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import click

from planner.cli.edges import json_text, show_table

if TYPE_CHECKING:
    from planner.study import Study, TabledStudy

S = TypeVar("S", bound="Study")


class Printing(Protocol):
    """What a command is asked to print."""

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
    written = reports.write(
        study, out, planned_s=planned_s, inputs=tuple(inputs), progress=progress
    )
    return (f"\nReport: {written.report}",)


def tell(
    study: S, show: Callable[[S], None], further: Iterable[str], printing: Printing, **plain: Any
) -> None:
    """Print a study: as one JSON object, or for a person with ``further`` lines; or not at all.

    Parameters
    ----------
    plain
        Passed to the study's ``to_dict``.
    """
    if printing.as_json:
        click.echo(json_text(study.to_dict(**plain)))
    elif not printing.quiet:
        show(study)
        for line in further:
            click.echo(line)


def show_tables(study: TabledStudy, most: int = 24, skip: Container[str] = ()) -> None:
    """Print the headline, the confidence, the warnings and every table, to ``most`` rows each.

    ``skip`` names tables that are in the files only.
    """
    for line in (study.headline, study.confidence):
        if line:
            click.echo(line)
    for warning in study.warnings:
        click.echo(f"Warning: {warning}")
    for table in study.shown:
        if table.name in skip:
            continue
        if table.rows:
            click.echo(f"\n{table.caption}")
            show_table(table.headings(), table.cells(most))
        if len(table.rows) > most:
            click.echo(f"... and {len(table.rows) - most:,} more rows; --json has all.")
