"""Watts shared out among the sockets of one job: the problem, and the caps that were chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planner.errors import InputError
from planner.formatting import power
from scenarios.measurements.runs import Floats
from solvers import Certificate


@dataclass(frozen=True, eq=False)
class SocketCapsProblem:
    """Ranks with their curves, and a power bound.

    Attributes
    ----------
    cap_w
        Caps at which each rank was measured, ascending, shape ``(ranks, points)`` [W].
    time_s
        Its run time there, shape ``(ranks, points)`` [s]. Where a higher cap was slower, which is
        noise, the time of the lower one counts: the cap need not be used up.
    power_bound_w
        For all sockets together [W].

    Raises
    ------
    InputError
        Shapes that do not match, caps that do not ascend, a time that is not positive.
    """

    cap_w: Floats
    time_s: Floats
    power_bound_w: float

    def __post_init__(self) -> None:
        caps, times = np.array(self.cap_w, float), np.array(self.time_s, float)
        if caps.ndim != 2 or caps.shape != times.shape or not caps.size:
            raise InputError(
                f"caps have the shape {caps.shape} and times {times.shape}; give one row per rank "
                "and one column per point, of both"
            )
        if not (np.isfinite(caps).all() and (np.diff(caps, axis=1) > 0).all() and caps.min() >= 0):
            raise InputError("the caps of a rank must be 0 or more, and ascend from point to point")
        if not (np.isfinite(times).all() and (times > 0).all()):
            wrong = times[~(np.isfinite(times) & (times > 0))][0]
            raise InputError(f"a run time is {wrong:g} s; give one above 0")
        if not 0 < self.power_bound_w < np.inf:
            raise InputError(f"the power bound is {self.power_bound_w:g} W; give one above 0")
        times = np.minimum.accumulate(times, axis=1)
        for name, array in (("cap_w", caps), ("time_s", times)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @property
    def ranks(self) -> int:
        """Number of ranks."""
        return len(self.cap_w)

    def times_at(self, cap_w: ArrayLike) -> Floats:
        """Time of each rank at its cap, shape ``(ranks,)`` [s]; beyond the last point, its time."""
        caps = np.broadcast_to(np.asarray(cap_w, float), (self.ranks,))
        curves = zip(caps, self.cap_w, self.time_s, strict=True)
        return np.array([float(np.interp(cap, points, times)) for cap, points, times in curves])


@dataclass(frozen=True, eq=False)
class SocketCaps:
    """A cap for every socket, with the times that follow.

    Attributes
    ----------
    method
        How it was found.
    cap_w
        Shape ``(ranks,)`` [W].
    time_s
        Shape ``(ranks,)`` [s], by the problem's curves.
    certificate
        Certificate of the program; ``None`` for a rule of thumb.
    """

    method: str
    cap_w: Floats
    time_s: Floats
    certificate: Certificate | None = None

    @property
    def slowest_s(self) -> float:
        """Time of the slowest rank, for which all others wait [s]."""
        return float(self.time_s.max())

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "method": self.method,
            "slowest_s": self.slowest_s,
            "total_cap_w": float(self.cap_w.sum()),
            "cap_w": self.cap_w.tolist(),
            "time_s": self.time_s.tolist(),
            "certificate": None if self.certificate is None else self.certificate.to_dict(),
        }


def violations(problem: SocketCapsProblem, distribution: SocketCaps) -> list[str]:
    """List what is wrong with a distribution, recomputed from the problem alone."""
    problems = []
    total = float(np.sum(distribution.cap_w))
    if total > problem.power_bound_w * (1 + 1e-9):
        bound_w = problem.power_bound_w
        problems.append(f"the caps add up to {power(total, 'up')}, above {power(bound_w, 'down')}")
    for rank, (cap, time) in enumerate(zip(distribution.cap_w, distribution.time_s, strict=True)):
        points, times = problem.cap_w[rank], problem.time_s[rank]
        if not points[0] * (1 - 1e-9) <= cap <= points[-1] * (1 + 1e-9):
            problems.append(f"rank {rank}: {cap:g} W is outside {points[0]:g} to {points[-1]:g} W")
        elif abs(float(np.interp(cap, points, times)) - time) > 1e-9 * time:
            problems.append(f"rank {rank}: {time:g} s is not its time at {cap:g} W")
    return problems
