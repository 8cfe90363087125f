"""Pairs of cores that communicate, and pairs that disturb them, up to symmetry of the nodes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from scenarios.aggregation.task_layout import Core, Layout

Nearness = Literal["die", "processor", "node", "network"]
Pair = tuple[Core, Core]

NEARNESS: tuple[Nearness, ...] = ("die", "processor", "node", "network")
"""Where two ends lie, nearest first: the smallest part that holds both."""


@dataclass(frozen=True)
class Placement:
    """One observed pair and those that send at the same time.

    Attributes
    ----------
    observed
        Ends of the observed messages, the first on node 0.
    noise
        Pairs that send all the time.
    """

    observed: Pair
    noise: tuple[Pair, ...]

    @property
    def intensity(self) -> int:
        """Pairs that send at once on node 0."""
        return 1 + len(self.noise)


def nearness(pair: Pair) -> Nearness:
    """Smallest part that holds both ends."""
    a, b = pair
    if a.node != b.node:
        return "network"
    if a.processor != b.processor:
        return "node"
    return "die" if a.die == b.die else "processor"


def cores_of(layout: Layout, node: int) -> tuple[Core, ...]:
    """Used cores of a node."""
    return tuple(
        Core(node, processor, die)
        for processor in range(layout.processors)
        for die in range(layout.dies)
        for _ in range(layout.cores)
    )


def placements(layout: Layout, observed: Nearness) -> tuple[Placement, ...]:
    """All ways in which the other tasks of a node disturb an observed pair, each kind once.

    Every other task talks: within the node, in pairs of all kinds, or each to its like on the next
    node; an odd one is left to the network. Placements in which every pair shares the same parts
    with the observed pair are one. Where the layout has no such pair there is none.

    References
    ----------
    Li and others (2010), section V and figure 5: symmetric placements.
    """
    here = cores_of(layout, 0)
    pair = _pair(layout, observed)
    if pair is None:
        return ()
    others = list(here)
    others.remove(pair[0])
    if observed != "network":
        others.remove(pair[1])
    result: dict[tuple[object, ...], Placement] = {}
    for noise in _disturbances(others):
        placement = Placement(pair, noise)
        result.setdefault(shared(placement), placement)
    return tuple(result.values())


def shared(placement: Placement) -> tuple[object, ...]:
    """Identify a placement up to symmetry, by what each pair shares with the observed pair.

    The two ends of the observed pair are treated as a set, because messages go both ways.
    """

    def relation(end: Core) -> tuple[Nearness, ...]:
        return tuple(sorted(nearness((end, seen)) for seen in placement.observed))

    return (
        nearness(placement.observed),
        tuple(sorted((nearness(p), *sorted(map(relation, p))) for p in placement.noise)),
    )


def _pair(layout: Layout, observed: Nearness) -> Pair | None:
    here = cores_of(layout, 0)
    if observed == "network":
        return here[0], cores_of(layout, 1)[0]
    for end in here[1:]:
        if nearness((here[0], end)) == observed:
            return here[0], end
    return None


def _disturbances(others: list[Core]) -> Iterator[tuple[Pair, ...]]:
    """Every other task to the network; then all ways to pair them within the node."""
    yield tuple((end, end._replace(node=1)) for end in others)
    for pairs, remaining in _matchings(others):
        if pairs:
            yield (*pairs, *((end, end._replace(node=1)) for end in remaining))


def _matchings(ends: list[Core]) -> Iterator[tuple[tuple[Pair, ...], tuple[Core, ...]]]:
    """Largest sets of disjoint pairs, and who is left over where the number is odd."""
    if len(ends) < 2:
        yield (), tuple(ends)
        return
    if len(ends) % 2:
        for index, alone in enumerate(ends):
            for pairs, _ in _matchings(ends[:index] + ends[index + 1 :]):
                yield pairs, (alone,)
        return
    first, rest = ends[0], ends[1:]
    for index, partner in enumerate(rest):
        for pairs, remaining in _matchings(rest[:index] + rest[index + 1 :]):
            yield ((first, partner), *pairs), remaining
