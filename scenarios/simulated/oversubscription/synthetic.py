"""Synthetic applications from stated distributions, for gates that must not know the six codes."""

from __future__ import annotations

import numpy as np

from scenarios.simulated.oversubscription.applications import OversubscribedApplication, RankPhase
from scenarios.simulated.sampling import log_uniform, sampled
from solvers.portable import power

RUN_S = 120.0
"""Run time alone that every synthetic application has, within one cycle of its phases."""


def synthetic_applications(count: int, seed: int) -> tuple[OversubscribedApplication, ...]:
    """Sample applications; the first ones of a larger count are those of a smaller one.

    Parameters
    ----------
    count
        Number of applications; 0 or more.
    seed
        Seed of all draws.

    Raises
    ------
    ValueError
        A negative count.

    Notes
    -----
    U(a, b) is uniform, L(a, b) log-uniform, and all draws are independent.

    - Phases: 1 to 3, each number with the same probability; their lengths are L(0.3, 5) s.
    - A phase does I/O with probability 0.3: its busy share is then U(0.05, 0.95) and its traffic
      L(2, 30) MB/s. Otherwise it is busy all the time.
    - Memory share v = U(0, 1)^1.5. From it come the stall share, (0.05 + 0.5 v) U(0.8, 1.2), the
      bandwidth, (0.2 + 2.8 v) U(0.75, 1.25) GB/s, and the IPC, (1.8 - 1.1 v) U(0.85, 1.15).
    - Cache: L(0.2, 2.5) MB, of whose requests U(0.3, 0.8) hit.
    - Synchronisation: each L(0.05, 100) ms; polling share U(0.02, 0.6).
    - Waits for other ranks: share U(0.05, 0.5), from a stream of its own, so that all other numbers
      are those of the law without idle cycles.
    - I/O spread: U(0.1, 0.4).

    The ranges hold those of the six codes, and are not drawn around them.

    Examples
    --------
    >>> [application.name for application in synthetic_applications(2, 7)]
    ['synthetic-01', 'synthetic-02']
    """
    return sampled(count, seed, _sampled)


def _sampled(name: str, rng: np.random.Generator) -> OversubscribedApplication:
    waits = rng.spawn(1)[0]
    phases = tuple(_phase(rng, waits) for _ in range(int(rng.integers(1, 4))))
    cycle_s = sum(phase.solo_s for phase in phases)
    return OversubscribedApplication(
        name,
        phases,
        cycles=max(1, round(RUN_S / cycle_s)),
        io_spread=rng.uniform(0.1, 0.4),
    )


def _phase(rng: np.random.Generator, waits: np.random.Generator) -> RankPhase:
    memory = power(rng.uniform(), 1.5)
    writes = rng.uniform() < 0.3
    return RankPhase(
        solo_s=log_uniform(rng, 0.3, 5.0),
        busy_share=rng.uniform(0.05, 0.95) if writes else 1.0,
        ipc=(1.8 - 1.1 * memory) * rng.uniform(0.85, 1.15),
        stall_share=(0.05 + 0.5 * memory) * rng.uniform(0.8, 1.2),
        bandwidth_gb_s=(0.2 + 2.8 * memory) * rng.uniform(0.75, 1.25),
        llc_mb=log_uniform(rng, 0.2, 2.5),
        llc_hit_share=rng.uniform(0.3, 0.8),
        io_mb_s=log_uniform(rng, 2.0, 30.0) if writes else 0.0,
        sync_ms=log_uniform(rng, 0.05, 100.0),
        spin_share=rng.uniform(0.02, 0.6),
        wait_share=waits.uniform(0.05, 0.5),
    )
