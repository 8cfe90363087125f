"""The machine's sockets, each with the leakage that its making gave it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scenarios.simulated.machine import Floats, SimulatedMachine, load_machine
from solvers.portable import exp

SOCKETS = 2


@dataclass(frozen=True, eq=False)
class SimulatedCluster:
    """Nodes of two sockets.

    Attributes
    ----------
    leakage
        Leakage of each socket over that of a typical one, shape ``(nodes, 2)``, read-only.
    machine
        The constants that all sockets share.
    """

    leakage: Floats
    machine: SimulatedMachine = field(default_factory=load_machine)

    def __post_init__(self) -> None:
        leakage = np.array(self.leakage, dtype=np.float64)
        if leakage.ndim != 2 or leakage.shape[1] != SOCKETS or not len(leakage):
            raise ValueError(f"leakage has the shape {leakage.shape}; give (nodes, {SOCKETS})")
        leakage.setflags(write=False)
        object.__setattr__(self, "leakage", leakage)

    @classmethod
    def build(cls, nodes: int, seed: int) -> SimulatedCluster:
        """Draw the sockets of a machine.

        Raises
        ------
        ValueError
            No nodes.
        """
        if nodes < 1:
            raise ValueError(f"nodes = {nodes}; a cluster has at least one")
        machine = load_machine()
        spread = machine.variability
        deviations = np.random.default_rng(seed).standard_normal((nodes, SOCKETS))
        deviations = np.clip(deviations, -spread.most_sigmas, spread.most_sigmas)
        return cls(exp(spread.leakage_sigma * deviations), machine)

    @classmethod
    def typical(cls, nodes: int, machine: SimulatedMachine | None = None) -> SimulatedCluster:
        """Sockets without a draw: quantiles of the spread, so arranged that any first ones fit."""
        from scipy.special import ndtri

        machine = machine or load_machine()
        golden = (np.sqrt(5) - 1) / 2
        quantiles = (0.5 + golden * np.arange(nodes * SOCKETS)) % 1
        factors = exp(machine.variability.leakage_sigma * np.round(ndtri(quantiles), 12))
        return cls(factors.reshape(nodes, SOCKETS), machine)

    @property
    def nodes(self) -> int:
        """How many."""
        return len(self.leakage)
