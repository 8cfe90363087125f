"""Aggregation patterns of a node, by enumeration, and their order by energy."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from planner.errors import InputError
from scenarios.aggregation.task_layout import Layout

Sampled = tuple[int, int]

SAMPLES: Sampled = (4, 5)
"""Patterns under which a program is sampled on the paper's nodes of 2 x 2 x 2."""

_PAIR = 2
_LEAST_PATTERNS = 3

REFERENCE = 1
"""The pattern without aggregation."""


@dataclass(frozen=True)
class Pattern:
    """One way to occupy a node, the same on all its used processors and dies.

    Attributes
    ----------
    id
        From 1; on nodes of 2 x 2 x 2 those of the paper.
    layout
        Processors used, dies used of each, and tasks on each die.
    """

    id: int
    layout: Layout

    @property
    def tasks(self) -> int:
        """Tasks on a node."""
        return self.layout.tasks

    @property
    def energy_key(self) -> tuple[int, int, int]:
        """Sort key: fewest nodes first, then fewest processors, then fewest dies.

        For a fixed number of tasks, a pattern with more tasks per node uses fewer nodes.
        """
        return -self.tasks, self.layout.processors, self.layout.dies


def patterns(node: Layout) -> tuple[Pattern, ...]:
    """All patterns of a node, by id.

    Ids rise with the tasks on a node, then with fewer processors, then with fewer dies: pattern 1
    is one task on a node. On nodes of two processors of two dies of two cores these are the
    eight of figure 2.

    Parameters
    ----------
    node
        Processors of a node, dies of a processor, cores of a die.

    Returns
    -------
    tuple of Pattern
        By ascending id.

    Raises
    ------
    InputError
        A node without cores.

    References
    ----------
    Li and others (2010), Power-aware MPI task aggregation prediction, figure 2 and section II.
    """
    if min(node) < 1:
        raise InputError(
            f"a node of {' x '.join(map(str, node))} has no cores; give 1 or more of each"
        )
    result = [Layout(*used) for used in product(*(range(1, n + 1) for n in node))]
    result.sort(key=lambda used: (used.tasks, -used.processors, -used.dies))
    return tuple(Pattern(index, layout) for index, layout in enumerate(result, start=1))


def sampled(node: Layout) -> Sampled:
    """Patterns under which programs are sampled on a node.

    The first has two tasks as close to each other as can be, the second one task on each die of
    the node: what the two samples of the paper mean, `SAMPLES` on its nodes.

    Raises
    ------
    InputError
        Both are all that the node has, or the same.

    Examples
    --------
    >>> sampled(Layout(2, 2, 2)), sampled(Layout(2, 1, 4)), sampled(Layout(1, 1, 8))
    ((4, 5), (3, 2), (2, 1))
    """
    every = patterns(node)
    close = [pattern.id for pattern in every if pattern.tasks == _PAIR][-1:]
    spread = [p.id for p in every if p.layout == (node.processors, node.dies, 1)]
    if len(every) < _LEAST_PATTERNS:
        words = " x ".join(map(str, node))
        ways = "one pattern" if len(every) == 1 else f"{len(every)} patterns"
        sampled = "which is sampled" if len(every) == 1 else "two of which are sampled"
        raise InputError(
            f"a node of {words} has {ways}, {sampled}; at least three are needed to choose"
        )
    return close[0], spread[0]


def by_energy(offered: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
    """Patterns from the least to the most energy by the rule of section VI.

    Fewest nodes, then fewest processors, then fewest dies: 8, 7, ..., 1 on nodes of 2 x 2 x 2.
    Patterns of one node never tie, so the rule's last criterion, predicted time, decides nothing.

    References
    ----------
    Section VI says that this order "corresponds with their pattern IDs", most friendly first. The
    rule gives the reverse, and section VII says that one task per node takes the most energy.
    """
    return tuple(sorted(offered, key=lambda pattern: pattern.energy_key))
