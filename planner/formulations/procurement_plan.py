"""How large the reference formulation of procurement is, and what its solution says.

A part of :mod:`planner.formulations.procurement`. The plan is made of the program's own nodes,
allocations and partitions; :func:`planner.procurement.plan.built` adds up what they cost and
achieve, without rating the machine anew.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from planner.errors import PlanError
from planner.formulations.procurement_work import Work, able, added_w, partitions, slots
from planner.formulations.solved import SolvedModel
from planner.procurement.layout import Layout
from planner.procurement.outcome import Outcome
from planner.procurement.plan import Plan, built, within
from planner.procurement.problem import Floats, Problem
from solvers import Certificate, Status

DIGITS = 1000
"""The objective is log S times this: CBC prints its bound to three decimals."""
_CROSSING = 1e-5


def nonzeros(problem: Problem, points: int) -> int:
    """Nonzero coefficients that the model has at most.

    Parameters
    ----------
    points
        Tangents of each logarithm.
    """
    ratings, states = len(problem.demand), len(problem.demand) + len(problem.capabilities)
    scenarios = len(problem.probability)
    capped = problem.regime == "overprovisioned"
    at_work = sum(len(pairs) for pairs in able(problem))  # rated, mandate, room, energy, 2 powers
    runs = sum(len(options) for options in partitions(problem))
    tiers = sum(len(offer.tiers) for offer in problem.offers)
    nodes = tiers if problem.regime != "static" else len(slots(problem))
    return (
        at_work * (6 if capped else 4)
        + runs * (scenarios + 2 + 2 * capped)
        + 2 * ratings * (points + len(problem.workloads))
        + nodes * (2 * states + 2 + 2 * capped * states)
        + tiers * (20 + 2 * len(problem.shares))
        + scenarios * (ratings + 4)
        + 20 * len(problem.offers)
        + (6 * states if capped else 0)
        + _nonzeros_of_packages(problem, states)
        + 40
    )


def _nonzeros_of_packages(problem: Problem, states: int) -> int:
    """Each line counts in money, watts, racks, its lot, its vendor and each limit of power."""
    steps = max((len(terms.discounts) for terms in problem.vendor_terms), default=0) + 1
    lines = sum(len(offer.package.lines) for offer in problem.packages)
    shares = sum(len(lot.shares) for lot in problem.lots)
    return lines * (20 + 2 * states + 4 * shares) + 20 * steps * len(problem.packages)


def read_plan(problem: Problem, work: Work, solved: SolvedModel, method: str) -> Plan:
    """The plan that a solution says: its nodes, its allocations and its partitions."""
    lay = _every_pair(problem)
    index = {
        pair: p
        for p, pair in enumerate(
            zip(lay.pair_mode.tolist(), lay.pair_workload.tolist(), strict=True)
        )
    }
    nodes = [round(solved.value(installed_nodes)) for installed_nodes in work.installed]
    count, result = np.array(nodes, dtype=np.float64), list[Floats]()
    for at_work in work.at_work:
        allocation = np.zeros(len(index))
        for pair, variable in at_work.items():
            allocation[index[pair]] = solved.value(variable)
        result.append(within(lay, count, allocation))
    picks = [next(option for option, run in runs if solved.chosen(run)) for runs in work.runs]
    return built(problem, lay, nodes, method, result, picks)


def least_bound(solved: SolvedModel, bound: float, best: Plan) -> float:
    """The least bound of all rounds on log S; within tolerances it is the plan's own objective.

    Raises
    ------
    PlanError
        The solver claims a bound that its own plan beats.
    """
    claimed = solved.certificate.bound
    minimum = bound if claimed is None else min(bound, claimed / DIGITS)
    if minimum < best.objective - _CROSSING:
        raise PlanError(
            f"{solved.certificate.solver} reports that log S is at most {minimum:.9g}, but its own "
            f"plan has {best.objective:.9g}; use another solver"
        )
    return max(minimum, best.objective)


def finished(best: Plan | None, bound: float, gap: float, rounds: list[Certificate]) -> Outcome:
    """The best plan under the certificates of all rounds."""
    if best is None:
        raise PlanError("no round was solved")
    remaining = bound - best.objective
    status = Status.OPTIMAL if remaining <= gap else Status.FEASIBLE
    present = None if bound == math.inf else bound
    certificate = replace(
        rounds[-1],
        status=status,
        objective=best.objective,
        bound=present,
        gap_absolute=None if present is None else remaining,
        gap_relative=None if present is None else remaining,
        nodes=sum(finished_round.nodes for finished_round in rounds),
        wall_s=sum(finished_round.wall_s for finished_round in rounds),
        cpu_s=sum(finished_round.cpu_s for finished_round in rounds),
    )
    return Outcome(best, status, best.objective, present, certificate, len(rounds))


def _every_pair(problem: Problem) -> Layout:
    """The reference's own slots, with every mode and workload that runs in them."""
    every = slots(problem)
    slot_of = np.full(len(problem.modes), -1, dtype=np.int64)
    for k, slot in enumerate(every):
        slot_of[list(slot.modes)] = k
    step_w = np.array([added_w(problem, m) for m in range(len(problem.modes))])
    mode, workload = np.nonzero((problem.merit > 0) & (slot_of >= 0)[:, None])
    idle_w = np.array([problem.offers[o].idle_w for o in problem.mode_offer[mode]])
    capped = problem.regime == "overprovisioned"
    return Layout(
        slot_offer=np.array([slot.offer for slot in every], dtype=np.int64),
        slot_mode=np.array([-1 if capped else slot.modes[0] for slot in every], dtype=np.int64),
        base_w=np.array([slot.base_w for slot in every]),
        mode_slot=slot_of,
        step_w=step_w,
        pair_mode=mode,
        pair_workload=workload,
        pair_slot=slot_of[mode],
        pair_merit=problem.merit[mode, workload],
        pair_step_w=step_w[mode],
        pair_energy_w=problem.prices.utilisation * (problem.drawn_w[mode, workload] - idle_w),
        partitions=(),
    )
