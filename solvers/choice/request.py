"""What a caller asks of a search."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Request:
    """What the caller asked for: a relative gap, a moment to stop at, a seed, exact bounds.

    ``node_limit`` and ``presolve`` are for the back ends.
    """

    gap: float
    deadline: float | None
    seed: int
    exact: bool
    node_limit: int | None = None
    presolve: bool = True

    def remaining_s(self) -> float | None:
        """Seconds left, or ``None`` without a limit."""
        return None if self.deadline is None else max(0.0, self.deadline - time.perf_counter())

    def late(self) -> bool:
        """Whether the time is over."""
        return self.deadline is not None and time.perf_counter() >= self.deadline
