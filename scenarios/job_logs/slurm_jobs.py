"""What schedulers call jobs and their states; each word of Slurm is read in any table."""

from __future__ import annotations

import re
from functools import lru_cache

from scenarios.job_logs.job_log import MISSING
from scenarios.job_logs.raw_jobs import CANCELLED, COMPLETED, FAILED, OTHER_STATUS, UNFINISHED
from scenarios.tables.cell_text import CellError, quoted

STEP = "a step of a job"
ARRAY_WAITS = "waiting tasks of an array"

_COMPLETED = "COMPLETED CD COMPLETED_SUCCESSFULLY"
_CANCELLED = "CANCELLED CA REVOKED RV COMPLETED_KILLED"
_FAILED = (
    "FAILED F TIMEOUT TO NODE_FAIL NF OUT_OF_MEMORY OOM BOOT_FAIL BF DEADLINE DL PREEMPTED PR "
    "REQUEUED RQ LAUNCH_FAILED RECONFIG_FAIL COMPLETED_FAILED COMPLETED_WALLTIME_REACHED"
)
_UNFINISHED = (
    "PENDING PD RUNNING R SUSPENDED S CONFIGURING CF COMPLETING CG RESIZING RS STOPPED ST "
    "REQUEUE_HOLD RH REQUEUE_FED RF RESV_DEL_HOLD RD SPECIAL_EXIT SE SIGNALING SI STAGE_OUT SO "
    "EXPEDITING NOT_SUBMITTED SUBMITTED"
)
_STATES: dict[str, int] = {
    word: status
    for words, status in (
        (_COMPLETED, COMPLETED),
        (_CANCELLED, CANCELLED),
        (_FAILED, FAILED),
        (_UNFINISHED, UNFINISHED),
    )
    for word in words.split()
}
_BASE_STATES = (
    *(UNFINISHED, UNFINISHED, UNFINISHED, COMPLETED, CANCELLED),
    *(FAILED, FAILED, FAILED, FAILED, FAILED, FAILED, FAILED),
)
"""By the number in Slurm's database: PENDING, RUNNING, SUSPENDED, COMPLETED, CANCELLED, ..."""
_BASE = 0xFF  # the bits above are flags
_LARGEST_STATE = 10
_NUMBER = re.compile(r"([0-9]{1,18})(?:_([0-9]{1,7})|\+([0-9]{1,4}))?")
_PART = 10**10
_FIRST_COMPONENT = 5_000_000  # beyond all tasks of an array (MaxArraySize is at most 4,000,001)


@lru_cache(1 << 12)
def status_of(text: str) -> int:
    """Code of completion of a state as in ``CANCELLED by 1000``, or of a number of Slurm's.

    ``UNFINISHED`` while the job waits or runs; ``OTHER_STATUS`` for a state that is not known
    here: sites and new versions of Slurm have more.

    Examples
    --------
    >>> status_of("CANCELLED by 1000"), status_of("RUNNING"), status_of("3")
    (5, -2, 1)
    """
    word = re.split(r"[ ,+]", text.strip(), maxsplit=1)[0].upper()
    if not word:
        return MISSING
    if word.isascii() and word.isdecimal() and len(word) <= _LARGEST_STATE:
        base = int(word) & _BASE
        return _BASE_STATES[base] if base < len(_BASE_STATES) else OTHER_STATUS
    if text.strip().endswith("+") and word not in _STATES:  # cut by sacct without -P
        cut = {status for state, status in _STATES.items() if state.startswith(word)}
        return cut.pop() if len(cut) == 1 else OTHER_STATUS
    return _STATES.get(word, OTHER_STATUS)


def status_in_table(text: str) -> int:
    """Code of completion in a table of another program: a word of Slurm's, or a number as in SWF.

    Examples
    --------
    >>> status_in_table("1"), status_in_table("TIMEOUT")
    (1, 0)
    """
    number = text.strip()
    if number.isascii() and number.isdecimal():
        return int(number) if len(number) == 1 and int(number) <= CANCELLED else OTHER_STATUS
    return status_of(text)


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
