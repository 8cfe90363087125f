"""Options that several commands on measured runs share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

POSITIVE = click.FloatRange(0, 1e12, min_open=True)
PERCENT = click.FloatRange(0, 99)
_Command = Callable[..., Any]
_Option = Callable[[_Command], _Command]


def option(*names: str, default: Any = None, **given: Any) -> _Option:
    """An option that shows its default."""
    if default is not None:
        given |= {"default": default, "show_default": True}
    return click.option(*names, **given)


def stacked(*options: _Option) -> Callable[[_Command], _Command]:
    """Return one decorator that adds all options, the first one first."""

    def add(command: _Command) -> _Command:
        for option in reversed(options):
            command = option(command)
        return command

    return add


def options_given(context: click.Context, names: tuple[str, ...]) -> list[str]:
    """Options of some names that were given on the command line, as they are written."""
    written = {each.name: each.opts[0] for each in context.command.params}
    return [
        written[name]
        for name in names
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    ]


quiet_option = option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")


def bound_option(of: str) -> Callable[[_Command], _Command]:
    """Add ``--bound-w``, the bound of what is named."""
    return option(
        "--bound-w", type=POSITIVE, required=True, help=f"Power bound [W] of all {of} together."
    )


def repetition_option(function: _Command) -> _Command:
    """Add ``--repetition``."""
    return option(
        "--repetition",
        type=click.Choice(["median", "best", "worst"]),
        default="median",
        help="Which run speaks for a configuration: the median run, the fastest (best), or the "
        "longest time with the largest power (worst).",
    )(function)


def reading_options(function: _Command) -> _Command:
    """Add ``--column``, ``--sheet``, ``--group-by``, ``--ignore``: how the file of runs is read."""
    group_by = option(
        "--group-by",
        multiple=True,
        metavar="HEADING",
        help="Further column with a setting: choose for each of its values.",
    )
    ignore = option(
        "--ignore",
        multiple=True,
        metavar="HEADING",
        help="Further column in which repetitions may differ.",
    )
    column = option(
        "--column",
        "columns",
        multiple=True,
        metavar="NAME=HEADING",
        help="Where a column has another heading: time_s='Wall clock [s]'.",
    )
    sheet = option("--sheet", help="Sheet of a workbook.")
    return column(sheet(group_by(ignore(function))))


def reading_words(
    columns: tuple[str, ...],
    sheet: str | None,
    group_by: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """The words of the command that say how the file was read."""
    words = [word for text in columns for word in ("--column", text)]
    words += [word for text in group_by for word in ("--group-by", text)]
    words += [word for text in ignore for word in ("--ignore", text)]
    return (*words, *(("--sheet", sheet) if sheet is not None else ()))


def out_option(function: _Command) -> _Command:
    """Add ``--out``."""
    return option(
        "-o",
        "--out",
        type=click.Path(),
        help="Folder for a report with figures, workbook and data; without it none is made.",
    )(function)
