"""Procurement heuristics that users write, and what they need to write one.

A heuristic chooses nodes. Its work is then shared out at best, as for the built-in heuristics, and
the same independent checker judges it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Protocol

from planner.errors import InputError, PlanError
from planner.parts import PartKind, calling, locate, name_of
from planner.procurement import heuristics
from planner.procurement.layout import Layout, layout
from planner.procurement.plan import Plan, complete
from planner.procurement.problem import Problem
from planner.procurement.rating import Pool, Rater
from planner.sealed import sealed
from scenarios.formatting import nearest


class ProcurementHeuristic(Protocol):
    """Chooses how many nodes of which type are bought."""

    def __call__(self, problem: Problem) -> Plan:
        """Return a plan of the problem, as :func:`machine` makes one.

        Raises
        ------
        PlanError
            It finds none; says why.
        """
        ...


HEURISTIC: PartKind[ProcurementHeuristic] = PartKind("procurement heuristic", ProcurementHeuristic)


def machine(problem: Problem, counts: Mapping[str, int], method: str = "own") -> Plan:
    """Return the plan of a machine with these nodes and the best allocation of its work.

    Parameters
    ----------
    counts
        Nodes by the name of the node type; under static caps they run at the largest cap.

    Returns
    -------
    Plan
        The machine with its cost, power and score, all recomputed.

    Raises
    ------
    InputError
        There is no such node type.
    PlanError
        A quantity is not on offer.
    """
    lay = layout(problem)
    with closing(Rater(problem, lay, Pool())) as rater:
        return complete(problem, lay, rater, _slots(problem, lay, counts), method)


def filled(problem: Problem, counts: Mapping[str, int], order: Sequence[str]) -> dict[str, int]:
    """Add as many nodes as money, power, room and policy allow, type by type in the given order.

    Parameters
    ----------
    problem
        The problem.
    counts
        Nodes to begin with, by the name of the node type.
    order
        Names of the node types, first what is bought first.

    Returns
    -------
    dict
        Nodes by the name of the node type.

    Raises
    ------
    InputError
        There is no such node type.
    """
    lay = layout(problem)
    indices = [_slot(problem, lay, name) for name in order]
    nodes = heuristics.refill(problem, lay, _slots(problem, lay, counts), indices)
    names = [problem.offers[int(offer)].name for offer in lay.slot_offer]
    return {name: count for name, count in zip(names, nodes, strict=True) if count}


def nodes_by(heuristic: ProcurementHeuristic, problem: Problem) -> tuple[int, ...]:
    """Nodes per slot as a user's own heuristic chooses them.

    Raises
    ------
    InputError
        Its code fails, it finds no plan, or its plan is of another problem.
    """
    name = name_of(heuristic)
    try:
        with calling(heuristic):
            return _nodes_of(heuristic(sealed(problem)), problem, name)
    except InputError:
        raise
    except PlanError as error:
        raise InputError(f"{locate(heuristic)}: {name} finds no plan: {error}") from None


def _nodes_of(result: object, problem: Problem, name: str) -> tuple[int, ...]:
    if not isinstance(result, Plan):
        raise InputError(f"{name} returns {type(result).__name__}; return machine(...)")
    nodes = tuple(int(count) for count in result.nodes)
    if len(nodes) != layout(problem).slots or min(nodes, default=0) < 0:
        raise InputError(f"{name} returns a plan of another problem; use the given one")
    return nodes


def _slots(problem: Problem, lay: Layout, counts: Mapping[str, int]) -> list[int]:
    nodes = [0] * lay.slots
    for name, count in counts.items():
        nodes[_slot(problem, lay, name)] = int(count)
    return nodes


def _slot(problem: Problem, lay: Layout, name: str) -> int:
    names = [offer.name for offer in problem.offers]
    if name not in names:
        raise InputError(f"no node type {name!r} can be bought; {nearest(name, names)}")
    return lay.slot_of(names.index(name))
