"""What is observed of an MPI program: counters under a layout, and its messages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

EVENTS = ("l2_requests", "l2_misses", "memory_stalls", "floating_point")
"""Names of the counted event rates, all per cycle."""


@dataclass(frozen=True)
class Sample:
    """Counters of one computation phase under one layout, mean over its tasks.

    Attributes
    ----------
    ipc
        Instructions per cycle of the nominal clock.
    events
        Rates of `EVENTS`, per cycle.
    """

    ipc: float
    events: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Traffic:
    """Communication of one iteration, as a wrapper round MPI records it.

    Attributes
    ----------
    tasks
        Tasks of the program.
    source, target
        Endpoints of the point-to-point messages, shape ``(messages,)``.
    size_b, count
        Bytes of each and how many times it is sent in an iteration, same shape.
    block_b
        Bytes to each other task in an all-to-all exchange of all tasks; 0 for none.
    """

    tasks: int
    source: NDArray[np.int64]
    target: NDArray[np.int64]
    size_b: NDArray[np.float64]
    count: NDArray[np.float64]
    block_b: float


@dataclass(frozen=True)
class Program:
    """What is known of a program before its layout is chosen.

    Attributes
    ----------
    name, problem
        The code and its problem set.
    samples
        Counters, by the id of the sampled pattern.
    instructions
        Instructions of one task in one iteration.
    iterations
        Iterations of the whole run.
    memory_gb
        Main memory of one task.
    traffic
        Messages of an iteration.
    """

    name: str
    problem: str
    samples: dict[int, Sample]
    instructions: float
    iterations: int
    memory_gb: float
    traffic: Traffic
