"""Early separation: watch the first seconds of a co-run, and part the jobs if it is bad.

Each job's speed is estimated as for a fair price: windows together over windows alone, with the
instructions of waiting ranks taken off (:mod:`planner.pricing.estimators.spin`). Without this
correction the worst co-runs look harmless, since ranks that wait for each other poll.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from benchmarks.studies.gate.watched import Watched
from planner.pricing.estimators.estimator import Observation, Polling
from planner.pricing.estimators.spin import SpinCorrected
from planner.pricing.samples import blocks_of

LEAST_SPEED = 0.02


@dataclass(frozen=True)
class Early:
    """What the first seconds say of a co-run.

    Attributes
    ----------
    log_makespan
        Logarithm of its makespan, if the jobs go on at these speeds.
    log_separated
        The same, if they are separated now.
    """

    log_makespan: float
    log_separated: float

    @property
    def separate(self) -> bool:
        """Whether separating is expected to take less time."""
        return self.log_makespan > self.log_separated


def speeds(watched: Watched, polling: Polling | None) -> tuple[float, float]:
    """Relative speed of both jobs over the watch, at least 0.02."""
    result = []
    for job in (0, 1):
        blocks = blocks_of(
            watched.instructions,
            watched.cycles,
            watched.shuttered,
            watched.time_us,
            job,
            watched.waiting,
        )
        perf = SpinCorrected().estimate(Observation(blocks, polling)).perf
        result.append(min(max(perf, LEAST_SPEED), 1.0))
    return result[0], result[1]


def early(
    watched: Watched,
    solo_s: tuple[float, float],
    polling: Polling | None = None,
    *,
    restart_s: float = 2.0,
) -> Early:
    """What the first seconds of a co-run say of its makespan, and of separating the jobs.

    The job that ends first leaves the other one alone. Separating ends the job with less progress:
    it starts again after the other one, which takes ``restart_s``.

    Parameters
    ----------
    watched
        Counters of the first seconds.
    solo_s
        Run times alone [s].
    polling
        IPC of a rank that polls; without it no instruction is taken off.
    restart_s
        Start-up time of a job [s].
    """
    fast = speeds(watched, polling)
    ends = [time / speed for time, speed in zip(solo_s, fast, strict=True)]
    first = 0 if ends[0] <= ends[1] else 1
    together = ends[first] + max(0.0, solo_s[1 - first] - ends[first] * fast[1 - first])
    apart = watched.watch_s * (1 - max(fast)) + restart_s + sum(solo_s)
    return Early(log(together / sum(solo_s)), log(apart / sum(solo_s)))
