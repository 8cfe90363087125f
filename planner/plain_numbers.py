"""Numbers as everybody writes them: ASCII digits, a point, an exponent, and nothing else.

``int`` and ``float`` also take ``1_000``, the digits of other scripts, ``nan`` and ``infinity``.
A reader that passes such a text on reads a number that nobody wrote.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import wraps
from inspect import signature
from numbers import Real
from typing import Any, ParamSpec, TypeVar

from planner.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_GROUPED = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+")
_LONGEST = 400
_BLANKS = " \t"
_SHOWN = 40


def plain_decimal(text: str) -> Decimal:
    """Return the exact value of a number; blanks around it are ignored.

    Raises
    ------
    ValueError
        The text is not a number; the message says how to write one.

    Examples
    --------
    >>> plain_decimal(" 2.5e3 ")
    Decimal('2.5E+3')
    >>> plain_decimal("1_000")
    Traceback (most recent call last):
        ...
    ValueError: '1_000' is not a number; write digits, as in 1000 or 2.5e3
    """
    bare = text.strip(_BLANKS)
    if len(bare) > _LONGEST or not _NUMBER.fullmatch(bare):
        raise ValueError(f"{_short(text)} is not a number; write digits, as in 1000 or 2.5e3")
    return Decimal(bare)


def plain_float(text: str) -> float:
    """Return the value of a number as a float; beyond its range infinity.

    Raises
    ------
    ValueError
        As :func:`plain_decimal`.
    """
    return float(plain_decimal(text))


def plain_whole(text: str) -> int:
    """Return a whole number that is written with digits only; blanks around it are ignored.

    Raises
    ------
    ValueError
        The text is anything else; the message says how to write one.

    Examples
    --------
    >>> plain_whole("1000"), plain_whole("-7")
    (1000, -7)
    """
    bare = text.strip(_BLANKS)
    if len(bare) > _LONGEST or not _WHOLE.fullmatch(bare):
        grouped = _GROUPED.fullmatch(bare)
        remedy = (
            f"write {bare.replace(',', '')}, without commas"
            if grouped
            else "write digits, as in 1000"
        )
        raise ValueError(f"{_short(text)} is not a whole number; {remedy}")
    return int(bare)


def _short(text: str) -> str:
    return repr(_cut(text))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


MOST_SEED = 2**31 - 1
"""As on the command line."""
MOST_SEEDS = 10_000


_SEEDS = ("seed", "first_seed", "seeds")


def plainly(function: Callable[P, R]) -> Callable[P, R]:
    """Check the numbers of a public function before it does anything.

    A number may be a text of digits: ``processors="64"``. ``seed`` and ``first_seed`` are seeds;
    ``seeds`` is their number, or the seeds themselves.
    """
    of_function = signature(function)
    kinds = {
        name: parameter.annotation.removesuffix(" | None")
        for name, parameter in of_function.parameters.items()
        if isinstance(parameter.annotation, str)
    }

    @wraps(function)
    def checked(*arguments: P.args, **named: P.kwargs) -> R:
        try:
            bound = of_function.bind_partial(*arguments, **named)
        except TypeError:  # the call itself says it better
            return function(*arguments, **named)
        for name, value in bound.arguments.items():
            number = value is not None and kinds.get(name) in ("int", "float")
            if number and (name not in _SEEDS or _is_whole(value)):
                bound.arguments[name] = finite_number(name, value, whole=kinds[name] == "int")
        given = dict(bound.arguments)
        for further in ("settings", "options"):
            given |= given.pop(further, {}) if isinstance(given.get(further), dict) else {}
        for name in _SEEDS[:2]:
            if name in given:
                _refuse_seed(name, given[name], 0, MOST_SEED)
        seeds = given.get("seeds")
        if isinstance(seeds, Sequence) and not isinstance(seeds, str):
            for seed in seeds:
                _refuse_seed("seeds", seed, 0, MOST_SEED)
        elif seeds is not None:
            _refuse_seed("seeds", seeds, 1, MOST_SEEDS)
        return function(*bound.args, **bound.kwargs)

    return checked


def _is_whole(value: Any) -> bool:
    return isinstance(value, str) and bool(_WHOLE.fullmatch(value))


def finite_number(name: str, value: Any, *, whole: bool = False) -> int | float:
    """Return a finite number of a parameter, which may be written as a text.

    Raises
    ------
    InputError
        It is none; the message names the parameter.
    """
    kind = "whole number" if whole else "number"
    try:
        if isinstance(value, str):
            value = plain_whole(value) if whole else plain_float(value)
    except ValueError as error:
        raise InputError(f"{name}: {error}") from None
    known = isinstance(value, int | float | Real | Decimal) and not isinstance(value, bool)
    try:
        number = float(value) if known else math.nan
    except OverflowError:
        number = value = math.inf
    if not math.isfinite(number) or (whole and not number.is_integer()):
        raise InputError(f"{name} = {_cut(repr(value))} is not a finite {kind}; give one")
    return int(value) if whole else number


def _refuse_seed(name: str, value: Any, least: int, most: int) -> None:
    try:
        whole = operator.index(value)
    except TypeError:
        whole = -1
    if not least <= whole <= most:
        raise InputError(f"{name} = {value!r} is not a whole number from {least} to {most:,}")
