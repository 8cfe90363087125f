r"""Which waiting jobs start now under a power bound, and each in which configuration.

Sets and parameters
    j in J             jobs that wait; wait so far ``s_j`` [ms]; its share of the bound ``P_job``
    k in K_j           configurations of job j that the whole cluster can run: expected time
                       ``t_jk`` [ms], charge ``P_jk`` [W], nodes ``n_jk``. With fair share only
                       those with ``P_jk <= P_job``; if there is none, those of least charge
    t_j0               expected time of job j in its configuration of least charge [ms]
    P, N               free watts [W], free nodes
    a                  ageing
Variables
    x_j_k              1 if job j starts now as configuration k
    w_j                1 if job j waits on
Objective
    maximise  sum_jk (t_j0 / t_jk) (1 + s_j / t_j0)^a x_j_k
Constraints
    one_j              w_j + sum_k x_j_k = 1          for every job j
    power              sum_jk P_jk x_j_k <= P
    nodes              sum_jk n_jk x_j_k <= N

The power-aware speedup ``t_j0 / t_jk`` and this program are those of PARM (Sarood et al., SC14).
``planner/scheduling/power/ilp/knapsack.py`` lists the differences. If several configurations have
the least charge, t_j0 is that of the fewest nodes, then of the least time. Ties between plans are
not broken. Left out: nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from planner.formulations.choices import solve_exactly
from planner.formulations.solved import CertifiedPlan, SolvedModel, SolveLimits, refuse_large
from planner.scheduling.power.events.moment import Choice, PowerJob, PowerMoment
from planner.scheduling.power.problem import MS
from solvers.portable import power

if TYPE_CHECKING:
    import pulp

    Starts = list[dict[int, pulp.LpVariable]]


def formulate(
    now: PowerMoment, *, fair_share: bool = True, ageing: float = 1.0
) -> tuple[pulp.LpProblem, Starts]:
    """Write the model of the module's docstring; return it with ``x[j][row of the table]``.

    Raises
    ------
    PlanError
        The model is too large for plain algebra.
    """
    import pulp

    rows = [configurations(now, job, fair_share=fair_share) for job in now.waiting]
    refuse_large("start now", 4 * sum(map(len, rows)), "use the engine")
    details, model = now.details, pulp.LpProblem("start_now", pulp.LpMaximize)
    x: Starts = [
        {k: model.add_variable(f"x_{j}_{k}", cat="Binary") for k in of_job}
        for j, of_job in enumerate(rows)
    ]
    waits = [model.add_variable(f"w_{j}", cat="Binary") for j in range(len(x))]
    model += pulp.lpSum(
        pulp.lpDot(values(now, job, list(of_job), ageing), list(of_job.values()))
        for job, of_job in zip(now.waiting, x, strict=True)
    )
    for j, (wait, of_job) in enumerate(zip(waits, x, strict=True)):
        model += wait + pulp.lpSum(of_job.values()) == 1, f"one_{j}"
    starts = [pair for of_job in x for pair in of_job.items()]
    charge = pulp.lpSum(int(details.charge_mw[k]) / MS * start for k, start in starts)
    model += charge <= now.free_mw / MS, "power"
    model += (
        pulp.lpSum(int(details.nodes[k]) * start for k, start in starts) <= now.free_nodes,
        ("nodes"),
    )
    return model, x


def configurations(now: PowerMoment, job: PowerJob, *, fair_share: bool = True) -> list[int]:
    """Return the rows of the job details table that are ``K_j``."""
    details, part = now.details, now.details.rows(job.application)
    possible = [
        k
        for k in range(part.start, part.stop)
        if details.nodes[k] <= now.nodes and details.charge_mw[k] <= now.bound_mw
    ]
    if not fair_share:
        return possible
    least_mw = min((details.charge_mw[k] for k in possible), default=0)
    share = max(least_mw, job.fair_share_mw)
    return [k for k in possible if details.charge_mw[k] <= share]


def values(now: PowerMoment, job: PowerJob, rows: list[int], ageing: float) -> list[float]:
    """Power-aware speedups of configurations, weighted by the wait of their job."""
    details, possible = now.details, configurations(now, job, fair_share=False)
    order = details.charge_mw, details.nodes, details.time_ms
    shortest_ms = now.expected_ms(
        job, min(possible, key=lambda row: tuple(of[row] for of in order))
    )
    weight = power(1 + (now.time_ms - job.submit_ms) / shortest_ms, ageing)
    return [float(shortest_ms / now.expected_ms(job, k) * weight) for k in rows]


def start(
    now: PowerMoment,
    *,
    fair_share: bool = True,
    ageing: float = 1.0,
    solver: str = "cbc",
    **limits: Unpack[SolveLimits],
) -> CertifiedPlan[tuple[Choice, ...]]:
    """Solve the reference formulation and read which jobs start.

    Raises
    ------
    InputError
        An unknown solver.
    PlanError
        The model is too large, or no solution was found within the limits.
    """
    model, x = formulate(now, fair_share=fair_share, ageing=ageing)

    def read(solved: SolvedModel) -> CertifiedPlan[tuple[Choice, ...]]:
        chosen = (
            Choice(job, k)
            for job, of_job in zip(now.waiting, x, strict=True)
            for k, variable in of_job.items()
            if solved.chosen(variable)
        )
        return CertifiedPlan(tuple(chosen), solved.certificate)

    return solve_exactly(
        model, read, lambda answer: violations(now, answer.plan), solver=solver, **limits
    )


def violations(now: PowerMoment, choices: tuple[Choice, ...]) -> list[str]:
    """List the resources of which jobs that start now use more than is free."""
    details, rows = now.details, [row for _, row in choices]
    nodes = sum(int(details.nodes[row]) for row in rows)
    charge = sum(int(details.charge_mw[row]) for row in rows)
    problems = []
    if nodes > now.free_nodes:
        problems.append(f"the jobs need {nodes} nodes, and {now.free_nodes} are free")
    if charge > now.free_mw:
        problems.append(
            f"the jobs draw {charge / MS:,.6g} W, and {now.free_mw / MS:,.6g} W are free"
        )
    return problems
