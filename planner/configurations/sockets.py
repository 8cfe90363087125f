"""Power per socket of a configuration next to its cap: whether the table holds sums."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from planner.configurations.table import Configuration, Repetition, representative_runs
from scenarios.measurements.runs import Runs

LEAST_SHARE, MOST_SHARE = 0.2, 1.1
"""Limits of a socket's power, as shares of its cap.

A busy socket takes more than the first; no socket takes more than the second.
"""


@dataclass(frozen=True)
class SocketPower:
    """Mean package power of one socket.

    Attributes
    ----------
    sockets
        Sockets of a node.
    power_w
        Package power over all nodes and sockets, of one socket [W].
    cap_w
        Cap of one package [W].
    """

    sockets: int
    power_w: float
    cap_w: float

    @property
    def share(self) -> float:
        """Return the power as a share of the cap."""
        return self.power_w / self.cap_w

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self) | {"share": self.share}


def socket_power(
    runs: Runs, chosen: Configuration, repetition: Repetition, sockets: int
) -> SocketPower | None:
    """Power of a socket in the run that speaks for a configuration; ``None``: it was never run."""
    same = (
        (runs.nodes == chosen.nodes)
        & (runs.cores_per_node == chosen.cores_per_node)
        & (runs.package_cap_w == chosen.package_cap_w)
    )
    if not same.any():
        return None
    power_w = float(representative_runs(runs.take(same), repetition).package_power_w[0])
    return SocketPower(sockets, power_w / (chosen.nodes * sockets), chosen.package_cap_w)
