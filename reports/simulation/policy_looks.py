"""Policies, spans and waits as people read and see them."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

from planner.formatting import percent, seconds, words
from planner.scheduling.simulation.study import SimulationStudy
from reports.style import PALETTE

MOST_DRAWN = 4
BOOK = "simulate.xlsx"
_STYLES: tuple[Any, ...] = (
    "-", "--", "-.", ":", (0, (7, 1, 1, 1)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 2)), (0, (9, 3)),
)  # fmt: skip
_MARKERS = "o^sDvPX*"
_UNITS = ((4 * 86400, 86400, "days"), (4 * 3600, 3600, "hours"), (240, 60, "minutes"))


def look(policy: int) -> tuple[str, Any, str]:
    """Colour, dashes and marker of the n-th policy: no two of eight share both."""
    return PALETTE[policy % len(PALETTE)], _STYLES[policy % 8], _MARKERS[policy % 8]


def names(study: SimulationStudy) -> list[str]:
    """Every policy, in order."""
    return [measure.policy for measure in study.measures]


def two(study: SimulationStudy) -> list[int]:
    """Places of the first policy, and of the one that waits least or else most beside it."""
    order = study.ranking
    others = [policy for policy in (order[:1] + order[-1:]) if policy != 0]
    return [0, *others[:1]]


def policies_in_figure(study: SimulationStudy) -> list[int]:
    """Places of the policies in a figure that holds few: the first, and those that wait least."""
    few_ones = {0, *study.ranking[: MOST_DRAWN - 1]}
    everybody = len(study.measures) <= MOST_DRAWN
    return [policy for policy in study.ranking if everybody or policy in few_ones]


def omitted_text(study: SimulationStudy) -> str:
    """Return which policies are left out of such a figure, in words."""
    omitted = [
        name for policy, name in enumerate(names(study)) if policy not in policies_in_figure(study)
    ]
    return f" Not drawn: {words(omitted)}." if omitted else ""


def part(share: float) -> str:
    """A share that its rest adds up with: 29 % wait and 71 % start at once.

    The smaller of the two has the digits that tell it, and the larger has as many places.

    Examples
    --------
    >>> part(0.291), part(0.709), part(0.0005), part(0.9995), part(1.0)
    ('29 %', '71 %', '0.05 %', '99.95 %', '100 %')
    """
    smaller = percent(round(min(share, 1 - share), 9))  # ties fall alike
    if share <= 0.5:
        return smaller
    number = smaller.removesuffix(" %")
    return f"{100 - float(number):.{len(number.partition('.')[2])}f} %"


def unit_of(span_s: float) -> tuple[int, str]:
    """The unit in which a span of time is easily read, in seconds, and its name.

    Examples
    --------
    >>> unit_of(90), unit_of(86_400), unit_of(864_000)
    ((1, 'seconds'), (3600, 'hours'), (86400, 'days'))
    """
    for lower_end, size, name in _UNITS:
        if span_s >= lower_end:
            return size, name
    return 1, "seconds"


def waits_axis(axes: Axes, axis: str, largest: float) -> None:
    """Seconds: linear up to 1 s, logarithmic above, so that a wait of 0 has its place."""
    top = max(1.0, largest)
    ticks = [0.0, 1.0]
    while ticks[-1] < top:
        ticks.append(ticks[-1] * 10)
    scale, limits, chosen = (
        (axes.set_xscale, axes.set_xlim, axes.xaxis)
        if axis == "x"
        else (axes.set_yscale, axes.set_ylim, axes.yaxis)
    )
    scale("symlog", linthresh=1.0, linscale=0.5)
    chosen.set_ticks(ticks)
    chosen.set_major_formatter(FuncFormatter(lambda value, _: short_number(value)))
    chosen.set_minor_locator(NullLocator())
    chosen.set_minor_formatter(NullFormatter())
    limits(-0.15, top * 1.5)


def short_number(value: float) -> str:
    """A round number for an axis.

    Examples
    --------
    >>> short_number(0), short_number(1000), short_number(100_000), short_number(10**7)
    ('0', '1,000', '100k', '10M')
    """
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**4, "k")):
        if value >= size:
            return f"{value / (1000 if letter == 'k' else size):g}{letter}"
    return f"{value:,g}"


def bare_seconds(time_s: float) -> str:
    """A time under a heading that has its unit.

    Examples
    --------
    >>> bare_seconds(43210.7)
    '43,211'
    """
    return seconds(time_s).removesuffix(" s")
