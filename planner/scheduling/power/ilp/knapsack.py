r"""A multiple-choice knapsack in each pass: which jobs start now, in which configuration.

Sets and parameters
    j in J             jobs that wait; waiting time ``s_j`` [s]
    k in K_j           configurations of job j: expected time ``t_jk`` [s], charge ``P_jk`` [mW],
                       nodes ``n_jk``; with fair share only those with ``P_jk <= P_job``; of these
                       the ones with ``t_jk <= (1 + th) t_req``, or else the fastest one
    th                 threshold; none for any time
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

With a reservation for the first waiting job h, at time ``T`` in the configuration r that ends first
    P_T, N_T           free watts and nodes at T, if nothing starts before
    L                  pairs (j, k) that are expected to end after T
Constraints
    reserved watts     sum_(j,k) in L P_jk x[j, k] + P_hr (1 - sum_k x[h, k]) <= P_T
    reserved nodes     sum_(j,k) in L n_jk x[j, k] + n_hr (1 - sum_k x[h, k]) <= N_T
    head               sum_k x[h, k] = 1, where T is now
    planned end        x[h, k] = 0 for every k that would end later than r from T on

``t_j0 / t_jk`` is the power-aware speedup. Its weight is 1 for a job that has just been submitted,
and grows with the wait in run times; ``a = 0`` turns ageing off. With ``a = 1``, the default, the
value of a job is its turnaround so far, at least power, over its run time. Ageing makes no
reservation: a job that needs most of the cluster waits while smaller jobs together have more value.
With a reservation nobody starves: the planned end of the first waiting job never moves back.

The objective counts starts: it prefers several slow ones to a fast one. With ``th = 0``, the
default, that ends where a job would exceed its request, as under Adaptive.

References
----------
Sarood, Langer, Gupta and Kale, "Maximizing throughput of overprovisioned HPC data centers under a
strict power budget", SC14: the program of PARM and its power-aware speedup, the time with least
power and fewest nodes over the time as configured. There are six departures. Running jobs keep
their configuration (PARM shrinks and expands them). The weight against starvation is a ratio, so it
does not favour long jobs. The base is the configuration of least charge. Fair share and threshold
are RMAP's (Patki 2015, sections 5.1 and 5.2); PARM has none, which is ``threshold=None`` and
``fair_share=False``. The reservation is that of EASY (Mu'alem and Feitelson 2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from planner.errors import InputError
from planner.scheduling.power.events.event_driven import Kill, PowerEventDriven
from planner.scheduling.power.events.moment import Choice, PowerMoment
from planner.scheduling.power.ilp.budget import (
    BudgetedDecisions,
    DecisionBudget,
    ProgramAnswer,
    check_solver,
    check_threshold,
)
from planner.scheduling.power.ilp.candidates import CandidateConfigurations
from planner.scheduling.power.ilp.naming import SOLVERS, Family, IlpName, SolverName
from planner.scheduling.power.ilp.options import offered
from planner.scheduling.power.policy import SchedulerDecision
from solvers import Status
from solvers.choice import solve_choice

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
    threshold
        Share of the requested time that a configuration may take longer; ``None`` for any time.
    reserved
        Whether the first waiting job has a reservation.
    kill, node_order
        As in :class:`~planner.scheduling.power.events.event_driven.PowerEventDriven`.

    Raises
    ------
    InputError
        An unknown solver, ageing below 0, or a threshold that is not a whole percentage.
    """

    solver: SolverName = "engine"
    fair_share: bool = True
    ageing: float = 1.0
    budget: DecisionBudget = field(default_factory=DecisionBudget)
    threshold: float | None = 0.0
    reserved: bool = False
    kill: Kill = "never"
    node_order: Sequence[int] | None = None
    _decided: BudgetedDecisions = field(default_factory=BudgetedDecisions, init=False)

    def __post_init__(self) -> None:
        check_solver(self.solver, SOLVERS["knapsack"])
        check_threshold(self.threshold)
        if not 0 <= self.ageing < np.inf:
            raise InputError(f"ageing = {self.ageing}; give a finite number of at least 0")

    @property
    def name(self) -> str:
        """Name in tables: ``ilp-engine``, ``ilp-highs-unfair``, ``ilp-reserved-cbc-20``, ..."""
        family: Family = "reserved" if self.reserved else "knapsack"
        return str(IlpName(family, self.solver, self.threshold, self.fair_share))

    def decide(self, now: PowerMoment) -> list[Choice]:
        """Return the jobs that start now."""
        return self._decided.make(now, self._by_program, self.solver)

    def decisions(self) -> list[SchedulerDecision]:
        """Return every decision so far."""
        return self._decided.record

    def _by_program(self, now: PowerMoment, known: CandidateConfigurations) -> ProgramAnswer:
        options = offered(
            now,
            known,
            fair_share=self.fair_share,
            ageing=self.ageing,
            threshold=self.threshold,
            reserved=self.reserved,
        )
        # Nothing fits: to wait is optimal without a program.
        if not len(options.row):
            return ProgramAnswer((), 0.0)
        result = solve_choice(
            options.knapsack(),
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
