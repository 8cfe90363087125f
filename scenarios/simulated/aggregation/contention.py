"""Four hidden laws of how tasks on a node slow each other's computation.

None lies in the span of equation 1 of the paper: the sampled counters enter through a fixed
point, a cliff or whole steps. All tasks of a layout are alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from scenarios.aggregation.task_layout import Layout, checked
from scenarios.simulated.aggregation.codes import Code
from scenarios.simulated.aggregation.hardware import Hardware
from solvers.portable import power

FAMILIES = ("saturating", "cliff", "queue")
HELD_OUT = "rows"
"""A law for scoring alone: no method, default or prior may be chosen by it."""


class ContentionState(NamedTuple):
    """One task while it computes.

    Attributes
    ----------
    ipc
        Instructions per nominal cycle.
    events
        Rates per nominal cycle, as `scenarios.aggregation.task_samples.EVENTS` names them.
    memory_gb_s
        Traffic to main memory.
    """

    ipc: float
    events: tuple[float, float, float, float]
    memory_gb_s: float


def state(hardware: Hardware, family: str, code: Code, layout: Layout) -> ContentionState:
    """Compute speed and counters of each task of a layout.

    Raises
    ------
    ValueError
        An unknown family, or a layout that the node does not have.
    """
    if family not in _LAWS:
        raise ValueError(f"no family of contention is named {family!r}; give {', '.join(_LAWS)}")
    checked(layout, hardware.layout)
    cpi, misses, stalled = _LAWS[family](hardware, code, layout)
    ipc = 1 / cpi
    events = (
        code.l2_per_instruction * ipc,
        misses * ipc,
        stalled * ipc,
        0.45 * code.heat * ipc,
    )
    return ContentionState(ipc, events, _gb_s(hardware, misses, cpi))


def _gb_s(hardware: Hardware, misses: float, cpi: float) -> float:
    """Memory traffic of a task, lines written back included."""
    memory = hardware.memory
    return misses * memory.line_b * (1 + memory.written_share) * hardware.clock_ghz / cpi


def _misses(code: Code, cache_mb: float, steepness: float) -> float:
    """Return lines from memory per instruction with this much cache."""
    lost = 1 / (1 + power(cache_mb / code.working_set_mb, steepness))
    return code.misses_least + (code.misses_most - code.misses_least) * lost


def _response(customers: int, think: float, service: float) -> float:
    """Cycles at one station of a closed queueing network, own service included.

    References
    ----------
    Reiser, Lavenberg (1980), Mean-value analysis of closed multichain queueing networks.
    """
    waiting, response = 0.0, service
    for present in range(1, customers + 1):
        response = service * (1 + waiting)
        waiting = present * response / (think + response)
    return response


def _saturating(hardware: Hardware, code: Code, layout: Layout) -> tuple[float, float, float]:
    """Waits for bus and memory controller grow without limit as their bandwidth is used up.

    The speed is a fixed point: waits slow the tasks, and slower tasks ask for less.
    """
    law, memory = hardware.laws["saturating"], hardware.memory
    share = memory.l2_mb / (1 + (layout.cores - 1) * 0.35 * (1 - code.shared))
    misses = _misses(code, share, 1.5)

    def stalled(cpi: float) -> float:
        demand_gb_s = _gb_s(hardware, misses, cpi)
        bus = layout.dies * layout.cores * demand_gb_s / memory.bus_gb_s
        node = layout.tasks * demand_gb_s / memory.node_gb_s
        if max(bus, node) >= 1:
            return float("inf")
        wait = law.bus_wait * power(bus, law.exponent) / (1 - bus)
        wait += law.node_wait * power(node, law.exponent) / (1 - node)
        return float(misses * memory.latency_cycles * (1 + wait) / code.overlap_of_misses)

    low, high = code.core_cpi, 1e3
    for _ in range(60):
        middle = math.sqrt(low * high)
        if code.core_cpi + stalled(middle) > middle:
            low = middle
        else:
            high = middle
    return high, misses, high - code.core_cpi


def _cliff(hardware: Hardware, code: Code, layout: Layout) -> tuple[float, float, float]:
    """A working set falls out of its share of the cache; shared data are fetched once a die.

    Bandwidth is a roof: without effect up to it, and the only limit beyond it.
    """
    law, memory = hardware.laws["cliff"], hardware.memory
    own = (1 - code.shared) * layout.cores + code.shared
    misses = _misses(code, memory.l2_mb / own, law.steepness) * own / layout.cores
    stalled = misses * memory.latency_cycles / code.overlap_of_misses
    bus = memory.bus_gb_s / (layout.dies * layout.cores)
    roof = law.roof_share * min(bus, memory.node_gb_s / layout.tasks)
    cpi = max(code.core_cpi + stalled, _gb_s(hardware, misses, 1.0) / roof)
    return cpi, misses, cpi - code.core_cpi


def _queue(hardware: Hardware, code: Code, layout: Layout) -> tuple[float, float, float]:
    """Tasks queue for the port of their die and for memory, and heat lowers the clock in steps.

    Port and memory are one station each of a closed network of the tasks that share it; the core's
    cycles lengthen as the clock falls, those of memory do not.
    """
    law, memory = hardware.laws["queue"], hardware.memory
    heat = layout.dies * layout.cores * code.heat
    clock = 1 - law.clock_step * np.floor(heat / law.heat_per_step)
    misses = _misses(code, memory.l2_mb / math.sqrt(layout.cores), 2.0)
    port = memory.port_cycles
    request = max(code.core_cpi / code.l2_per_instruction - port, 0.0)
    wait = _response(layout.cores, request, port) - port
    core = (code.core_cpi + law.port_share * code.l2_per_instruction * wait) / clock
    lines = 1 + memory.written_share
    service = lines * memory.line_b * hardware.clock_ghz / memory.node_gb_s
    latency = memory.latency_cycles / code.overlap_of_misses
    waited = _response(layout.tasks, core / misses + latency, service) - service
    cpi = float(core + misses * (latency + waited))
    return cpi, misses, cpi - float(core)


def _rows(hardware: Hardware, code: Code, layout: Layout) -> tuple[float, float, float]:
    """Tasks of a socket close each other's rows of memory, and fewer of them run at a higher clock.

    Each socket has a memory controller of its own, so tasks disturb those of their socket only. A
    closed row lengthens a miss and takes bandwidth. Data that tasks of a die share lie in its cache
    once. The speed bends towards the bandwidth before it reaches it.

    The other laws lack this structure. They share one memory per node, whose latency and bandwidth
    do not depend on the number of tasks, and never raise the clock.
    """
    law, memory = hardware.laws["rows"], hardware.memory
    tasks = layout.dies * layout.cores
    cores = hardware.layout.dies * hardware.layout.cores
    clock = 1 + law.boost * (cores - tasks) / max(cores - 1, 1)
    own = layout.cores / (1 + code.shared * (layout.cores - 1))
    misses = _misses(code, memory.l2_mb / own, 2.5)
    closed = 1 - 1 / (1 + law.conflict * (tasks - 1))
    latency = memory.latency_cycles * (1 + law.closed_latency * closed)
    core = code.core_cpi / clock
    free = core + misses * latency / code.overlap_of_misses
    bandwidth = memory.bus_gb_s * (1 - law.closed_bandwidth * closed)
    roof = tasks * _gb_s(hardware, misses, 1.0) / bandwidth
    bent = power(free, law.bend) + power(roof, law.bend)
    cpi = float(power(bent, 1 / law.bend))
    return cpi, misses, cpi - core


_LAWS: dict[str, Callable[[Hardware, Code, Layout], tuple[float, float, float]]] = {
    "saturating": _saturating,
    "cliff": _cliff,
    "queue": _queue,
    "rows": _rows,
}
