"""The file of measured runs: options that say how it is read, and the reading."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from planner.cli.options import column_option
from planner.cli.typed import option
from planner.cli.values import pairs

if TYPE_CHECKING:
    from scenarios.measurements.runs import Measurements


@dataclass(frozen=True, kw_only=True)
class ReadingOptions:
    """How a file of measured runs is read."""

    columns: tuple[str, ...] = column_option(
        help="Where a column has another heading: time_s='Wall clock [s]'."
    )
    sheet: str | None = option(help="Sheet of a workbook.")
    group_by: tuple[str, ...] = option(
        multiple=True,
        metavar="HEADING",
        help="Further column with a setting: choose for each of its values.",
    )
    ignore: tuple[str, ...] = option(
        multiple=True, metavar="HEADING", help="Further column in which repetitions may differ."
    )

    def read(self, file: str) -> Measurements:
        """Read the runs.

        Raises
        ------
        ScenarioError
            The file has errors.
        """
        from scenarios.measurements.reader import read_measurements

        headings = pairs(self.columns, "--column")
        return read_measurements(
            file, columns=headings, sheet=self.sheet, group_by=self.group_by, ignore=self.ignore
        )

    def words(self) -> tuple[str, ...]:
        """Return the words of the command that say how the file was read."""
        words = [word for text in self.columns for word in ("--column", text)]
        words += [word for text in self.group_by for word in ("--group-by", text)]
        words += [word for text in self.ignore for word in ("--ignore", text)]
        return (*words, *(("--sheet", self.sheet) if self.sheet is not None else ()))


repetition_option = partial(
    option,
    "--repetition",
    type=click.Choice(["median", "best", "worst"]),
    default="median",
    help="Which run speaks for a configuration: the median run, the fastest (best), or the "
    "longest time with the largest power (worst).",
)
