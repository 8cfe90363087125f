r"""Which waiting jobs start now under a power bound, and each in which configuration.

Sets and parameters
    j in J             jobs that wait; wait so far ``s_j`` [ms]; its share of the bound ``P_job``
    k in K_j           configurations of job j that the whole cluster can run: expected time
                       ``t_jk`` [ms], charge ``P_jk`` [W], nodes ``n_jk``. With fair share only
                       those with ``P_jk <= P_job``; if there is none, those of least charge.
                       With a threshold only those of them with ``t_jk <= (1 + th) t_req``; if there
                       is none, the fastest
    th                 threshold: share of the requested time that may be exceeded; none for any
    t_j0               expected time of job j in its configuration of least charge [ms]
    P, N               free watts [W], free nodes
    a                  ageing
    h, r, T            with a reservation: the first waiting job, its configuration that ends
                       first, if running jobs end as expected, and when that starts
    P_T, N_T           free watts and nodes at T, if nothing starts before
    L                  pairs (j, k) that are expected to end after T
Variables
    x_j_k              1 if job j starts now as configuration k
    w_j                1 if job j waits on
Objective
    maximise  sum_jk (t_j0 / t_jk) (1 + s_j / t_j0)^a x_j_k
Constraints
    one_j              w_j + sum_k x_j_k = 1          for every job j
    power              sum_jk P_jk x_j_k <= P
    nodes              sum_jk n_jk x_j_k <= N
  with a reservation
    planned_end_k      x_h_k = 0                      for every k that ends later than r from T on
    head               w_h = 0                        where T is now; or else
    reserved_power     P_hr w_h + sum_(j,k) in L P_jk x_j_k <= P_T
    reserved_nodes     n_hr w_h + sum_(j,k) in L n_jk x_j_k <= N_T

The power-aware speedup ``t_j0 / t_jk`` and this program are those of PARM (Sarood et al., SC14).
``planner/scheduling/power/ilp/knapsack.py`` lists the differences. If several configurations have
the least charge, t_j0 is that of the fewest nodes, then of the least time. Ties between plans are
not broken; of configurations that end at one time, r is the one that starts first, then that of
least charge, of fewest nodes, and the first one. Left out: nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from planner.formulations.choices import solve_exactly
from planner.formulations.solved import CertifiedPlan, SolvedModel, SolveLimits, refuse_large
from planner.formulations.start_now_rules import (
    Offer,
    configurations,
    end_ms,
    reservation,
    violations,
)
from planner.scheduling.power.events.moment import Choice, PowerJob, PowerMoment
from planner.scheduling.power.problem import MS
from solvers.portable import power

__all__ = ["configurations", "formulate", "reservation", "start", "values", "violations"]

if TYPE_CHECKING:
    import pulp

    Starts = list[dict[int, pulp.LpVariable]]


def formulate(
    now: PowerMoment,
    *,
    fair_share: bool = True,
    ageing: float = 1.0,
    threshold: float | None = 0.0,
    reserved: bool = False,
) -> tuple[pulp.LpProblem, Starts]:
    """Return the model of the module's docstring with ``x[j][row of the table]``.

    Raises
    ------
    PlanError
        The model is too large.
    """
    import pulp

    offer: Offer = {"fair_share": fair_share, "threshold": threshold}
    rows = [configurations(now, job, **offer) for job in now.waiting]
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
    starts = [(job, *pair) for job, of_job in zip(now.waiting, x, strict=True)
              for pair in of_job.items()]  # fmt: skip
    charge = {k: int(details.charge_mw[k]) / MS for _, k, _ in starts}
    nodes = {k: int(details.nodes[k]) for _, k, _ in starts}
    model += pulp.lpSum(charge[k] * start for _, k, start in starts) <= now.free_mw / MS, "power"
    model += pulp.lpSum(nodes[k] * start for _, k, start in starts) <= now.free_nodes, "nodes"
    if reserved and rows:
        head = reservation(now, rows[0])
        for k, delayed in x[0].items():
            if end_ms(now, now.waiting[0], k) > head.end_ms:
                model += delayed == 0, f"planned_end_{k}"
        if head.start_ms == now.time_ms:
            model += waits[0] == 0, "head"
            return model, x
        late = [(k, start) for job, k, start in starts if end_ms(now, job, k) > head.start_ms]
        for name, needs, free in (("power", charge, head.free_mw / MS),
                                  ("nodes", nodes, head.free_nodes)):  # fmt: skip
            used = pulp.lpSum(needs[k] * start for k, start in late)
            model += needs[head.row] * waits[0] + used <= free, f"reserved_{name}"
    return model, x


def values(now: PowerMoment, job: PowerJob, rows: list[int], ageing: float) -> list[float]:
    """Power-aware speedups of configurations, weighted by the wait of their job."""
    details = now.details
    possible = configurations(now, job, fair_share=False)
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
    threshold: float | None = 0.0,
    reserved: bool = False,
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
    rules: Offer = {"fair_share": fair_share, "threshold": threshold}
    model, x = formulate(now, ageing=ageing, reserved=reserved, **rules)
    head = None
    if reserved and now.waiting:
        head = reservation(now, configurations(now, now.waiting[0], **rules))

    def read(solved: SolvedModel) -> CertifiedPlan[tuple[Choice, ...]]:
        chosen = (
            Choice(job, k)
            for job, of_job in zip(now.waiting, x, strict=True)
            for k, variable in of_job.items()
            if solved.chosen(variable)
        )
        return CertifiedPlan(tuple(chosen), solved.certificate)

    return solve_exactly(
        model, read, lambda answer: violations(now, answer.plan, head), solver=solver, **limits
    )
