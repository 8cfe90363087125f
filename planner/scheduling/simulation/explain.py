"""Explain why a job waited: at each check, what it lacked or which job it would have delayed.

The explanation uses the schedule alone and is independent of the engine. It derives the running and
the waiting jobs at the end of each instant, and the estimates of their run times then. If the
schedule is wrong, there is a check at which nothing prevents the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any, Literal

import numpy as np

from planner.errors import InputError
from planner.formatting import plural
from planner.scheduling.simulation.schedule import Integers, JobSchedule
from planner.scheduling.simulation.state import MachineState, estimates_of, state_at

Reason = Literal["short", "behind", "delays", "planned", "nothing"]
Opening = Literal["planned", "first", "ends", "spare"]
EXPLAINED = ("fcfs", "easy", "easy++", "conservative", "sjf", "largest")


@dataclass(frozen=True)
class Look:
    """Why the job did not start at an instant.

    Attributes
    ----------
    time_s
        The instant [s].
    reason
        ``short`` of processors; ``behind`` the head, whom nobody overtakes; it ``delays`` the
        head's reservation; ``planned`` for later; ``nothing``: the schedule breaks the rule.
    free, wanted
        Processors that were free at the end of the instant, and those of the job.
    ahead
        Jobs in front of it in the queue.
    head
        Number of the first job of the queue; ``None`` under conservative backfilling, where each
        job has a reservation of its own.
    reserved_s
        When the head is to start, or the job itself if it is the head or planned [s].
    extra
        Processors that the head leaves over at that time.
    expected_end_s
        When the job would end by its estimate [s].
    """

    time_s: int
    reason: Reason
    free: int
    wanted: int
    ahead: int
    head: int | None
    reserved_s: int | None
    extra: int | None
    expected_end_s: int

    @property
    def sentence(self) -> str:
        """In words."""
        verb = "is" if self.free == 1 else "are"
        lacks = f"needs {plural(self.wanted, 'processor')}, {self.free} {verb} free"
        if self.reason == "short" and self.reserved_s is not None and self.extra is not None:
            return (
                f"first in the queue; {lacks}; by the estimates enough are free at "
                f"{self.reserved_s} s"
            )
        if self.reason == "short":
            return f"{lacks}; {plural(self.ahead, 'job')} ahead of it"
        if self.reason == "behind":
            return f"job {self.head} is first and does not fit; no job may overtake it"
        if self.reason == "delays":
            return (
                f"job {self.head} has a reservation at {self.reserved_s} s; this job would end at "
                f"{self.expected_end_s} s and needs {self.wanted}, but only {self.extra} "
                f"{'is' if self.extra == 1 else 'are'} spare then"
            )
        if self.reason == "planned":
            return f"planned to start at {self.reserved_s} s"
        return "nothing prevented its start: the schedule breaks the policy's rule"


@dataclass(frozen=True)
class Start:
    """Why a job could start when it did.

    Attributes
    ----------
    time_s
        The instant [s].
    reason
        ``planned`` for this time; ``first`` in the queue; backfilled, as it ``ends`` before the
        head's reservation or takes ``spare`` processors only.
    wanted
        Processors of the job.
    freed_by
        Number of the job whose end let the first of the queue start.
    head, reserved_s
        If it was backfilled, the head of the queue and its reservation [s].
    expected_end_s
        When the job would end by its estimate [s].
    """

    time_s: int
    reason: Opening
    wanted: int
    expected_end_s: int
    freed_by: int | None = None
    head: int | None = None
    reserved_s: int | None = None

    @property
    def sentence(self) -> str:
        """In words."""
        if self.reason == "planned":
            return f"its planned start, {self.time_s} s, was reached"
        if self.reason == "first":
            freed = "" if self.freed_by is None else f" after the end of job {self.freed_by}"
            verb = "was" if self.wanted == 1 else "were"
            free = f"{plural(self.wanted, 'processor')} {verb} free"
            return f"first in the queue, and {free}{freed}"
        head = f"backfilled: job {self.head}, first in the queue, has a reservation at"
        if self.reason == "ends":
            own = f"was to end by {self.expected_end_s} s"
        else:
            own = "took only processors that are spare then"
        return f"{head} {self.reserved_s} s, and this job {own}"


@dataclass(frozen=True)
class Period:
    """Looks in a row with the same reason, head and reservation.

    Attributes
    ----------
    first, last
        The looks at its ends.
    looks
        How many.
    """

    first: Look
    last: Look
    looks: int


@dataclass(frozen=True)
class Overtaking:
    """A job that was submitted later and started earlier.

    Attributes
    ----------
    job, start_s, processors, expected_end_s
        Its number, its start, what it took and when it was expected to end.
    """

    job: int
    start_s: int
    processors: int
    expected_end_s: int


@dataclass(frozen=True)
class Explanation:
    """Why a job waited as long as it did.

    Attributes
    ----------
    job, submit_s, start_s, processors, estimate_s
        The job; ``estimate_s`` is what was planned with at its submission.
    looks
        Every instant at which it was looked at, in order; without its start.
    overtaken_by
        Jobs that were submitted later and started earlier, in order of their starts.
    started
        Why it could start when it did.
    """

    job: int
    submit_s: int
    start_s: int
    processors: int
    estimate_s: int
    looks: tuple[Look, ...]
    overtaken_by: tuple[Overtaking, ...]
    started: Start

    @property
    def wait_s(self) -> int:
        """Wait [s]."""
        return self.start_s - self.submit_s

    @property
    def periods(self) -> tuple[Period, ...]:
        """The looks, those of one reason together."""
        periods = []
        for _, group in groupby(self.looks, lambda k: (k.reason, k.head, k.reserved_s)):
            looks = list(group)
            periods.append(Period(looks[0], looks[-1], len(looks)))
        return tuple(periods)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            **{name: getattr(self, name) for name in ("job", "submit_s", "start_s", "wait_s")},
            "processors": self.processors,
            "estimate_s": self.estimate_s,
            "looks": [asdict(look) for look in self.looks],
            "overtaken_by": [asdict(job) for job in self.overtaken_by],
            "started": asdict(self.started),
        }


def explain(
    schedule: JobSchedule, number: int, planned: Sequence[tuple[int, int]] = ()
) -> Explanation:
    """Explain the wait of a job.

    Parameters
    ----------
    schedule
        By one of the policies ``EXPLAINED``, without outages.
    number
        The job's number in the log.
    planned
        For conservative backfilling: when the job's start was planned, and for when [s].

    Raises
    ------
    InputError
        There is no such job, it was rejected, or the policy's reasons are not known here.
    """
    if schedule.policy not in EXPLAINED:
        names = ", ".join(EXPLAINED)
        raise InputError(
            f"{schedule.policy or 'this policy'} cannot be explained; choose one of {names}"
        )
    rows = np.flatnonzero(schedule.number == number)
    if not len(rows):
        there_are = f"it has {plural(len(schedule), 'job')}"
        if len(schedule):
            there_are += f", numbered {schedule.number.min()} to {schedule.number.max()}"
        raise InputError(f"{schedule.name} has no job {number}; {there_are}")
    row = int(rows[0])
    if not schedule.started[row]:
        raise InputError(f"job {number} never started: it {schedule.rejected.get(number, '')}")
    submit, start = int(schedule.submit_s[row]), int(schedule.start_s[row])
    # Jobs that are there during the wait are enough, and each look goes through all of them.
    there = schedule.started & (schedule.submit_s <= start) & (schedule.end_s >= submit)
    schedule, row = schedule.take(there), int(there[:row].sum())
    looks = tuple(
        _look(schedule, state_at(schedule, time), row, planned)
        for time in _instants(schedule, submit, start)
    )
    return Explanation(
        job=number,
        submit_s=submit,
        start_s=start,
        processors=int(schedule.processors[row]),
        estimate_s=int(estimates_of(schedule)[row]),
        looks=looks,
        overtaken_by=_overtaken_by(schedule, row),
        started=_why_started(schedule, row),
    )


def _instants(schedule: JobSchedule, submit_s: int, start_s: int) -> list[int]:
    """Times of submissions and ends from the submission on, until before the start."""
    times = np.concatenate((schedule.submit_s[schedule.started], schedule.end_s[schedule.started]))
    chosen = np.unique(times[(times >= submit_s) & (times < start_s)])
    instants: list[int] = chosen.tolist()
    return instants


def _rank(schedule: JobSchedule, rows: Integers) -> Integers:
    """Order of the queue; the first place is the head's."""
    if schedule.policy == "sjf":
        return np.lexsort((rows, estimates_of(schedule)[rows]))
    if schedule.policy == "largest":
        return np.lexsort((rows, -schedule.processors[rows]))
    return np.arange(len(rows))


