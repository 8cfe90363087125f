"""What a node of the simulated machine truly draws."""

from __future__ import annotations

from scenarios.aggregation.task_layout import Layout
from scenarios.simulated.aggregation.contention import ContentionState
from scenarios.simulated.aggregation.hardware import Hardware


def node_power_w(
    hardware: Hardware, tasks: ContentionState, layout: Layout, computing: float
) -> float:
    """Mean power of a used node.

    Idle, used processors, used dies, cores that compute (more the faster they retire) or spin,
    and memory traffic.

    Parameters
    ----------
    computing
        Share of time that tasks compute.
    """
    power = hardware.power
    floor = power.floor_share
    core = power.core_w * (floor + (1 - floor) * tasks.ipc / 2)
    waiting = power.core_w * power.spinning_share
    per_task = computing * core + (1 - computing) * waiting
    traffic_gb_s = computing * tasks.memory_gb_s * layout.tasks
    return (
        power.idle_w
        + power.processor_w * layout.processors
        + power.die_w * layout.processors * layout.dies
        + per_task * layout.tasks
        + power.memory_w_per_gb_s * traffic_gb_s
    )
