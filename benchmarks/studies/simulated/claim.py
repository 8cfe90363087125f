"""A claim of the thesis about shapes: which side is ahead, what changes and what does not.

A claim is a sentence, a number that is read off the simulated machine, and the condition under
which the number bears the sentence out. Where the thesis speaks of "close" or "negligible" the
condition is a reading of that word. Claims that the law does not bear out are listed like others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.studies.simulated.printed import Setting
from benchmarks.studies.simulated.readings import Readings


@dataclass(frozen=True)
class Condition:
    """What a number must be, in words and as a test."""

    text: str
    met: Callable[[float], bool]


def above(limit: float) -> Condition:
    """More than a limit."""
    return Condition(f"above {limit:g}", lambda value: value > limit)


def below(limit: float) -> Condition:
    """Less than a limit."""
    return Condition(f"below {limit:g}", lambda value: value < limit)


def within(least: float, most: float = math.inf) -> Condition:
    """At least, and at most."""
    text = f"{least:g} to {most:g}" if most < math.inf else f"{least:g} or more"
    return Condition(text if most != least else f"{least:g}", lambda value: least <= value <= most)


@dataclass(frozen=True)
class Claim:
    """One shape.

    Attributes
    ----------
    claim, source
        A sentence, and the section that says it.
    quantity, condition
        The number that decides, and what it must be.
    evaluate
        Reads the number off the simulated machine.
    setting
        Class C on 32 nodes, or the sockets of the variability study.
    """

    claim: str
    source: str
    quantity: str
    condition: Condition
    evaluate: Callable[[Readings], float]
    setting: Setting = "C"
