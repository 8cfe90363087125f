r"""Bounds from node-seconds and watt-seconds: in any order, the work must fit.

Makespan: sets and parameters
    j in J             jobs, submitted at ``r_j``
    o in O_j           options of job j: time ``t_o``, nodes ``n_o``, charge ``P_o`` [W]
    N, P               nodes and power bound [W]
    r in R             submit times, each once
Variables
    x[o]               1 if its job runs as option o
    M                  time at which the last job has ended
Objective
    minimise  M
Constraints
    one                sum_o x[o] = 1 for every job
    end                r_j + sum_o t_o x[o] <= M for every job
    nodes              sum of n_o t_o x[o] over jobs with r_j >= r is at most N (M - r), for every r
    watts              the same with P_o and P

Jobs submitted from ``r`` on cannot use the time before r. Nodes and watts in use when the log
begins count too: their use after r and up to the latest of the jobs' least ends. M is at least that
end, and nothing more is known of M.

Turnaround: consider one machine that works on one job at a time. Job j takes the least
``t_o (a n_o / N + (1 - a) P_o / P)`` of its options there. For each a, any schedule becomes a
schedule of this machine, because a job's share of the machine times its duration is its work. No
job ends later there than in the original schedule. Shortest remaining work first has the least sum
of ends (Schrage 1968).
"""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

import solvers
from planner.scheduling.power.offline.problem import Hindsight
from planner.scheduling.power.problem import MS
from solvers import Milp, MilpBuilder

Floats = NDArray[np.float64]

_SHARES = 21
"""Mixtures of nodes and watts that are tried, from 0 to 1."""


def least_makespan_ms(problem: Hindsight, *, time_limit_s: float | None = None) -> float:
    """Bound on the makespan, by HiGHS [ms]; the solver's word, in units of 1e-6 below it."""
    program = formulate(problem)
    solved = solvers.solve(program, gap=1e-4, time_limit_s=time_limit_s, node_limit=2_000)
    # No makespan is below 0, which is the bound where the solver proves none.
    bound = solved.certificate.bound or 0.0
    seconds = bound - 1e-6 * abs(bound) - float(problem.submit.min()) * problem.unit_ms / MS
    return max(seconds * MS, 0.0)


def formulate(problem: Hindsight) -> Milp:
    """Write the program of the module's docstring; times in seconds, the last column is M."""
    build = MilpBuilder("min", name="energy")
    second = problem.unit_ms / MS
    time, submit = problem.time * second, problem.submit * second
    job, count = problem.job_of_option, len(problem.time)
    x = build.add_columns(count, upper=1.0, integer=True, label="x")
    last = int(build.add_columns(1, cost=1.0, label="M")[0])
    ones = np.ones(len(problem))
    build.add_rows(job, x, np.ones(count), lower=ones, upper=ones, label="one")
    jobs = np.arange(len(problem))
    # M is at least this, so up to then what is in use takes room in every schedule.
    certain = float((submit + np.minimum.reduceat(time, problem.first[:-1])).max())
    build.add_rows(
        np.r_[job, jobs],
        np.r_[x, np.full(len(jobs), last)],
        np.r_[time, -ones],
        upper=-submit,
        label="end",
    )
    for name, (nodes_or_watts, capacity, in_use) in zip(
        ("nodes", "watts"), _resources(problem), strict=True
    ):
        # Divided by the capacity: all coefficients are seconds.
        work = nodes_or_watts * time / capacity
        for r, begin in enumerate(np.unique(submit)):
            late = np.flatnonzero(submit[job] >= begin)
            held = sum(use * max(min(end * second, certain) - begin, 0) for end, use in in_use)
            held /= capacity
            columns, values = np.r_[x[late], last], np.r_[work[late], -1.0]
            build.add_rows(
                np.zeros(len(columns)), columns, values, upper=[-begin - held], label=f"{name}_{r}"
            )
    return build.model()


def _resources(problem: Hindsight) -> list[tuple[Floats, float, list[tuple[int, float]]]]:
    nodes = [(end, float(used)) for end, used, _ in problem.occupied]
    watts = [(end, charge / MS) for end, _, charge in problem.occupied]
    return [
        (problem.used_nodes.astype(np.float64), float(problem.nodes), nodes),
        (problem.charge_mw / MS, problem.bound_mw / MS, watts),
    ]


def least_turnaround_ms(problem: Hindsight) -> float:
    """Bound on the mean turnaround, by one machine that may interrupt jobs [ms]."""
    shortest = np.minimum.reduceat(problem.time, problem.first[:-1])
    # Each job alone on the cluster is a bound, and so is each mixture: the largest counts.
    sums = [float((problem.submit + shortest).sum())]
    share = problem.used_nodes / problem.nodes, problem.charge_mw / problem.bound_mw
    for mixture in np.linspace(0, 1, _SHARES):
        work = problem.time * (mixture * share[0] + (1 - mixture) * share[1])
        least_work = np.minimum.reduceat(work, problem.first[:-1])
        sums.append(ends_in_sum(problem.submit.tolist(), least_work.tolist()))
    mean = (max(sums) - float(problem.submit.sum())) / len(problem)
    # Sums of floating point may lie a few units of the last place above the bound.
    return mean * problem.unit_ms * (1 - 1e-12)


def ends_in_sum(release: list[int], work: list[float]) -> float:
    """Return the least sum of ends on one preemptive machine: shortest remaining work first."""
    order = sorted(range(len(work)), key=lambda job: release[job])
    queue, now, total, released = list[float](), 0.0, 0.0, 0
    # At the head the queue holds what remains of the jobs released by `now`. An exchange argument
    # shows that the shortest remaining work must come first (Schrage 1968).
    while queue or released < len(order):
        if not queue:
            now = max(now, float(release[order[released]]))
        while released < len(order) and release[order[released]] <= now:
            heappush(queue, work[order[released]])
            released += 1
        until = float(release[order[released]]) if released < len(order) else np.inf
        remaining = heappop(queue)
        if now + remaining <= until:
            now += remaining
            total += now
        else:
            heappush(queue, remaining - (until - now))
            now = until
    return total
