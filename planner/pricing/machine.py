"""What the Controller needs of a node: who runs there, pausing, waiting, and counters.

The simulated node, scripted nodes of tests, and a Linux machine meet this Protocol. Nothing here
knows which of them it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class MeasuredMachine(Protocol):
    """A node that jobs share, with one performance monitoring context (PMC) per job.

    The counters of a job are sums over its threads. Algorithm 1 of the paper logs each thread; the
    instructions and cycles of the threads are added before they are divided.

    References
    ----------
    POPPA, sections 3 and 5.
    """

    @property
    def jobs(self) -> Sequence[int]:
        """Numbers of the jobs that the node has, finished ones included, in a fixed order."""

    @property
    def clock_us(self) -> float:
        """The node's clock [us]; it should not go backwards, and readers count it if it does."""

    def finished(self, job: int) -> bool:
        """Whether a job has ended; it may end while it is paused."""

    def pause(self, job: int) -> None:
        """Stop every thread of a job (SIGSTOP); nothing happens if the job has ended."""

    def resume(self, job: int) -> None:
        """Let every thread of a job continue (SIGCONT); nothing happens if the job has ended."""

    def sleep_us(self, us: float) -> None:
        """Wait while the jobs that are not paused run."""

    def read(self) -> tuple[Floats, Floats]:
        """Instructions and cycles of each job of ``jobs`` since its start, ``(jobs,)``.

        NaN where a counter cannot be read.
        """


@runtime_checkable
class WaitingSampler(Protocol):
    """A machine that also samples how long ranks wait in MPI."""

    def waiting_cycles(self) -> Floats:
        """Cycles that each job of ``jobs`` has waited, at the last reading, ``(jobs,)``."""
