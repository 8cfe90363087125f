"""What Slurm calls jobs and their states."""

from __future__ import annotations

import re
from functools import lru_cache

from scenarios.job_logs.job_log import MISSING
from scenarios.job_logs.raw_jobs import CANCELLED, COMPLETED, FAILED, OTHER_STATUS
from scenarios.tables.cell_text import CellError, quoted

STEP = "a step of a job"
ARRAY_WAITS = "waiting tasks of an array"
UNFINISHED = "still waiting or running"
NEVER_STARTED = "never started"

_COMPLETED = "COMPLETED CD"
_CANCELLED = "CANCELLED CA REVOKED RV"
_FAILED = (
    "FAILED F TIMEOUT TO NODE_FAIL NF OUT_OF_MEMORY OOM BOOT_FAIL BF DEADLINE DL PREEMPTED PR "
    "REQUEUED RQ LAUNCH_FAILED RECONFIG_FAIL"
)
_UNFINISHED = (
    "PENDING PD RUNNING R SUSPENDED S CONFIGURING CF COMPLETING CG RESIZING RS STOPPED ST "
    "REQUEUE_HOLD RH REQUEUE_FED RF RESV_DEL_HOLD RD SPECIAL_EXIT SE SIGNALING SI STAGE_OUT SO "
    "EXPEDITING"
)
_STATES: dict[str, int | None] = {
    word: status
    for words, status in (
        (_COMPLETED, COMPLETED),
        (_CANCELLED, CANCELLED),
        (_FAILED, FAILED),
        (_UNFINISHED, None),
    )
    for word in words.split()
}
_NUMBER = re.compile(r"([0-9]{1,18})(?:_([0-9]{1,7})|\+([0-9]{1,4}))?")
_PART = 10**10
_FIRST_COMPONENT = 5_000_000  # beyond all tasks of an array (MaxArraySize is at most 4,000,001)


@lru_cache(1 << 12)
def status_of(text: str) -> int | None:
    """Code of completion of a state as in ``CANCELLED by 1000``; ``None`` while it is unfinished.

    ``OTHER_STATUS`` for a state that is not known here: sites and new versions of Slurm have more.
    """
    word = re.split(r"[ ,+]", text.strip(), maxsplit=1)[0].upper()
    if not word:
        return MISSING
    return _STATES.get(word, OTHER_STATUS)


def job_number(text: str) -> int:
    """Return a number of its own for ``123``, for task 4 of an array, ``123_4``, and for ``123+1``.

    Task ``t`` of array ``j`` is ``j + (t + 1) 10**10``, so that the last ten digits are those of
    the array; component ``c`` of a heterogeneous job ``j + (c + 5,000,000) 10**10``.

    Raises
    ------
    CellError
        It is none.

    Examples
    --------
    >>> job_number("123"), job_number("123_4")
    (123, 50000000123)
    """
    matched = _NUMBER.fullmatch(text.strip())
    if matched is None:
        raise CellError(f"{quoted(text)} is not a job number; write it as in 123 or 123_4")
    number, task, component = matched.groups()
    if task is None and component is None:
        return int(number)
    if int(number) >= _PART:
        raise CellError(f"{quoted(text)} has more than 10 digits; correct it")
    part = int(task) + 1 if task is not None else _FIRST_COMPONENT + int(component)
    return int(number) + part * _PART


def reason_left_out(job: str) -> str:
    """Return why a line is that of no job: words, or an empty text."""
    if "." in job:
        return STEP
    return ARRAY_WAITS if "[" in job else ""
