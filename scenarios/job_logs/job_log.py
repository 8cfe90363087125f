"""Jobs as they were submitted, one array per property."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

from scenarios.remark import Remark
from scenarios.understood import ReadColumn

Integers = NDArray[np.int64]
Codes = NDArray[np.int32]
Mask = NDArray[np.bool_]

MISSING = -1
"""What is not known, as in the Standard Workload Format."""

MOST_JOBS = 1 << 24
LATEST_S = 1 << 38
"""Times and run times are below this [s], some 8,700 years."""

READ = "jobs read"
KEPT = "jobs kept"
LEFT_OUT = "left out: "
"""How ``counts`` calls the jobs that were read, those that were kept, and those of each rule."""

NO_JOB = "no job: "
"""How ``counts`` calls lines that are not jobs, such as steps; they are not among those read."""

NOT_TAKEN = f"{LEFT_OUT}not among those taken"


@dataclass(frozen=True, eq=False)
class JobLog:
    """A log of rigid jobs, in order of submission; those of one second in the order of the file.

    All arrays have the shape ``(jobs,)``.

    Attributes
    ----------
    name
        What to call it.
    number
        The job's number in the log; each is there once. A log may use a number again: its ``k``-th
        further job has ``k 10**17`` more.
    submit_s
        Submit time [s], counted from the header's ``UnixStartTime`` or the log's own zero.
    run_s
        Run time [s], at least 0.
    processors
        How many the job runs on, at least 1.
    requested_s
        Requested run time [s], the user's estimate; at least ``run_s``.
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
        How many jobs were read, kept, left out by each rule and altered by each rule, in words;
        empty for synthetic jobs.
    sha256
        Hash of the file; empty for synthetic jobs.
    remarks
        What was read and may not have been meant.
    killed
        Whether the run was cut at the requested time by a rule of cleaning; ``None`` where none
        was.
    energy_j
        Energy that the job used [J], NaN where it is not known; ``None`` where the log has none.
    file
        Name of the file that was read, without its folder; empty for synthetic jobs.
    no_limit
        Whether nothing says what the job requested, so that ``requested_s`` is its run time;
        ``None`` where all have a request.
    columns
        What was read from which column of a table.
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
    remarks: tuple[Remark, ...] = ()
    killed: Mask | None = None
    energy_j: NDArray[np.float64] | None = None
    file: str = ""
    no_limit: Mask | None = None
    columns: tuple[ReadColumn, ...] = ()

    def __len__(self) -> int:
        return len(self.number)

    @property
    def unaccounted(self) -> int:
        """Jobs that were read and are neither kept nor left out by a rule with a name: always 0."""
        left_out = sum(much for words, much in self.counts.items() if words.startswith(LEFT_OUT))
        return self.counts.get(READ, len(self)) - left_out - len(self)

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> JobLog:
        """Some of the jobs, each at most once; the others count as left out."""
        arrays = {
            member.name: getattr(self, member.name)[rows]
            for member in fields(self)
            if isinstance(getattr(self, member.name), np.ndarray)
        }
        taken = len(arrays["number"])
        counts = dict(self.counts)
        if counts and taken != len(self):
            counts[KEPT] = taken
            counts[NOT_TAKEN] = counts.get(NOT_TAKEN, 0) + len(self) - taken
        return replace(self, counts=counts, **arrays)
