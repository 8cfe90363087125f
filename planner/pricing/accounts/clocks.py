"""Time of one job on one node: what each call of the log says of the clock."""

from __future__ import annotations

from dataclasses import dataclass, field

from planner.errors import InputError
from planner.pricing.accounts.sums import Sums

LONGEST_JOB_US = 100 * 366 * 86_400 * 10**6
"""A hundred years. A later time has another unit; the price of a longer job may not fit the log."""


@dataclass
class JobClock:
    """How far one job is measured.

    Attributes
    ----------
    start_us
        When the job began [us].
    last_us
        Latest time that the log knows [us]; it never goes back.
    now_us
        Time of the latest call [us], which is before ``last_us`` after a step back.
    written_us
        ``now_us`` when the measurements were last written [us].
    measured
        Whether the log has any measurement of the job on this node.
    """

    start_us: int
    last_us: int
    now_us: int
    written_us: int
    measured: bool = False

    def advance(self, job: int, now_us: int) -> tuple[int, bool]:
        """Move to the time of a call; the time that has passed [us], and whether it stepped back.

        Raises
        ------
        InputError
            The time is more than a hundred years after the start.
        """
        check_time(job, self.start_us, now_us)
        backwards = now_us < self.now_us
        step = max(now_us - self.last_us, 0)
        self.now_us, self.last_us, self.measured = now_us, self.last_us + step, True
        return step, backwards

    def unwritten_us(self) -> int:
        """How far the clock has moved since the measurements were last written [us]."""
        return abs(self.now_us - self.written_us)


def check_time(job: int, start_us: int, now_us: int) -> None:
    """See that a time can belong to a job.

    Raises
    ------
    InputError
        It is more than a hundred years after the start.
    """
    if now_us - start_us > LONGEST_JOB_US:
        message = f"job {job} began at {start_us} us; {now_us} us is over 100 years later"
        raise InputError(f"{message}: give times in microseconds")


@dataclass
class Before:
    """What a call has changed in memory so far, as it was before.

    Attributes
    ----------
    raw, late
        Number of raw samples and of late minutes.
    clocks, numbers
        By job.
    minutes
        Sums and last measurement by job and minute; ``None`` where there was nothing.
    written
        Whether all of it is in the file.
    """

    raw: int
    late: int
    clocks: dict[int, JobClock] = field(default_factory=dict)
    numbers: dict[int, int] = field(default_factory=dict)
    minutes: dict[tuple[int, int], tuple[Sums | None, int | None]] = field(default_factory=dict)
    written: bool = False
