"""Applications that share a node: their phases, and what each asks of cores, cache and memory.

The numbers describe a job of 8 ranks on a node of two sockets with 8 cores each (Sandy Bridge,
2.6 GHz, 20 MB last-level cache and about 40 GB/s sustained per socket): four ranks per socket, the
other half of the cores idle. They were set before any number was fitted, from what is publicly
known about each code, and are not changed by a fit.

References
----------
POPPA, sections 7 and 8: the twelve codes, the node, and the half-idle baseline.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from types import MappingProxyType

REFERENCE_RANKS = 4
"""Ranks per socket at which the parameters of a phase hold."""


@dataclass(frozen=True)
class ApplicationPhase:
    """A stretch of time in which a job behaves alike.

    Attributes
    ----------
    solo_ms
        Its mean length while the job runs alone with half of the cores [ms].
    ipc
        Instructions per cycle of a rank that computes, alone.
    stall_share
        Share of a computing rank's cycles that wait for memory, alone; in [0, 1).
    bandwidth_share
        Memory traffic of the job's four ranks on a socket, alone, as a share of what the socket
        sustains; in [0, 1).
    llc_share
        Data that these ranks use again and again, as a share of the last-level cache. More than 1
        for data that exceed the cache.
    """

    solo_ms: float
    ipc: float
    stall_share: float
    bandwidth_share: float
    llc_share: float

    def __post_init__(self) -> None:
        for name in ("solo_ms", "ipc"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ValueError(f"{name} = {getattr(self, name)}; give a number above 0")
        for name in ("stall_share", "bandwidth_share"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name} = {getattr(self, name)}; give a share from 0 to below 1")
        if self.bandwidth_share > 0 and self.stall_share == 0:
            raise ValueError(
                f"bandwidth_share = {self.bandwidth_share} with stall_share = 0: a phase with "
                "memory traffic waits for memory; give both or neither"
            )
        if not 0 <= self.llc_share < float("inf"):
            raise ValueError(f"llc_share = {self.llc_share}; give 0 or more")


@dataclass(frozen=True)
class SharedApplication:
    """A code with its input, as a node sees it.

    Attributes
    ----------
    name
        Its name.
    phases
        What it repeats, in this order.
    cycles
        How often it repeats its phases in one run.
    waiting_share
        Share of its ranks' time that they wait in MPI, alone; they poll meanwhile.
    imbalance_share
        Share of this waiting that ranks spend on slower ranks: it stretches as computing does.
        The rest waits for the network and keeps its length.
    polling_ipc
        Instructions per cycle of a rank that polls.
    length_spread, waiting_spread
        The length of a phase, and its waiting share, lie within these shares of their means. Every
        occurrence of a phase has its own. The default is that of most codes.
    reason
        Where the numbers come from.
    """

    name: str
    phases: tuple[ApplicationPhase, ...]
    cycles: int
    waiting_share: float
    imbalance_share: float
    polling_ipc: float
    length_spread: float
    waiting_spread: float = 0.4
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.phases:
            raise ValueError(f"{self.name} has no phase; give at least one")
        if self.cycles < 1:
            raise ValueError(f"cycles = {self.cycles} of {self.name}; give at least 1")
        if not 0 <= self.waiting_share <= 0.5:
            raise ValueError(f"waiting_share = {self.waiting_share}; give a share from 0 to 0.5")
        for name in ("imbalance_share", "length_spread", "waiting_spread"):
            if not 0 <= getattr(self, name) <= 0.9:
                raise ValueError(f"{name} = {getattr(self, name)}; give a share from 0 to 0.9")
        if not 0 < self.polling_ipc < float("inf"):
            raise ValueError(f"polling_ipc = {self.polling_ipc}; give a number above 0")

    @property
    def cycle_ms(self) -> float:
        """Mean length of all phases together, alone [ms]."""
        return sum(phase.solo_ms for phase in self.phases)

    @property
    def solo_s(self) -> float:
        """Mean run time alone [s]."""
        return self.cycles * self.cycle_ms / 1e3


_NPB = "MVAPICH2"
_MINI = "OpenMPI"
_POLLING = {_NPB: 1.7, _MINI: 1.4}
"""Polling IPC by MPI library: MVAPICH2 spins in a short loop over its queues, the progress engine
of OpenMPI calls back into several modules."""

TWELVE = (
    SharedApplication(
        "CG",
        (
            ApplicationPhase(15.0, 0.62, 0.55, 0.42, 0.7),
            ApplicationPhase(3.5, 0.90, 0.40, 0.50, 0.4),
        ),
        cycles=1900,
        waiting_share=0.12,
        imbalance_share=0.4,
        polling_ipc=_POLLING[_NPB],
        length_spread=0.04,
        reason="Sparse matrix-vector products gather from a vector that the cache should hold: low "
        "IPC, much stall. About 1,900 inner iterations of class C take some 20 ms each; "
        "vector updates stream. Reductions and exchanges in every iteration.",
    ),
    SharedApplication(
        "FT",
        (
            ApplicationPhase(3.0, 1.25, 0.20, 0.16, 0.45),
            ApplicationPhase(2.4, 0.95, 0.42, 0.50, 1.2),
        ),
        cycles=7000,
        waiting_share=0.16,
        imbalance_share=0.5,
        polling_ipc=_POLLING[_NPB],
        length_spread=0.06,
        waiting_spread=0.5,
        reason="Blocked one-dimensional transforms in cache alternate with local transposes that "
        "stream: the paper observes very fine phases, here of about 3 ms. The all-to-all exchange "
        "makes ranks wait most among the NAS codes.",
    ),
    SharedApplication(
        "LU",
        (
            ApplicationPhase(115.0, 1.15, 0.30, 0.27, 0.5),
            ApplicationPhase(115.0, 1.12, 0.32, 0.28, 0.5),
            ApplicationPhase(90.0, 1.30, 0.30, 0.34, 0.6),
        ),
        cycles=115,
        waiting_share=0.12,
        imbalance_share=0.7,
        polling_ipc=_POLLING[_NPB],
        length_spread=0.05,
        reason="Lower and upper triangular sweeps reuse planes in cache; the right-hand side "
        "streams five variables. Ranks of the wavefront wait for their neighbours.",
    ),
    SharedApplication(
        "MG",
        (
            ApplicationPhase(240.0, 0.85, 0.50, 0.62, 0.9),
            ApplicationPhase(60.0, 0.95, 0.42, 0.45, 0.8),
            ApplicationPhase(35.0, 1.30, 0.15, 0.10, 0.25),
        ),
        cycles=110,
        waiting_share=0.09,
        imbalance_share=0.4,
        polling_ipc=_POLLING[_NPB],
        length_spread=0.05,
        reason="Stencils on the finest grid stream arrays of a gigabyte; coarse grids fit into the "
        "cache. With CG the most memory-bound of the NAS codes.",
    ),
    SharedApplication(
        "LULESH",
        (
            ApplicationPhase(62.0, 1.35, 0.22, 0.24, 0.45),
            ApplicationPhase(48.0, 1.05, 0.32, 0.33, 0.5),
            ApplicationPhase(9.0, 0.90, 0.10, 0.05, 0.1),
        ),
        cycles=320,
        waiting_share=0.07,
        imbalance_share=0.6,
        polling_ipc=_POLLING[_MINI],
        length_spread=0.06,
        reason="Forces are arithmetic on gathered element data; kinematics and the equation of "
        "state pass over many arrays; one reduction ends the time step.",
    ),
    SharedApplication(
        "MiniGhost",
        (
            ApplicationPhase(75.0, 0.95, 0.42, 0.52, 0.8),
            ApplicationPhase(14.0, 0.75, 0.35, 0.32, 0.4),
        ),
        cycles=420,
        waiting_share=0.10,
        imbalance_share=0.3,
        polling_ipc=_POLLING[_MINI],
        length_spread=0.04,
        reason="A 27-point stencil streams each variable; packing and exchange of halos follow. "
        "All ranks have equal blocks, so waiting is mostly for the network.",
    ),
    SharedApplication(
        "MiniFE",
        (
            ApplicationPhase(850.0, 1.25, 0.15, 0.12, 0.3),
            ApplicationPhase(420.0, 0.65, 0.50, 0.46, 0.7),
        ),
        cycles=30,
        waiting_share=0.08,
        imbalance_share=0.5,
        polling_ipc=_POLLING[_MINI],
        length_spread=0.10,
        reason="Element assembly computes and disturbs others little, as the paper's small "
        "unfiltered errors of its co-runners suggest; the conjugate-gradient solve streams a "
        "sparse matrix.",
    ),
    SharedApplication(
        "NekBone",
        (
            ApplicationPhase(30.0, 1.75, 0.14, 0.17, 0.3),
            ApplicationPhase(9.0, 0.90, 0.42, 0.45, 0.5),
        ),
        cycles=950,
        waiting_share=0.09,
        imbalance_share=0.3,
        polling_ipc=_POLLING[_MINI],
        length_spread=0.04,
        reason="Small dense matrix products per spectral element run near peak from cache; vector "
        "operations of the conjugate gradient stream. Frequent reductions.",
    ),
    SharedApplication(
        "GTC",
        (
            ApplicationPhase(150.0, 0.85, 0.34, 0.22, 0.7),
            ApplicationPhase(190.0, 1.00, 0.28, 0.20, 0.65),
            ApplicationPhase(45.0, 1.10, 0.25, 0.25, 0.4),
            ApplicationPhase(25.0, 0.90, 0.30, 0.30, 0.4),
        ),
        cycles=90,
        waiting_share=0.06,
        imbalance_share=0.7,
        polling_ipc=_POLLING[_NPB],
        length_spread=0.12,
        reason="Charge deposition and particle push gather and scatter on a grid that the cache "
        "mostly holds: latency more than bandwidth. Particles move, so loads drift.",
    ),
    SharedApplication(
        "LAMMPS",
        (
            ApplicationPhase(240.0, 1.45, 0.09, 0.06, 0.2),
            ApplicationPhase(45.0, 1.10, 0.20, 0.14, 0.35),
        ),
        cycles=130,
        waiting_share=0.07,
        imbalance_share=0.7,
        polling_ipc=_POLLING[_NPB],
        length_spread=0.10,
        reason="Pair forces compute on neighbour lists with good locality: hardly any memory "
        "traffic. Every ten steps or so the lists are built again.",
    ),
    SharedApplication(
        "MILC",
        (
            ApplicationPhase(420.0, 0.72, 0.60, 0.74, 2.0),
            ApplicationPhase(160.0, 1.00, 0.40, 0.50, 1.2),
        ),
        cycles=64,
        waiting_share=0.08,
        imbalance_share=0.3,
        polling_ipc=_POLLING[_NPB],
        length_spread=0.06,
        reason="The staggered operator streams 3 x 3 complex matrices with less than one operation "
        "per byte: the classic bandwidth-bound code. The paper names its high mutual degradation. "
        "Gauge forces reuse more.",
    ),
    SharedApplication(
        "POP",
        (
            ApplicationPhase(150.0, 1.00, 0.33, 0.34, 0.7),
            ApplicationPhase(55.0, 1.15, 0.16, 0.12, 0.3),
        ),
        cycles=180,
        waiting_share=0.17,
        imbalance_share=0.5,
        polling_ipc=_POLLING[_NPB],
        length_spread=0.10,
        waiting_spread=0.5,
        reason="The baroclinic part passes over three-dimensional fields; the barotropic solver is "
        "a small two-dimensional problem with a reduction per iteration: ranks wait most.",
    ),
)
"""The paper's codes.

A run is shortened to 35 to 40 s alone, so that five runs of a pair hold about a thousand measuring
rounds. Phases keep the length that the code has.
"""

NULL = SharedApplication(
    "NULL",
    (ApplicationPhase(1000.0, 2.0, 0.0, 0.0, 0.0),),
    cycles=36,
    waiting_share=0.0,
    imbalance_share=0.0,
    polling_ipc=1.0,
    length_spread=0.0,
    waiting_spread=0.0,
    reason="The paper's busy loop: it computes in registers and disturbs nobody.",
)

_KNOWN = MappingProxyType({application.name: application for application in (*TWELVE, NULL)})


def find_shared_application(name: str) -> SharedApplication:
    """Find one of the twelve codes, or the busy loop, by name.

    Raises
    ------
    ValueError
        No application of that name.
    """
    if name in _KNOWN:
        return _KNOWN[name]
    close = difflib.get_close_matches(name, _KNOWN, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(_KNOWN)}"
    raise ValueError(f"no application on a shared node is named {name!r}; {hint}")
