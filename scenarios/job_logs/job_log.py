"""Jobs as they were submitted, one array per property."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]

MISSING = -1
"""What is not known, as in the Standard Workload Format."""

MOST_JOBS = 1 << 24
LATEST_S = 1 << 38
"""Times and run times are below this [s], some 8,700 years."""


@dataclass(frozen=True, eq=False)
class JobLog:
    """A log of rigid jobs, in order of submission; those of one second in the order of the file.

    All arrays have the shape ``(jobs,)``.

    Attributes
    ----------
    name
        What to call it.
    number
        The job's number in the log; each is there once.
    submit_s
        Submit time [s], counted from ``start_unix_s`` or the log's own zero.
    run_s
        Run time [s], at least 0.
    processors
        How many the job runs on, at least 1.
    requested_s
        Requested run time [s], the user's estimate; at least ``run_s`` unless overruns are kept.
    user, group, queue, partition
        Codes: names' indices in ``names`` where the log has names, else the log's own numbers;
        ``MISSING`` where it has none.
    wait_s
        Recorded wait [s], ``MISSING`` where there is none.
    names
        Names by the property's name, as ``{"user": ("ann", "bo")}``.
    header
        What the log says of itself, by key (``MaxProcs``, ``UnixStartTime``, ...).
    machine_processors
        Processors of the machine, if the log says so.
    counts
        How many jobs each rule of reading and cleaning touched, in words.
    sha256
        Of the file; empty for drawn jobs.
    """

    name: str
    number: Integers
    submit_s: Integers
    run_s: Integers
    processors: Integers
    requested_s: Integers
    user: Codes
    group: Codes
    queue: Codes
    partition: Codes
    wait_s: Integers
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    header: Mapping[str, str] = field(default_factory=dict)
    machine_processors: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    sha256: str = ""

    def __len__(self) -> int:
        return len(self.number)

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> JobLog:
        """Some of the jobs."""
        arrays = {
            each.name: getattr(self, each.name)[rows]
            for each in fields(self)
            if isinstance(getattr(self, each.name), np.ndarray)
        }
        return replace(self, **arrays)
