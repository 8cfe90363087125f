"""Nodes of a placement: how many tasks each has, on which cores, and what these share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import TypedDict

import numpy as np

from planner.errors import InputError
from planner.formatting import plural
from planner.placement.hierarchy import LEVELS, Fill, Hierarchy
from scenarios.communication.matrix import Integers
from scenarios.communication.ping_pong import Sharing

NETWORK, NODE = "network", "node"
Counted = tuple[int | None, Hierarchy]

_MOST_NODES = 2**20


@dataclass(frozen=True)
class Memory:
    """Memory of each node, one for all or one for each kind, and of each task [GB]."""

    node_gb: tuple[float, ...]
    task_gb: float

    def tasks(self, kind: int) -> int:
        """How many fit on a node of a kind."""
        # A task of a third of the node fits three times despite rounding.
        return int(self.node_gb[kind % len(self.node_gb)] / self.task_gb * (1 + 1e-12))


class NodeSizes(TypedDict, total=False):
    """Arguments of :func:`nodes_for` that say how many nodes there are, and what each holds."""

    nodes: int | None
    tasks_per_node: int | None
    capacities: Sequence[int]
    hierarchies: Sequence[Counted]
    memory: Memory | None
    fill: Fill


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes with tasks on them; their cores that are taken are slots, node by node.

    Attributes
    ----------
    tasks
        Tasks of each node, at least 1; shape ``(nodes,)``.
    shapes
        Levels of each node; ``None`` where they are not known.
    fill
        Which of their cores are taken.
    used
        Number of each in the list of nodes that were given; ``None``: all of these have tasks.
    given
        Nodes in that list; ``None`` likewise.
    memory
        Memory of nodes and tasks; ``None`` where it was not requested.
    """

    tasks: Integers
    shapes: tuple[Hierarchy | None, ...]
    fill: Fill = "packed"
    used: Integers | None = None
    given: int | None = None
    memory: Memory | None = None

    @cached_property
    def numbers(self) -> Integers:
        """Number of each in the list of nodes that were given."""
        return np.arange(self.count) if self.used is None else self.used

    @property
    def offered(self) -> int:
        """Nodes that were given, with and without tasks."""
        return self.count if self.given is None else self.given

    @cached_property
    def unused(self) -> Integers:
        """Numbers of those without tasks."""
        return np.setdiff1d(np.arange(self.offered), self.numbers)

    def index_of(self, number: int) -> int:
        """Which of the nodes with tasks has a number; -1 if none has."""
        result = int(np.searchsorted(self.numbers, number))
        return result if result < self.count and self.numbers[result] == number else -1

    @property
    def count(self) -> int:
        """How many."""
        return len(self.tasks)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Levels within nodes that any of them has, outermost first.

        Levels that no kind of node nests in each other keep the usual order of hwloc.

        Raises
        ------
        InputError
            Two kinds of nodes have levels in different orders.
        """
        shapes = [shape.names for shape in dict.fromkeys(self.shapes) if shape]
        remaining = {name for names in shapes for name in names}
        result: list[str] = []
        while remaining:
            inside = {
                name for names in shapes for name in [*filter(remaining.__contains__, names)][1:]
            }
            outer = sorted(remaining - inside, key=LEVELS.index)
            if not outer:
                raise InputError(
                    f"hierarchies name {min(inside)} both inside and outside another level; "
                    "use the "
                    "same order of levels for all nodes"
                )
            result.append(outer[0])
            remaining.remove(outer[0])
        return tuple(result)

    @cached_property
    def node(self) -> Integers:
        """Node of each slot; shape ``(tasks,)``."""
        return np.repeat(np.arange(self.count), self.tasks)

    @cached_property
    def core(self) -> Integers:
        """Core of each slot within its node; shape ``(tasks,)``."""
        result = [
            shape.filled(tasks, self.fill) if shape else np.arange(tasks)
            for tasks, shape in zip(self.tasks.tolist(), self.shapes, strict=True)
        ]
        return np.concatenate(result)

    @property
    def levels(self) -> tuple[str, ...]:
        """What two slots may share at most, outermost first: ``network`` and ``node`` first."""
        return (NETWORK, NODE, *self.names)

    @cached_property
    def units(self) -> Integers:
        """Unit of each slot: nodes first, then each level; shape ``(1 + names, tasks)``.

        A node that lacks a level shares there what it shares at its next inner level, at the last
        nothing but the core.
        """
        rows = [self.node]
        for index, _ in enumerate(self.names):
            within = np.empty(len(self.node), dtype=np.int64)
            for shape in dict.fromkeys(self.shapes):
                selected = np.array([each == shape for each in self.shapes])[self.node]
                within[selected] = _within(shape, self.names[index:], self.core[selected])
            changes = np.r_[False, (np.diff(self.node) != 0) | (np.diff(within) != 0)]
            rows.append(np.cumsum(changes))
        return np.array(rows, dtype=np.int64)

    @property
    def sharings(self) -> tuple[Sharing, ...]:
        """What two slots share that share no more than each level, as ping-pong tables name it."""
        return tuple(map(self._sharing, self.levels))

    def _sharing(self, level: str) -> Sharing:
        if level in {NETWORK, NODE}:
            return "network" if level == NETWORK else "node"
        result = {shape.sharing(level) for shape in self.shapes if shape and level in shape.names}
        return "node" if "node" in result else "processor" if "processor" in result else "die"


def spans(numbers: Iterable[int], most: int = 12) -> str:
    """Numbers in words, those that follow each other as one span.

    Examples
    --------
    >>> spans([0, 8, 9, 10, 12, 13])
    '0, 8-10, 12, 13'
    """
    result: list[list[int]] = []
    for number in sorted(numbers):
        if result and number == result[-1][1] + 1:
            result[-1][1] = number
        else:
            result.append([number, number])
    lines = [
        f"{first}" if first == last else f"{first}{', ' if last == first + 1 else '-'}{last}"
        for first, last in result
    ]
    return ", ".join(lines[:most]) + (", ..." if len(lines) > most else "")


def _within(shape: Hierarchy | None, names: Sequence[str], core: Integers) -> Integers:
    if shape is not None:
        for name in names:
            if name in shape.names:
                return shape.unit(name, core)
    return core


def nodes_for(
    ranks: int,
    *,
    nodes: int | None = None,
    tasks_per_node: int | None = None,
    capacities: Sequence[int] = (),
    hierarchies: Sequence[Counted] = (),
    memory: Memory | None = None,
    fill: Fill = "packed",
    pins: Mapping[int, int] | None = None,
) -> Nodes:
    """Distribute the tasks over nodes.

    Parameters
    ----------
    ranks
        Number of tasks.
    nodes
        Number of nodes, with numbers of tasks as equal as possible; or:
    tasks_per_node
        Tasks of each node; the last one takes the rest; or:
    capacities
        Tasks that each node takes; nodes are filled in this order; or:
    hierarchies
        Kinds of nodes with their numbers, filled in this order up to their cores. A single kind may
        have no number; then the number of nodes is ``nodes``, or as many as are needed.
    memory
        No node takes more tasks than fit into its own.
    fill
        Which cores of a node are taken.
    pins
        Node of each pinned rank, by the number of the node. A node has at least as many tasks as
        ranks are pinned to it.

    Raises
    ------
    InputError
        None of these is given, or too many of them are, or the tasks do not fit.

    Examples
    --------
    >>> nodes_for(10, nodes=4).tasks.tolist(), nodes_for(10, tasks_per_node=4).tasks.tolist()
    ([3, 3, 2, 2], [4, 4, 2])
    """
    counted = [count for count, _ in hierarchies]
    if None in counted and len(counted) > 1:
        raise InputError("say of each kind of node how many there are, as in 4*pack:2 core:8")
    listed = bool(counted) and None not in counted
    options_given = (nodes is not None) + (tasks_per_node is not None) + bool(capacities)
    if options_given > 1 or (listed and (nodes is not None or capacities)):
        raise InputError(
            "give only one of --nodes, --ranks-per-node, --capacities, or --hierarchy with "
            "numbers of nodes"
        )
    held = Counter(node for rank, node in (pins or {}).items() if 0 <= rank < ranks)
    kinds = _kinds(hierarchies, memory, listed=listed)
    limits = [_limit(shape, memory, kind) for kind, shape in kinds]
    if listed:
        most = [min(limit, tasks_per_node or limit) for limit in limits]
        return _filled(ranks, most, [shape for _, shape in kinds], fill, memory, held)
    _, shape = kinds[0]
    limit = limits[0]
    if capacities:
        for index, capacity in enumerate(capacities):
            if not 1 <= capacity <= limit:
                raise InputError(
                    f"capacity {index + 1} is {capacity}; {_allowed(limit, shape, memory)}"
                )
        return _filled(ranks, list(capacities), [shape] * len(capacities), fill, memory, held)
    if nodes is not None:
        return _even(ranks, nodes, limit, shape, memory, fill)
    if tasks_per_node is None:
        if shape is None and memory is None:
            raise InputError("give the number of nodes or of tasks per node, one of the two")
        tasks_per_node = min(limit, ranks)
    if not 1 <= tasks_per_node <= limit:
        raise InputError(
            f"{plural(tasks_per_node, 'rank')} per node; {_allowed(limit, shape, memory)}"
        )
    needed = -(-ranks // tasks_per_node)
    return _filled(
        ranks, list(repeat(tasks_per_node, needed)), [shape] * needed, fill, memory, held
    )


def _kinds(
    hierarchies: Sequence[Counted], memory: Memory | None, *, listed: bool
) -> list[tuple[int, Hierarchy | None]]:
    """Kind and shape of each node, or of all."""
    if memory is not None and len(memory.node_gb) not in {1, max(1, len(hierarchies))}:
        raise InputError(
            f"--node-memory is given {len(memory.node_gb)} times; give it once, or once "
            "for each "
            "hierarchy"
        )
    if not listed:
        return [(0, hierarchies[0][1] if hierarchies else None)]
    if sum(count or 0 for count, _ in hierarchies) > _MOST_NODES:
        raise InputError(f"more than {_MOST_NODES:,} nodes are given; give fewer")
    return [
        (kind, shape) for kind, (count, shape) in enumerate(hierarchies) for _ in range(count or 0)
    ]


def _limit(shape: Hierarchy | None, memory: Memory | None, kind: int) -> int:
    cores = shape.cores if shape is not None else 2**62
    if memory is None:
        return cores
    fit = memory.tasks(kind)
    if fit < 1:
        node_gb = memory.node_gb[kind % len(memory.node_gb)]
        raise InputError(
            f"a rank of {memory.task_gb:g} GB does not fit into a node of {node_gb:g} GB; give "
            "larger nodes"
        )
    return min(cores, fit)


def _allowed(limit: int, shape: Hierarchy | None, memory: Memory | None) -> str:
    if shape is not None and limit == shape.cores:
        return f"a node has {limit} cores: give 1 to {limit}"
    return f"{limit} fit into its memory: give 1 to {limit}" if memory else "give 1 or more"


def _even(
    ranks: int,
    nodes: int,
    limit: int,
    shape: Hierarchy | None,
    memory: Memory | None,
    fill: Fill,
) -> Nodes:
    if not 1 <= nodes <= ranks:
        raise InputError(f"{ranks} ranks cannot fill {nodes} nodes; give 1 to {ranks} nodes")
    least, more = divmod(ranks, nodes)
    if least + (more > 0) > limit:
        raise InputError(
            f"{ranks} ranks on {plural(nodes, 'node')} need {least + (more > 0)} slots a node; "
            f"{_allowed(limit, shape, memory)}, so at least {-(-ranks // limit)} nodes"
        )
    tasks = np.array([least + (node < more) for node in range(nodes)], np.int64)
    return Nodes(tasks, (shape,) * nodes, fill, memory=memory)


def _filled(
    ranks: int,
    capacities: list[int],
    shapes: Sequence[Hierarchy | None],
    fill: Fill,
    memory: Memory | None,
    held: Mapping[int, int],
) -> Nodes:
    """One after the other; nodes that nothing is left for are left out.

    ``held``: tasks that are pinned to nodes, for which room is kept.
    """
    room = sum(capacities)
    if room < ranks:
        raise InputError(
            f"{ranks} ranks do not fit: {plural(len(capacities), 'node')} have {room} slots; "
            "give more "
            "or larger nodes"
        )
    most = np.array(capacities, dtype=np.int64)
    pinned = np.array(
        [min(held.get(node, 0), capacity) for node, capacity in enumerate(capacities)]
    )
    ends = np.minimum(np.cumsum(most - pinned), ranks - int(pinned.sum()))
    tasks = pinned + np.diff(np.r_[0, ends])
    selected = tasks > 0
    return Nodes(
        tasks[selected].astype(np.int64),
        tuple(shape for shape, keep in zip(shapes, selected.tolist(), strict=True) if keep),
        fill,
        np.flatnonzero(selected),
        len(capacities),
        memory,
    )
