"""What can be wrong with a power-aware schedule, in words."""

from __future__ import annotations

from dataclasses import dataclass

from planner.scheduling.power.problem import MS


@dataclass(frozen=True, order=True)
class PowerViolation:
    """A rule that a schedule breaks.

    Attributes
    ----------
    time_ms
        When [ms]; ``None`` where no time is meant.
    job
        The job's number.
    kind
        A word or two, the same for all violations of a rule.
    what
        The whole sentence.
    by
        By how much: milliseconds, milliwatts or nodes; 1 where only yes or no is possible.
    """

    time_ms: int | None
    job: int
    kind: str
    what: str
    by: int

    def __str__(self) -> str:
        when = "" if self.time_ms is None else f"at {self.time_ms / MS:,.3f} s, "
        return f"{when}job {self.job}: {self.what}"
