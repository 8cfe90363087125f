"""Legends of model files: the meaning of indices in names, and of the objective."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from planner.designs import design
from planner.formulations.aggregation import rank_base
from planner.formulations.partition import unit_of
from planner.formulations.procurement_plan import DIGITS
from planner.formulations.procurement_work import rating_units

if TYPE_CHECKING:
    from planner.aggregation.selection import Candidate
    from planner.configurations.sharing.problem import Goal
    from planner.configurations.sharing.problem import SharingProblem as Sharing
    from planner.configurations.table import ConfigurationTable
    from planner.designs.design import DesignProblem as Designs
    from planner.formulations.model_files import Legend
    from planner.procurement.problem import Problem as Procurement
    from solvers.mapping import Problem as Mapping
    from solvers.model.milp import Indices
    from solvers.partition.graph import Graph

OBJECTIVE = "objective"
"""Index of the row that says what the objective counts."""


def of_configuration(table: ConfigurationTable) -> Legend:
    """k: configurations, as nodes x cores per node and cap."""
    rows = [("k", str(k), str(table.row(k))) for k in range(len(table))]
    return [*rows, _objective("run time (s)")]


def of_sharing(problem: Sharing, goal: Goal) -> Legend:
    """j: jobs; j_k: configurations of a job."""
    jobs = [("j", str(j), job.name) for j, job in enumerate(problem.jobs)]
    rows = [
        ("j_k", f"{j}_{k}", str(job.table.row(k)))
        for j, job in enumerate(problem.jobs)
        for k in range(len(job.table))
    ]
    return [*jobs, *rows, _objective(f"{goal} (s)")]


def of_aggregation(candidates: Sequence[Candidate], *, joules: bool) -> Legend:
    """c: patterns, by their numbers."""
    rows = [
        ("c", str(c), f"pattern {candidate.pattern.id}, {candidate.pattern.tasks} ranks on a node")
        for c, candidate in enumerate(candidates)
    ]
    counted = "predicted energy (J)"
    if not joules:
        counted = (
            "-r D^2 + o D + d of the pattern with r ranks on a node, o sockets and d dies of each, "
            f"D = {rank_base(candidates)}: fewest nodes, then sockets, then dies"
        )
    return [*rows, _objective(counted)]


def of_partition(graph: Graph, capacities: Indices) -> Legend:
    """v: ranks; p: nodes."""
    ranks = [("v", str(v), f"rank {v}") for v in range(graph.vertices)]
    nodes = [("p", str(p), f"node {p}, {size} ranks") for p, size in enumerate(capacities)]
    return [*ranks, *nodes, _weights([graph])]


def of_mapping(problem: Mapping) -> Legend:
    """v: ranks; i: levels; i_p: units of a level."""
    ranks = [("v", str(v), f"rank {v}") for v in range(problem.vertices)]
    levels = [("i", str(i), f"level {i}, counted inwards") for i in range(problem.levels)]
    units = [
        ("i_p", f"{i}_{p}", f"unit {p} of level {i}, {size} ranks")
        for i in range(problem.levels)
        for p, size in enumerate(problem.sizes(i).tolist())
    ]
    return [*ranks, *levels, *units, _weights(problem.graphs)]


def of_best_design(problem: Designs) -> Legend:
    """o: types on offer; o_s: pieces of a type's run-time curve."""
    offers = [("o", str(o), offer.name) for o, offer in enumerate(problem.offers)]
    pieces = [
        (
            "o_s",
            f"{problem.offers.index(offer)}_{s}",
            f"{offer.name}, {piece.first} to {piece.last} nodes",
        )
        for offer, s, piece in design.choices(problem)
    ]
    return [*offers, *pieces, _objective("run time (s)")]


def of_procurement(problem: Procurement) -> Legend:
    """The letters of the docstring of :mod:`planner.formulations.procurement`."""
    named = {
        "o": [offer.name for offer in problem.offers],
        "m": [
            f"{problem.offers[mode.offer].name}, cap {_cap(mode.cap_w)}" for mode in problem.modes
        ],
        "w": problem.workloads,
        "r": problem.rating_names,
        "c": [capability.name for capability in problem.capabilities],
        "s": problem.scenario_names,
    }
    rows = [(i, str(n), text) for i, texts in named.items() for n, text in enumerate(texts)]
    counted = (
        f"{DIGITS:,} times the natural logarithm of the score; up to 1.14 too large, because "
        "tangents bound logarithms from above"
    )
    return [*rows, *_units_of(problem), _objective(counted)]


def _units_of(problem: Procurement) -> Legend:
    """Units of the columns and rows that do not count nodes, racks, scores or decisions."""
    ratings = [
        (
            "rating_r",
            str(r),
            f"throughput in {name!r}, in units of {unit!r} times that of the reference machine",
        )
        for r, (name, unit) in enumerate(
            zip(problem.rating_names, rating_units(problem), strict=True)
        )
    ]
    money = f"in units of {problem.money_unit!r} {problem.prices.currency}"
    return [
        *ratings,
        ("log_r, score_s, tail, below_s", "", "natural logarithms"),
        ("rows of power", "", f"it_power, liquid and air: in units of {problem.power_unit!r} W"),
        ("rows of money", "", f"capital, operating, and shares of money: {money}"),
        (
            "rows of required work",
            "",
            "mandate_r_w: in thousandths of what is required; rated_r_w: as rating_r",
        ),
    ]


def _cap(cap_w: float | None) -> str:
    return "none" if cap_w is None else f"{cap_w:g} W"


def _weights(graphs: Sequence[Graph]) -> tuple[str, str, str]:
    return _objective(f"cost between ranks, in units of {unit_of(graphs)!r}")


def _objective(counted: str) -> tuple[str, str, str]:
    return OBJECTIVE, "", counted