def _look(
    schedule: JobSchedule, state: MachineState, row: int, planned: Sequence[tuple[int, int]]
) -> Look:
    queue = state.waiting[_rank(schedule, state.waiting)]
    head, ahead = int(queue[0]), int(np.flatnonzero(queue == row)[0])
    job_processors = int(schedule.processors[row])
    end = state.time_s + int(estimates_of(schedule)[row])
    reason: Reason
    reserved: int | None = None
    extra: int | None = None
    if schedule.policy == "conservative":
        reserved = next((at for made, at in reversed(planned) if made <= state.time_s), None)
        reason = "short" if job_processors > state.free else "planned"
    elif head == row or schedule.policy in ("easy", "easy++"):
        needed = int(schedule.processors[head])
        # A head that fits has no reservation: that it waits breaks the rule.
        if needed > state.free:
            reserved, extra, _ = state.shadow(schedule.processors, needed)
        if job_processors > state.free:
            reason = "short"
        elif reserved is None or extra is None or end <= reserved or job_processors <= extra:
            reason = "nothing"
        else:
            reason = "delays"
        if head != row and reason == "short":
            reserved = extra = None
    else:
        reason = "behind"
    own = schedule.policy == "conservative"
    number = None if own else int(schedule.number[head])
    return Look(
        state.time_s, reason, state.free, job_processors, ahead, number, reserved, extra, end
    )


