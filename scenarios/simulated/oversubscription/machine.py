"""The two systems of the paper, as the law sees them."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

SWITCH_US = 30.0
"""A context switch, with the data that it pushes out of the core's own caches [us]."""
SLOWEST_RANK, IDLE_CYCLES = "slowest-rank", "idle-cycles"
LAWS = (SLOWEST_RANK, IDLE_CYCLES)
"""Laws of oversubscription: what a job gets on the cores that it shares."""


@dataclass(frozen=True)
class OversubscribedSystem:
    """Nodes on which two jobs of equally many ranks share cores.

    Attributes
    ----------
    name, label
        As it is typed, and as people read it.
    nodes, cores_per_node
        Each job has ranks on all nodes.
    ranks
        Rank counts of the jobs that were measured together.
    ghz
        Clock of the cores.
    llc_mb, bandwidth_gb_s
        Last-level cache and sustained memory bandwidth of a node.
    file_system_mb_s
        What the file system sustains for all nodes.
    slice_ms
        Time that a rank whose peer is descheduled waits until the peer runs again [ms]: fitted
        (:mod:`~scenarios.simulated.oversubscription.fitted`).
    law
        One of :data:`LAWS`.
    """

    name: str
    label: str
    nodes: int
    cores_per_node: int
    ranks: tuple[int, ...]
    ghz: float
    llc_mb: float
    bandwidth_gb_s: float
    file_system_mb_s: float
    slice_ms: float
    law: str = SLOWEST_RANK

    def __post_init__(self) -> None:
        if not self.ranks or min(self.ranks) < 1:
            raise ValueError(f"ranks = {self.ranks}; give at least one positive rank count")
        if max(self.ranks) > self.nodes * self.cores_per_node:
            raise ValueError(
                f"ranks = {max(self.ranks)} of one job on {self.nodes * self.cores_per_node} cores "
                "of the system; give at most one rank for each core"
            )
        if not 0 <= self.slice_ms < float("inf"):
            raise ValueError(f"slice_ms = {self.slice_ms}; give 0 ms or more")
        if self.law not in LAWS:
            raise ValueError(f"law = {self.law!r}; give one of {', '.join(LAWS)}")

    def ranks_per_node(self, ranks: int) -> float:
        """Ranks of one job on a node, on average over the nodes.

        13 ranks on two nodes are 7 and 6 (F16). The second job is laid out the other way round, so
        every node holds 13 ranks of both.
        """
        return ranks / self.nodes

    def overlapped_cores(self, ranks: int) -> float:
        """Cores of a node that run a rank of each job.

        Examples
        --------
        >>> from scenarios.simulated.oversubscription.fitted import EIGHT_NODES, TWO_NODES
        >>> [TWO_NODES.overlapped_cores(ranks) for ranks in TWO_NODES.ranks]
        [1.0, 2.0, 3.0]
        >>> [EIGHT_NODES.overlapped_cores(ranks) for ranks in EIGHT_NODES.ranks]
        [2.0, 4.0, 6.0, 8.0]
        """
        return max(0.0, 2 * ranks / self.nodes - self.cores_per_node)


def find_system(name: str, systems: tuple[OversubscribedSystem, ...]) -> OversubscribedSystem:
    """Return the system of a name.

    Raises
    ------
    LookupError
        There is none; names the nearest ones.
    """
    for system in systems:
        if system.name == name:
            return system
    names = [system.name for system in systems]
    near = difflib.get_close_matches(name, names) or names
    raise LookupError(f"no bundled system is called {name!r}; there is {' and '.join(near)}")
