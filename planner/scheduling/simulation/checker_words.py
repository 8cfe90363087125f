"""What can be wrong with a schedule, in words."""

from __future__ import annotations

from dataclasses import dataclass


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
        By how much: seconds for times, processors for room, 1 where only yes or no is possible.
    """

    time_s: int | None
    job: int
    kind: str
    what: str
    by: int

    def __str__(self) -> str:
        when = "" if self.time_s is None else f"at {self.time_s} s, "
        return f"{when}job {self.job}: {self.what}"
