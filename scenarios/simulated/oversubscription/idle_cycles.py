"""The second law of oversubscription: a co-runner uses the cycles that waiting ranks leave.

Notes
-----
The first law (:mod:`~scenarios.simulated.oversubscription.law`) gives no rank the cycles that
another one leaves on its core, except in I/O. This one changes two of its terms and keeps all
others. It has one fitted number for each system, as the first law does.

*Waits.* While a rank waits for others, it polls for at most H, then it gives its core away. H is
the time of a context switch, w = 30 us; so no wait costs more than twice what it must. A rank
that synchronises each tau and waits for the share v of its core time polls for h = min(v, H / tau),
and leaves v - h to the co-runner.

*Stalls.* While two ranks run on one core at once, each uses the share f = 0.5 of the cycles in
which the other one stalls for memory. A rank with stall share p therefore needs

    a = (1 - v + h) (1 - f p)

cycles for a second of its core time alone. f is what measurements of simultaneous threads give:
two ranks that stall for a quarter of their time do 14 % more work. NERSC measured 12 % on average,
Intel at most 30 %.

*Cores.* A job still advances with its slowest rank. M = max(1, o N) of its ranks share their core,
and their waits are spread evenly from 0 to 2 (v - h), so the slowest of them is expected to leave
2 (v - h) / (M + 1). It needs a' = (1 - 2 (v - h) / (M + 1)) (1 - f p) cycles. Hence

    slowest rank:  max(1, a'_i + u_j a_j)
    mean rank:     1 + max(0, k (u_i a_i + u_j a_j) / c - 1) / u_i

replace 1 + u_j and max(1, k (u_i + u_j) / c) in g_i. Without waits and stalls the slowest rank is
that of the first law.

*Convoy.* Only polls stop a peer from running, so h replaces the polling share in W_i.

Cycles are conserved. Let A = u_i a_i and B = u_j a_j, so A, B <= 1. On a shared core
t_i >= 1 - u_i + u_i (a_i + B) = A + B + (1 - u_i) (1 - B) >= A + B, and the same for t_j; so both
ranks use A / t_i + B / t_j <= 1. On a node t_i >= k (A + B) / c, so all ranks use at most c cores.

References
----------
- Waits: A. R. Karlin et al., "Empirical studies of competitive spinning for a shared-memory
  multiprocessor", SOSP 1991 (polling for the time of a switch); A. C. Arpaci-Dusseau and D. E.
  Culler, "A cooperative approach to two-phase waiting", pages.cs.wisc.edu/~dusseau/Papers/spaa.html
  (ranks that poll, then block, run on shared nodes without a common scheduler). Open MPI gives the
  core away if it knows that the node is oversubscribed (``mpi_yield_when_idle``; two jobs do not
  know of each other).
- Throughput: C. Iancu et al., "Oversubscription on multicore processors", IPDPS 2010: shared cores
  raise it by 27 %, and the granularity of synchronisation decides.
- Stalls: Z. Zhao, N. J. Wright and K. Antypas, "Effects of Hyper-Threading on the NERSC workload on
  Edison", 2013; S. Saini et al., "The impact of Hyper-Threading on processor resource utilization
  in production applications", HiPC 2011 (Westmere: better use of cores, not always a gain).

The paper does not say whether its cores ran simultaneous threads, nor which MPI it used.
"""

from __future__ import annotations

from scenarios.simulated.oversubscription.applications import RankPhase
from scenarios.simulated.oversubscription.machine import SWITCH_US, OversubscribedSystem

RECOVERED_SHARE = 0.5
"""f: share of the cycles in which a rank stalls that a simultaneous thread uses."""


def polled_share(phase: RankPhase) -> float:
    """Share of core time in which a rank waits and keeps its core: h."""
    return min(phase.wait_share, 1e-3 * SWITCH_US / phase.sync_ms)


def left_share(phase: RankPhase) -> float:
    """Share of core time in which a mean rank waits and leaves its core: v - h."""
    return phase.wait_share - polled_share(phase)


def needed_cycles(phase: RankPhase, left: float) -> float:
    """Cycles for a second of core time alone, of a rank that leaves a share in waits: a."""
    return (1.0 - left) * (1.0 - RECOVERED_SHARE * phase.stall_share)


def slowest_stretch(
    system: OversubscribedSystem, ranks: int, own: RankPhase, other: RankPhase
) -> float:
    """Core time of the slowest rank that shares its core, over that alone."""
    sharing = max(1.0, system.overlapped_cores(ranks) * system.nodes)
    slowest = needed_cycles(own, 2.0 * left_share(own) / (sharing + 1.0))
    return max(1.0, slowest + other.busy_share * needed_cycles(other, left_share(other)))


def mean_stretch(
    system: OversubscribedSystem, ranks: int, own: RankPhase, other: RankPhase
) -> float:
    """Core time of the mean rank, over that alone."""
    wanted = sum(one.busy_share * needed_cycles(one, left_share(one)) for one in (own, other))
    load = system.ranks_per_node(ranks) * wanted / system.cores_per_node
    return 1.0 + max(0.0, load - 1.0) / own.busy_share
