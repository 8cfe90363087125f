"""Jobs as a reader found them, before any rule of cleaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from scenarios.faults import Fault, ScenarioError
from scenarios.job_logs.job_log import Codes, Integers, Mask
from scenarios.job_logs.unused import Bits
from scenarios.remark import Remark
from scenarios.understood import ReadColumn

Statuses = NDArray[np.int8]

FAILED, COMPLETED, PARTIAL, LAST_COMPLETED, LAST_FAILED, CANCELLED = range(6)
"""Codes of completion, as in the Standard Workload Format."""

OTHER_STATUS = 9
"""A state of completion that is not known here."""

UNFINISHED = -2
"""The job waited or ran still when the log was made."""

MOST_FAULTS = 100


@dataclass(frozen=True, eq=False)
class RawJobs:
    """Jobs in the order of the file, ``MISSING`` where a value is.

    Attributes
    ----------
    line
        Line of each job in the file.
    number, submit_s, wait_s, run_s, processors, requested_s, user, group, queue, partition
        As in ``JobLog``, but unchecked; what is 0 or below is missing in ``requested_s`` and
        ``processors``.
    status
        Code of completion, ``MISSING`` where none is given.
    energy_j
        Energy [J], NaN where none is given; ``None`` where the form has none.
    names
        As in ``JobLog``.
    counts
        Jobs that the reader left out or noted, by its words.
    unused
        What each job has that a simulation does not use, as bits; ``None`` where nothing is known.
    unknown_states
        Texts of unknown states by row, where there are any.
    marks
        Which jobs a rule of the reader altered, by its words.
    remarks
        What the reader found doubtful.
    columns
        As in ``JobLog``.
    """

    line: Integers
    number: Integers
    submit_s: Integers
    wait_s: Integers
    run_s: Integers
    processors: Integers
    requested_s: Integers
    user: Codes
    group: Codes
    queue: Codes
    partition: Codes
    status: Statuses
    energy_j: NDArray[np.float64] | None = None
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    unused: Bits | None = None
    unknown_states: Mapping[int, str] = field(default_factory=dict)
    marks: Mapping[str, Mask] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    columns: tuple[ReadColumn, ...] = ()

    def __len__(self) -> int:
        return len(self.number)


def refusal(file_name: str, faults: Sequence[Fault], *, unreadable: bool = False) -> ScenarioError:
    """Build an exception with at most a hundred errors, in the order of the file.

    Parameters
    ----------
    file_name
        What the file is called.
    faults
        All errors.
    unreadable
        Whether they are in records, which a rule of cleaning may leave out.
    """
    listed = sorted(dict.fromkeys(faults))
    if len(listed) > MOST_FAULTS:
        listed = listed[:MOST_FAULTS]
        message = "there are more errors; correct these first"
        listed.append(Fault(file_name, listed[-1].line + 1, "", message))
    if unreadable:
        remedy = "; or leave out unreadable lines with --clean unreadable=leave-out"
        listed[-1] = replace(listed[-1], message=listed[-1].message + remedy)
    return ScenarioError(listed)
