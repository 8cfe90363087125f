"""RMAP's Adaptive policy as a function of one moment: what decides when a program cannot.

The job at the head of the queue has a reservation; later jobs overtake it if they do not delay
it (EASY backfilling with nodes and watts).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from planner.scheduling.power.events.moment import Choice, PowerJob, PowerMoment
from planner.scheduling.power.loop.lookup import Stairs, fastest_within, stairs_of
from planner.scheduling.power.problem import NEVER


@dataclass(eq=False)
class Adaptive:
    """Adaptive with threshold 0 and head-only backfill.

    References
    ----------
    Patki (2015), section 5.2 and Algorithm 1 with ``th = 0``. The reservation in watts is ours
    (D16): the head reserves its fair share, without which Algorithm 1 may not start it. So is the
    row of least charge, of several the fastest, where the fair share allows none (D15).
    """

    _stairs: Stairs | None = field(default=None, init=False)

    def decide(self, now: PowerMoment) -> list[Choice]:
        """Return the jobs that start now."""
        if self._stairs is None:
            self._stairs = stairs_of(now.details, now.nodes, now.bound_mw)
        return list(_started(_Free(now, self._stairs)))


@dataclass(eq=False)
class _Free:
    """Free nodes and watts while jobs are started, and the head's reservation once there is one.

    ``end_ms`` is when the head is expected to start; the extras are what it leaves then.
    """

    now: PowerMoment
    stairs: Stairs
    nodes: int = field(init=False)
    charge_mw: int = field(init=False)
    end_ms: int | None = None
    extra_nodes: int = 0
    extra_mw: int = 0
    ends: list[tuple[int, int, int]] = field(init=False)

    def __post_init__(self) -> None:
        self.nodes, self.charge_mw = self.now.free_nodes, self.now.free_mw
        self.ends = self.now.ends()

    def wish(self, job: PowerJob) -> int:
        """Return the fastest row within the fair share, or the row of least charge."""
        row = fastest_within(self.stairs, job.application, self.now.nodes, job.fair_share_mw)
        return row if row != NEVER else self._cheapest(job.application)

    def _cheapest(self, application: int) -> int:
        details, part = self.now.details, self.now.details.rows(application)
        possible = (
            row
            for row in range(part.start, part.stop)
            if details.nodes[row] <= self.now.nodes and details.charge_mw[row] <= self.now.bound_mw
        )
        order = details.charge_mw, details.time_ms, details.nodes
        return min(possible, key=lambda row: (*(int(of[row]) for of in order), row))

    def choice(self, job: PowerJob) -> int:
        """Return the row that Algorithm 1 chooses, or ``NEVER`` to wait."""
        # Algorithm 1 with th = 0: line 1 is Naive, lines 2 to 6 take what is free if it is in time.
        if job.fair_share_mw <= self.charge_mw:
            return self.wish(job)
        row = fastest_within(self.stairs, job.application, self.nodes, self.charge_mw)
        late = row != NEVER and self.now.expected_ms(job, row) > job.requested_ms
        return NEVER if late else row

    def admits(self, job: PowerJob, row: int) -> bool:
        """Return whether a row fits now and does not delay the head; takes the extras it uses."""
        nodes, charge = self._need(row)
        if nodes > self.nodes or charge > self.charge_mw:
            return False
        # What ends by the reservation gives all back in time, so it uses up no extras.
        if self.end_ms is None or self._end(job, row) <= self.end_ms:
            return True
        if nodes > self.extra_nodes or charge > self.extra_mw:
            return False
        self.extra_nodes, self.extra_mw = self.extra_nodes - nodes, self.extra_mw - charge
        return True

    def take(self, job: PowerJob, row: int) -> None:
        """Start a job."""
        nodes, charge = self._need(row)
        self.nodes, self.charge_mw = self.nodes - nodes, self.charge_mw - charge
        self.ends.append((self._end(job, row), nodes, charge))

    def reserve(self, job: PowerJob) -> None:
        """Reserve for the head: the earliest time at which its wish fits, and its fair share."""
        nodes, charge = self._need(self.wish(job))
        charge = max(charge, job.fair_share_mw)
        free_nodes, free_mw = self.nodes, self.charge_mw
        self.ends.sort()
        # Never now: the head does not fit what is free, or reserves more watts than are free.
        for index, (end_ms, freed_nodes, freed_mw) in enumerate(self.ends):
            free_nodes, free_mw = free_nodes + freed_nodes, free_mw + freed_mw
            # Ends of one instant count together, as in EASY.
            together = index + 1 < len(self.ends) and self.ends[index + 1][0] == end_ms
            if not together and nodes <= free_nodes and charge <= free_mw:
                self.end_ms = end_ms
                self.extra_nodes, self.extra_mw = free_nodes - nodes, free_mw - charge
                return

    def _need(self, row: int) -> tuple[int, int]:
        return int(self.now.details.nodes[row]), int(self.now.details.charge_mw[row])

    def _end(self, job: PowerJob, row: int) -> int:
        return self.now.time_ms + self.now.expected_ms(job, row)


def _started(free: _Free) -> Iterator[Choice]:
    for job in free.now.waiting:
        row = free.choice(job)
        if row != NEVER and free.admits(job, row):
            free.take(job, row)
            yield Choice(job, row)
        elif free.end_ms is None:
            free.reserve(job)
