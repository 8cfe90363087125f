"""Figures that vendors offer of their packages, as performance of workloads on node types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from planner.errors import InputError
from scenarios.model.node_types import NodeType
from scenarios.model.procurement import Offered, Procurement
from scenarios.model.scenario import Scenario, Workload
from scenarios.model.tender import OfferedFigure, Package, PackageLine


@dataclass(frozen=True)
class UsedFigure:
    """A figure from which a workload has its performance on the nodes of a package.

    Attributes
    ----------
    workload, package, node_type
        Names; the node type is as it is sold.
    figure
        As the package states it.
    per_node
        Figure of merit of one node.
    """

    workload: str
    package: str
    node_type: str
    figure: OfferedFigure
    per_node: float


@dataclass(frozen=True)
class UnusedPackage:
    """A package whose nodes cannot run a workload, because it states no figure that counts.

    ``basis`` is that of the figure that it states and that does not count; ``None`` where it
    states none.
    """

    workload: str
    figure: str
    package: str
    basis: str | None


def used_figures(scenario: Scenario) -> tuple[UsedFigure, ...]:
    """Every figure of a package that counts for a workload.

    Parameters
    ----------
    scenario
        With node types as they are sold.

    Raises
    ------
    InputError
        A figure is of several node types that can run the workload.
    """
    return tuple(each for each in _figures(scenario) if isinstance(each, UsedFigure))


def unused_packages(scenario: Scenario) -> tuple[UnusedPackage, ...]:
    """Every package that cannot run a workload for want of a figure that counts."""
    return tuple(each for each in _figures(scenario) if isinstance(each, UnusedPackage))


def per_node(scenario: Scenario) -> Mapping[tuple[str, str], float]:
    """Figure of merit of one node, by the names of workload and node type."""
    return {(each.workload, each.node_type): each.per_node for each in used_figures(scenario)}


def _figures(scenario: Scenario) -> Iterator[UsedFigure | UnusedPackage]:
    use = (scenario.procurement or Procurement()).use
    types = {node_type.name: node_type for node_type in scenario.node_types}
    for workload in scenario.workloads:
        model = workload.performance
        if not isinstance(model, Offered):
            continue
        name = model.figure or workload.name
        for package in scenario.packages:
            lines = _lines(workload, package, types)
            if not lines:
                continue
            figure = package.figure(name)
            if figure is None or (use == "committed" and figure.basis != "committed"):
                basis = None if figure is None else figure.basis
                yield UnusedPackage(workload.name, name, package.name, basis)
                continue
            if len(lines) > 1:
                every = ", ".join(sorted(str(line.name) for line in lines))
                raise InputError(
                    f"package {package.name!r}: its figure {name!r} is of several node types "
                    f"({every}), so that the share of each is not known; name the kinds of node "
                    f"that run it in kinds of workload {workload.name!r}, or split the package"
                )
            (line,) = lines
            value = figure.value / line.quantity
            yield UsedFigure(workload.name, package.name, str(line.name), figure, value)


def _lines(
    workload: Workload, package: Package, types: Mapping[str, NodeType]
) -> list[PackageLine]:
    """Lines of nodes that may run a workload."""
    return [
        line
        for line in package.node_lines
        if not workload.kinds or types[str(line.name)].kind in workload.kinds
    ]
