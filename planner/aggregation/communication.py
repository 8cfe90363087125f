"""An upper bound of communication time, from tables of message times under noise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from planner.aggregation.placements import (
    NEARNESS,
    Nearness,
    Placement,
    cores_of,
    nearness,
    placements,
)
from planner.errors import InputError
from scenarios.aggregation.task_layout import Core, Layout
from scenarios.aggregation.task_samples import Traffic

Floats = NDArray[np.float64]
Groups = NDArray[np.int64]

SIZES_B = tuple(float(8 << (2 * power)) for power in range(12))
"""Sizes of messages in the tables, 8 B to 32 MiB in steps of four."""


class PingPong(Protocol):
    """Measures messages between two cores while other pairs send."""

    def __call__(
        self, observed: tuple[Core, Core], noise: tuple[tuple[Core, Core], ...], sizes_b: Floats
    ) -> Floats:
        """Seconds of one message of each size, one way."""
        ...


class Exchange(Protocol):
    """Measures all-to-all exchanges between ``tasks`` tasks under a layout."""

    def __call__(self, layout: Layout, tasks: int, sizes_b: Floats) -> Floats:
        """Seconds of an exchange by bytes to each other task."""
        ...


@dataclass(frozen=True, eq=False)
class Times:
    """Times by size.

    Attributes
    ----------
    sizes_b, times_s
        Ascending sizes above 0 [B], and the time of each [s].
    """

    sizes_b: Floats
    times_s: Floats

    def at(self, size_b: Floats) -> Floats:
        """Times at other sizes: log-log between measured ones, by bandwidth beyond the largest.

        Below the least its time holds: latency.
        """
        sizes = self.sizes_b
        logs = np.log(np.maximum(size_b, sizes[0]))
        within = np.exp(np.interp(logs, np.log(sizes), np.log(self.times_s)))
        answer: Floats = within * np.maximum(size_b / sizes[-1], 1)
        return answer


@dataclass(frozen=True, eq=False)
class Entry:
    """One row of the table: a layout, a placement, and times by size."""

    layout: Layout
    placement: Placement
    times: Times


@dataclass(frozen=True, eq=False)
class Tables:
    """Times of messages.

    Attributes
    ----------
    entries
        Every placement measured.
    worst
        By layout and nearness, the longest time over all noise.
    alone
        By nearness, without noise.
    exchange
        By layout, all-to-all exchanges.
    tasks
        Tasks of the exchanges.
    """

    entries: tuple[Entry, ...]
    worst: Mapping[tuple[Layout, Nearness], Times]
    alone: Mapping[Nearness, Times]
    exchange: Mapping[Layout, Times]
    tasks: int


def measured_tables(
    layouts: Sequence[Layout], node: Layout, tasks: int, ping_pong: PingPong, exchange: Exchange
) -> Tables:
    """Measure all placements of all layouts, and exchanges of all tasks.

    Key of an entry: nearness of the observed pair, pairs that send at once, what each noise pair
    shares with it, and the size. Noise is there during the whole message, so what depends on
    it is an upper bound.
    """
    sizes = np.array(SIZES_B)
    entries = tuple(
        Entry(
            layout, placement, Times(sizes, ping_pong(placement.observed, placement.noise, sizes))
        )
        for layout in layouts
        for observed in NEARNESS
        for placement in placements(layout, observed)
    )
    alone = {
        observed: Times(sizes, ping_pong(result[0].observed, (), sizes))
        for observed in NEARNESS
        if (result := placements(node, observed))
    }
    exchanges = {
        layout: Times(sizes, exchange(layout, tasks, sizes))
        for layout in layouts
        if tasks % layout.tasks == 0
    }
    seen = [((e.layout, nearness(e.placement.observed)), e.times) for e in entries]
    return Tables(entries, worst_of(seen), alone, exchanges, tasks)


def worst_of(
    seen: Iterable[tuple[tuple[Layout, Nearness], Times]],
) -> dict[tuple[Layout, Nearness], Times]:
    """The longest time of each layout and nearness, which have the same sizes under all noise."""
    worst: dict[tuple[Layout, Nearness], Times] = {}
    for key, times in seen:
        so_far = worst.get(key, times).times_s
        worst[key] = Times(times.sizes_b, np.maximum(so_far, times.times_s))
    return worst


def upper_bound_s(tables: Tables, traffic: Traffic, layout: Layout, groups: Groups) -> float:
    """Upper bound of the communication time of an iteration: the longest of any task.

    A task's messages follow each other, and each meets the worst noise of its layout. What a
    task sends and what it receives goes both ways at once; the longer counts. Collectives of all
    tasks come from their own table.

    Parameters
    ----------
    groups
        Tasks of each node in the order of their slots, shape ``(nodes, tasks of a node)``.

    Raises
    ------
    InputError
        An exchange of other tasks than those of the table.

    References
    ----------
    Section V: the whole latency overlaps with noise, no communication with computation.
    """
    exchanged = exchange_s(tables, traffic, layout)
    if not len(traffic.source):
        return exchanged
    near = _nearness_of(traffic, layout, groups)
    each = np.empty(len(near))
    for kind in np.unique(near):
        here = near == kind
        times = tables.worst[layout, NEARNESS[kind]]
        each[here] = traffic.count[here] * times.at(traffic.size_b[here])
    sent = np.bincount(traffic.source, weights=each, minlength=traffic.tasks)
    received = np.bincount(traffic.target, weights=each, minlength=traffic.tasks)
    return exchanged + float(np.maximum(sent, received).max())


def exchange_s(tables: Tables, traffic: Traffic, layout: Layout) -> float:
    """Time of the exchanges of all tasks in an iteration.

    Raises
    ------
    InputError
        An exchange of other tasks than those of the table.
    """
    if not traffic.block_b:
        return 0.0
    if traffic.tasks != tables.tasks:
        raise InputError(
            f"exchanges were measured with {tables.tasks} ranks, not with {traffic.tasks}; "
            f"measure tables for {traffic.tasks} ranks"
        )
    return float(tables.exchange[layout].at(np.array([traffic.block_b]))[0])


def _nearness_of(traffic: Traffic, layout: Layout, groups: Groups) -> NDArray[np.int64]:
    """Place in `NEARNESS` of the ends of each message."""
    core: dict[int, Core] = {}
    for node, group in enumerate(groups.tolist()):
        core.update(zip(group, cores_of(layout, node), strict=True))
    pairs = zip(traffic.source.tolist(), traffic.target.tolist(), strict=True)
    return np.array([NEARNESS.index(nearness((core[a], core[b]))) for a, b in pairs])
