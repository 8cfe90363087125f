"""Watts for unequal sockets: shared out so that the slowest rank is as fast as can be.

A job that is balanced on paper waits for its slowest rank: sockets of one kind need different
power for one speed, and ranks carry different loads. The thesis gives every node the same cap and
leaves this open.

Sets and parameters
    r in ranks         one rank per socket
    k in points        measured points of a rank: cap ``p_rk`` [W], ascending, time ``t_rk`` [s]
    P                  power bound of all sockets [W]
Variables
    power[r]           cap of the rank's socket, from ``p_r1`` to its last point
    slowest            time of the slowest rank
Objective
    minimise  slowest
Constraints
    rank[r, k]         slowest >= t_rk + s_rk (power[r] - p_rk), for each segment of the lower
                       convex envelope of the rank's points, of slope ``s_rk``
    bound              sum_r power[r] <= P

Between points time is a straight line. On convex curves the program is exact. Where a measured
curve is not convex, the program's optimum is a bound, and :func:`water_filling`, which is exact
for any falling curve, gives the caps; the certificate shows the gap between the two.

References
----------
Thesis, section 3.5 (non-uniform power: future work; power in proportion to work may do badly) and
7.3.1 (sockets of unequal efficiency).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

import solvers
from planner.configurations.socket_caps import SocketCaps, SocketCapsProblem
from planner.errors import InputError, PlanError
from scenarios.measurements.runs import Floats
from solvers import Certificate, Milp, MilpBuilder, Status
from solvers.model.result import gaps

_BISECTIONS = 200


def uniform(problem: SocketCapsProblem) -> SocketCaps:
    """The same cap on every socket, as far as its points reach."""
    share = np.full(problem.ranks, problem.power_bound_w / problem.ranks)
    return _distribution(problem, "uniform", share)


def in_proportion(problem: SocketCapsProblem, load: ArrayLike) -> SocketCaps:
    """Caps in proportion to load: what the thesis warns of.

    What one socket cannot take is shared among the others in the same proportion.

    Parameters
    ----------
    load
        Work of each rank in any unit, shape ``(ranks,)``.
    """
    weights = np.asarray(load, float)
    if weights.shape != (problem.ranks,) or not ((weights > 0) & (weights < np.inf)).all():
        raise InputError(f"give a load above 0 for each of the {problem.ranks} ranks")
    low, high = problem.cap_w[:, 0], problem.cap_w[:, -1]
    _refuse_too_little(problem)
    least, most = 0.0, float((high / weights).max())
    for _ in range(_BISECTIONS):
        level = (least + most) / 2
        within = np.clip(level * weights, low, high).sum() <= problem.power_bound_w
        least, most = (level, most) if within else (least, level)
    return _distribution(problem, "in proportion to load", least * weights)


def water_filling(problem: SocketCapsProblem) -> SocketCaps:
    """Raise the caps of the slowest ranks until the power is used up.

    The least time ``T`` at which the ranks' least caps for ``T`` add up to no more than the bound;
    exact for every falling curve, since those sums fall as ``T`` rises. Watts that are left then
    (the slowest rank gains nothing from more) raise all caps alike: they cost nothing, and insure
    against curves that are not quite right.
    """
    _refuse_too_little(problem)
    fast = float(problem.time_s[:, -1].max())
    slow = float(problem.time_s[:, 0].max())
    if _least_caps(problem, fast).sum() <= problem.power_bound_w:
        slow = fast
    for _ in range(_BISECTIONS):
        middle = (fast + slow) / 2
        if not fast < middle < slow:
            break
        within = _least_caps(problem, middle).sum() <= problem.power_bound_w
        fast, slow = (fast, middle) if within else (middle, slow)
    return _distribution(problem, "water filling", _with_rest(problem, _least_caps(problem, slow)))


def distribute(
    problem: SocketCapsProblem, *, solver: str = "highs", gap: float = 1e-6
) -> SocketCaps:
    """The caps under which the slowest rank is fastest, with a certificate.

    The caps come from :func:`water_filling`, the bound from the program of this module.

    Raises
    ------
    PlanError
        The bound is below the lowest caps together.
    """
    found = water_filling(problem)
    relaxed = solvers.solve(formulate(problem), solver=solver, gap=gap).certificate
    return SocketCaps("optimal", found.cap_w, found.time_s, _of(found.slowest_s, relaxed, gap))


def formulate(problem: SocketCapsProblem) -> Milp:
    """The linear program of this module's docstring."""
    build = MilpBuilder("min", name="power distribution")
    low, high = problem.cap_w[:, 0], problem.cap_w[:, -1]
    power = build.add_columns(
        problem.ranks, lower=low, upper=high, names=[f"power[{r}]" for r in range(problem.ranks)]
    )
    slowest = int(build.add_columns(1, cost=1.0, names=["slowest"])[0])
    for rank in range(problem.ranks):
        caps, times = _envelope(problem.cap_w[rank], problem.time_s[rank])
        slopes = np.diff(times) / np.diff(caps) if len(caps) > 1 else np.zeros(1)
        count = len(slopes)
        build.add_rows(
            np.repeat(np.arange(count), 2),
            np.tile([slowest, power[rank]], count),
            np.column_stack((np.ones(count), -slopes)).ravel(),
            lower=times[:count] - slopes * caps[:count],
            names=[f"rank[{rank},{k}]" for k in range(count)],
        )
    build.add_rows(
        np.zeros(problem.ranks), power, 1.0, upper=[problem.power_bound_w], names=["bound"]
    )
    return build.model()


