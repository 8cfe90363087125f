"""The thesis's policies, word for word in plain Python: the oracle of the compiled ones.

Wish of a job
    Traditional: its requested nodes with the application's most cores per node and its highest cap;
    where the table has no such row, the next larger node count with these cores and this cap, else
    the largest. Above the bound it is the largest that is not; without any the job is rejected.
    Naive and Adaptive: the fastest row with a charge of at most ``P_job``; if there is none, the
    row of least charge, of several the fastest ("rounded", D15). Rows that need more nodes or
    watts than the cluster has are never considered.
    Ties: least charge, then fewest nodes, then lowest row. Times are the table's, before scaling.

Choice of a job in a pass
    The wish. For Adaptive where ``P_job > P_avail`` (charge left now): the fastest row within
    ``P_avail`` and the free nodes, with the same ties; none if its expected time is longer than
    ``(1 + threshold) t_req``.

Pass (D16)
    In queue order. A job starts if its choice fits in free nodes and free watts. The first that
    waits is the head. Backfill ``none``: nobody overtakes it. ``easy``: it has a reservation at the
    earliest expected end at which its wish fits in nodes and watts, when all jobs that are expected
    to end by then have ended; what is left over then is extra. A later job starts if its choice
    fits now and it is expected to end by the reservation, or needs at most the extra nodes and the
    extra watts, which it uses up. A choice that would break the reservation waits: there is no
    second one. ``conservative``: in every pass and in queue order, a job starts if its choice fits
    from now on for its expected time next to all earlier reservations of the pass; else its wish
    gets the earliest reservation, from now on. Expected ends in the past count as 1 ms from now.

References
----------
Patki (2015), sections 5.1 and 5.2, Algorithm 1; Mu'alem and Feitelson (2001) for EASY and
conservative backfilling.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from planner.scheduling.power.events.event_driven import Choice, Kill, PowerEventDriven
from planner.scheduling.power.events.moment import PowerJob, PowerMoment
from planner.scheduling.power.problem import JobDetails

Rule = Literal["traditional", "naive", "adaptive"]
Backfill = Literal["none", "easy", "conservative"]
RULES: tuple[Rule, ...] = ("traditional", "naive", "adaptive")
BACKFILLS: tuple[Backfill, ...] = ("none", "easy", "conservative")


@dataclass
class LiteralPolicy(PowerEventDriven):
    """Traditional, Naive or Adaptive; threshold ``None`` is unbounded."""

    rule: Rule = "adaptive"
    backfill: Backfill = "easy"
    threshold: float | None = 0.0
    kill: Kill = "never"
    node_order: Sequence[int] | None = None

    @property
    def name(self) -> str:
        return self.rule

    def deadline_ms(self, job: PowerJob, row: int, details: JobDetails) -> int:
        if self.rule == "traditional":
            return job.requested_ms
        return super().deadline_ms(job, row, details)

    def accepts(self, job: PowerJob, details: JobDetails, nodes: int, bound_mw: int) -> bool:
        if self.rule != "traditional":
            return True
        return _traditional(job, details, nodes, bound_mw) is not None

    def decide(self, now: PowerMoment) -> list[Choice]:
        if self.backfill == "conservative":
            return list(self._conservative(now))
        return list(self._with_head(now))

    def _with_head(self, now: PowerMoment) -> Iterator[Choice]:
        nodes, watts = now.free_nodes, now.free_mw
        ends = now.ends()
        reservation: _Reservation | None = None
        for job in now.waiting:
            row = self._choice(now, job, nodes, watts)
            fits = row is not None and _fits(now, row, nodes, watts)
            if fits and reservation is not None:
                assert row is not None
                fits = reservation.allows(now, job, row)
            if fits:
                assert row is not None
                use = _use(now, row)
                nodes, watts = nodes - use[0], watts - use[1]
                ends.append((now.time_ms + now.expected_ms(job, row), *use))
                yield Choice(job, row)
            elif reservation is None:
                if self.backfill == "none":
                    return
                reservation = _reserve(ends, nodes, watts, self._need(now, job))

    def _conservative(self, now: PowerMoment) -> Iterator[Choice]:
        plan = _Plan(now)
        nodes, watts = now.free_nodes, now.free_mw
        for job in now.waiting:
            row = self._choice(now, job, nodes, watts)
            use = (0, 0) if row is None else _use(now, row)
            if row is not None and plan.fits(0, now.expected_ms(job, row), use):
                nodes, watts = nodes - use[0], watts - use[1]
                plan.add(0, now.expected_ms(job, row), use)
                yield Choice(job, row)
            else:
                length, need = now.expected_ms(job, self._wish(now, job)), self._need(now, job)
                plan.add(plan.earliest(length, need), length, need)

    def _choice(self, now: PowerMoment, job: PowerJob, nodes: int, watts: int) -> int | None:
        if self.rule != "adaptive" or job.fair_share_mw <= watts:
            return self._wish(now, job)
        rows = [row for row in _possible(now, job) if _fits(now, row, nodes, watts)]
        if not rows:
            return None
        row = min(rows, key=lambda row: _fastest(now, row))
        longest = None if self.threshold is None else (1 + self.threshold) * job.requested_ms + 1e-6
        return row if longest is None or now.expected_ms(job, row) <= longest else None

    def _need(self, now: PowerMoment, job: PowerJob) -> tuple[int, int]:
        """Nodes and watts of a reservation."""
        nodes, watts = _use(now, self._wish(now, job))
        return nodes, max(watts, job.fair_share_mw) if self.rule == "adaptive" else watts

    def _wish(self, now: PowerMoment, job: PowerJob) -> int:
        if self.rule == "traditional":
            packed = _traditional(job, now.details, now.nodes, now.bound_mw)
            assert packed is not None
            return packed
        rows = _possible(now, job)
        fair = [row for row in rows if now.details.charge_mw[row] <= job.fair_share_mw]
        if fair:
            return min(fair, key=lambda row: _fastest(now, row))
        return min(rows, key=lambda row: _cheapest(now, row))


def _traditional(job: PowerJob, details: JobDetails, nodes: int, bound_mw: int) -> int | None:
    every = range(details.first[job.application], details.first[job.application + 1])
    cores = max(details.cores_per_node[row] for row in every)
    full = [row for row in every if details.cores_per_node[row] == cores]
    cap = max(details.package_cap_w[row] for row in full)
    packed = [row for row in full if details.package_cap_w[row] == cap]
    enough = [row for row in packed if details.nodes[row] >= job.nodes]
    row_wanted = min(enough, key=lambda row: (details.nodes[row], row), default=None)
    if row_wanted is None:
        row_wanted = min(packed, key=lambda row: (-details.nodes[row], row))
    fits = [row for row in packed if details.nodes[row] <= nodes]
    fits = [row for row in fits if details.charge_mw[row] <= bound_mw]
    if row_wanted in fits:
        return row_wanted
    return min(fits, key=lambda row: (-details.nodes[row], row), default=None)


def _possible(now: PowerMoment, job: PowerJob) -> list[int]:
    part = range(now.details.first[job.application], now.details.first[job.application + 1])
    return [row for row in part if _fits(now, row, now.nodes, now.bound_mw)]


def _fits(now: PowerMoment, row: int, nodes: int, watts: int) -> bool:
    return bool(now.details.nodes[row] <= nodes and now.details.charge_mw[row] <= watts)


def _use(now: PowerMoment, row: int) -> tuple[int, int]:
    return int(now.details.nodes[row]), int(now.details.charge_mw[row])


def _fastest(now: PowerMoment, row: int) -> tuple[int, int, int, int]:
    time_ms, charge_mw, nodes = _row(now, row)
    return time_ms, charge_mw, nodes, row


def _cheapest(now: PowerMoment, row: int) -> tuple[int, int, int, int]:
    time_ms, charge_mw, nodes = _row(now, row)
    return charge_mw, time_ms, nodes, row


def _row(now: PowerMoment, row: int) -> tuple[int, int, int]:
    details = now.details
    return int(details.time_ms[row]), int(details.charge_mw[row]), int(details.nodes[row])


@dataclass
class _Reservation:
    time_ms: int
    nodes: int
    watts: int

    def allows(self, now: PowerMoment, job: PowerJob, row: int) -> bool:
        """Whether the head is not delayed; takes what the job uses up."""
        if now.time_ms + now.expected_ms(job, row) <= self.time_ms:
            return True
        if not _fits(now, row, self.nodes, self.watts):
            return False
        nodes, watts = _use(now, row)
        self.nodes, self.watts = self.nodes - nodes, self.watts - watts
        return True


def _reserve(
    ends: list[tuple[int, int, int]], nodes: int, watts: int, need: tuple[int, int]
) -> _Reservation:
    for instant in sorted({end[0] for end in ends}):
        for _, freed_nodes, freed_watts in (end for end in ends if end[0] == instant):
            nodes, watts = nodes + freed_nodes, watts + freed_watts
        if need[0] <= nodes and need[1] <= watts:
            return _Reservation(instant, nodes - need[0], watts - need[1])
    raise AssertionError("a wish fits the empty cluster")


@dataclass
class _Plan:
    """What is in use from now on, as intervals (begin, end, nodes, watts) relative to now."""

    now: PowerMoment
    uses: list[tuple[int, int, int, int]] = field(init=False)

    def __post_init__(self) -> None:
        self.uses = [(0, end - self.now.time_ms, *use) for end, *use in self.now.ends()]  # type: ignore[misc]

    def fits(self, begin: int, length: int, need: tuple[int, int]) -> bool:
        instants = {begin, *(use[0] for use in self.uses if begin < use[0] < begin + length)}
        return all(
            need[0] + nodes <= self.now.nodes and need[1] + watts <= self.now.bound_mw
            for nodes, watts in map(self._used, instants)
        )

    def earliest(self, length: int, need: tuple[int, int]) -> int:
        candidates = sorted({0, *(use[1] for use in self.uses)})
        return next(begin for begin in candidates if self.fits(begin, length, need))

    def add(self, begin: int, length: int, use: tuple[int, int]) -> None:
        self.uses.append((begin, begin + length, *use))

    def _used(self, instant: int) -> tuple[int, int]:
        there = [use for use in self.uses if use[0] <= instant < use[1]]
        return sum(use[2] for use in there), sum(use[3] for use in there)
