"""What is bought under one power bound and one budget: the problem, the plan, the closed form.

The mathematics is that of :mod:`planner.formulations.best_design`, the reference formulation, which
also solves it. The closed form (equations 4.1 and 4.4) is the engine: with one node type on offer
and a falling run time it needs no program.

Under the thesis's encoding the high-end type runs at its peak, the older one at its idle power,
and the budget is ``n_wc r_c`` older-node prices; prices are scaled to whole numbers so that both
sides of the budget are exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.decimals import decimal
from planner.designs.overprovisioning import DesignCase, NodeCounts, node_counts
from planner.designs.run_time import Outside, Piece, pieces, run_time
from planner.errors import OutsideMeasuredError, PlanError
from scenarios.model.run_times import LinearTime, TableTime

HIGH_END, OLDER = "high-end", "older"


@dataclass(frozen=True)
class DesignOffer:
    """One node type in the encoding of a problem."""

    name: str
    running_w: float
    price: int
    time_factor: float


@dataclass(frozen=True)
class DesignProblem:
    """One application, some offers, one power bound, one budget (in the offers' price unit).

    Attributes
    ----------
    application
        Name of the application.
    offers
        Node types on offer, each with its price and power.
    power_bound_w
        Power bound of the system [W].
    budget
        Money, in the price unit of the offers.
    time
        Run time over the number of nodes [s].
    outside
        What applies beyond the measured node counts.
    """

    application: str
    offers: tuple[DesignOffer, ...]
    power_bound_w: float
    budget: int
    time: LinearTime | TableTime
    outside: Outside


@dataclass(frozen=True)
class DesignPlan:
    """What is bought, how it was found, and how fast the application then runs."""

    application: str
    method: str
    node_type: str
    nodes: int
    time_s: float


def thesis_problem(case: DesignCase) -> DesignProblem:
    """The thesis's encoding of one case with both node types on offer.

    Returns
    -------
    DesignProblem
        The case with two node types on offer: ``HIGH_END`` and ``OLDER``.
    """
    counts = node_counts(case)
    ratio = _short_ratio(counts)
    return DesignProblem(
        application=case.application,
        offers=(
            DesignOffer(HIGH_END, case.high_end_peak_w, ratio.numerator, case.time_factor),
            DesignOffer(OLDER, case.older_idle_w, ratio.denominator, 1.0),
        ),
        power_bound_w=case.power_bound_w,
        budget=counts.worst_case * ratio.numerator,
        time=case.time,
        outside=case.outside,
    )


def _short_ratio(counts: NodeCounts) -> Fraction:
    """Return a cost ratio of few digits that buys the same nodes: solvers see only 15 digits."""
    bought = math.floor(counts.cost)
    for largest in (10**3, 10**6, 10**8):
        short = counts.cost_ratio.limit_denominator(largest)
        if math.floor(counts.worst_case * short) == bought:
            return short
    return counts.cost_ratio


def forced(problem: DesignProblem, offer: str) -> DesignProblem:
    """Restrict the problem to one node type.

    Parameters
    ----------
    problem
        A problem with several node types.
    offer
        Name of the node type that stays, such as ``OLDER``.

    Returns
    -------
    DesignProblem
        A copy with this node type alone.
    """
    offers = tuple(candidate for candidate in problem.offers if candidate.name == offer)
    return replace(problem, offers=offers)


def most_nodes(problem: DesignProblem, offer: DesignOffer) -> int:
    """Nodes of one type that power and money allow."""
    by_power = math.floor(decimal(problem.power_bound_w) / decimal(offer.running_w))
    return min(by_power, problem.budget // offer.price)


def closed_form(problem: DesignProblem) -> DesignPlan:
    """As many nodes of the one type on offer as power and money allow (equations 4.1, 4.4).

    Raises
    ------
    PlanError
        More than one type is on offer, or not one node can be bought.
    """
    if len(problem.offers) != 1:
        raise PlanError("the closed form takes one node type; use forced()")
    offer = problem.offers[0]
    nodes = most_nodes(problem, offer)
    if nodes == 0:
        raise PlanError(f"power and money do not allow one {offer.name} node")
    time_s = offer.time_factor * run_time(problem.time, nodes, problem.outside).time_s
    return DesignPlan(problem.application, "closed form", offer.name, nodes, time_s)


def choices(problem: DesignProblem) -> list[tuple[DesignOffer, int, Piece]]:
    """Every offer with every piece of the run time that power and money let it reach."""
    return [
        (offer, index, piece)
        for offer in problem.offers
        for index, piece in enumerate(
            pieces(problem.time, problem.outside, most_nodes(problem, offer))
        )
    ]


def violations(problem: DesignProblem, plan: DesignPlan) -> list[str]:
    """List everything that is wrong with a plan, recomputed from the problem alone."""
    offers = {offer.name: offer for offer in problem.offers}
    if plan.node_type not in offers:
        return [f"node type {plan.node_type!r} is not on offer"]
    offer, problems = offers[plan.node_type], []
    if plan.nodes < 1:
        problems.append(f"{plan.nodes} nodes")
    watts = plan.nodes * decimal(offer.running_w)
    if watts > decimal(problem.power_bound_w):
        problems.append(f"{float(watts):g} W exceed the bound of {problem.power_bound_w:g} W")
    if plan.nodes * offer.price > problem.budget:
        problems.append(f"{plan.nodes * offer.price} exceed the budget of {problem.budget}")
    try:
        time_s = offer.time_factor * run_time(problem.time, plan.nodes, problem.outside).time_s
    except OutsideMeasuredError as error:
        return [*problems, str(error)]
    if not math.isclose(time_s, plan.time_s, rel_tol=1e-12):
        problems.append(f"time_s is {plan.time_s!r}, recomputed {time_s!r}")
    return problems
