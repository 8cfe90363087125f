"""Options of a command as a frozen dataclass: each is declared once, as a field with its type.

A field is an option, an argument, or a group: a class of options that several commands share. The
fields stand in the order of the help. A field ``given`` gets the options on the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import wraps
from typing import Any, TypeVar

import click
from click.core import ParameterSource

T = TypeVar("T")
_DECLARED, _GROUP, _GIVEN = "declared", "group", "given"


class Written(click.Path):
    """The path of an output; a text of any other type may name an input."""


@dataclass(frozen=True)
class Declared:
    """An option or an argument, of which each command makes a parameter of its own.

    Attributes
    ----------
    kind, names, attributes
        As for click; the name of the field is that of the parameter.
    recorded
        Whether the command that gives the same answer again has it.
    """

    kind: type[click.Parameter]
    names: tuple[str, ...]
    attributes: dict[str, Any]
    recorded: bool = True

    @property
    def written(self) -> bool:
        """Whether the value is the path of an output."""
        return isinstance(self.attributes.get("type"), Written)

    def parameter(self, name: str) -> click.Parameter:
        """Click's parameter for the field of this name."""
        return self.kind([*self.names, name], **self.attributes)


def option(*names: str, default: Any = None, recorded: bool = True, **attributes: Any) -> Any:
    """A field with an option that shows its default; ``attributes`` are click's."""
    if default is not None:
        attributes |= {"default": default, "show_default": True}
    return field(metadata={_DECLARED: Declared(click.Option, names, attributes, recorded)})


def argument(**attributes: Any) -> Any:
    """A field with an argument; ``attributes`` are click's."""
    return field(metadata={_DECLARED: Declared(click.Argument, (), attributes)})


def group(kind: type[T]) -> T:
    """A field with the options of a class."""
    made: Any = field(metadata={_GROUP: kind})
    found: T = made
    return found


def command(
    kind: type[T], name: str | None = None
) -> Callable[[Callable[[T], None]], click.Command]:
    """Make a function of options the command that reads them; by default called like it."""

    def made(function: Callable[[T], None]) -> click.Command:
        @wraps(function)
        def run(**_: Any) -> None:
            function(read(kind, click.get_current_context()))

        return click.command(name, params=parameters(kind))(run)

    return made


def parameters(kind: type[Any]) -> list[click.Parameter]:
    """Click's parameters for a class of options."""
    found: list[click.Parameter] = []
    for each in fields(kind):
        if _GROUP in each.metadata:
            found += parameters(each.metadata[_GROUP])
        elif _DECLARED in each.metadata:
            found.append(each.metadata[_DECLARED].parameter(each.name))
    return found


def spellings(kind: type[Any]) -> list[str]:
    """The first spelling of each option of a class."""
    return [each.opts[0] for each in parameters(kind)]


def first_given(options: Iterable[str], given: Container[str]) -> str:
    """The first of some options that is given; empty if none is."""
    return next((each for each in options if each in given), "")


def read(kind: type[T], context: click.Context) -> T:
    """The options as click has parsed them."""
    values: dict[str, Any] = {}
    for each in fields(kind):  # type: ignore[arg-type] # a dataclass, which no type says
        if _GROUP in each.metadata:
            values[each.name] = read(each.metadata[_GROUP], context)
        elif each.name == _GIVEN:
            values[_GIVEN] = _given(context)
        else:
            values[each.name] = context.params[each.name]
    return kind(**values)


def declared(options: Any) -> Iterator[tuple[str, Declared, Any]]:
    """Every option and argument: its name, how it is declared, and its value."""
    for each in fields(options):
        value = getattr(options, each.name)
        if _GROUP in each.metadata:
            yield from declared(value)
        elif _DECLARED in each.metadata:
            yield each.name, each.metadata[_DECLARED], value


def _given(context: click.Context) -> frozenset[str]:
    """Options that stand on the command line, each by its first spelling."""
    return frozenset(
        parameter.opts[0]
        for parameter in context.command.params
        if context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    )
