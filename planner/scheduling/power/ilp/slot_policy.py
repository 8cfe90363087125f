"""A time-indexed program in every pass: the queue is planned in slots, and its first slot starts.

Run times are rounded up to slots; what runs keeps its nodes and watts until the slot in which it is
expected to end is over. The sum of ends is minimised, as all turnarounds with it. Jobs that begin
in the first slot start now, all others are planned again at the next event.

The horizon is the length of a list schedule in queue order: its plan always fits, and plans that
are longer are left out. Only the first jobs of a long queue are planned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import solvers
from planner.errors import InputError
from planner.scheduling.power.events.event_driven import Kill, PowerEventDriven
from planner.scheduling.power.events.moment import Choice, PowerJob, PowerMoment
from planner.scheduling.power.ilp.budget import (
    BudgetedDecisions,
    DecisionBudget,
    ProgramAnswer,
    check_solver,
    check_threshold,
)
from planner.scheduling.power.ilp.candidates import (
    CandidateConfigurations,
    expected_ms,
    undominated,
)
from planner.scheduling.power.ilp.naming import SOLVERS, IlpName, SolverName
from planner.scheduling.power.ilp.time_indexed import (
    FreeSlots,
    ProgramColumns,
    SlotOptions,
    columns,
    listed,
    point_of,
    program,
    terms,
)
from planner.scheduling.power.policy import SchedulerDecision
from planner.scheduling.power.problem import MS
from solvers import Status

Integers = NDArray[np.int64]

MOST_TERMS = 400_000
"""Products of a coefficient and a variable; larger programs are not begun."""


@dataclass(eq=False)
class SlotPolicy(PowerEventDriven):
    """Plans the queue in slots and starts what the plan begins now.

    Attributes
    ----------
    solver
        ``highs`` or ``cbc``.
    fair_share
        Whether no job gets more than its fair share of the bound.
    slot_s
        Length of a slot [s]. Shorter slots plan more exactly and take longer.
    window
        Jobs that are planned: the first of the queue.
    most_terms
        Programs with more terms than this are not begun; Adaptive decides.
    budget
        Budget of one decision.
    threshold
        Share of the requested time that a configuration may take longer; ``None`` for any time.
    kill, node_order
        As in :class:`~planner.scheduling.power.events.event_driven.PowerEventDriven`.

    Raises
    ------
    InputError
        An unknown solver; slots, window or terms that are not above 0; or a threshold that is not a
        whole percentage.
    """

    solver: SolverName = "highs"
    fair_share: bool = True
    slot_s: float = 60.0
    window: int = 20
    most_terms: int = MOST_TERMS
    budget: DecisionBudget = field(default_factory=lambda: DecisionBudget(gap=1e-2))
    threshold: float | None = 0.0
    kill: Kill = "never"
    node_order: Sequence[int] | None = None
    _decided: BudgetedDecisions = field(default_factory=BudgetedDecisions, init=False)

    def __post_init__(self) -> None:
        check_solver(self.solver, SOLVERS["slots"])
        check_threshold(self.threshold)
        for name in ("slot_s", "window", "most_terms"):
            value = getattr(self, name)
            if not 0 < value < np.inf:
                raise InputError(f"{name} = {value}; give a finite number above 0")

    @property
    def name(self) -> str:
        """Name in tables: ``ilp-slots-highs``, ``ilp-slots-cbc-any-unfair``, ..."""
        return str(IlpName("slots", self.solver, self.threshold, self.fair_share))

    def decide(self, now: PowerMoment) -> list[Choice]:
        """Return the jobs that start now."""
        return self._decided.make(now, self._by_program, self.solver)

    def decisions(self) -> list[SchedulerDecision]:
        """Return every decision so far."""
        return self._decided.record

    def _by_program(self, now: PowerMoment, known: CandidateConfigurations) -> ProgramAnswer:
        plan = SlotPlan.of(
            now,
            known,
            self.window,
            self._slot_ms,
            fair_share=self.fair_share,
            threshold=self.threshold,
        )
        program_columns = columns(plan.options, len(plan.free))
        if terms(plan.options, program_columns) > self.most_terms:
            return ProgramAnswer(None, None)
        result = solvers.solve(
            program(plan.options, program_columns, plan.cost(program_columns), plan.free),
            solver=self.solver,
            gap=self.budget.gap,
            time_limit_s=self.budget.time_limit_s,
            node_limit=self.budget.nodes,
            start=point_of(program_columns, plan.chosen, plan.start),
            proof="never",
        )
        gap = result.certificate.gap_relative
        if result.status is not Status.OPTIMAL or result.x is None:
            return ProgramAnswer(None, gap)
        taken = np.flatnonzero(result.x > 0.5)
        starts = plan.starting(program_columns.option[taken], program_columns.start[taken])
        error = plan.slot_error(program_columns.option[taken])
        return ProgramAnswer(starts if _fit(now, starts) else None, gap, error)

    @property
    def _slot_ms(self) -> int:
        return max(1, round(self.slot_s * MS))


@dataclass(frozen=True, eq=False)
class SlotPlan:
    """The first jobs of a queue in slots, with a list schedule that sets the horizon.

    Attributes
    ----------
    jobs
        In order of submission.
    options
        Their configurations, not dominated in slots, nodes and watts.
    expected_ms
        Expected time of each option [ms].
    slot_ms
        Length of a slot [ms].
    free
        What is free in each slot of the horizon.
    chosen, start
        Option and first slot of each job in the list schedule.
    """

    jobs: tuple[PowerJob, ...]
    options: SlotOptions
    expected_ms: Integers
    slot_ms: int
    free: FreeSlots
    chosen: Integers
    start: Integers

    @classmethod
    def of(
        cls,
        now: PowerMoment,
        candidates: CandidateConfigurations,
        window: int,
        slot_ms: int,
        *,
        fair_share: bool,
        threshold: float | None = 0.0,
    ) -> SlotPlan:
        """Round up to slots, and schedule in queue order."""
        jobs = now.waiting[:window]
        rows = [candidates.of(job, fair_share=fair_share, threshold=threshold) for job in jobs]
        tables = [_in_slots(now, job, row, slot_ms) for job, row in zip(jobs, rows, strict=True)]
        row, expected, slots = (np.concatenate(column) for column in zip(*tables, strict=True))
        first = np.cumsum([0, *(len(table[0]) for table in tables)])
        details, none = now.details, np.zeros(len(jobs), dtype=np.int64)
        options = SlotOptions(
            first, row, slots, details.nodes[row], details.charge_mw[row], release=none
        )
        # Behind all ends the jobs fit one after the other, each in its shortest option, so the list
        # schedule is never longer than that.
        longest = int(np.minimum.reduceat(slots, first[:-1]).sum())
        free = free_slots(now, slot_ms, longest)
        chosen, start = listed(options, free)
        horizon = int((start + slots[chosen]).max())
        return cls(jobs, options, expected, slot_ms, free.first(horizon), chosen, start)

    def cost(self, program_columns: ProgramColumns) -> NDArray[np.float64]:
        """End of each column, in slots."""
        return (program_columns.start + self.options.slots[program_columns.option]).astype(
            np.float64
        )

    def starting(self, option: Integers, start: Integers) -> tuple[Choice, ...]:
        """Return what begins in the first slot, in order of jobs."""
        now = np.sort(option[start == 0])
        pairs = zip(self.options.job[now].tolist(), self.options.row[now].tolist(), strict=True)
        return tuple(Choice(self.jobs[job], row) for job, row in pairs)

    def slot_error(self, option: Integers) -> float:
        """Return what rounding adds to the planned run times together, as a share of them."""
        expected = int(self.expected_ms[option].sum())
        return (int(self.options.slots[option].sum()) * self.slot_ms - expected) / expected


def free_slots(now: PowerMoment, slot_ms: int, beyond: int) -> FreeSlots:
    """Return what is free in each slot until all ends are over, and ``beyond`` slots more."""
    # Rounded up: a slot in which something ends is not free yet.
    ends = [(-(-(end_ms - now.time_ms) // slot_ms), *use) for end_ms, *use in now.ends()]
    count = max((end[0] for end in ends), default=0) + beyond
    nodes, charge = np.full(count, now.nodes), np.full(count, now.bound_mw)
    for slots, used_nodes, used_mw in ends:
        nodes[:slots] -= used_nodes
        charge[:slots] -= used_mw
    return FreeSlots(nodes, charge)


def _in_slots(
    now: PowerMoment, job: PowerJob, row: Integers, slot_ms: int
) -> tuple[Integers, Integers, Integers]:
    """Return rows of a job, their expected times [ms] and lengths in slots."""
    expected = expected_ms(job, now.details.time_ms[row])
    order = np.argsort(expected, kind="stable")  # of those that are alike in slots the fastest
    row, expected = row[order], expected[order]
    slots: Integers = -(-expected // slot_ms)
    in_slots = undominated(slots, now.details.nodes[row], now.details.charge_mw[row])
    return row[in_slots], expected[in_slots], slots[in_slots]


def _fit(now: PowerMoment, choices: Sequence[Choice]) -> bool:
    """Whether all fit in whole nodes and milliwatts: solvers keep rows within a tolerance only."""
    rows = [row for _, row in choices]
    nodes = int(now.details.nodes[rows].sum()) if rows else 0
    charge = int(now.details.charge_mw[rows].sum()) if rows else 0
    return nodes <= now.free_nodes and charge <= now.free_mw
