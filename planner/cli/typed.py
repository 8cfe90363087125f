"""Options of a command as a frozen dataclass: each is declared once, as a field with its type.

A field is an option, an argument, or a group: a class of options that several commands share. The
fields stand in the order of the help. A field ``given`` holds what stands on the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from copy import copy
from dataclasses import field, fields
from functools import wraps
from typing import Any, TypeVar

import click
from click.core import ParameterSource

T = TypeVar("T")
_MADE, _RECORDED, _GROUP, _GIVEN = "made", "recorded", "group", "given"


class WrittenPath(click.Path):
    """The path of an output; a text of any other type may name an input."""


class _Respelled(click.Option):
    """An option with older spellings, which the help does not show."""

    def __init__(self, *args: Any, older: tuple[str, ...], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.older = older

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the newer spellings alone."""
        record = copy(self)
        record.opts = [opt for opt in self.opts if opt not in self.older]
        return click.Option.get_help_record(record, ctx)


def option(
    *names: str,
    default: Any = None,
    recorded: bool = True,
    older: tuple[str, ...] = (),
    **attributes: Any,
) -> Any:
    """A field with an option that shows its default.

    Parameters
    ----------
    names
        By default that of the field.
    recorded
        Whether the command that gives the same answer again has it.
    older
        Spellings that are still read, though the help shows them no more.
    attributes
        As for click.
    """
    if default is not None:
        attributes |= {"default": default, "show_default": True}

    def made(name: str) -> click.Option:
        spelled = [*(names or [f"--{name.replace('_', '-')}"]), *older, name]
        if older:
            return _Respelled(spelled, older=older, **attributes)
        return click.Option(spelled, **attributes)

    return field(metadata={_MADE: made, _RECORDED: recorded})


def argument(**attributes: Any) -> Any:
    """Return a field with an argument; ``attributes`` are click's."""

    def made(name: str) -> click.Argument:
        return click.Argument([name], **attributes)

    return field(metadata={_MADE: made, _RECORDED: True})


def group(kind: type[T]) -> T:
    """Return a field with the options of a class."""
    made: T = field(metadata={_GROUP: kind})
    return made


def command(kind: type[T]) -> Callable[[Callable[[T], None]], click.Command]:
    """Make a function of options the command that reads them and is called like it."""

    def made(function: Callable[[T], None]) -> click.Command:
        @wraps(function)
        def run(**_: Any) -> None:
            function(read(kind, click.get_current_context()))

        return click.command(params=parameters(kind))(run)

    return made


def parameters(kind: type[Any]) -> list[click.Parameter]:
    """Click's parameters for a class of options."""
    made: list[click.Parameter] = []
    for member in fields(kind):
        if _GROUP in member.metadata:
            made += parameters(member.metadata[_GROUP])
        elif _MADE in member.metadata:
            made.append(member.metadata[_MADE](member.name))
    return made


def read(kind: type[T], context: click.Context) -> T:
    """Return the options as click has parsed them."""
    values: dict[str, Any] = {}
    for member in fields(kind):  # type: ignore[arg-type] # a dataclass, which no type says
        if _GROUP in member.metadata:
            values[member.name] = read(member.metadata[_GROUP], context)
        elif member.name == _GIVEN:
            values[_GIVEN] = _given(context)
        else:
            values[member.name] = context.params[member.name]
    return kind(**values)


def spellings(kind: type[Any]) -> list[str]:
    """Return the first spelling of each option of a class."""
    return [parameter.opts[0] for parameter in parameters(kind)]


def first_given(options: Iterable[str], given: Container[str]) -> str:
    """Return the first of some options that is given; empty if none is."""
    return next((name for name in options if name in given), "")


def parameters_with_values(options: Any) -> Iterator[tuple[click.Parameter, Any, bool]]:
    """Yield every option and argument with its value, and whether it is recorded."""
    for member in fields(options):
        value = getattr(options, member.name)
        if _GROUP in member.metadata:
            yield from parameters_with_values(value)
        elif _MADE in member.metadata:
            yield member.metadata[_MADE](member.name), value, member.metadata[_RECORDED]


def _given(context: click.Context) -> frozenset[str]:
    """Options that stand on the command line, each by its first spelling."""
    return frozenset(
        param.opts[0]
        for param in context.command.params
        if context.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
    )
