"""Measurements in closed form for any node, quick to make and to write."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np

from scenarios.aggregation import ExchangeTime, MessageTime, NodeMeasurements, TrainingRun
from scenarios.aggregation.task_layout import Layout
from scenarios.aggregation.task_samples import Program, Sample, Traffic
from scenarios.communication.ping_pong import SHARINGS

EVENTS = ("misses", "stalls")
XEON = Layout(2, 2, 2)


def layouts(node: Layout) -> dict[int, Layout]:
    """Patterns of a node by id, worked out anew."""
    result = [Layout(*used) for used in product(*(range(1, n + 1) for n in node))]
    result.sort(key=lambda used: (used.tasks, -used.processors, -used.dies))
    return dict(enumerate(result, start=1))


def close(at: dict[int, Layout]) -> int:
    """Two tasks that share most."""
    return max(p for p, layout in at.items() if layout.tasks == 2)


def spread(at: dict[int, Layout], node: Layout) -> int:
    """One task on each die."""
    return next(p for p, layout in at.items() if layout == (node.processors, node.dies, 1))


def ipc(best: float, slope: float, layout: Layout) -> float:
    """Falls by a share with each further task of a die and of the node."""
    return best / (1 + slope * (layout.cores - 1) + 0.3 * slope * (layout.tasks - 1))


def events(best: float, slope: float, layout: Layout) -> tuple[float, float]:
    return 0.01 * slope * layout.cores, 0.1 / best


def power_w(layout: Layout, rate: float) -> float:
    """180 W, 8 a processor, 4 a die, 4 a task, 5 a task and unit of IPC."""
    dies = layout.processors * layout.dies
    return 180 + 8 * layout.processors + 4 * dies + layout.tasks * (4 + 5 * rate)


def synthetic(
    node: Layout = XEON,
    *,
    tasks: int = 8,
    best: float = 1.8,
    slope: float = 0.02,
    memory_gb: float = 0.5,
    exchange_b: float = 0.0,
) -> NodeMeasurements:
    """Four codes of three problem sets; a ring of messages; nothing scatters."""
    at = layouts(node)
    samples = (close(at), spread(at, node))
    training = tuple(
        TrainingRun(
            f"code-{code}",
            f"set {problem}",
            pattern,
            ipc(own, slow, layout),
            events(own, slow, layout),
            power_w(layout, ipc(own, slow, layout)),
        )
        for code, own in enumerate((0.8, 1.3, 1.7, 2.2))
        for problem, slow in enumerate((0.01, 0.03, 0.05))
        for pattern, layout in at.items()
    )
    sizes = (8.0, 4096.0, 1e6)
    step = {"die": 1.0, "processor": 2.0, "node": 4.0, "network": 3.0}
    messages = [
        MessageTime(None, "", kind, size, 1e-6 * step[kind] + 1e-9 * size)
        for kind in SHARINGS
        for size in sizes
    ]
    messages += [
        MessageTime(pattern, f"{noise}", kind, size, noise * (1e-6 * step[kind] + 1e-9 * size))
        for pattern in at
        for kind in SHARINGS
        for noise in (1, 2)
        for size in sizes
    ]
    ring = np.arange(tasks)
    traffic = Traffic(
        tasks, ring, (ring + 1) % tasks, np.full(tasks, 4096.0), np.full(tasks, 10.0), exchange_b
    )
    exchanges = [ExchangeTime(pattern, size, 1e-8 * size) for pattern in at for size in sizes]
    return NodeMeasurements(
        folder="",
        source="worked out by a formula",
        node=node,
        clock_ghz=2.0,
        memory_gb=8.0,
        events=EVENTS,
        program=Program(
            "ring",
            "",
            {s: Sample(ipc(best, slope, at[s]), events(best, slope, at[s])) for s in samples},
            1e9,
            100,
            memory_gb,
            traffic,
        ),
        training=training,
        messages=tuple(messages),
        exchanges=tuple(exchanges) if exchange_b else (),
    )


def neighbours(tasks: int) -> list[tuple[int, int]]:
    """Pairs of the ring."""
    return [*pairwise(range(tasks)), (tasks - 1, 0)]
