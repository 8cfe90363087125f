"""Where tasks sit, and which shared parts a message between two of them crosses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenarios.aggregation.task_layout import Layout
from scenarios.simulated.aggregation.flows import Flows
from scenarios.simulated.aggregation.hardware import Hardware
from scenarios.simulated.machine import Floats

Indices = NDArray[np.int64]
_GB = 1e9


@dataclass(frozen=True, eq=False)
class Slots:
    """Node, processor of the node and die of the processor of each task, shapes ``(tasks,)``."""

    node: Indices
    processor: Indices
    die: Indices


def slots_of(layout: Layout, groups: Indices) -> Slots:
    """Slots of the tasks of each node, in the order of its group: cores of a die first, then dies.

    Parameters
    ----------
    groups
        Tasks of each node, shape ``(nodes, tasks of a node)``; each task once.

    Raises
    ------
    ValueError
        Groups of another size, or a task that is missing or there twice.
    """
    groups = np.asarray(groups)
    if groups.ndim != 2 or groups.shape[1] != layout.tasks:
        raise ValueError(f"groups have the shape {groups.shape}; give (nodes, {layout.tasks})")
    if not np.array_equal(np.sort(groups, axis=None), np.arange(groups.size)):
        raise ValueError("groups must hold each task from 0 on exactly once")
    position = np.empty(groups.size, dtype=np.int64)
    position[groups.ravel()] = np.arange(groups.size)
    slot = position % layout.tasks
    per_processor = layout.dies * layout.cores
    return Slots(
        position // layout.tasks, slot // per_processor, slot % per_processor // layout.cores
    )


def flows_between(
    hardware: Hardware,
    slots: Slots,
    source: Indices,
    target: Indices,
    size_b: Floats,
    count: Floats,
    posted_s: Floats,
) -> Flows:
    """Messages as flows; ``count`` messages of one size follow each other without a gap.

    Between dies of a processor a message is copied over its bus; between processors over both
    buses and twice through memory; large ones on one die leave the cache.
    """
    network = hardware.network
    there = hardware.layout
    dies = there.processors * there.dies
    # parts of a node: card out, card in, memory, buses, dies
    links_of_node = 3 + there.processors + dies
    capacity = np.array(
        [network.card_gb_s, network.card_gb_s, network.memory_gb_s]
        + [network.bus_gb_s] * there.processors
        + [network.port_gb_s] * dies
    )
    nodes = int(slots.node.max()) + 1
    same_node = slots.node[source] == slots.node[target]
    same_processor = same_node & (slots.processor[source] == slots.processor[target])
    same_die = same_processor & (slots.die[source] == slots.die[target])
    large = size_b > network.cached_b

    def part(task: Indices, offset: Indices | int) -> Indices:
        link: Indices = slots.node[task] * links_of_node + offset
        return link

    def bus(task: Indices) -> Indices:
        return part(task, 3 + slots.processor[task])

    def port(task: Indices) -> Indices:
        die = slots.processor[task] * there.dies + slots.die[task]
        return part(task, 3 + there.processors + die)

    conditions = [same_die & ~large, same_die, same_processor, same_node]
    parts = np.stack(
        [
            port(source),
            port(target),
            bus(source),
            bus(target),
            part(source, 2),
            part(target, 2),
            part(source, 0),
            part(target, 1),
        ],
        axis=1,
    )
    weights = np.array(
        [
            [1, 1, 0, 0, 0, 0, 0, 0],
            [1, 1, 1, 1, 1, 0, 0, 0],
            [1, 1, 1, 1, 0.5, 0, 0, 0],
            [1, 1, 2, 2, 1, 1, 0, 0],
            [0.5, 0.5, 1, 1, 1, 1, 1, 1],
        ]
    )
    kind = np.select(conditions, range(4), default=4)
    stream = np.array(
        [
            network.die_stream_gb_s,
            network.uncached_stream_gb_s,
            network.processor_stream_gb_s,
            network.node_stream_gb_s,
            network.network_stream_gb_s,
        ]
    )
    latency = np.array(
        [
            network.die_latency_s,
            network.die_latency_s,
            network.processor_latency_s,
            network.node_latency_s,
            network.network_latency_s,
        ]
    )
    return Flows(
        start_s=posted_s + count * latency[kind],
        size_b=size_b * count,
        stream_b_s=stream[kind] * _GB,
        parts=parts,
        weight=weights[kind],
        capacity_b_s=np.tile(capacity, nodes) * _GB,
    )
