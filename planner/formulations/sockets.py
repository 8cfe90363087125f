r"""Watts shared out among the sockets of one job, so that its slowest rank is as fast as can be.

Sets and parameters
    r in R             ranks, one per socket
    k in K_r           straight pieces of a rank's time over its cap, between neighbouring
                       measured points: ``a_rk power + b_rk`` [s] from ``p_rk`` to ``q_rk`` [W]
    P                  power bound of all sockets [W]
Variables
    use_r_k            1 if the cap of rank r lies in piece k
    power_r_k          the cap of rank r if it lies in piece k, else 0 [W]
    T                  time of the slowest rank [s]
Objective
    minimise  T
Constraints
    one_r              sum_k use_r_k = 1                                for every rank r
    least_r_k          p_rk use_r_k <= power_r_k
    most_r_k           power_r_k <= q_rk use_r_k
    rank_r             sum_k (a_rk power_r_k + b_rk use_r_k) <= T       for every rank r
    bound              sum_rk power_r_k <= P

The thesis gives every socket the same cap; unequal caps are its future work (section 3.5; sockets
of unequal efficiency, section 7.3.1). Times fall or stay as caps rise: the problem sees to it. The
program is exact for every such curve, convex or not. On convex curves the binaries are not
needed: the engine's linear program over convex envelopes has the same value.

Left out: what happens to watts that save nothing. The engine raises all caps alike with them;
here they stay wherever the solver leaves them. T is the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from planner.configurations.socket_caps import SocketCaps, SocketCapsProblem, violations
from planner.errors import PlanError
from planner.formulations.solved import SolveLimits, refuse_large, solve

if TYPE_CHECKING:
    import pulp

    Caps = list[list[pulp.LpVariable]]


def formulate(problem: SocketCapsProblem) -> tuple[pulp.LpProblem, Caps]:
    """Return the model of the module's docstring with ``power[r][k]``.

    Raises
    ------
    PlanError
        The model is too large.
    """
    import pulp

    refuse_large("sockets", 8 * problem.cap_w.size, "use the engine")
    model = pulp.LpProblem("sockets", pulp.LpMinimize)
    slowest = model.add_variable("T", lowBound=0)
    model += slowest
    power: Caps = []
    for r in range(problem.ranks):
        times, uses, caps = [], [], []
        for k, (p, q, a, b) in enumerate(_pieces(problem, r)):
            use = model.add_variable(f"use_{r}_{k}", cat="Binary")
            cap = model.add_variable(f"power_{r}_{k}", lowBound=0, upBound=q)
            model += p * use <= cap, f"least_{r}_{k}"
            model += cap <= q * use, f"most_{r}_{k}"
            times.append(a * cap + b * use)
            uses.append(use)
            caps.append(cap)
        model += pulp.lpSum(uses) == 1, f"one_{r}"
        model += pulp.lpSum(times) <= slowest, f"rank_{r}"
        power.append(caps)
    total = pulp.lpSum(cap for caps in power for cap in caps)
    model += total <= problem.power_bound_w, "bound"
    return model, power


def distribute(
    problem: SocketCapsProblem, *, solver: str = "cbc", **limits: Unpack[SolveLimits]
) -> SocketCaps:
    """Solve the reference formulation and read the caps.

    Raises
    ------
    PlanError
        The bound is below the lowest caps together, or the model is too large.
    """
    model, power = formulate(problem)
    solved = solve(model, solver=solver, **limits)
    caps = np.array([sum(solved.value(cap) for cap in of_rank) for of_rank in power])
    caps = np.clip(caps, problem.cap_w[:, 0], problem.cap_w[:, -1])
    method = f"reference ({solver})"
    distribution = SocketCaps(method, caps, problem.times_at(caps), solved.certificate)
    broken = violations(problem, distribution)
    if broken:
        raise PlanError(
            f"sockets: {solver} satisfies the constraints only within its tolerance "
            f"({'; '.join(broken)}); use the engine"
        )
    return distribution


def _pieces(problem: SocketCapsProblem, rank: int) -> list[tuple[float, float, float, float]]:
    """From, to, slope and intercept of a rank's straight pieces; one point is one piece."""
    caps, times = problem.cap_w[rank].tolist(), problem.time_s[rank].tolist()
    if len(caps) == 1:
        return [(caps[0], caps[0], 0.0, times[0])]
    pieces = []
    for p, q, start, end in zip(caps, caps[1:], times, times[1:], strict=False):
        slope = (end - start) / (q - p)
        pieces.append((p, q, slope, start - slope * p))
    return pieces
