"""Names of quotes as tables and figures have them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from planner.formatting import clipped
from planner.procurement.problem import Problem


@lru_cache(maxsize=8)
def labels(problem: Problem, maximum: int = 40) -> tuple[str, ...]:
    """A unique name per offer, of at most ``maximum`` characters.

    The name is the title; if two offers share it, the short name follows in brackets.
    """
    titles = [clipped(offer.title, maximum) for offer in problem.offers]
    seen = Counter(titles)
    return tuple(
        title
        if seen[title] == 1
        else _distinct(offer.title, clipped(offer.name, maximum // 2), maximum)
        for title, offer in zip(titles, problem.offers, strict=True)
    )


def _distinct(title: str, name: str, maximum: int) -> str:
    return f"{clipped(title, max(4, maximum - len(name) - 3))} [{name}]"


def label_of(problem: Problem, name: str, maximum: int = 40) -> str:
    """The label of one offer by its short name; the name itself where it is not on offer."""
    for offer, label in zip(problem.offers, labels(problem, maximum), strict=True):
        if offer.name == name:
            return label
    return clipped(name, maximum)
