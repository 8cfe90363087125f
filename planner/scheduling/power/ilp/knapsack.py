r"""A multiple-choice knapsack in each pass: which jobs start now, in which configuration.

Sets and parameters
    j in J             jobs that wait; waiting time ``s_j`` [s]
    k in K_j           configurations of job j: expected time ``t_jk`` [s], charge ``P_jk`` [mW],
                       nodes ``n_jk``; with fair share only those with ``P_jk <= P_job``
    t_j0               expected time of job j in its configuration of least charge [s]
    P, N               free watts [mW], free nodes
    a                  ageing, at least 0
Variables
    x[j, k]            1 if job j starts now as configuration k
Objective
    maximise  sum_jk (t_j0 / t_jk) (1 + s_j / t_j0)^a x[j, k]
Constraints
    one                sum_k x[j, k] <= 1 for every job
    watts              sum_jk P_jk x[j, k] <= P
    nodes              sum_jk n_jk x[j, k] <= N

``t_j0 / t_jk`` is the power-aware speedup. Its weight is 1 for a job that has just been submitted,
and grows with the wait in run times; ``a = 0`` turns ageing off. With ``a = 1``, the default, the
value of a job is its turnaround so far, at least power, over its run time. Ageing makes no
reservation: a job that needs most of the cluster waits while smaller jobs together have more value.

References
----------
Sarood, Langer, Gupta and Kale, "Maximizing throughput of overprovisioned HPC data centers under a
strict power budget", SC14: the program of PARM and its power-aware speedup, the time with least
power and fewest nodes over the time as configured. There are four departures. Running jobs keep
their configuration (PARM shrinks and expands them). The weight against starvation is a ratio, so it
does not favour long jobs. The base is the configuration of least charge. Fair share is RMAP's
(Patki 2015, section 5.1); PARM has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.scheduling.power.events.event_driven import Kill, PowerEventDriven
from planner.scheduling.power.events.moment import Choice, PowerJob, PowerMoment
from planner.scheduling.power.ilp.budget import (
    SOLVER_NAMES,
    BudgetedDecisions,
    DecisionBudget,
    ProgramAnswer,
    SolverName,
    check_solver,
)
from planner.scheduling.power.ilp.candidates import CandidateConfigurations, expected_ms
from planner.scheduling.power.policy import SchedulerDecision
from solvers import Status
from solvers.choice import Choice as Knapsack
from solvers.choice import solve_choice
from solvers.portable import power

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_METHODS: dict[SolverName, str] = {"engine": "lagrangian", "highs": "highs", "cbc": "cbc"}


@dataclass(eq=False)
class KnapsackPolicy(PowerEventDriven):
    """Starts the jobs with the largest weighted power-aware speedup together.

    Attributes
    ----------
    solver
        ``engine``: :mod:`solvers.choice`, its bound proved in exact decimals. ``highs``, ``cbc``:
        the integer program of the rows that are not dominated; the bound is the solver's word.
        HiGHS runs in one worker for all decisions, CBC as a process for every one
        (docs/power-ilp.md).
    fair_share
        Whether no job gets more than its fair share of the bound.
    ageing
        Exponent of the weight against starvation; 0 for none.
    budget
        Budget of one decision.
    kill, node_order
        As in :class:`~planner.scheduling.power.events.event_driven.PowerEventDriven`.

    Raises
    ------
    InputError
        An unknown solver, or ageing below 0.
    """

    solver: SolverName = "engine"
    fair_share: bool = True
    ageing: float = 1.0
    budget: DecisionBudget = field(default_factory=DecisionBudget)
    kill: Kill = "never"
    node_order: Sequence[int] | None = None
    _decided: BudgetedDecisions = field(default_factory=BudgetedDecisions, init=False)
    _candidates: CandidateConfigurations | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        check_solver(self.solver, tuple(_METHODS))
        if not 0 <= self.ageing < np.inf:
            raise InputError(f"ageing = {self.ageing}; give a finite number of at least 0")

    @property
    def name(self) -> str:
        """Name in tables: ``ilp-engine``, ``ilp-highs-unfair``, ..."""
        return f"ilp-{self.solver}{'' if self.fair_share else '-unfair'}"

    def decide(self, now: PowerMoment) -> list[Choice]:
        """Return the jobs that start now."""
        return self._decided.make(now, self._by_program, SOLVER_NAMES[self.solver])

    def decisions(self) -> list[SchedulerDecision]:
        """Return every decision so far."""
        return self._decided.record

    def _by_program(self, now: PowerMoment) -> ProgramAnswer:
        if self._candidates is None:
            self._candidates = CandidateConfigurations.at(now)
        options = offered(now, self._candidates, fair_share=self.fair_share, ageing=self.ageing)
        if not options.jobs:
            return ProgramAnswer((), 0.0)
        result = solve_choice(
            options.knapsack(now),
            method=_METHODS[self.solver],
            gap=self.budget.gap,
            time_limit_s=self.budget.time_limit_s,
            node_limit=self.budget.nodes,
            presolve=self.solver != "highs",  # it compares all columns of a job in pairs
            proof="auto" if self.solver == "engine" else "never",
        )
        gap = result.certificate.gap_relative
        if result.status is not Status.OPTIMAL or result.chosen is None:
            return ProgramAnswer(None, gap)
        return ProgramAnswer(tuple(options.started(result.chosen)), gap)


@dataclass(frozen=True, eq=False)
class KnapsackOptions:
    """Configurations that could start now, of the waiting jobs that have any.

    Attributes
    ----------
    jobs
        In order of submission.
    first
        Options of ``jobs[i]`` are ``first[i]`` to ``first[i + 1]``.
    row
        Row of the job details table of each option, shape ``(options,)``.
    value
        Weighted power-aware speedup, shape ``(options,)``.
    """

    jobs: tuple[PowerJob, ...]
    first: Integers
    row: Integers
    value: Floats

    def knapsack(self, now: PowerMoment) -> Knapsack:
        """Return the choice: item 0 of every class is to wait."""
        count, details = len(self.jobs), now.details
        starts = self.first + np.arange(count + 1)
        runs = np.ones(int(starts[-1]), dtype=np.bool_)
        runs[starts[:-1]] = False
        value, weights = np.zeros(len(runs)), np.zeros((len(runs), 2))
        value[runs] = self.value
        weights[runs, 0], weights[runs, 1] = details.nodes[self.row], details.charge_mw[self.row]
        budgets = np.array([now.free_nodes, now.free_mw], dtype=np.float64)
        return Knapsack(starts, value, weights, budgets, "max", "start now", ("nodes", "mW"))

    def started(self, chosen: Integers) -> list[Choice]:
        """Return jobs that a choice of :meth:`knapsack` starts."""
        choices = chosen - (self.first[:-1] + np.arange(len(self.jobs))) - 1
        return [
            Choice(job, int(self.row[first + option]))
            for job, first, option in zip(self.jobs, self.first, choices.tolist(), strict=False)
            if option >= 0
        ]


def offered(
    now: PowerMoment, candidates: CandidateConfigurations, *, fair_share: bool, ageing: float
) -> KnapsackOptions:
    """Return everything that could start now, with its value."""
    details = now.details
    jobs, rows, values = list[PowerJob](), list[Integers](), list[Floats]()
    for job in now.waiting:
        row = candidates.of(job, fair_share=fair_share)
        fits = (details.nodes[row] <= now.free_nodes) & (details.charge_mw[row] <= now.free_mw)
        if fits.any():
            jobs.append(job)
            rows.append(row[fits])
            least_power_ms = int(details.time_ms[candidates.least_power(job.application)])
            values.append(_value(now, job, least_power_ms, details.time_ms[row[fits]], ageing))
    first = np.cumsum([0, *map(len, rows)])
    none = np.empty(0)
    return KnapsackOptions(
        tuple(jobs),
        first,
        np.concatenate([none.astype(np.int64), *rows]),
        np.concatenate([none, *values]),
    )


def _value(
    now: PowerMoment, job: PowerJob, least_power_ms: int, time_ms: Integers, ageing: float
) -> Floats:
    base = job.expected_ms(least_power_ms)
    weight = power(1 + (now.time_ms - job.submit_ms) / base, ageing)
    value: Floats = base / expected_ms(job, time_ms) * weight
    return value
