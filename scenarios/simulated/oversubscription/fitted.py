"""The two systems with their fitted number, and where all other numbers come from."""

from __future__ import annotations

from scenarios.simulated.oversubscription.machine import OversubscribedSystem
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

FITTED_TO = {TWO_NODES.name: 16.98, EIGHT_NODES.name: 6.57}
"""Largest makespan ratio of all co-runs (Tangram, Table II): the only printed results in use."""

NUMBERS = (
    Number(
        "time slice, two nodes",
        f"{TWO_NODES.slice_ms} ms",
        "fitted",
        "largest makespan with all jobs co-located, 16.98 (Table II); misfit below 0.01",
    ),
    Number(
        "time slice, eight nodes",
        f"{EIGHT_NODES.slice_ms} ms",
        "fitted",
        "largest makespan with all jobs co-located, 6.57 (Table II); misfit below 0.01",
    ),
    Number(
        "parameters of the six applications",
        "10 per phase, 2 per application",
        "assumed",
        "public knowledge about each code; set before the fit and not changed by it",
    ),
    Number(
        "nodes, cores, clock, ranks",
        "2 x 12 cores at 3.07 GHz; 8 x 16 cores at 2.6 GHz",
        "published",
        "Tangram, section IV",
    ),
    Number(
        "last-level cache of a node",
        "24 and 40 MB",
        "assumed",
        "two sockets with 12 and 20 MB, usual for such cores",
    ),
    Number(
        "memory bandwidth of a node",
        "40 and 76 GB/s",
        "assumed",
        "sustained by two sockets with three channels DDR3-1333 and four DDR3-1600",
    ),
    Number(
        "file system",
        "400 and 3,000 MB/s",
        "assumed",
        "a few servers of a small cluster, and a parallel file system",
    ),
    Number("time between balancing cores", "60 ms", "assumed", "order of the Linux balancer"),
    Number(
        "context switch with cold core caches",
        "30 us",
        "assumed",
        "256 kB of second-level cache fetched at 10 GB/s, and the switch itself",
    ),
    Number("width of the cache step", "5 %", "assumed", "a cliff, but no jump"),
    Number(
        "delay of a loaded memory",
        "1 + D^2/(1 - D)",
        "assumed",
        "grows as the wait of a queue with one server",
    ),
    Number(
        "spread of a run, of its I/O",
        "1 %, 30 to 35 %",
        "assumed",
        "repeated runs on file systems that others share",
    ),
    Number(
        "noise of counters",
        "2 % IPC, 5 % misses, 1 % core time",
        "assumed",
        "events that share counters and are scaled up",
    ),
)
"""For the table of fitted and free numbers in a report."""
