"""Applications that share cores: their phases, and what each rank asks of a node.

The numbers describe one rank of a job that runs alone on a node with a core for each rank. They
hold on both systems of the paper (weak scaling). They were set before any number was fitted, from
what is publicly known about each code, and are not changed by a fit.

References
----------
Tangram, section IV: the six codes. The paper prints none of these numbers. Waits for other ranks
are assumed from how each code distributes its work and synchronises; no profile was at hand.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RankPhase:
    """A stretch of time in which a rank behaves alike.

    Attributes
    ----------
    solo_s
        Its length while the job runs alone [s].
    busy_share
        Share of this time that the rank needs a core; it sleeps in I/O for the rest. In [0, 1].
    ipc
        Instructions per cycle while it has a core.
    stall_share
        Share of its core time that waits for memory, alone; in [0, 1).
    bandwidth_gb_s
        Memory traffic of the rank while it has a core [GB/s].
    llc_mb
        Data that it uses again and again [MB].
    llc_hit_share
        Share of its requests to the last-level cache that hit, alone; in [0, 1). If the cache
        thrashes they miss, so misses grow at most to ``1 / (1 - llc_hit_share)`` times.
    io_mb_s
        Traffic of the rank to the file system over the phase [MB/s].
    sync_ms
        Mean time between two points at which it waits for other ranks [ms].
    spin_share
        Share of its core time that it polls in MPI, to move messages or to wait; in [0, 1).
    wait_share
        Share of its core time that it waits for other ranks, alone, as a mean over ranks and
        steps; in [0, 0.5], so that the wait of a step may lie anywhere from 0 to twice the mean.
        Only the law of idle cycles reads it.
    """

    solo_s: float
    busy_share: float
    ipc: float
    stall_share: float
    bandwidth_gb_s: float
    llc_mb: float
    llc_hit_share: float
    io_mb_s: float
    sync_ms: float
    spin_share: float
    wait_share: float = 0.0

    def __post_init__(self) -> None:
        for name in ("solo_s", "ipc", "sync_ms"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ValueError(f"{name} = {getattr(self, name)}; give a number above 0")
        for name in ("stall_share", "llc_hit_share", "spin_share"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name} = {getattr(self, name)}; give a share from 0 to below 1")
        for name in ("bandwidth_gb_s", "llc_mb", "io_mb_s"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise ValueError(f"{name} = {getattr(self, name)}; give 0 or more")
        if not 0 <= self.wait_share <= 0.5:
            raise ValueError(f"wait_share = {self.wait_share}; give a share from 0 to 0.5")
        if not 0 < self.busy_share <= 1:
            raise ValueError(f"busy_share = {self.busy_share}; give a share above 0, at most 1")


@dataclass(frozen=True)
class OversubscribedApplication:
    """A code with its input.

    Attributes
    ----------
    name
        Its name.
    phases
        What it repeats, in this order.
    cycles
        How often it repeats its phases in one run.
    io_spread
        Standard deviation of the logarithm of its I/O time from run to run.
    """

    name: str
    phases: tuple[RankPhase, ...]
    cycles: int
    io_spread: float = 0.0

    def __post_init__(self) -> None:
        if not self.phases:
            raise ValueError(f"{self.name} has no phase; give at least one")
        if self.cycles < 1:
            raise ValueError(f"cycles = {self.cycles} of {self.name}; give at least 1")
        if not 0 <= self.io_spread <= 1:
            raise ValueError(f"io_spread = {self.io_spread}; give 0 to 1")

    @property
    def solo_s(self) -> float:
        """Run time alone, without variance [s]."""
        return self.cycles * sum(phase.solo_s for phase in self.phases)


SIX = (
    OversubscribedApplication(
        "miniAMR",
        (
            RankPhase(2.5, 1.0, 1.1, 0.35, 1.5, 1.4, 0.55, 0.0, 4.0, 0.12, 0.20),
            RankPhase(0.6, 1.0, 1.3, 0.12, 0.4, 0.8, 0.70, 0.0, 0.06, 0.55, 0.50),
        ),
        cycles=40,
        # Stencil on blocks, then refinement. Mesh control and load balance exchange many tiny
        # messages, with a collective every 60 us; ranks poll for half of that time.
        # Ranks hold unequal numbers of blocks between two balances, and wait at the next exchange;
        # in mesh control nearly all polls are waits for the last rank.
    ),
    OversubscribedApplication(
        "miniGhost",
        (
            RankPhase(1.8, 1.0, 0.7, 0.55, 3.0, 2.2, 0.35, 0.0, 12.0, 0.06, 0.12),
            RankPhase(0.4, 1.0, 1.0, 0.30, 1.2, 1.0, 0.50, 0.0, 3.0, 0.20, 0.30),
        ),
        cycles=65,
        # 27-point stencil that streams 40 variables, bound by memory bandwidth; one halo exchange
        # for each variable, then sums over the grid.
        # Equal parts of the grid, so waits are short; sums over the grid need the last rank.
    ),
    OversubscribedApplication(
        "miniMD",
        (
            RankPhase(1.6, 1.0, 1.7, 0.10, 0.35, 0.7, 0.80, 0.0, 1.5, 0.12, 0.15),
            RankPhase(0.3, 1.0, 1.0, 0.30, 1.4, 1.5, 0.55, 0.0, 6.0, 0.15, 0.20),
        ),
        cycles=52,
        # Lennard-Jones forces out of the cache with an exchange at each short step; neighbour lists
        # are built anew every 20 steps and touch all atoms.
        # Atoms are nearly uniform: counts of neighbours and of border atoms differ a little.
    ),
    OversubscribedApplication(
        "MACSio",
        (
            RankPhase(3.0, 0.9, 1.2, 0.25, 1.0, 0.6, 0.40, 0.5, 100.0, 0.10, 0.15),
            RankPhase(2.5, 0.15, 0.9, 0.30, 0.8, 0.3, 0.30, 12.0, 200.0, 0.10, 0.30),
        ),
        cycles=16,
        io_spread=0.30,
        # Marshals mesh parts into buffers, then dumps them into files in groups; the file system is
        # shared with other users, so the time of a dump varies.
        # Parts of the mesh differ in size; in a dump the ranks of a group take turns.
    ),
    OversubscribedApplication(
        "Kripke",
        (
            RankPhase(2.4, 1.0, 1.4, 0.30, 0.9, 1.6, 0.75, 0.0, 0.6, 0.30, 0.35),
            RankPhase(0.5, 1.0, 1.5, 0.20, 1.1, 1.2, 0.60, 0.0, 20.0, 0.05, 0.08),
        ),
        cycles=45,
        # Sweeps over directions and groups: blocks are sized for the cache, and ranks downstream
        # poll until the wave front arrives; then a local update of moments.
        # A wave front over few ranks leaves each of them idle while it fills and drains; the update
        # is equal on all ranks.
    ),
    OversubscribedApplication(
        "IOR",
        (
            RankPhase(5.0, 0.06, 0.8, 0.30, 0.6, 0.2, 0.30, 20.0, 500.0, 0.20, 0.20),
            RankPhase(3.0, 0.10, 0.8, 0.35, 0.8, 0.2, 0.30, 24.0, 500.0, 0.20, 0.20),
        ),
        cycles=10,
        io_spread=0.35,
        # Writes and reads one file for each rank; cores copy buffers only. The spread is that of
        # repeated IOR runs on file systems in production.
        # Barriers between the phases wait for the slowest file.
    ),
)
"""The six codes of the paper."""
