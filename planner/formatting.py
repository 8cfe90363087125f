"""Amounts as people read them: times, W, kW or MW, money with or without millions, per cent.

Only this module rounds amounts, for the command line and for the reports. Measured times and
powers have four digits; whole numbers are printed in full. A proven statement must stay true after
rounding: an upper end is rounded up, and a lower end down. A repair is rounded up, so the printed
amount suffices.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Literal

Rounding = Literal["nearest", "up", "down"]
_MINUS = "\N{MINUS SIGN}"
DASH = "–"  # noqa: RUF001 - a dash is meant: nothing to show
_DIGITS = 4
"""Significant digits of an amount that is rounded up or down."""

_MOST_PLACES = 6
"""Decimals of the least of several times."""

_WHOLE = 1e-6
"""What a solver may be off a whole number."""

_NEARLY_FULL = 0.95
"""From this share of a limit, a decimal tells how little is left."""


_MILLION, _TENTH, _FEW_CENTS = 1e6, 1e5, 1e4
"""From the first on amounts of money are in millions, if none is below the second; from the third
on they have no cents."""

_MAGNITUDES = (("MW", 1e6), ("kW", 1e3), ("W", 1.0))


def order_of_ten(value: float) -> int:
    """``floor(log10(abs(value)))`` of the decimal that a number is written as.

    Examples
    --------
    >>> order_of_ten(1000.0), order_of_ten(999.9999999999999), order_of_ten(1e-7)
    (3, 2, -7)
    """
    return Decimal(repr(float(value))).adjusted()


def amount(value: float, unit: str, *, limit: float | None = None, language: str = "en") -> str:
    r"""Return a number by its unit, with a no-break space before its unit.

    Parameters
    ----------
    unit
        ``s``, ``s given`` (with its own digits), ``s in s``, ``s in min`` and ``s in h`` (in this
        unit at any size), ``us``, ``W``, ``W given``, ``W in W``, ``J``, ``B``, ``GB``,
        ``GHz``, ``share`` (shown as per cent), ``share given``, ``share at most`` (rounded up),
        ``share up`` (with two decimals), ``share at least`` (rounded down), ``share used`` (100 %
        only where it is full), ``change`` (with its sign), ``certain change`` (also ``down`` and
        ``up``, as the ends of an interval are rounded; ``percent`` or ``multiple`` at the end
        gives the form), ``factor`` (a multiple), ``multiple`` (with two decimals, as columns of
        factors have; three digits below 0.1), ``index`` (with two decimals), ``ratio``,
        ``number``, ``given`` (with its own digits), ``value`` (in six digits) and ``score`` (four
        decimals; all without a unit), ``count``; ``money EUR``, in millions where there are any,
        and ``price EUR``, with all its digits; ``W up``, ``W in W up``, ``factor up``,
        ``number up``, ``number down``, ``money EUR up`` and ``money EUR down``, rounded so; ``kWh``
        and ``t`` (tonnes).
    limit
        The number has digits enough to compare it with this limit.
    language
        ``de`` has a decimal comma.

    Examples
    --------
    >>> [amount(value, unit) for value, unit in ((0.4153, "share"), (7e3, "s"), (7e3, "W"))]
    ['42\xa0%', '117\xa0min', '7\xa0kW']
    >>> amount(20.004, "ratio", limit=20), amount(7200.5, "s", limit=7200)
    ('20.004', '2.0001\xa0h')
    >>> [amount(value, "multiple") for value in (0.00535, 2.5)]
    ['0.00535\xa0×', '2.50\xa0×']
    >>> amount(12345, "count", language="de"), amount(0.0862, "share", language="de")
    ('12.345', '8,6\xa0%')
    """  # noqa: RUF002 - a times sign
    name, _, currency = unit.partition(" ")
    for side in (" up", " down"):
        if currency.endswith(side):
            name, currency = f"{name}{side}", currency.removesuffix(side)
    if name in _OF_MONEY:
        number, *of_money = _OF_MONEY[name](value, currency).split()
        number = number.translate(GERMAN) if language == "de" else number
        return "\xa0".join((number, *of_money))
    number, _, behind = _WRITTEN[unit](value).rpartition(" ")
    if not number:
        number, behind = behind, ""
    if limit is not None and math.isfinite(value):
        size = _SIZES.get(behind, 1.0)
        for places in range(1, _MOST_DIGITS):
            shown = _read(number) * size
            if (shown <= limit) == (value <= limit):
                break
            number = rounded(value / size, places)
    if language == "de":
        number = number.translate(GERMAN)
    return f"{number}\xa0{behind}" if behind else number


def unmarked(text: str) -> str:
    """A text without what only a page needs: no-break spaces and isolated directions."""
    return text.translate(_MARKS)


def _read(number: str) -> float:
    """The value of a number as :func:`rounded` writes it, else infinity."""
    try:
        return float(number.replace(",", "").replace("−", "-"))  # noqa: RUF001
    except ValueError:  # "less than 0.01"
        return math.inf


def rounded(value: float, places: int, rounding: Rounding = "nearest") -> str:
    """Return a number with ``places`` decimals and thousands separators.

    Examples
    --------
    >>> rounded(2.164, 1, "down"), rounded(23.008, 1, "up"), rounded(-2.164, 1, "down")
    ('2.1', '23.1', '−2.2')
    >>> rounded(0.3, 1, "up"), rounded(-0.04, 1), rounded(233_594.5, 0), rounded(-0.5, 0)
    ('0.3', '0.0', '233,595', '−1')
    >>> rounded(9e15, 0)
    '9,000,000,000,000,000'
    """  # noqa: RUF002 - a minus sign
    if rounding == "nearest" or not math.isfinite(value):
        whole = not math.isfinite(value) or value == int(value)
        away = value if whole else math.nextafter(value, math.copysign(math.inf, value))
        text = f"{away:,.{places}f}"  # halves go away from zero
    else:
        exact = Fraction(f"{value:.15g}") * 10**places
        whole = math.ceil(exact) if rounding == "up" else math.floor(exact)
        text = f"{whole / 10**places:,.{places}f}"
    if text.startswith("-") and not any(digit in "123456789" for digit in text):
        text = text[1:]
    return text.replace("-", "−")  # noqa: RUF001


def _telling(value: float) -> int:
    """Decimals that show a number in the digits of a bound."""
    return max(0, _DIGITS - 1 - order_of_ten(value)) if value else 0


def _short(value: float, rounding: Rounding) -> str:
    """Return a bound in few digits, without zeros at its end."""
    text = rounded(value, _telling(value), rounding)
    return text.rstrip("0").rstrip(".") if "." in text else text


def money(amount: float, currency: str, rounding: Rounding = "nearest") -> str:
    """Money, in millions where there are any.

    Examples
    --------
    >>> money(59_999_226.2, "USD"), money(54_800.0, "EUR"), money(12.0, "EUR")
    ('60.00 M USD', '54,800 EUR', '12 EUR')
    >>> money(1_234_567.0, "EUR", "up"), money(123_456.2, "EUR", "down")
    ('1.235 M EUR', '123,456 EUR')
    """
    size = abs(amount)
    if size < 1e6:
        text = _short(amount, rounding) if rounding != "nearest" else _plain(amount)
        return f"{text} {currency}"
    if rounding != "nearest":
        return f"{_short(amount / 1e6, rounding)} M {currency}"
    return f"{rounded(amount / 1e6, 2)} M {currency}"


def sums(amounts: Sequence[float], currency: str) -> list[str]:
    """Amounts of money of a column, with equal decimals, in millions where all have some.

    Examples
    --------
    >>> sums([6e7, 4_800_000.0], "USD"), sums([2.5e6, 75_000.0], "USD"), sums([0.0185, 0.25], "EUR")
    (['60.00 M USD', '4.80 M USD'], ['2,500,000 USD', '75,000 USD'], ['0.01850 EUR', '0.25000 EUR'])
    """
    sizes = [abs(amount) for amount in amounts if amount]
    largest, smallest = max(sizes, default=0.0), min(sizes, default=0.0)
    unit, size, places = currency, 1.0, 0
    if largest >= _MILLION and smallest >= _TENTH:
        unit, size, places = f"M {currency}", _MILLION, 2
    elif largest < _FEW_CENTS and not all(each == int(each) for each in sizes):
        places = 2 if smallest >= 1 else min(_MOST_PLACES, 3 - order_of_ten(smallest))
    return [f"{rounded(amount / size, places)} {unit}" for amount in amounts]


def prices(amounts: Sequence[float], currency: str) -> Iterator[str]:
    """Prices of a column: cents for all or none, up to four digits below 1.

    Examples
    --------
    >>> [list(prices(each, "USD")) for each in ([42_200.0, 3_912.5], [0.0051579], [2.125])]
    [['42,200.00 USD', '3,912.50 USD'], ['0.005158 USD'], ['2.13 USD']]
    """
    size = max(map(abs, amounts), default=0.0)
    most = max(2, _DIGITS - 1 - order_of_ten(size)) if 0 < size < 1 else 2
    places = 0 if all(amount == int(amount) for amount in amounts) else 2
    while places and any(
        _read(rounded(amount, places)) != _read(rounded(amount, most)) for amount in amounts
    ):
        places += 1
    return (f"{rounded(amount, places)} {currency}" for amount in amounts)


def power(watts: float, rounding: Rounding = "nearest") -> str:
    """Power in MW, kW or W.

    Examples
    --------
    >>> power(1_874_782.6), power(187_478.0), power(7_000.0), power(522.0), power(1.25)
    ('1.875 MW', '187 kW', '7.0 kW', '522 W', '1.25 W')
    >>> power(187_478.0, "up"), power(12_300.0, "up")
    ('187.5 kW', '12.3 kW')
    """
    unit, size = power_unit([watts])
    value = watts / size
    if rounding != "nearest":
        return f"{_short(value, rounding)} {unit}"
    if unit == "W":
        return f"{_plain(value)} {unit}"
    largest = abs(value)
    places = (3 if largest < 10 else 2) if unit == "MW" else (0 if largest >= 100 else 1)
    return f"{rounded(value, places)} {unit}"


def power_unit(watts: list[float]) -> tuple[str, float]:
    """Return the unit that suits the largest of several powers, and its watts."""
    largest = max((abs(w) for w in watts if math.isfinite(w)), default=0.0)
    return next(pair for pair in _MAGNITUDES if largest >= pair[1] or pair[0] == "W")


def racks(places: float, rounding: Rounding = "nearest") -> str:
    """Rack places, which come whole.

    Examples
    --------
    >>> racks(1.0), racks(2.0000001, "up"), racks(2.2, "up")
    ('1 rack place', '2 rack places', '3 rack places')
    """
    count = round(places)
    if rounding != "nearest":
        count = math.ceil(places - _WHOLE) if rounding == "up" else math.floor(places + _WHOLE)
    return f"{count:,} rack place{'' if count == 1 else 's'}"


def _plain(value: float) -> str:
    """Whole where that tells enough, else in four digits."""
    if value == int(value) or abs(value) >= 100:
        return rounded(value, 0)
    return _short(value, "nearest")


def percent(
    fraction: float,
    rounding: Rounding = "nearest",
    *,
    signed: bool = False,
    places: int | None = None,
) -> str:
    """Return a fraction as per cent, with two telling digits; rounded to a side, never to nothing.

    Examples
    --------
    >>> percent(0.4163), percent(0.00626), percent(-0.0221, signed=True), percent(0.00008)
    ('42 %', '0.6 %', '−2.2 %', '0.008 %')
    >>> percent(0.02164, "down"), percent(0.23008, "up", places=1), percent(4e-7, "up")
    ('2.1 %', '23.1 %', '0.00004 %')
    """  # noqa: RUF002 - a minus sign
    value = 100 * fraction
    if abs(value) < 0.0005 and rounding == "nearest":
        value = 0.0
    size = abs(value)
    if places is None:
        places = 0 if size >= 9.95 or size == 0 else 1 if size >= 0.095 else 2
        if 0 < size < 0.0095:
            places = max(3, -order_of_ten(size))
    sign = "+" if signed and value > 0 else ""
    return f"{sign}{rounded(value, places, rounding)} %"


def used_share(share: float) -> str:
    """Return the used share of a limit; near the limit with decimals, 100 % only where it is full.

    Examples
    --------
    >>> used_share(0.4355), used_share(0.968), used_share(0.99915), used_share(0.99996)
    ('44 %', '96.8 %', '99.9 %', '99.996 %')
    >>> used_share(1.0), used_share(1.012), used_share(0.0436)
    ('100 %', '101 %', '4.4 %')
    """
    if share < _NEARLY_FULL or share > 1 - _WHOLE:
        return percent(share)
    texts = (percent(share, places=places) for places in range(1, _MOST_PLACES))
    return next(text for text in texts if not text.startswith("100"))


def durations(*times_s: float, least_places: int = 0) -> tuple[str, ...]:
    """Times in one unit that suits the largest, with equal digits.

    The largest decides: hours above two hours, minutes above two minutes, three digits, and at
    least ``least_places`` decimals. Where the least one is far smaller, so is the unit.

    Examples
    --------
    >>> durations(6453, 9513), durations(3060, -993.8), durations(36.2), durations(195_240)
    (('1.79 h', '2.64 h'), ('51.0 min', '-16.6 min'), ('36.2 s',), ('54.2 h',))
    >>> durations(9.973), durations(9.996), durations(157, 3.6)
    (('9.97 s',), ('10.0 s',), ('157.0 s', '3.6 s'))
    """
    unit, length = _unit_of_times(times_s)
    largest = max(map(abs, times_s), default=0.0)
    least = min((abs(time) for time in times_s if time), default=length) / length
    small = least < 6 and largest > 99 * length  # a digit more, as 1 min is not 31 s
    places = max(least_places, _three_digits(largest / length), int(small))
    return tuple(f"{time_s / length:,.{places}f} {unit}" for time_s in times_s)


def _three_digits(value: float) -> int:
    """Decimals, at most two, with which a number has no more than three digits."""
    fitting = (places for places in (2, 1) if len(f"{value:.{places}f}") <= len("9.99"))
    return next(fitting, 0)


def _unit_of_times(times_s: Iterable[float]) -> tuple[str, int]:
    """Return the unit that suits the largest of several times, and its seconds.

    A smaller one, where the least time would be below a tenth of the unit and the largest has at
    most four digits then.
    """
    sizes = sorted(abs(time) for time in times_s if time)
    for unit, length, smaller in (("h", 3600, 60), ("min", 60, 1)):
        if sizes and sizes[-1] > 2 * length:
            if 0.1 * smaller <= sizes[0] < 0.1 * length and sizes[-1] < 9_999 * smaller:
                continue
            return unit, length
    return "s", 1


def duration(time_s: float) -> str:
    """Return a time as a person says it.

    Examples
    --------
    >>> duration(11_764), duration(920.7), duration(0)
    ('3.27 h', '15.3 min', '0.00 s')
    """
    return durations(time_s)[0]


def watts(power_w: float) -> str:
    """Return a power.

    Examples
    --------
    >>> watts(3418.08), watts(688.932), watts(0.031)
    ('3,418 W', '688.9 W', '0.031 W')
    """
    return f"{_amount(power_w, 4)} W"


def enough(power_w: float, guard: float) -> float:
    """Return the smallest four-digit power bound [W] that allows a power within a guard band.

    Examples
    --------
    >>> enough(688.932, 0.0), enough(3418.08, 0.03), enough(0.031, 0.0)
    (689.0, 3524.0, 0.031)
    """
    least_w = power_w / (1 - guard)
    step = float(f"1e{order_of_ten(least_w) - 3}")
    return float(f"{math.ceil(least_w / step * (1 - 1e-12)) * step:.4g}")


def count(number: int) -> str:
    """Return a whole number, thousands separated.

    Examples
    --------
    >>> count(12_345)
    '12,345'
    """
    return f"{number:,}"


def whole(number: float) -> str:
    """Return a number without its fraction, thousands separated.

    Examples
    --------
    >>> whole(12_345.6)
    '12,346'
    """
    return f"{number:,.0f}"


def telling(number: float, digits: int = 4) -> str:
    """Return a number with some digits that tell, its whole part never cut, thousands separated.

    Examples
    --------
    >>> telling(103_912.4), telling(30.784), telling(0.99171), telling(1_770.3, 3)
    ('103,912', '30.78', '0.9917', '1,770')
    """
    return _amount(number, digits)


def plural(count: int, word: str) -> str:
    """Return a count with its word.

    Examples
    --------
    >>> plural(1, "node"), plural(12, "node")
    ('1 node', '12 nodes')
    """
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def given(fraction: float, *, signed: bool = False) -> str:
    """Return a fraction that was given, with the digits that it has.

    Examples
    --------
    >>> given(0.05), given(-0.01, signed=True), given(0.125)
    ('5 %', '−1 %', '12.5 %')
    """  # noqa: RUF002 - a minus sign
    sign = "+" if signed and fraction > 0 else ""
    return f"{sign}{100 * fraction:.6g} %".replace("-", "−")  # noqa: RUF001


def words(items: Iterable[str]) -> str:
    """Return a list in a sentence.

    Examples
    --------
    >>> words(["a", "b", "c"]), words(["a"])
    ('a, b and c', 'a')
    """
    items = list(items)
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def capitalised(text: str) -> str:
    """Return a text with its first letter as a capital.

    Examples
    --------
    >>> capitalised("IT power"), capitalised("liquid cooling"), capitalised("")
    ('IT power', 'Liquid cooling', '')
    """
    return text[:1].upper() + text[1:]


def clipped(text: str, length: int = 28) -> str:
    """Return a name short enough for an axis.

    Examples
    --------
    >>> clipped("a very long name of an application")
    'a very long name of an appl…'
    """
    return text if len(text) <= length else text[: length - 1] + "…"


def clipped_apart(names: Sequence[str], length: int = 28) -> list[str]:
    """Names short enough for an axis; in their middle where their beginnings are alike.

    Examples
    --------
    >>> clipped_apart(["compute-node-01", "compute-node-02"], 12), clipped_apart(["a", "b"], 12)
    (['comput…de-01', 'comput…de-02'], ['a', 'b'])
    """
    cut = [clipped(name, length) for name in names]
    if len({*cut}) == len({*names}):
        return cut
    half = length // 2
    return [
        name if len(name) <= length else f"{name[:half]}…{name[half + 1 - length :]}"
        for name in names
    ]


def _amount(value: float, digits: int) -> str:
    """Return ``digits`` significant digits, or the whole number if it has more digits."""
    short = float(f"{value:.{digits}g}")
    return f"{value:,.0f}" if abs(short) >= 10 ** (digits - 1) else f"{short:,.{digits}g}"


def own_unit(time_s: float) -> str:
    """A time in its own unit.

    Examples
    --------
    >>> own_unit(0.0), own_unit(11_764), own_unit(0.001)
    ('0 s', '3.27 h', 'less than 0.01 s')
    """
    text = duration(time_s)
    if not time_s:
        return "0 s"
    return text if any(digit in "123456789" for digit in text) else "less than 0.01 s"


def _given_time(time_s: float) -> str:
    """A time that a user gave, in the largest unit that shows it with two decimals."""
    for unit, length in (("h", 3600), ("min", 60)):
        if abs(time_s) >= length and round(time_s / length, 2) == time_s / length:
            return f"{time_s / length:,g} {unit}"
    return f"{telling(time_s)} s"


def _value(value: float) -> str:
    """An objective or a limit: exact in fewer digits than six, or in six."""
    if value == int(value) or abs(value) >= 1e5:
        digits = ",.0f" if abs(value) < _WRITTEN_OUT else ",.7g"
        return f"{value:{digits}}".replace("-", _MINUS)
    exact = float(f"{value:.5g}") == value
    return f"{value:{',.5g' if exact else '#,.6g'}}".replace("-", _MINUS)


_WRITTEN_OUT = 1e15
"""Larger numbers are written with an exponent."""

SCALES: dict[str, tuple[tuple[str, float], ...]] = {
    "W": (("MW", 1e6), ("kW", 1e3), ("W", 1.0)),
    "J": (("GJ", 1e9), ("MJ", 1e6), ("kJ", 1e3), ("J", 1.0)),
    "B": (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0)),
    "kWh": (("GWh", 1e6), ("MWh", 1e3), ("kWh", 1.0)),
    "t": (("t", 1.0),),
    "us": (("h", 3.6e9), ("min", 6e7), ("s", 1e6), ("ms", 1e3), ("µs", 1.0)),
}
"""Units of a quantity from the largest on, each with its size in the unit of the data."""
FIXED = {"s in s": ("s", 1.0), "s in min": ("min", 60.0), "s in h": ("h", 3600.0),
         "W in W": ("W", 1.0)}  # fmt: skip
"""Units that do not depend on the amount, with their size: a report has one for a quantity."""
_FROM = {"h": 2.0, "min": 2.0}
"""Multiples from which a unit is used; 1 for all others."""
_FEW_DIGITS = 1e5
"""Multiples of a unit that are still read at a glance."""


def scale(unit: str, largest: float, smallest: float = math.inf) -> tuple[str, float]:
    """The unit that suits the largest of several amounts and hides no smaller one; its size.

    Examples
    --------
    >>> scale("B", 329_384_160.0), scale("B", 1.2e9, 5e6), scale("us", 9e9)
    (('MB', 1000000.0), ('MB', 1000000.0), ('h', 3600000000.0))
    """
    shown = float(f"{largest:.{_DIGITS}g}")
    units = [(name, size) for name, size in SCALES[unit] if shown >= size * _FROM.get(name, 1.0)]
    alike = [each for each in units if smallest >= each[1] / 10 and shown < _FEW_DIGITS * each[1]]
    close = [each for each in units if smallest >= each[1] / 1000]
    return next(iter((*alike, *close, SCALES[unit][-1])))


def _scaled(unit: str) -> Callable[[float], str]:
    """What writes an amount in the unit of its size, in four digits."""

    def write(value: float) -> str:
        name, size = scale(unit, abs(value))
        return f"{_short(value / size, 'nearest')} {name}"

    return write


def unit_of_times(*times_s: float) -> str:
    """The unit for all times of a report that are compared with these.

    Examples
    --------
    >>> unit_of_times(102.0), unit_of_times(6720.0, 26_880.0)
    ('s in s', 's in h')
    """
    return f"s in {_unit_of_times(times_s)[0]}"


def in_fixed_unit(unit: str, values: Sequence[float]) -> list[str]:
    """Amounts in a given unit with equal decimals: three digits of the least time, four of power.

    Examples
    --------
    >>> in_fixed_unit("s in h", [6720.0, 0.0]), in_fixed_unit("W in W", [5994.9, 888.3])
    (['1.87 h', '0.00 h'], ['5,995 W', '888 W'])
    """
    name, size = FIXED[unit]
    sizes = [abs(value) / size for value in values if value]
    if unit.startswith("W"):
        whole = all(each == int(each) for each in sizes)
        places = 0 if whole else _telling(max(sizes))
    else:
        places = max(0, min(2, 2 - order_of_ten(min(sizes, default=1.0))))
    return [f"{rounded(value / size, places)} {name}" for value in values]


def _fixed(unit: str) -> Callable[[float], str]:
    """What writes a single amount in a given unit."""

    def write(value: float) -> str:
        text, name = in_fixed_unit(unit, [value])[0], FIXED[unit][0]
        if not value or unit.startswith("W"):
            return f"{_short(value / FIXED[unit][1], 'nearest')} {name}"
        return text if re.search("[1-9]", text) else f"less than 0.01 {name}"

    return write


def _changed(fraction: float, *, multiple: bool | None = None) -> str:
    """A fraction as a change with its sign; by default one that doubles as a multiple."""
    if fraction >= 1 if multiple is None else multiple:
        return f"{telling(1 + fraction, 3)} ×"  # noqa: RUF001 - a times sign
    return percent(fraction, signed=True, places=1 if abs(fraction) < 10 else 0)


_SMALLEST = 1e-6
"""Certain changes that are smaller are ends of at most 0.0001 %."""


def _certain(rounding: Rounding, *, multiple: bool | None = None) -> Callable[[float], str]:
    """An end of a change that is certain, rounded to its own side, a small one not to zero."""

    def write(fraction: float) -> str:
        if fraction >= 1 if multiple is None else multiple:
            decimals = max(0, 2 - order_of_ten(1 + fraction))
            return f"{rounded(1 + fraction, decimals, rounding)} ×"  # noqa: RUF001 - a times sign
        size = abs(fraction)
        places: int | None = 4 if size < _SMALLEST else 1 if size < 10 else 0
        if _SMALLEST <= size < 0.001:
            places = None
        text = percent(fraction, rounding, signed=True, places=places)
        return text if re.search("[1-9]", text) else "0 %"

    return write


def _counted(value: float) -> str:
    """A whole number, thousands separated."""
    return f"{int(value):,}".replace("-", _MINUS)


def _share(fraction: float) -> str:
    """A fraction; a multiple where it would have four digits."""
    if abs(fraction) >= 10:
        return f"{telling(fraction, 3).replace('-', _MINUS)} ×"  # noqa: RUF001 - a times sign
    return percent(fraction)


def _at_most(fraction: float) -> str:
    """A fraction that is an upper end, with one decimal from 1 % on, and two from 0.1 % on."""
    places = 1 if 0.0095 <= fraction < 0.9995 else 2 if 0.001 <= fraction < 0.0095 else None
    return percent(fraction, "up", places=places)


def _chance(fraction: float) -> str:
    """A probability: neither certain nor impossible by rounding.

    Examples
    --------
    >>> _chance(0.99996), _chance(0.5748), _chance(0.0)
    ('>99.9 %', '57.5 %', '<0.1 %')
    """
    if 0.999 < fraction <= 1:
        return ">99.9 %"
    return "<0.1 %" if 0 <= fraction < 0.001 else percent(fraction, places=1)


def _whole_from_100(value: float) -> str:
    """A number that is rounded up, without decimals from 100 on."""
    return rounded(value, 0, "up") if 100 <= abs(value) < 1000 else _short(value, "up")


_WRITTEN: dict[str, Any] = {
    "s": own_unit,
    "s given": _given_time,
    **{unit: _fixed(unit) for unit in FIXED},
    "W": _scaled("W"),
    "W in W up": lambda value: f"{_whole_from_100(value)} W",
    "W given": lambda value: f"{value:,.10g} W",
    "W up": lambda value: power(value, "up"),
    "share": _share,
    "share given": given,
    "share at most": _at_most,
    "share up": lambda value: percent(value, "up", places=2),
    "share chance": _chance,
    "share at least": lambda value: percent(value, "down", places=1),
    "share used": used_share,
    "change": _changed,
    "certain change": _certain("nearest"),
    "certain change down": _certain("down"),
    "certain change up": _certain("up"),
    **{
        f"{unit} {form}": write
        for form, is_multiple in (("percent", False), ("multiple", True))
        for unit, write in (
            ("change", partial(_changed, multiple=is_multiple)),
            ("certain change down", _certain("down", multiple=is_multiple)),
            ("certain change up", _certain("up", multiple=is_multiple)),
        )
    },
    "J": _scaled("J"),
    "kWh": _scaled("kWh"),
    "t": _scaled("t"),
    "B": _scaled("B"),
    "us": _scaled("us"),
    "GB": lambda value: f"{telling(value)} GB",
    "GHz": lambda value: f"{value:,.4g} GHz",
    "factor": lambda value: f"{value:,.4g} ×",  # noqa: RUF001 - a times sign
    "multiple": lambda value: f"{rounded(value, 2) if value >= 0.1 else telling(value, 3)} ×",  # noqa: RUF001 - a times sign
    "factor up": lambda value: f"{_short(value, 'up')} ×",  # noqa: RUF001 - a times sign
    "ratio": telling,
    "index": lambda value: rounded(value, 2),
    "number": telling,
    "number up": lambda value: _short(value, "up"),
    "number down": lambda value: _short(value, "down"),
    "given": lambda value: f"{value:,.10g}",
    "value": _value,
    "score": lambda value: rounded(value, 4),
    "count": lambda value: _counted(value) if value == int(value) else telling(value),
}
"""How the numbers of a unit are written."""
UNITS = tuple(_WRITTEN)
_OF_MONEY: dict[str, Callable[[float, str], str]] = {
    "money": money,
    "money up": lambda value, currency: money(value, currency, "up"),
    "money down": lambda value, currency: money(value, currency, "down"),
    "price": lambda value, currency: next(prices([value], currency)),
}
"""How amounts of a currency are written."""
_SIZES = {"h": 3600.0, "min": 60.0, "kW": 1e3, "MW": 1e6, "%": 0.01}
_MARKS = str.maketrans({"\xa0": " ", "\u2068": None, "\u2069": None})
GERMAN = str.maketrans(",.", ".,")
"""Decimal comma, and thousands after a point."""
_MOST_DIGITS = 12
