"""A placement on hosts and cores: what a rank file is written from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from planner.placement.layout import Core, Layout, laid_out

if TYPE_CHECKING:
    from planner.placement.placement import Placement


def laid_out_as(
    placement: Placement, hosts: Sequence[str] = (), cores_per_processor: int = 1
) -> Layout:
    """Give each rank its host and its core.

    Parameters
    ----------
    hosts
        Names of all nodes that were given, in order; by default node0, node1, ...
    cores_per_processor
        Cores per processor of nodes whose shape is not known.
    """
    return laid_out(
        placement.groups,
        hosts=[hosts[number] for number in placement.nodes.numbers] if hosts else None,
        numbers=placement.nodes.numbers.tolist(),
        cores=_cores_of(placement) if placement.hierarchical else None,
        cores_per_processor=[
            shape.cores_per_processor if shape else cores_per_processor
            for shape in placement.nodes.shapes
        ],
        cpus=[shape.cpus if shape else () for shape in placement.nodes.shapes],
    )


def _cores_of(placement: Placement) -> list[list[Core]]:
    """Processor, and core within it, of each rank of each group."""
    return [
        [Core(*divmod(core, shape.cores_per_processor if shape else len(cores))) for core in cores]
        for cores, shape in zip(placement.cores, placement.nodes.shapes, strict=True)
    ]
