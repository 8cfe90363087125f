"""Cores of a node that a pattern uses, by the numbers that launchers count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from planner.placement.layout import Core, laid_out
from planner.placement.layout import Layout as Ranks
from scenarios.aggregation.task_layout import Layout

if TYPE_CHECKING:
    from planner.aggregation.result import AggregationResult


def used_cores(used: Layout, node: Layout) -> tuple[Core, ...]:
    """Cores in the order in which tasks take them: a die, then the next of the processor, then on.

    Examples
    --------
    >>> used_cores(Layout(1, 2, 1), Layout(2, 2, 2))
    (Core(processor=0, core=0), Core(processor=0, core=2))
    """
    return tuple(
        Core(processor, die * node.cores + core)
        for processor in range(used.processors)
        for die in range(used.dies)
        for core in range(used.cores)
    )


def numbers(used: Layout, node: Layout) -> tuple[int, ...]:
    """The same cores, counted through the node, processor after processor.

    Examples
    --------
    >>> numbers(Layout(2, 1, 2), Layout(2, 1, 4))
    (0, 1, 4, 5)
    """
    each = node.dies * node.cores
    return tuple(core.processor * each + core.core for core in used_cores(used, node))


def ranks(study: AggregationResult, hosts: Sequence[str] | None = None) -> Ranks:
    """The chosen groups of tasks on hosts and cores, for rank files.

    Raises
    ------
    InputError
        Hosts that are none, or not one for each node.
    """
    node, groups = study.measured.node, study.chosen.groups.tolist()
    return laid_out(
        groups,
        hosts=hosts,
        cores=[used_cores(study.chosen.pattern.layout, node)] * len(groups),
        cores_per_processor=node.dies * node.cores,
    )
