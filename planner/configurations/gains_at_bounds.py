"""What is gained over packed-max at every round bound, and where that is uncertain."""

from __future__ import annotations

from collections.abc import Sequence

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.bounds import at_bounds
from planner.configurations.gains import ConfigurationGain

Bar = tuple[float, ConfigurationGain | None, bool]
"""Bound [W], what is gained there (``None``: no packed-max), whether it is the requested bound."""
GainAt = tuple[ConfigurationGain, ConfigurationAnswer, float]
"""What is gained, by which application, at which bound [W]."""


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


def unsteady_bounds(answer: ConfigurationAnswer) -> set[float]:
    """Bounds at which the runs of packed-max differ much, so that the gain is unsure [W]."""
    baselines = {at.bound_w: at.packed_max for at in answer.at_bounds}
    baselines[answer.question.bound.bound_w] = answer.packed_max
    return {at for at, packed_max in baselines.items() if answer.unsteady(packed_max)}


def gains_anywhere(answer: ConfigurationAnswer) -> bool:
    """Return whether the application gains at some bound, so that it has a bar."""
    return any(gain is not None and gain.speedup > 1 for _, gain, _ in bars(answer))


def gains_over_packed_max(
    group: Sequence[ConfigurationAnswer],
) -> tuple[list[GainAt], list[GainAt]]:
    """Every gain over packed-max; last those over a baseline whose runs differ much."""
    steady: list[GainAt] = []
    unsteady: list[GainAt] = []
    for answer in group:
        unsure = unsteady_bounds(answer)
        for at, gained, _ in bars(answer):
            if gained is not None:
                (unsteady if at in unsure else steady).append((gained, answer, at))
    return steady, unsteady


def bars_at(answer: ConfigurationAnswer, bounds_w: Sequence[float]) -> tuple[list[Bar], set[float]]:
    """Return a bar for each of some bounds besides its own, and the bounds with an unsure gain."""
    own = {at: (gained, requested) for at, gained, requested in bars(answer)}
    question = answer.question
    further = {
        at.bound_w: at
        for at in at_bounds(
            answer.table,
            [bound_w for bound_w in bounds_w if bound_w not in own],
            question.node,
            guard=question.bound.guard,
        )
    }
    gains = own | {bound_w: (at.gain, False) for bound_w, at in further.items()}
    entries = [
        (bound_w, *gains.get(bound_w, (None, False))) for bound_w in sorted({*own, *bounds_w})
    ]
    unsure = {bound_w for bound_w, at in further.items() if answer.unsteady(at.packed_max)}
    return entries, unsteady_bounds(answer) | unsure


def span(group: Sequence[ConfigurationAnswer]) -> str:
    """State the least and the largest gain over packed-max, over all bounds."""
    gains, unsteady = gains_over_packed_max(group)
    entries = gains or unsteady
    if not entries:
        return "Packed-max fits at no bound, so there is no gain over it"
    speedups = [gained.speedup for gained, _, _ in entries]
    low, high = min(speedups), max(speedups)
    bounds = [at for _, _, at in entries]
    where = " to ".join(dict.fromkeys(f"{at:,.15g} W" for at in (min(bounds), max(bounds))))
    without = ", leaving out what is marked *" if gains and unsteady else ""
    if high <= 1:
        return f"Nothing: packed-max is the best at the bounds where it fits ({where}){without}"
    times = f"{low:.2f} to {high:.2f}" if f"{low:.2f}" != f"{high:.2f}" else f"{high:.2f}"
    whose = " is" if len(group) == 1 else f" configurations of {len(group)} applications are"
    return f"At {where}, the best{whose} {times} times as fast as packed-max{without}"
