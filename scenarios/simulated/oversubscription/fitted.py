"""The two systems with their fitted number, and where all other numbers come from."""

from __future__ import annotations

from dataclasses import replace

from scenarios.simulated.oversubscription.idle_cycles import RECOVERED_SHARE
from scenarios.simulated.oversubscription.machine import (
    IDLE_CYCLES,
    LAWS,
    SLOWEST_RANK,
    OversubscribedSystem,
)
from scenarios.simulated.shared_node.fitted import Number

TWO_NODES = OversubscribedSystem(
    "tangram-two-node",
    "two-node system",
    nodes=2,
    cores_per_node=12,
    ranks=(13, 14, 15),
    ghz=3.07,
    llc_mb=24.0,
    bandwidth_gb_s=40.0,
    file_system_mb_s=400.0,
    slice_ms=15.742,
)
EIGHT_NODES = OversubscribedSystem(
    "tangram-eight-node",
    "eight-node system",
    nodes=8,
    cores_per_node=16,
    ranks=(72, 80, 88, 96),
    ghz=2.6,
    llc_mb=40.0,
    bandwidth_gb_s=76.0,
    file_system_mb_s=3000.0,
    slice_ms=3.3685,
)
SYSTEMS = (TWO_NODES, EIGHT_NODES)
"""The systems under the first law."""

_IDLE_CYCLES_SLICE_MS = {TWO_NODES.name: 18.194, EIGHT_NODES.name: 3.5755}

FITTED_TO = {TWO_NODES.name: 16.98, EIGHT_NODES.name: 6.57}
"""Largest makespan ratio of all co-runs (Tangram, Table II): the only printed results in use.

Both laws are fitted to it, by the time slice alone.
"""

_ASSUMED = {
    TWO_NODES.name: (
        "two sockets with 12 MB each, usual for such cores",
        "sustained by two sockets with three channels DDR3-1333 each",
        "a few servers of a small cluster",
    ),
    EIGHT_NODES.name: (
        "two sockets with 20 MB each, usual for such cores",
        "sustained by two sockets with four channels DDR3-1600 each",
        "a parallel file system",
    ),
}
"""Why cache, memory bandwidth and file system of each system are assumed."""


_MEANINGS = {
    SLOWEST_RANK: "a job advances with its slowest rank, and only I/O leaves cycles to others",
    IDLE_CYCLES: "ranks that wait or stall also leave cycles to others",
}


def under(system: OversubscribedSystem, law: str) -> OversubscribedSystem:
    """Return one of :data:`SYSTEMS` under a law, with the time slice that was fitted for it.

    Raises
    ------
    LookupError
        There is no such law; lists the laws.
    """
    if law == SLOWEST_RANK:
        return system
    if law == IDLE_CYCLES:
        return replace(system, law=law, slice_ms=_IDLE_CYCLES_SLICE_MS[system.name])
    raise LookupError(
        f"no law of oversubscription is called {law!r}; there is {' and '.join(LAWS)}"
    )


def numbers_of(system: OversubscribedSystem, *, synthetic: bool = False) -> tuple[Number, ...]:
    """Return the parameters of a system and its applications, for the table of a report.

    Parameters
    ----------
    system
        One of :data:`SYSTEMS`.
    synthetic
        Whether applications are sampled; else they are the six of the paper.
    """
    cache, memory, files = _ASSUMED[system.name]
    applications = (
        "sampled from stated ranges, which hold those of the six codes"
        if synthetic
        else "public knowledge about each of the six codes; set before the fit"
    )
    if system.law == IDLE_CYCLES:
        of_the_law: tuple[Number, ...] = (
            Number(
                "longest time that a waiting rank polls before it leaves its core",
                "30 \N{MICRO SIGN}s",
                "assumed",
                "a context switch: no wait then costs more than twice what it must",
            ),
            Number(
                "share of stalled cycles that a simultaneous thread uses",
                f"{100 * RECOVERED_SHARE:.0f} %",
                "assumed",
                "two ranks that stall for a quarter of their time do 14 % more work; NERSC "
                "measured 12 % on average",
            ),
        )
    else:
        of_the_law = ()
    return (
        Number("law", system.law, "assumed", _MEANINGS[system.law]),
        Number(
            "time slice: how long a rank waits for a descheduled one",
            f"{system.slice_ms} ms",
            "fitted",
            f"largest makespan of the six codes without noise: {FITTED_TO[system.name]}, as in "
            f"Table II within 0.001 (law {system.law})",
        ),
        Number(
            "nodes, cores and clock",
            f"{system.nodes} nodes, {system.cores_per_node} cores each, {system.ghz} GHz",
            "published",
            "Tangram, section IV",
        ),
        Number(
            "applications",
            "10 parameters for each phase, 2 for each application",
            "assumed",
            applications,
        ),
        Number("last-level cache of a node", f"{system.llc_mb:g} MB", "assumed", cache),
        Number("memory bandwidth of a node", f"{system.bandwidth_gb_s:g} GB/s", "assumed", memory),
        Number(
            "bandwidth of the file system", f"{system.file_system_mb_s:,.0f} MB/s", "assumed", files
        ),
        Number(
            "time after which Linux moves ranks between cores",
            "60 ms",
            "assumed",
            "order of its load balancer",
        ),
        Number(
            "context switch",
            "30 \N{MICRO SIGN}s",
            "assumed",
            "the switch, and 256 kB of second-level cache fetched at 10 GB/s",
        ),
        Number(
            "width of the step where data exceed the cache",
            "5 % of the cache",
            "assumed",
            "steep, but not a jump",
        ),
        Number(
            "time of a cache miss, relative to idle memory",
            "1 + D^2 / (1 - D)",
            "assumed",
            "D: share of the bandwidth in use; grows as the mean length of a queue with one server",
        ),
        Number("spread of run times", "1 %", "assumed", "nodes differ a little"),
        Number(
            "spread of times of I/O",
            "10 to 40 %" if synthetic else "30 to 35 %",
            "assumed",
            "repeated runs on file systems that others share",
        ),
        Number(
            "noise of counters",
            "2 % instructions per cycle, 5 % misses, 1 % core time",
            "assumed",
            "many events share few counters, which count in turns",
        ),
        *of_the_law,
    )
