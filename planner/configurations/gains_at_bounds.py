"""What is gained over packed-max at every round bound."""

from __future__ import annotations

from collections.abc import Iterator

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.gains import ConfigurationGain

Bar = tuple[float, ConfigurationGain | None, bool]
"""Bound [W], what is gained there (``None``: no packed-max), whether it is the requested bound."""


def bars(answer: ConfigurationAnswer) -> list[Bar]:
    """Return a bar for every round bound and for the requested one."""
    requested_w = answer.question.bound.bound_w
    entries = [
        (at_bound.bound_w, at_bound.gain, False)
        for at_bound in answer.at_bounds
        if at_bound.bound_w != requested_w
    ]
    entries.append((requested_w, answer.gain_over(answer.packed_max), True))
    return sorted(entries, key=lambda bar: bar[0])


def speedups(answer: ConfigurationAnswer) -> Iterator[tuple[float, float, bool]]:
    """Bounds, the speed-ups over packed-max there, and whether these are certain."""
    packed = {each.bound_w: each.packed_max for each in answer.at_bounds}
    packed[answer.question.bound.bound_w] = answer.packed_max
    for bound_w, gain, _ in bars(answer):
        if gain is not None:
            yield bound_w, gain.speedup, not answer.unsteady(packed[bound_w])
