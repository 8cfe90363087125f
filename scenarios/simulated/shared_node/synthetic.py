"""Synthetic applications from stated distributions: to choose estimators before they are scored."""

from __future__ import annotations

import numpy as np

from scenarios.simulated.sampling import log_uniform, sampled
from scenarios.simulated.shared_node.applications import ApplicationPhase, SharedApplication
from solvers.portable import power

RUN_S = 37.0
"""Run time alone that every synthetic application has, within one cycle of its phases."""


def synthetic_applications(count: int, seed: int) -> tuple[SharedApplication, ...]:
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

    - Phases: 1 to 4, each number with the same probability.
    - Length of a phase: the application's scale, L(1.5, 600) ms, times L(0.3, 3).
    - Memory share of a phase: v = U(0, 1)^1.5. From it come the stall share, (0.05 + 0.5 v) U(0.8,
      1.2), the bandwidth share, (0.03 + 0.62 v) U(0.75, 1.25), and the IPC, (1.7 - 1.1 v) U(0.85,
      1.15): who waits for memory more fetches more and executes less.
    - Cache footprint: L(0.1, 2).
    - Waiting share: U(0.02, 0.2); imbalance share: U(0.2, 0.8); polling IPC: U(1.2, 1.9).
    - Length spread: U(0.02, 0.15); waiting spread: U(0.2, 0.5).

    The ranges hold those of the twelve codes, and are not drawn around them.

    Examples
    --------
    >>> [application.name for application in synthetic_applications(2, 7)]
    ['synthetic-01', 'synthetic-02']
    """
    return sampled(count, seed, _sampled)


def _sampled(name: str, rng: np.random.Generator) -> SharedApplication:
    scale_ms = log_uniform(rng, 1.5, 600)
    phases = tuple(_phase(rng, scale_ms) for _ in range(int(rng.integers(1, 5))))
    cycle_ms = sum(phase.solo_ms for phase in phases)
    return SharedApplication(
        name,
        phases,
        cycles=max(1, round(1e3 * RUN_S / cycle_ms)),
        waiting_share=rng.uniform(0.02, 0.2),
        imbalance_share=rng.uniform(0.2, 0.8),
        polling_ipc=rng.uniform(1.2, 1.9),
        length_spread=rng.uniform(0.02, 0.15),
        waiting_spread=rng.uniform(0.2, 0.5),
        reason="sampled",
    )


def _phase(rng: np.random.Generator, scale_ms: float) -> ApplicationPhase:
    memory = power(rng.uniform(), 1.5)
    return ApplicationPhase(
        solo_ms=scale_ms * log_uniform(rng, 0.3, 3),
        ipc=(1.7 - 1.1 * memory) * rng.uniform(0.85, 1.15),
        stall_share=(0.05 + 0.5 * memory) * rng.uniform(0.8, 1.2),
        bandwidth_share=(0.03 + 0.62 * memory) * rng.uniform(0.75, 1.25),
        llc_share=log_uniform(rng, 0.1, 2),
    )