def _overtaken_by(schedule: JobSchedule, row: int) -> tuple[Overtaking, ...]:
    places = np.arange(len(schedule))
    chosen = (places > row) & schedule.started & (schedule.start_s < schedule.start_s[row])
    rows = np.flatnonzero(chosen)
    rows = rows[np.argsort(schedule.start_s[rows], kind="stable")]
    estimates = estimates_of(schedule)
    return tuple(
        Overtaking(
            int(schedule.number[k]),
            int(schedule.start_s[k]),
            int(schedule.processors[k]),
            int(schedule.start_s[k] + estimates[k]),
        )
        for k in rows
    )


def _why_started(schedule: JobSchedule, row: int) -> Start:
    """Why the job could start when it did."""
    start, wanted = int(schedule.start_s[row]), int(schedule.processors[row])
    end = start + int(estimates_of(schedule)[row])
    if schedule.policy == "conservative":
        return Start(start, "planned", wanted, end)
    state = state_at(schedule, start)
    before = state.waiting[state.waiting < row]
    if schedule.policy in ("sjf", "largest") or not len(before):
        ended = schedule.number[schedule.started & (schedule.end_s == start)]
        freed_by = int(ended[0]) if len(ended) else None
        return Start(start, "first", wanted, end, freed_by)
    head = int(before[0])
    reserved, _, _ = state.shadow(schedule.processors, int(schedule.processors[head]))
    reason: Opening = "ends" if end <= reserved else "spare"
    return Start(start, reason, wanted, end, None, int(schedule.number[head]), reserved)
