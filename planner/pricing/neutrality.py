r"""Revenue neutrality: the tariff nearest to fair prices that brings in a stated revenue.

Sets and parameters
    u in U             users
    k in K             knots of the tariff, at normalised performance ``p_k``, ascending
    A_uk               what user u's jobs would pay alone, split over the knots [SU]
    W_k                sum_u A_uk + a small part of their total, so that no knot is free
    R                  revenue to reach [SU]
    l_u, h_u           least and most that user u pays, as a share of ``sum_k A_uk``
Variables
    factor_k           what a job at knot k pays over its price alone
    level              uniform factor on fair prices
    off_k              distance of factor_k from the fair one
Objective
    minimise  sum_k W_k off_k
Constraints
    above_k            factor_k - level p_k <= off_k
    below_k            level p_k - factor_k <= off_k
    order_k            factor_k <= factor_k+1         a job that is slowed down more pays no more
    revenue            sum_uk A_uk factor_k = R
    least_u            sum_k A_uk factor_k >= l_u sum_k A_uk         for every user u
    most_u             sum_k A_uk factor_k <= h_u sum_k A_uk         for every user u

Equation 4 is ``factor_k = p_k`` and ``level = 1``. Without floors the program has the value 0 and
raises all fair prices by one factor. Floors can force it away from them, and the objective says
how far. ``A_uk`` comes from measured run times and estimates (``L C T_co perf``), never from run
times alone. So a tariff of one month prices the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray

from planner.errors import InfeasibleError, InputError
from planner.formulations.solved import SolveLimits, refuse_large, solve
from planner.pricing.prices import Usage, by_run_time
from planner.pricing.tariff import KNOTS, Tariff, hats
from solvers import Certificate

if TYPE_CHECKING:
    import pulp

Floats = NDArray[np.float64]

_FREE = 1e-6
_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class RevenueProblem:
    """The site's job mix and what it has to bring in.

    Attributes
    ----------
    knots
        ``p_k``, shape ``(knots,)``.
    alone_su
        ``A_uk``, shape ``(users, knots)``.
    revenue_su
        ``R``.
    least, most
        ``l_u`` and ``h_u``, shape ``(users,)``.
    """

    knots: Floats
    alone_su: Floats
    revenue_su: float
    least: Floats
    most: Floats

    def bills(self, factor: Floats) -> Floats:
        """What each user pays under the factors of the knots [SU]."""
        result: Floats = self.alone_su @ factor
        return result


@dataclass(frozen=True, eq=False)
class NeutralTariff:
    """The tariff, how far from fair it is, and its certificate.

    Attributes
    ----------
    tariff
        Factors at the knots.
    level
        Uniform factor on fair prices.
    distance
        Mean distance of the factors from fair ones, weighted by what jobs would pay alone.
    bills_su
        Bill of each user.
    certificate
        Certificate of the linear program.
    """

    tariff: Tariff
    level: float
    distance: float
    bills_su: Floats
    certificate: Certificate


def problem_of(
    usage: Usage,
    perf: Floats,
    user: NDArray[np.int64],
    *,
    revenue_su: float | None = None,
    least: float = 0.0,
    most: float = float("inf"),
    knots: Floats | None = None,
) -> RevenueProblem:
    """The problem of a month of jobs.

    Parameters
    ----------
    usage, perf, user
        What each job used, its estimated normalised performance, and its user.
    revenue_su
        Revenue to reach; by default what the same jobs would pay alone.
    least, most
        Least and most that each user pays, as a share of what the user's jobs would pay alone.

    Raises
    ------
    InputError
        There are no jobs, or a share or the revenue is out of its range.
    """
    if not len(perf):
        raise InputError("the mix has no jobs; give at least one")
    if not 0 <= least <= most:
        raise InputError(f"users pay from {least:g} to {most:g}; give a range that begins at 0")
    points = np.array(KNOTS) if knots is None else knots
    alone = by_run_time(usage) * perf
    _, index = np.unique(user, return_inverse=True)
    weights = hats(perf, points) * alone[:, None]
    table = np.zeros((int(index.max()) + 1, len(points)))
    np.add.at(table, index, weights)
    target = float(alone.sum()) if revenue_su is None else revenue_su
    if not 0 < target < np.inf:
        raise InputError(f"the revenue to reach is {target:g} SU; give a number above 0")
    users = len(table)
    return RevenueProblem(points, table, target, np.full(users, least), np.full(users, most))


def formulate(
    problem: RevenueProblem,
) -> tuple[pulp.LpProblem, list[pulp.LpVariable], pulp.LpVariable]:
    """Write the model of the module's docstring; return it with ``factor[k]`` and ``level``.

    Raises
    ------
    TooLargeError
        The model is too large for plain algebra.
    """
    import pulp

    users, knots = problem.alone_su.shape
    refuse_large("revenue", 2 * users * knots, "group small users")
    whole = float(problem.alone_su.sum())
    weight = problem.alone_su.sum(axis=0) / whole + _FREE
    model = pulp.LpProblem("revenue", pulp.LpMinimize)
    factor = [model.add_variable(f"factor_{k}", lowBound=0) for k in range(knots)]
    off = [model.add_variable(f"off_{k}", lowBound=0) for k in range(knots)]
    level = model.add_variable("level", lowBound=0)
    model += pulp.lpDot(weight.tolist(), off)
    for k, fair in enumerate(problem.knots.tolist()):
        model += factor[k] - fair * level <= off[k], f"above_{k}"
        model += fair * level - factor[k] <= off[k], f"below_{k}"
        if k:
            model += factor[k - 1] <= factor[k], f"order_{k - 1}"
    total = (problem.alone_su.sum(axis=0) / whole).tolist()
    model += pulp.lpDot(total, factor) == problem.revenue_su / whole, "revenue"
    shares = problem.alone_su / problem.alone_su.sum(axis=1, keepdims=True)
    for u, (row, least, most) in enumerate(
        zip(shares.tolist(), problem.least.tolist(), problem.most.tolist(), strict=True)
    ):
        if least > 0:
            model += pulp.lpDot(row, factor) >= least, f"least_{u}"
        if most < float("inf"):
            model += pulp.lpDot(row, factor) <= most, f"most_{u}"
    return model, factor, level


def neutral_tariff(
    problem: RevenueProblem, *, solver: str = "cbc", **limits: Unpack[SolveLimits]
) -> NeutralTariff:
    """Solve the linear program.

    Raises
    ------
    InfeasibleError
        No tariff reaches the revenue within what users may pay; says which total is possible.
    """
    _refuse_unreachable(problem)
    model, factor, level = formulate(problem)
    solved = solve(model, solver=solver, **limits)
    result = np.array([solved.value(variable) for variable in factor])
    uniform = solved.value(level)
    weight = problem.alone_su.sum(axis=0) / problem.alone_su.sum()
    return NeutralTariff(
        Tariff(problem.knots, result),
        uniform,
        float(weight @ np.abs(result - uniform * problem.knots)),
        problem.bills(result),
        solved.certificate,
    )


def violations(problem: RevenueProblem, found: NeutralTariff) -> list[str]:
    """What a tariff breaks of its problem, recomputed from the problem alone."""
    factor, alone = found.tariff.factor, problem.alone_su.sum(axis=1)
    bills = problem.bills(factor)
    wrong = []
    if abs(bills.sum() / problem.revenue_su - 1) > _TOLERANCE:
        wrong.append(f"revenue is {bills.sum():.6g} SU instead of {problem.revenue_su:.6g}")
    if (np.diff(factor) < -_TOLERANCE).any():
        wrong.append("a job that is slowed down more pays more")
    share = bills / alone
    wrong += [
        f"user {u} pays {share[u]:.6g}, less than {problem.least[u]:.6g}"
        for u in np.flatnonzero(share < problem.least - _TOLERANCE)
    ]
    wrong += [
        f"user {u} pays {share[u]:.6g}, more than {problem.most[u]:.6g}"
        for u in np.flatnonzero(share > problem.most + _TOLERANCE)
    ]
    return wrong


def _refuse_unreachable(problem: RevenueProblem) -> None:
    alone = problem.alone_su.sum(axis=1)
    low, high = float(problem.least @ alone), float(problem.most @ alone)
    if not low <= problem.revenue_su * (1 + _TOLERANCE) or problem.revenue_su > high * (
        1 + _TOLERANCE
    ):
        raise InfeasibleError(
            f"the revenue to reach is {problem.revenue_su:.6g} SU, but the users' bills may add up "
            f"to {low:.6g} to {high:.6g} SU; change the revenue or the limits of the bills"
        )
