"""Numbers on the command line: plain digits, so that no text is read as another number."""

from __future__ import annotations

import re
from typing import Any

import click
from click.types import FloatParamType, IntParamType

from planner.cli.choices import NamedChoice
from planner.plain_numbers import plain_float, plain_whole

_POWER_OF_TEN = re.compile(r"[1-9][0-9]*(\.0+)?[eE]\+?[0-9]{1,2}")


class PlainWhole(IntParamType):
    """A whole number; ``1_000`` and the digits of other scripts are refused."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the number."""
        return super().convert(_read(self, plain_whole, value, param, ctx), param, ctx)


class PlainNumber(FloatParamType):
    """A number; ``1_0``, ``nan``, ``infinity`` and the digits of other scripts are refused."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the number."""
        return super().convert(_read(self, plain_float, value, param, ctx), param, ctx)


class PlainWholeRange(click.IntRange):
    """A :class:`PlainWhole` within a range."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the number, within its range."""
        return super().convert(_read(self, plain_whole, value, param, ctx), param, ctx)


class PlainRange(click.FloatRange):
    """A :class:`PlainNumber` within a range."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the number, within its range."""
        return super().convert(_read(self, plain_float, value, param, ctx), param, ctx)


def plain_numbers(command: click.Command) -> click.Command:
    """Make the numbers of a command's options plain ones."""
    for param in command.params:
        param.type = _plain(param.type)
    return command


def _plain(kind: click.ParamType[Any]) -> click.ParamType[Any]:
    """Return the plain counterpart of a type of numbers; other types as they are."""
    if isinstance(kind, click.IntRange):
        return PlainWholeRange(kind.min, kind.max, kind.min_open, kind.max_open, kind.clamp)
    if isinstance(kind, click.FloatRange):
        return PlainRange(kind.min, kind.max, kind.min_open, kind.max_open, kind.clamp)
    if isinstance(kind, click.Choice) and not isinstance(kind, NamedChoice):
        return NamedChoice(kind.choices)
    if isinstance(kind, IntParamType):
        return PlainWhole()
    return PlainNumber() if isinstance(kind, FloatParamType) else kind


def _read(kind: click.ParamType[Any], read: Any, text: Any, param: Any, ctx: Any) -> Any:
    """Return the number of a text; any other value as it is."""
    if not isinstance(text, str):
        return text
    if text.strip().lower() == "nan":
        kind.fail("nan is not a number", param, ctx)
    if read is plain_whole and _POWER_OF_TEN.fullmatch(text.strip()):
        return int(float(text))
    try:
        return read(text)
    except ValueError as error:
        kind.fail(str(error), param, ctx)