def _distribution(problem: SocketCapsProblem, method: str, cap_w: Floats) -> SocketCaps:
    _refuse_too_little(problem)
    caps = np.clip(cap_w, problem.cap_w[:, 0], problem.cap_w[:, -1])
    if caps.sum() > problem.power_bound_w * (1 + 1e-12):  # some lowest caps are above their share
        caps = _lowered(problem, caps)
    return SocketCaps(method, caps, problem.times_at(caps))


def _with_rest(problem: SocketCapsProblem, caps: Floats) -> Floats:
    """Raise all caps by the same, as far as each curve reaches, until the bound is used up."""
    high = problem.cap_w[:, -1]
    least, most = 0.0, float((high - caps).max())
    if high.sum() <= problem.power_bound_w:
        return high
    for _ in range(_BISECTIONS):
        rise = (least + most) / 2
        within = np.minimum(caps + rise, high).sum() <= problem.power_bound_w
        least, most = (rise, most) if within else (least, rise)
    return np.minimum(caps + least, high)


def _lowered(problem: SocketCapsProblem, caps: Floats) -> Floats:
    """Take what is too much from all sockets above their lowest cap, in equal parts of it."""
    low = problem.cap_w[:, 0]
    spare = problem.power_bound_w - low.sum()
    room = caps - low
    lowered: Floats = low + room * (spare / room.sum())
    return lowered


def _least_caps(problem: SocketCapsProblem, time_s: float) -> Floats:
    """Least cap of each rank at which it takes no longer; its last point where none does."""
    caps = np.empty(problem.ranks)
    for rank, (points, times) in enumerate(zip(problem.cap_w, problem.time_s, strict=True)):
        place = int(np.searchsorted(-times, -time_s))  # times fall: the first not above time_s
        if place in (0, len(times)):
            caps[rank] = points[min(place, len(times) - 1)]
            continue
        share = (times[place - 1] - time_s) / (times[place - 1] - times[place])
        caps[rank] = points[place - 1] + share * (points[place] - points[place - 1])
    return caps


def _refuse_too_little(problem: SocketCapsProblem) -> None:
    least = float(problem.cap_w[:, 0].sum())
    if least > problem.power_bound_w * (1 + 1e-12):
        raise PlanError(
            f"{problem.power_bound_w:,.6g} W are less than the lowest caps of all "
            f"{problem.ranks} sockets together, {least:,.6g} W; raise the bound or use fewer"
        )


def _envelope(caps: Floats, times: Floats) -> tuple[Floats, Floats]:
    """Corners of the lower convex envelope of points."""
    hull: list[int] = []
    for point in range(len(caps)):
        while len(hull) > 1 and _is_above(caps, times, hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    return caps[hull], times[hull]


def _is_above(caps: Floats, times: Floats, left: int, middle: int, right: int) -> bool:
    rise = (times[right] - times[left]) * (caps[middle] - caps[left])
    return bool((times[middle] - times[left]) * (caps[right] - caps[left]) >= rise)


def _of(objective: float, relaxed: Certificate, gap: float) -> Certificate:
    """The certificate of the caps, with the bound of the program."""
    absolute, relative = gaps(objective, relaxed.bound)
    closed = relative is not None and relative <= gap
    return replace(
        relaxed,
        status=Status.OPTIMAL if closed else Status.FEASIBLE,
        objective=objective,
        gap_absolute=absolute,
        gap_relative=relative,
    )
