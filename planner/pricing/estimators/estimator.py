"""What an estimator gets, and what every estimator offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from planner.errors import InputError
from planner.pricing.estimate import LEVEL, Estimate, check_level
from planner.pricing.samples import Blocks


@dataclass(frozen=True)
class Polling:
    """What is known about instructions that waiting ranks execute without progress.

    Attributes
    ----------
    ipc
        Instructions per cycle while polling.
    ipc_error
        Standard error of ``ipc``, relative to it.
    """

    ipc: float
    ipc_error: float = 0.0

    def __post_init__(self) -> None:
        if self.ipc < 0 or self.ipc_error < 0:
            raise InputError(
                f"the polling IPC is {self.ipc:g} with error {self.ipc_error:g}; neither can be "
                "below 0"
            )


@dataclass(frozen=True)
class Observation:
    """All that an estimator sees of a job.

    Attributes
    ----------
    blocks
        Samples of its run.
    polling
        Its polling IPC, if known. Waiting shares are in the blocks.
    earlier
        Estimates of earlier runs of the same application with the same co-runners.
    reading_share
        Share of a window together that reading counters takes from the job.
    level
        Confidence of the interval.
    """

    blocks: Blocks
    polling: Polling | None = None
    earlier: tuple[Estimate, ...] = ()
    reading_share: float = 0.0
    level: float = LEVEL

    def __post_init__(self) -> None:
        check_level(self.level)
        if not 0 <= self.reading_share < 1:
            raise InputError(
                f"reading takes the share {self.reading_share:g} of a window; it lies from 0 to "
                "below 1"
            )


class SpeedEstimator(Protocol):
    """Estimates normalised performance from samples."""

    @property
    def name(self) -> str:
        """As it is given on the command line."""
        ...

    def estimate(self, seen: Observation) -> Estimate:
        """Normalised performance of one job with its interval."""
        ...
