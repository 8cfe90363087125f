"""Values on the command line that stand for several: pairs, weights, grids."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from planner.cli.choices import in_any_capitals
from planner.cli.own_parts import PartName, portable
from planner.cli.quantities import Share, two_readings
from planner.cli.typed import WrittenPath, parameters_with_values
from planner.plain_numbers import plain_float, plain_whole

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from planner.configurations.prediction.predicted import Grid


def pairs(texts: tuple[str, ...], option: str, known: Sequence[str] = ()) -> dict[str, str]:
    """NAME=VALUE texts as a mapping; a known name may have other capitals."""
    pairs = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name or not value:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint=option)
        name = in_any_capitals(name, known)
        if name in pairs:
            raise click.BadParameter(f"{name} is given twice; keep one", param_hint=option)
        pairs[name] = value
    return pairs


def words_of(
    name: str, options: object, always: Mapping[str, Any] | None = None
) -> tuple[str, ...]:
    """Return the command that gives the same again, with all options that were given; no folders.

    ``always``: options that are written though they have their default, with what stands for an
    empty one.
    """
    files: list[str] = []
    words: list[str] = []
    for parameter, value, recorded in parameters_with_values(options):
        if isinstance(parameter, click.Argument):
            files += [Path(name).name for name in (value if parameter.nargs == -1 else [value])]
        elif isinstance(parameter.type, WrittenPath) or not recorded:
            continue
        elif always and parameter.name in always:
            words += spelled(parameter, value or always[parameter.name])
        elif value not in (None, parameter.default):
            words += spelled(parameter, value)
    return (name, *files, *words, "-o", "DIR")


def spelled(option: click.Parameter, value: Any, *, whole_paths: bool = False) -> list[str]:
    """Return an option and its value, as words; of files their names alone, if not whole paths."""
    if isinstance(value, bool):
        return option.opts[:1] if value else option.secondary_opts[:1]
    items = value if isinstance(value, tuple) else (value,)
    kind = option.type
    texts = [kind.spelled(item) if isinstance(kind, Share) else str(item) for item in items]
    if isinstance(option.type, click.Path) and not whole_paths:
        texts = [Path(text).name for text in texts]
    if isinstance(option.type, PartName):
        texts = [portable(text) for text in texts]
    return [word for text in texts for word in (option.opts[0], text)]


_PERCENT_SIGN = re.compile(r"(?<=[0-9])\s?%(?=\s*(?:[,:]|$))")
_LEAST_STEP = 0.1


def percents(text: str, option: str) -> tuple[float, ...]:
    """Read percentages as 0:100:10, with both ends, or 0,20%,100%; as shares, rising.

    A bare number up to 1 is refused where it may be a share: for a single share, 0.2 is 20 %.

    Examples
    --------
    >>> percents("0:100:50", "--uptake"), percents("0,7.5%", "--uptake")
    ((0.0, 0.5, 1.0), (0.0, 0.075))
    """
    remedy = f"{text!r} is neither FROM:TO:STEP nor a list of percentages from 0 to 1,000"
    try:
        parts, listed = _range_or_list(_PERCENT_SIGN.sub("", text))
    except ValueError:
        raise click.BadParameter(remedy, param_hint=option) from None
    if parts:
        if len(parts) != 3 or not all(0 <= part <= 1000 for part in parts):
            raise click.BadParameter(remedy, param_hint=option)
        first, last, step = parts
        if first > last or step < _LEAST_STEP:
            message = f"{text!r}: give the lower end first, and a step of at least {_LEAST_STEP}"
            raise click.BadParameter(message, param_hint=option)
        listed = [first + index * step for index in range(int((last - first) / step + 1e-9) + 1)]
    if not all(0 <= value <= 1000 for value in listed):
        raise click.BadParameter(remedy, param_hint=option)
    _refuse_bare_shares(text, option)
    return tuple(sorted({round(value, 6) / 100 for value in listed}))


def _refuse_bare_shares(text: str, option: str) -> None:
    """Refuse a number that may be a share or per cent; 1 is per cent with a larger number."""
    texts = text.split(":")[:2] if ":" in text else text.split(",")
    numbers = [plain_float(part) for part in texts if "%" not in part]
    larger = any(number > 1 for number in numbers)
    for number in numbers:
        if 0 < number < 1 or (number == 1 and not larger):
            raise click.BadParameter(two_readings(number), param_hint=option)


def _range_or_list(text: str) -> tuple[list[float], list[float]]:
    """Return the numbers between colons, or else those between commas; the other list is empty."""
    if ":" in text:
        return [plain_float(part) for part in text.split(":")], []
    return [], [plain_float(part) for part in text.split(",")]


def whole_numbers(text: str, option: str) -> tuple[int, ...]:
    """Whole numbers with commas between them: ``4,8,16``."""
    try:
        return tuple(plain_whole(part) for part in text.split(","))
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from None


def weighted(
    text: str, names: Container[str], option: str, *, needed: bool = True
) -> tuple[str, float]:
    """Take APPLICATION=WEIGHT apart; an application may hold an equals sign.

    Where the weight is not ``needed``, an application alone has 1.
    """
    name, equals, weight = text.rpartition("=")
    if not needed and (text in names or not equals):
        return text, 1.0
    if not equals or not name:
        raise click.BadParameter(f"{text!r} is not APPLICATION=WEIGHT", param_hint=option)
    try:
        return name, plain_float(weight)
    except ValueError as error:
        raise click.BadParameter(f"the weight of {name}: {error}", param_hint=option) from None


def grid_of(texts: tuple[str, ...]) -> Grid | None:
    """Read axes as ``nodes=8:32:2`` or ``caps=51,65``; ``None`` without any."""
    if not texts:
        return None
    from planner.configurations.prediction.predicted import Grid

    axes = {name: _values(name, text) for name, text in pairs(texts, "--grid").items()}
    unknown = [name for name in axes if name not in ("nodes", "cores", "caps")]
    if unknown:
        message = f"{unknown[0]!r} is not an axis; give nodes, cores or caps"
        raise click.BadParameter(message, param_hint="--grid")
    for name in ("nodes", "cores"):
        if any(value != int(value) for value in axes.get(name, ())):
            raise click.BadParameter(f"{name} must be whole numbers", param_hint="--grid")
    nodes, cores = (tuple(int(v) for v in axes.get(name, ())) for name in ("nodes", "cores"))
    return Grid(nodes, cores, axes.get("caps", ()))


def _values(name: str, text: str) -> tuple[float, ...]:
    """Read a list, or first:last:step with both ends."""
    remedy = f"{text!r} of {name} is neither first:last:step nor a list of numbers above 0"
    try:
        parts, listed = _range_or_list(text)
    except ValueError:
        raise click.BadParameter(remedy, param_hint="--grid") from None
    if parts:
        first, last, step = (*parts, 1.0)[:3]
        if len(parts) > 3 or not 0 < first <= last < 1e9 or not 1e-3 <= step < 1e9:
            raise click.BadParameter(remedy, param_hint="--grid")
        count = min(int((last - first) / step + 1e-9) + 1, 100_001)
        listed = [first + index * step for index in range(count)]
    if not all(0 < value < 1e9 for value in listed):
        raise click.BadParameter(remedy, param_hint="--grid")
    return tuple(listed)
