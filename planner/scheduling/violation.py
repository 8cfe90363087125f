"""What can be wrong with a schedule, in words: the answer of every checker."""

from __future__ import annotations

from dataclasses import dataclass

_MS = 1000


@dataclass(frozen=True, order=True)
class Violation:
    """One thing that a schedule does and may not.

    Attributes
    ----------
    time_s
        When [s]; ``None`` where no time is meant.
    job
        The job's number.
    kind
        A word or two, the same for all violations of a rule.
    what
        The whole sentence.
    by
        By how much, in the schedule's own units: its steps of time, processors, nodes or
        milliwatts; 1 where only yes or no is possible.
    """

    time_s: float | None
    job: int
    kind: str
    what: str
    by: int = 1

    def __str__(self) -> str:
        when = "" if self.time_s is None else f"at {self._time} s, "
        return f"{when}job {self.job}: {self.what}"

    @property
    def _time(self) -> str:
        return f"{self.time_s:,.3f}".removesuffix(".000")


def violation_at_ms(time_ms: int | None, job: int, kind: str, what: str, by: int = 1) -> Violation:
    """A violation of a schedule that counts milliseconds."""
    return Violation(None if time_ms is None else time_ms / _MS, job, kind, what, by)


def by_time(violation: Violation) -> tuple[bool, float, int]:
    """Order of violations: those without a time first, then by time and job."""
    return violation.time_s is not None, violation.time_s or 0, violation.job
