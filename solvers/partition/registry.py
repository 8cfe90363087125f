"""The partitioners by name."""

from __future__ import annotations

from solvers.partition.dynamic import Dynamic
from solvers.partition.ilp import Ilp
from solvers.partition.kl import KernighanLin
from solvers.partition.matching import Matching
from solvers.partition.metis import Metis
from solvers.partition.multilevel import Multilevel
from solvers.partition.networkx_kl import NetworkxKernighanLin
from solvers.partition.order import Order
from solvers.partition.portfolio import Portfolio
from solvers.partition.request import Partitioner

BY_NAME: dict[str, Partitioner] = {
    partitioner.name: partitioner
    for partitioner in (
        Order(),
        KernighanLin(),
        Matching(),
        Dynamic(),
        Ilp(),
        Multilevel(),
        Metis(),
        NetworkxKernighanLin(),
        Portfolio(),
    )
}
