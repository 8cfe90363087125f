"""Nodes of packages: what they have together, in exact fractions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from planner.decimals import decimal
from scenarios.model.node_types import NodeType
from scenarios.model.procurement import ShareLimit
from scenarios.model.scenario import Scenario
from scenarios.package_bill import BilledLine, PackageBill, to_budget


def node_lines(
    scenario: Scenario, bills: Sequence[PackageBill]
) -> Iterator[tuple[PackageBill, BilledLine, NodeType]]:
    """Each line of nodes, with its package and its node type."""
    for bill in bills:
        for each in bill.lines:
            if each.line.kind == "node":
                yield bill, each, scenario.node_type(each.line.name or "")


def memory_gb(scenario: Scenario, bills: Sequence[PackageBill]) -> Fraction | str:
    """Memory of all nodes, or the name of a node type that states none."""
    memory = Fraction(0)
    for _, each, node in node_lines(scenario, bills):
        if node.memory_gb is None:
            return node.name
        memory += each.quantity * decimal(node.memory_gb)
    return memory


def share_of_nodes(
    scenario: Scenario, share: ShareLimit, bills: Sequence[PackageBill]
) -> Fraction | None:
    """Share of the nodes, or of their quoted prices, that counts; ``None`` without nodes."""
    whole, counted = Fraction(0), Fraction(0)
    for bill, each, node in node_lines(scenario, bills):
        price = decimal(each.line.price) * to_budget(bill.package)
        part = each.quantity * (price if share.of == "spend" else 1)
        whole += part
        counted += part * share.counts(node.kind or "", bill.package.vendor, node.attributes)
    return counted / whole if whole else None
