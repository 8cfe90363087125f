"""What could start now, as a knapsack: options of the waiting jobs, their values and budgets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.power.events.moment import Choice, PowerJob, PowerMoment
from planner.scheduling.power.ilp.candidates import CandidateConfigurations, expected_ms
from planner.scheduling.power.ilp.reservation import Reservation, reservation_of
from solvers.choice import Choice as Knapsack
from solvers.portable import power

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class KnapsackOptions:
    """Configurations that could start now, of the waiting jobs that have any.

    Attributes
    ----------
    now
        The moment.
    jobs
        In order of submission. With a reservation the first waiting job is one of them in any case.
    first
        Options of ``jobs[i]`` are ``first[i]`` to ``first[i + 1]``.
    row
        Row of the job details table of each option, shape ``(options,)``.
    value
        Weighted power-aware speedup, shape ``(options,)``.
    end_ms
        Expected end, shape ``(options,)`` [ms].
    reservation
        The one of the first waiting job; ``None`` for none.
    """

    now: PowerMoment
    jobs: tuple[PowerJob, ...]
    first: Integers
    row: Integers
    value: Floats
    end_ms: Integers
    reservation: Reservation | None = None

    def knapsack(self) -> Knapsack:
        """Return the choice. Item 0 of every class is to wait.

        The first waiting job has no such item if its reservation begins now. Otherwise its waiting
        uses what is reserved, as do other jobs that are expected to end later than it begins.
        """
        details, now, runs = self.now.details, self.now, self._runs
        value, weights = np.zeros(len(runs)), np.zeros((len(runs), 4))
        value[runs] = self.value
        weights[runs, 0], weights[runs, 1] = details.nodes[self.row], details.charge_mw[self.row]
        budgets = np.array([now.free_nodes, now.free_mw, np.inf, np.inf])
        names = ("nodes", "mW", "reserved nodes", "reserved mW")
        resources = 2
        if self.reservation is not None and not self._has_to_start:
            # An end at the reservation itself is in time: what it frees counts for the head.
            later = self.end_ms > self.reservation.start_ms
            weights[runs, 2:] = weights[runs, :2] * later[:, None]
            # Item 0 is that the head waits: only then is its reservation used.
            weights[0, 2:] = self.reservation.nodes, self.reservation.charge_mw
            budgets[2:] = self.reservation.free_nodes, self.reservation.free_mw
            resources = 4
        # Without its item to wait, the head's class makes it start (row `head` of the program).
        skip = int(self._has_to_start)
        return Knapsack(
            np.r_[0, self._starts[1:] - skip],
            value[skip:],
            weights[skip:, :resources],
            budgets[:resources],
            "max",
            "start now",
            names[:resources],
        )

    def started(self, chosen: Integers) -> list[Choice]:
        """Return jobs that a choice of :meth:`knapsack` starts."""
        options = chosen + int(self._has_to_start) - self._starts[:-1] - 1
        return [
            Choice(job, int(self.row[first + option]))
            for job, first, option in zip(self.jobs, self.first, options.tolist(), strict=False)
            if option >= 0
        ]

    @property
    def _has_to_start(self) -> bool:
        """Whether the first waiting job fits now: then it starts."""
        return self.reservation is not None and self.reservation.start_ms == self.now.time_ms

    @property
    def _starts(self) -> Integers:
        """First item of each class, where every class has an item to wait."""
        return self.first + np.arange(len(self.jobs) + 1)

    @property
    def _runs(self) -> NDArray[np.bool_]:
        """Flag the items that are not to wait."""
        runs = np.ones(int(self._starts[-1]), dtype=np.bool_)
        runs[self._starts[:-1]] = False
        return runs


def offered(
    now: PowerMoment,
    candidates: CandidateConfigurations,
    *,
    fair_share: bool,
    ageing: float,
    threshold: float | None,
    reserved: bool = False,
) -> KnapsackOptions:
    """Return everything that could start now, with its value."""
    details = now.details
    jobs, rows, values, ends = list[PowerJob](), list[Integers](), list[Floats](), list[Integers]()
    reservation = None
    for index, job in enumerate(now.waiting):
        row = candidates.of(job, fair_share=fair_share, threshold=threshold)
        first = reserved and index == 0
        if first:
            reservation = reservation_of(now, job, row)
            row = row[now.time_ms + expected_ms(job, details.time_ms[row]) <= reservation.end_ms]
        fits = (details.nodes[row] <= now.free_nodes) & (details.charge_mw[row] <= now.free_mw)
        # The head has a class even where nothing of it fits: to wait uses its reservation.
        if fits.any() or first:
            time_ms = details.time_ms[row[fits]]
            least_power_ms = int(details.time_ms[candidates.least_power(job.application)])
            jobs.append(job)
            rows.append(row[fits])
            values.append(_value(now, job, least_power_ms, time_ms, ageing))
            ends.append(now.time_ms + expected_ms(job, time_ms))
    none = np.empty(0, np.int64)
    return KnapsackOptions(
        now,
        tuple(jobs),
        np.cumsum([0, *map(len, rows)]),
        np.concatenate([none, *rows]),
        np.concatenate([np.empty(0), *values]),
        np.concatenate([none, *ends]),
        reservation,
    )


def _value(
    now: PowerMoment, job: PowerJob, least_power_ms: int, time_ms: Integers, ageing: float
) -> Floats:
    base = job.expected_ms(least_power_ms)
    # Sarood et al. (SC14): power-aware speedup times a weight against starvation, here a ratio.
    # `power` gives the same bits on every processor, which `**` does not.
    weight = power(1 + (now.time_ms - job.submit_ms) / base, ageing)
    value: Floats = base / expected_ms(job, time_ms) * weight
    return value
