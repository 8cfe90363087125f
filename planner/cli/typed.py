"""Options of a command as a frozen dataclass, which declares each once, as a field with its type.

A field is an option, an argument, or a group: a class of options that several commands share. The
help lists them in the order of the fields. A field ``given`` holds the names of the options on
the command line.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import field, fields, replace
from functools import wraps
from typing import Any, TypeVar

import click
from click.core import ParameterSource, augment_usage_errors
from click.types import OptionHelpExtra

from planner.cli.edges import explained
from planner.cli.help_page import HelpfulCommand, short_record
from planner.cli.quantities import Factor, Quantity, Share, refuse_thousands

T = TypeVar("T")
_MADE, _RECORDED, _GROUP, _GIVEN = "made", "recorded", "group", "given"


class WrittenPath(click.Path):
    """The path of an output; a text of any other type may name an input."""


class _Option(click.Option):
    """An option with values between commas.

    Parameters
    ----------
    listed
        Whether commas separate several values, as repetition does.
    joined
        Whether repetition is the same as commas, for an option whose value is a text with commas.
    """

    def __init__(
        self,
        *args: Any,
        listed: bool = False,
        joined: bool = False,
        **attributes: Any,
    ) -> None:
        if listed or joined:
            attributes["multiple"] = True
        super().__init__(*args, **attributes)
        self.listed, self.joined = listed, joined

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let the parser keep every value, of which :meth:`consume_value` allows one."""
        if self.multiple or self.count or self.is_flag:
            super().add_to_parser(parser, ctx)
        else:
            parser.add_option(
                obj=self, opts=self.opts, dest=self.name, action="append", nargs=self.nargs
            )

    def consume_value(self, ctx: click.Context, opts: Any) -> Any:
        """Take the value of an option that has one.

        Raises
        ------
        click.UsageError
            It is given several times.
        """
        given = opts.get(self.name)
        if not (self.multiple or self.count or self.is_flag) and isinstance(given, list):
            if len(given) > 1 and not ctx.resilient_parsing:
                values = " and ".join(map(repr, given))
                raise click.UsageError(
                    f"{max(self.opts, key=len)} has several values, {values}; give one", ctx
                )
            opts = {**opts, str(self.name): given[-1]}
        return super().consume_value(ctx, opts)

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Convert the values, taken apart at commas."""
        if self.listed and value:
            texts = [str(text).strip() for text in value]
            if isinstance(self.type, Quantity | Share | Factor):
                with augment_usage_errors(ctx, param=self):
                    refuse_thousands(texts)
            pieces = [(text, piece.strip()) for text in texts for piece in text.split(",")]
            # an extra comma adds no value, but an empty value is kept: its reader refuses it
            value = tuple(piece for text, piece in pieces if piece or not text)
        return super().type_cast_value(ctx, value)

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Join the pieces of a text with commas; what ``--vary`` gives may be left out."""
        if self.required and self.value_is_missing(value) and self._is_varied(ctx):
            return None
        values = super().process_value(ctx, value)
        if not self.joined:
            return values
        return ",".join(values) if values else None

    def _is_varied(self, ctx: click.Context) -> bool:
        """Whether ``--vary`` gives values of this option; click has read it by now."""
        keys = (str(text).partition("=")[0].strip() for text in ctx.params.get("vary") or ())
        return any(f"--{key.removeprefix('--')}" in self.opts for key in keys)

    def get_help_extra(self, ctx: click.Context) -> OptionHelpExtra:
        """The default of a share as the user would write it."""
        extra = super().get_help_extra(ctx)
        if "default" in extra and isinstance(self.type, Share):
            extra["default"] = self.type.spelled(float(extra["default"]))
        return extra

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Short names of values, and no ranges that limit nobody."""
        record = click.Option.get_help_record(self, ctx)
        return None if record is None else short_record(record)


def option(
    *names: str,
    default: Any = None,
    recorded: bool = True,
    listed: bool = False,
    joined: bool = False,
    **attributes: Any,
) -> Any:
    """A field with an option that shows its default.

    Parameters
    ----------
    names
        By default that of the field.
    recorded
        Whether the command that gives the same answer again has it.
    listed
        Whether it takes several values: by repetition, or with commas between them.
    joined
        Whether its one value is a text with commas, which may also be given piece by piece.
    attributes
        As for click.
    """
    if default is not None:
        attributes |= {"default": default, "show_default": True}

    def made(name: str) -> click.Option:
        spelled = [*(names or [f"--{name.replace('_', '-')}"]), name]
        return _Option(spelled, listed=listed, joined=joined, **attributes)

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
    """Make a function of options the command that reads them and is called like it.

    Its errors become messages and exit codes.
    """

    def made(function: Callable[[T], None]) -> click.Command:
        @wraps(function)
        def run(**_: Any) -> None:
            with explained():
                function(read(kind, click.get_current_context()))

        return click.command(cls=HelpfulCommand, params=parameters(kind))(run)

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


def replaced(options: T, values: Mapping[str, Any]) -> T:
    """Return options with some values replaced, by the names of their fields."""
    changed: dict[str, Any] = {}
    for member in fields(options):  # type: ignore[arg-type] # a dataclass, which no type says
        if _GROUP in member.metadata:
            changed[member.name] = replaced(getattr(options, member.name), values)
        elif member.name in values:
            changed[member.name] = values[member.name]
    return replace(options, **changed)  # type: ignore[type-var]


def _given(context: click.Context) -> frozenset[str]:
    """Return the options that were given, each by all its spellings."""
    return frozenset(
        spelling
        for param in context.command.params
        if context.get_parameter_source(param.name or "") is ParameterSource.COMMANDLINE
        for spelling in param.opts
    )
