"""What running jobs ask of a node at one moment, and what a law of interference answers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from scenarios.simulated.shared_node.applications import ApplicationPhase, SharedApplication

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class PhaseDemand(NamedTuple):
    """Phases that run at once, each array ``(running,)``.

    Attributes
    ----------
    stall, bandwidth, llc
        As in `Phase`: shares that hold for a job of the reference width, alone.
    transfer
        Share of the job's time that it waits for the network, alone.
    width
        Ranks per socket over `REFERENCE_RANKS`.
    """

    stall: Floats
    bandwidth: Floats
    llc: Floats
    transfer: Floats
    width: Floats


class Rates(NamedTuple):
    """What a law says about phases that run at once, each array ``(running,)``.

    Attributes
    ----------
    stretch
        Time of the computing part over that at the reference width alone.
    latency
        Time of a miss over that at the reference width alone.
    resident
        Share of the last-level cache that holds the job's data.
    traffic
        Memory traffic as a share of what the socket sustains.
    """

    stretch: Floats
    latency: Floats
    resident: Floats
    traffic: Floats


class InterferenceLaw(Hashable, Protocol):
    """A law of interference on a node."""

    @property
    def bandwidth_scale(self) -> float:
        """Factor of all bandwidth shares."""

    @property
    def miss_scale(self) -> float:
        """Share of a phase's misses that depend on the cache that it holds."""

    def rates(self, demand: PhaseDemand) -> Rates:
        """Return what phases that run at once do to each other."""


def demand_of(
    running: Sequence[tuple[SharedApplication, ApplicationPhase]],
    width: float | Sequence[float] = 1.0,
) -> PhaseDemand:
    """Arrays of the phases that run at once.

    Parameters
    ----------
    width
        Width of all jobs, or one of each.

    Examples
    --------
    >>> from scenarios.simulated.shared_node.applications import find_shared_application
    >>> milc = find_shared_application("MILC")
    >>> demand_of([(milc, milc.phases[0])]).bandwidth
    array([0.74])
    """
    return PhaseDemand(
        np.array([phase.stall_share for _, phase in running]),
        np.array([phase.bandwidth_share for _, phase in running]),
        np.array([phase.llc_share for _, phase in running]),
        np.array([transfer_share(application) for application, _ in running]),
        np.broadcast_to(np.asarray(width, dtype=np.float64), len(running)).copy(),
    )


def transfer_share(application: SharedApplication) -> float:
    """Share of a job's time that it waits for the network, alone."""
    return application.waiting_share * (1 - application.imbalance_share)
