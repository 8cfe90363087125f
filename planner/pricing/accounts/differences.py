"""What a replay reports: places where the log contradicts itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """A place where the log contradicts itself.

    Attributes
    ----------
    what
        ``chain``, ``head``, ``owner``, ``balance``, ``booking``, ``minutes``, ``samples``,
        ``digest`` or ``last measurement``.
    name
        The link, the row, the job or the user.
    recorded, recomputed
        What the log says and what follows from the rest of it: micro-SU, microseconds, the first
        column of sums that differs, a digest, or the facts of a row.
    """

    what: str
    name: str
    recorded: int | str
    recomputed: int | str
