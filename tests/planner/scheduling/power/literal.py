"""The thesis's policies, word for word in plain Python: the oracle of the compiled ones.

Wish of a job
    Traditional: its requested nodes with the application's most cores per node and, of these rows,
    the highest cap; if the table has no such row, the next larger node count, else the largest. If
    that is above the bound (or the cluster's nodes), the largest node count with these cores and
    this cap that is not; if there is none, the possible row of least charge.
    Naive and Adaptive: the fastest row with a charge of at most ``P_job``; if there is none, the
    row of least charge ("rounded", D15). Rows that need more nodes or watts than the cluster has
    are never considered.
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

from planner.scheduling.power.event_driven import Choice, Kill, PowerEventDriven
from planner.scheduling.power.moment import PowerJob, PowerMoment
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
                use = int(now.details.nodes[row]), int(now.details.charge_mw[row])
                nodes, watts = nodes - use[0], watts - use[1]
                ends.append((now.time_ms + now.expected_ms(job, row), *use))
                yield Choice(job, row)
            elif reservation is None:
                if self.backfill == "none":
                    return
                reservation = _reserve(now, ends, nodes, watts, self._wish(now, job))

    def _conservative(self, now: PowerMoment) -> Iterator[Choice]:
        plan = _Plan(now)
        nodes, watts = now.free_nodes, now.free_mw
        for job in now.waiting:
            row = self._choice(now, job, nodes, watts)
            if row is not None and _fits(now, row, nodes, watts) and plan.fits(job, row, 0):
                nodes -= int(now.details.nodes[row])
                watts -= int(now.details.charge_mw[row])
                plan.add(job, row, 0)
                yield Choice(job, row)
            else:
                wish = self._wish(now, job)
                plan.add(job, wish, plan.earliest(job, wish))

    def _choice(self, now: PowerMoment, job: PowerJob, nodes: int, watts: int) -> int | None:
        if self.rule != "adaptive" or job.fair_share_mw <= watts:
            return self._wish(now, job)
        rows = [row for row in _possible(now, job) if _fits(now, row, nodes, watts)]
        if not rows:
            return None
        row = min(rows, key=lambda row: _fastest(now, row))
        longest = None if self.threshold is None else (1 + self.threshold) * job.requested_ms
        return row if longest is None or now.expected_ms(job, row) <= longest else None

    def _wish(self, now: PowerMoment, job: PowerJob) -> int:
        if self.rule == "traditional":
            return _traditional(now, job)
        rows = _possible(now, job)
        fair = [row for row in rows if now.details.charge_mw[row] <= job.fair_share_mw]
        if fair:
            return min(fair, key=lambda row: _fastest(now, row))
        return min(rows, key=lambda row: _cheapest(now, row))


def _traditional(now: PowerMoment, job: PowerJob) -> int:
    details = now.details
    every = range(details.first[job.application], details.first[job.application + 1])
    cores = max(details.cores_per_node[row] for row in every)
    most_cores = [row for row in every if details.cores_per_node[row] == cores]
    cap = max(details.package_cap_w[row] for row in most_cores)
    packed = [row for row in most_cores if details.package_cap_w[row] == cap]
    enough = [row for row in packed if details.nodes[row] >= job.nodes]
    if enough:
        row = min(enough, key=lambda row: (details.nodes[row], row))
    else:
        row = min(packed, key=lambda row: (-details.nodes[row], row))
    possible = _possible(now, job)
    if row in possible:
        return row
    smaller = [row for row in packed if row in possible]
    if smaller:
        return min(smaller, key=lambda row: (-details.nodes[row], row))
    return min(possible, key=lambda row: _cheapest(now, row))


def _possible(now: PowerMoment, job: PowerJob) -> list[int]:
    part = range(now.details.first[job.application], now.details.first[job.application + 1])
    return [row for row in part if _fits(now, row, now.nodes, now.bound_mw)]


def _fits(now: PowerMoment, row: int, nodes: int, watts: int) -> bool:
    return bool(now.details.nodes[row] <= nodes and now.details.charge_mw[row] <= watts)


def _fastest(now: PowerMoment, row: int) -> tuple[int, int, int, int]:
    return (int(now.details.time_ms[row]), *_cheapest(now, row))


def _cheapest(now: PowerMoment, row: int) -> tuple[int, int, int]:
    return int(now.details.charge_mw[row]), int(now.details.nodes[row]), row


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
        self.nodes -= int(now.details.nodes[row])
        self.watts -= int(now.details.charge_mw[row])
        return True


def _reserve(
    now: PowerMoment, ends: list[tuple[int, int, int]], nodes: int, watts: int, wish: int
) -> _Reservation:
    for instant in sorted({end[0] for end in ends}):
        for _, freed_nodes, freed_watts in (end for end in ends if end[0] == instant):
            nodes, watts = nodes + freed_nodes, watts + freed_watts
        if _fits(now, wish, nodes, watts):
            use = now.details.nodes[wish], now.details.charge_mw[wish]
            return _Reservation(instant, nodes - int(use[0]), watts - int(use[1]))
    raise AssertionError("a wish fits the empty cluster")


@dataclass
class _Plan:
    """What is in use from now on, as intervals (begin, end, nodes, watts) relative to now."""

    now: PowerMoment
    uses: list[tuple[int, int, int, int]] = field(init=False)

    def __post_init__(self) -> None:
        self.uses = [(0, end - self.now.time_ms, *use) for end, *use in self.now.ends()]  # type: ignore[misc]

    def fits(self, job: PowerJob, row: int, begin: int) -> bool:
        end = begin + self.now.expected_ms(job, row)
        instants = {begin, *(use[0] for use in self.uses if begin < use[0] < end)}
        return all(
            _fits(self.now, row, self.now.nodes - nodes, self.now.bound_mw - watts)
            for nodes, watts in map(self._used, instants)
        )

    def earliest(self, job: PowerJob, row: int) -> int:
        candidates = sorted({0, *(use[1] for use in self.uses)})
        return next(begin for begin in candidates if self.fits(job, row, begin))

    def add(self, job: PowerJob, row: int, begin: int) -> None:
        details = self.now.details
        use = int(details.nodes[row]), int(details.charge_mw[row])
        self.uses.append((begin, begin + self.now.expected_ms(job, row), *use))

    def _used(self, instant: int) -> tuple[int, int]:
        there = [use for use in self.uses if use[0] <= instant < use[1]]
        return sum(use[2] for use in there), sum(use[3] for use in there)
