"""The simulated node's constants: memory, contention, network, noise and power."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

from scenarios.aggregation.task_layout import Layout
from scenarios.simulated.machine import DATA

FOLDER = DATA / "aggregation"


@dataclass(frozen=True)
class HardwareMemory:
    """Caches and memory; bandwidths in GB/s of one processor's bus and of the node."""

    l2_mb: float
    line_b: float
    latency_cycles: float
    bus_gb_s: float
    node_gb_s: float
    written_share: float
    port_cycles: float


@dataclass(frozen=True)
class HardwareNetwork:
    """Latency and bandwidth of one stream by where its ends lie, and of each shared part."""

    die_latency_s: float
    processor_latency_s: float
    node_latency_s: float
    network_latency_s: float
    die_stream_gb_s: float
    uncached_stream_gb_s: float
    processor_stream_gb_s: float
    node_stream_gb_s: float
    network_stream_gb_s: float
    cached_b: float
    port_gb_s: float
    bus_gb_s: float
    memory_gb_s: float
    card_gb_s: float


@dataclass(frozen=True)
class HardwareNoise:
    """Scales of log-normal scatter."""

    ipc: float
    events: float
    instructions: float
    ping_pong: float
    power: float
    imbalance: float


@dataclass(frozen=True)
class HardwarePower:
    """What the parts of a node draw [W]; nodes without tasks sleep and draw nothing."""

    idle_w: float
    processor_w: float
    die_w: float
    core_w: float
    spinning_share: float
    floor_share: float
    memory_w_per_gb_s: float


@dataclass(frozen=True)
class Hardware:
    """One node and the network between nodes.

    Attributes
    ----------
    layout
        Processors, dies of each and cores of each.
    clock_ghz, memory_gb
        Nominal clock and main memory.
    laws
        Constants of each family of contention, by its name.
    """

    layout: Layout
    clock_ghz: float
    memory_gb: float
    memory: HardwareMemory
    network: HardwareNetwork
    noise: HardwareNoise
    power: HardwarePower
    laws: dict[str, SimpleNamespace]


@cache
def load_hardware() -> Hardware:
    """Read the bundled node."""
    document = tomllib.loads((FOLDER / "node.toml").read_text(encoding="utf-8"))
    node = document["node"]
    return Hardware(
        layout=Layout(node["processors"], node["dies"], node["cores"]),
        clock_ghz=node["clock_ghz"],
        memory_gb=node["memory_gb"],
        memory=HardwareMemory(**document["memory"]),
        network=HardwareNetwork(**document["network"]),
        noise=HardwareNoise(**document["noise"]),
        power=HardwarePower(**document["power"]),
        laws={
            name: SimpleNamespace(**document[name])
            for name in ("saturating", "cliff", "queue", "rows")
        },
    )
