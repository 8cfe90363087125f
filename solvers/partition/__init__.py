"""Vertices of a graph in parts of given sizes, with as little weight as possible between them.

The first solve imports numba and compiles; importing this package does not.
"""

from solvers.partition.check import violations
from solvers.partition.graph import Graph, cut
from solvers.partition.outcome import Partition
from solvers.partition.registry import BY_NAME
from solvers.partition.request import FREE, Partitioner, Request, equal_parts, pins

__all__ = [
    "BY_NAME",
    "FREE",
    "Graph",
    "Partition",
    "Partitioner",
    "Request",
    "cut",
    "equal_parts",
    "pins",
    "violations",
]
