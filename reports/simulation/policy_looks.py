"""Policies, spans and waits as people read and see them."""

from __future__ import annotations

from planner.formatting import percent, words
from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.study import SimulationStudy

MOST_DRAWN = 4
FEW = 3
"""Number of policies up to which a sentence names all of them."""
BOOK = "simulate.xlsx"
_UNITS = ((4 * 86400, 86400, "days"), (4 * 3600, 3600, "hours"), (240, 60, "minutes"))


def names(study: SimulationStudy) -> list[str]:
    """Every policy, in order."""
    return [in_prose(measure.policy) for measure in study.measures]


def two(study: SimulationStudy) -> list[int]:
    """Return the indices of the first policy and of one to compare it with.

    That is the policy with the shortest wait; if this is the first, the one with the longest.
    """
    order = study.ranking
    others = [policy for policy in (order[:1] + order[-1:]) if policy != 0]
    return [0, *others[:1]]


def policies_in_text(study: SimulationStudy) -> list[int]:
    """Policies that a sentence has room for: all where few, else the best and the worst."""
    order = study.ranking
    return sorted(order if len(order) <= FEW else (order[0], order[-1]))


def policies_in_figure(study: SimulationStudy) -> list[int]:
    """Indices of the policies in a figure that holds few: the first, and those that wait least."""
    few_ones = {0, *study.ranking[: MOST_DRAWN - 1]}
    everybody = len(study.measures) <= MOST_DRAWN
    return sorted(policy for policy in study.ranking if everybody or policy in few_ones)


def omitted_text(study: SimulationStudy) -> str:
    """Return which policies are left out of such a figure, in words."""
    omitted = [
        name for policy, name in enumerate(names(study)) if policy not in policies_in_figure(study)
    ]
    return f" Not shown: {words(omitted)}." if omitted else ""


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
