"""The simulated machine's constants: clock, power, memory, network and noise."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DATA = Path(__file__).parents[1] / "data" / "simulated"


@dataclass(frozen=True)
class Clock:
    """Frequencies, voltages and turbo bins of a socket.

    Attributes
    ----------
    frequency_ghz, voltage_v
        The table of performance states, ascending.
    base_frequency_ghz
        Highest frequency without turbo.
    turbo_ghz_by_active_cores
        Highest frequency with turbo and 1, 2, ... active cores.
    duty_steps
        Below the lowest frequency, the clock runs for k of this many parts of the time.
    """

    frequency_ghz: tuple[float, ...]
    voltage_v: tuple[float, ...]
    base_frequency_ghz: float
    turbo_ghz_by_active_cores: tuple[float, ...]
    duty_steps: int


@dataclass(frozen=True)
class Cap:
    """How package caps are enforced: limits [W], mean power reached per watt, overhead in time."""

    lowest_w: float
    tdp_w: float
    utilisation: float
    overhead_at_lowest: float


@dataclass(frozen=True)
class SocketPowerLaw:
    """What a socket and its memory draw; ``nf`` are watts per V^2 GHz."""

    uncore_fixed_w: float
    uncore_nf: float
    spinning_nf: float
    ring_w_per_gb_s: float
    leakage_w: float
    gated_share: float
    leakage_per_v: float
    leakage_per_k: float
    reference_c: float
    coolant_c: float
    resistance_k_per_w: float
    dram_idle_w: float
    dram_w_per_gb_s: float


@dataclass(frozen=True)
class Variability:
    """Spread of leakage over sockets: log-normal, cut off at some sigmas."""

    leakage_sigma: float
    most_sigmas: float


@dataclass(frozen=True)
class SocketMemory:
    """Service rates of a socket's controllers by waiting cores [GB/s]; last-level cache [GB]."""

    served_gb_s: tuple[float, ...]
    cache_gb: float


@dataclass(frozen=True)
class NodeNetwork:
    """Latency of a message [s] and bandwidth of a node's link [GB/s]."""

    latency_s: float
    bandwidth_gb_s: float


@dataclass(frozen=True)
class System:
    """Cores of a node; threads of MPI and of the system that are runnable at once, on average."""

    cores: int
    service_threads: float


@dataclass(frozen=True)
class RunNoise:
    """Scatter of repeated runs (relative scale, Student's t), and slow nodes."""

    time: float
    time_tail: float
    power: float
    power_tail: float
    straggler_slowdown: float
    straggler_share: float
    straggler_nodes: int
    straggler_cores: int


@dataclass(frozen=True)
class SimulatedMachine:
    """All constants of the simulated machine, one group per part."""

    clock: Clock
    cap: Cap
    power: SocketPowerLaw
    variability: Variability
    memory: SocketMemory
    network: NodeNetwork
    system: System
    noise: RunNoise


@cache
def load_machine() -> SimulatedMachine:
    """Read the bundled machine."""
    document = tomllib.loads((DATA / "machine.toml").read_text(encoding="utf-8"))
    groups = get_type_hints(SimulatedMachine)
    return SimulatedMachine(**{name: _group(kind, document[name]) for name, kind in groups.items()})


def _group(kind: type[Any], table: dict[str, Any]) -> Any:
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in table.items()})
