"""What a run truly takes: computation, communication that partly hides behind it, and energy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scenarios.aggregation.task_layout import Layout
from scenarios.aggregation.task_samples import Traffic
from scenarios.simulated.aggregation.codes import Code
from scenarios.simulated.aggregation.contention import state
from scenarios.simulated.aggregation.flows import ends_s
from scenarios.simulated.aggregation.hardware import Hardware
from scenarios.simulated.aggregation.partners import traffic
from scenarios.simulated.aggregation.power import node_power_w
from scenarios.simulated.aggregation.routes import Indices, Slots, flows_between, slots_of
from scenarios.simulated.machine import Floats
from solvers.portable import exp

_ITERATIONS = 3
"""Iterations that are simulated; they differ in when messages are ready."""


@dataclass(frozen=True)
class SimulatedOutcome:
    """One run, without scatter.

    Attributes
    ----------
    nodes
        Nodes used.
    ipc
        IPC of each task.
    compute_s, communication_s
        Mean computation of an iteration, and what the iteration takes beyond it.
    time_s
        Time of the whole run.
    node_power_w
        Mean power of a used node.
    energy_j
        Energy of all used nodes over the run; the others sleep.
    """

    nodes: int
    ipc: float
    compute_s: float
    communication_s: float
    time_s: float
    node_power_w: float
    energy_j: float


def truth(
    hardware: Hardware, family: str, code: Code, layout: Layout, groups: Indices, seed: int
) -> SimulatedOutcome:
    """Time and energy of a run.

    Parameters
    ----------
    groups
        Tasks of each node in the order of their slots, shape ``(nodes, tasks of a node)``.
    seed
        Seed of the tasks' imbalance and of when messages are ready.

    Raises
    ------
    ValueError
        Unknown family, a layout that does not fit, too little memory, or groups that do not
        hold each task once.
    """
    if layout.tasks * code.memory_gb > hardware.memory_gb:
        raise ValueError(
            f"{layout.tasks} tasks of {code.memory_gb:g} GB do not fit into a node of "
            f"{hardware.memory_gb:g} GB; use fewer tasks per node"
        )
    tasks = state(hardware, family, code, layout)
    slots = slots_of(layout, groups)
    mean_s = code.instructions / (tasks.ipc * hardware.clock_ghz * 1e9)
    exchanged = traffic(code)
    taken = [
        _iteration_s(hardware, slots, exchanged, mean_s, code.overlap, rng)
        for rng in np.random.default_rng(seed).spawn(_ITERATIONS)
    ]
    iteration_s = float(np.mean(taken))
    power = node_power_w(hardware, tasks, layout, mean_s / iteration_s)
    time_s = iteration_s * code.iterations
    nodes = code.tasks // layout.tasks
    return SimulatedOutcome(
        nodes=nodes,
        ipc=tasks.ipc,
        compute_s=mean_s,
        communication_s=iteration_s - mean_s,
        time_s=time_s,
        node_power_w=power,
        energy_j=nodes * power * time_s,
    )


def _iteration_s(
    hardware: Hardware,
    slots: Slots,
    exchanged: Traffic,
    mean_s: float,
    overlap: float,
    rng: np.random.Generator,
) -> float:
    """Return one iteration.

    A share of each message is ready somewhere in the second half of its sender's computation and
    travels behind it; the rest is sent when the computation is done.
    """
    scatter = hardware.noise.imbalance * rng.standard_normal(exchanged.tasks)
    computed = mean_s * exp(scatter - scatter.mean())
    if exchanged.block_b:
        return float(all_to_all_s(hardware, slots, exchanged.block_b, computed).max())
    early = computed * (1 - 0.5 * rng.random(exchanged.tasks))
    source, target = np.tile(exchanged.source, 2), np.tile(exchanged.target, 2)
    share = np.repeat([overlap, 1 - overlap], len(exchanged.source))
    sent = share > 0
    flows = flows_between(
        hardware,
        slots,
        source[sent],
        target[sent],
        np.tile(exchanged.size_b, 2)[sent],
        (np.tile(exchanged.count, 2) * share)[sent],
        np.concatenate([early[exchanged.source], computed[exchanged.source]])[sent],
    )
    return float(max(computed.max(), ends_s(flows).max()))


def all_to_all_s(hardware: Hardware, slots: Slots, block_b: float, entered_s: Floats) -> Floats:
    """When each block of an exchange of all tasks has arrived; it begins when all have entered."""
    tasks = len(entered_s)
    source, target = np.nonzero(~np.eye(tasks, dtype=bool))
    posted = np.full(len(source), entered_s.max())
    ones = np.ones(len(source))
    return ends_s(flows_between(hardware, slots, source, target, block_b * ones, ones, posted))
