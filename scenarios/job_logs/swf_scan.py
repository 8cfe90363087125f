"""The compiled scanner of the Standard Workload Format turns bytes into columns and errors.

It reads a block of whole lines in one pass, and stores a job's line if all its fields are valid.
It notes the place of any other line and goes on; ``swf_faults`` says what is wrong there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scenarios.job_logs.job_log import LATEST_S
from scenarios.job_logs.raw_jobs import OTHER_STATUS
from scenarios.job_logs.unused import DEPENDENCY, MEMORY, THINK_TIME
from solvers.compiled import compiled, compiled_entry, counted_entry

Bytes = NDArray[np.uint8]
Longs = NDArray[np.int64]
Codes = NDArray[np.int32]

FIELDS = 18
NUMBER, SUBMIT, WAIT, RUN, ALLOCATED = 0, 1, 2, 3, 4
REQUESTED_PROCESSORS, REQUESTED_TIME, STATUS = 7, 8, 10
USER, GROUP, QUEUE, PARTITION = 11, 12, 14, 15
USED_MEMORY, REQUESTED_MEMORY, JOB_BEFORE, THINK = 6, 9, 16, 17
SHORTEST_LINE = 2 * FIELDS
"""Bytes of a job's line at least: eighteen digits, each with a blank or the line end."""

LINES, JOBS, FAULTS, COMMENTS, ROUNDED = 0, 1, 2, 3, 4
"""What ``tally`` counts: lines, jobs stored, faulty lines, comments, jobs with a fraction."""

_DIGITS = 18  # ten to this power is below 2 ** 63
BEYOND_CODES = 1 << 31
_LARGEST_EXPONENT = 9999
IGNORED, WHOLE, TIME = 0, 1, 2
_NOT_STORED = (5, 6, 9, 13, 16, 17)  # CPU time, memory twice, executable, job before, think time
_KIND_OF_FIELD = np.full(FIELDS, WHOLE, dtype=np.int64)
_KIND_OF_FIELD[list(_NOT_STORED)] = IGNORED
_KIND_OF_FIELD[[SUBMIT, WAIT, RUN, REQUESTED_TIME]] = TIME


@counted_entry
def scan(
    data: Bytes,
    times: tuple[Longs, ...],
    ids: tuple[Longs, ...],
    codes: tuple[Codes, ...],
    status: NDArray[np.int8],
    unused: NDArray[np.int8],
    faults: Longs,
    comments: Longs,
    tally: Longs,
) -> None:
    """Read all lines of a block whose last byte is a line end.

    Parameters
    ----------
    data
        The block.
    times
        Submit, wait, run and requested times; rows from ``tally[JOBS]`` on are written.
    ids
        Job numbers, lines, processors.
    codes
        Users, groups, queues, partitions.
    status
        Status of completion.
    unused
        What jobs have that a simulation does not use, as in ``unused``.
    faults
        Rows of line number, start and stop in ``data``; no more are noted than there are rows.
    comments
        Rows of line number, start and stop in ``data``; likewise.
    tally
        Counted on from block to block; ``FAULTS`` and ``COMMENTS`` are the caller's to reset.
    """
    values = np.zeros(FIELDS, np.int64)
    end = len(data)
    line = tally[LINES]
    job = tally[JOBS]
    i = 0
    while i < end:
        line += 1
        first = i
        i = _skip_blanks(data, i)
        if data[i] == 10:
            i += 1
            continue
        if data[i] == 59:
            start = i
            i = _line_end(data, i)
            _note(comments, tally, COMMENTS, (line, start, i))
            i += 1
            continue
        i, fields, rounded = _fields(data, i, values)
        i = _line_end(data, i)
        if fields != FIELDS or not _in_range(values):
            _note(faults, tally, FAULTS, (line, first, i))
            i += 1
            continue
        i += 1
        tally[ROUNDED] += rounded
        times[0][job] = values[SUBMIT]
        times[1][job] = values[WAIT]
        times[2][job] = values[RUN]
        times[3][job] = values[REQUESTED_TIME]
        ids[0][job] = values[NUMBER]
        ids[1][job] = line
        requested = values[REQUESTED_PROCESSORS]
        ids[2][job] = requested if requested > 0 else values[ALLOCATED]
        codes[0][job] = values[USER]
        codes[1][job] = values[GROUP]
        codes[2][job] = values[QUEUE]
        codes[3][job] = values[PARTITION]
        state = values[STATUS]
        status[job] = state if -1 <= state <= 5 else OTHER_STATUS
        unused[job] = (
            MEMORY * (values[USED_MEMORY] > 0 or values[REQUESTED_MEMORY] > 0)
            + DEPENDENCY * (values[JOB_BEFORE] > 0)
            + THINK_TIME * (values[THINK] > 0)
        )
        job += 1
    tally[LINES] = line
    tally[JOBS] = job


@compiled_entry
def _fields(data: Bytes, i: int, values: Longs) -> tuple[int, int, bool]:
    """Read the fields of a line: where it stopped, their number or -1, whether one was rounded."""
    field = 0
    rounded = False
    while field < FIELDS and data[i] != 10:
        start = i
        negative = data[i] == 45
        if negative:
            i += 1
        begin = i
        value = 0
        digit: Any = np.int64(data[i]) - 48
        while 0 <= digit <= 9:
            value = value * 10 + digit
            i += 1
            digit = np.int64(data[i]) - 48
        if i == begin or i - begin > _DIGITS or (data[i] != 32 and not _is_gap(data[i])):
            i = _token_end(data, i)
            value, fine, inexact = _uncommon(data, start, i, _KIND_OF_FIELD[field])
            if not fine:
                return i, -1, False
            rounded = rounded or inexact
            negative = data[start] == 45
        values[field] = -value if negative else value
        field += 1
        i = _skip_blanks(data, i)
    if data[i] != 10 and data[i] != 59:
        field += 1
    return i, field, rounded


@compiled
def _note(rows: Longs, tally: Longs, which: int, entry: tuple[int, int, int]) -> None:
    if tally[which] < len(rows):
        for index in range(3):
            rows[tally[which], index] = entry[index]
    tally[which] += 1


@compiled
def _is_gap(byte: int) -> bool:
    return byte == 32 or byte == 10 or byte == 9 or byte == 13  # noqa: PLR1714 - compiled


@compiled
def _skip_blanks(data: Bytes, i: int) -> int:
    while data[i] <= 32 and (data[i] == 32 or data[i] == 9 or data[i] == 13):
        i += 1
    return i


@compiled
def _line_end(data: Bytes, i: int) -> int:
    while data[i] != 10:
        i += 1
    return i


@compiled
def _token_end(data: Bytes, i: int) -> int:
    while not _is_gap(data[i]):
        i += 1
    return i


@compiled_entry
def _in_range(values: Longs) -> bool:
    """Return whether a log may hold these times, processors and codes.

    A sum of ``v`` and ``2 ** k`` has no bit from ``k + 1`` on if ``-2 ** k <= v < 2 ** k``.
    """
    times = (
        (values[SUBMIT] + LATEST_S)
        | (values[WAIT] + LATEST_S)
        | (values[RUN] + LATEST_S)
        | (values[REQUESTED_TIME] + LATEST_S)
    )
    others = (
        (values[ALLOCATED] + BEYOND_CODES)
        | (values[REQUESTED_PROCESSORS] + BEYOND_CODES)
        | (values[USER] + BEYOND_CODES)
        | (values[GROUP] + BEYOND_CODES)
        | (values[QUEUE] + BEYOND_CODES)
        | (values[PARTITION] + BEYOND_CODES)
    )
    return bool(0 <= times < 2 * LATEST_S and 0 <= others < 2 * BEYOND_CODES)


@compiled
def _uncommon(data: Bytes, i: int, stop: int, kind: int) -> tuple[int, bool, bool]:
    """Read a number with a plus, decimals, an exponent or many digits, without its sign.

    Given are its value, whether it is one, and whether it was rounded, halves away from zero.
    """
    i += data[i] == 45 or data[i] == 43
    mantissa = 0
    digits = exponent = 0
    seen = point = lost = False
    while i < stop:
        digit: Any = np.int64(data[i]) - 48
        if data[i] == 46 and not point:
            point = True
        elif not 0 <= digit <= 9:
            break
        else:
            seen = True
            if digits < _DIGITS:
                mantissa = mantissa * 10 + digit
                digits += mantissa > 0
                exponent -= point
            else:
                lost = bool(lost or digit > 0)
                exponent += not point
        i += 1
    power, i = _exponent(data, i, stop)
    if not seen or i != stop:
        return 0, False, False
    if mantissa == 0:
        return 0, True, False
    if kind == IGNORED:  # all that matters is that there is something
        return 1, True, False
    exponent += power
    if digits + exponent > _DIGITS:
        return 0, False, False
    for _ in range(exponent):
        mantissa *= 10
    if exponent < 0:
        unit = 1
        for _ in range(min(-exponent, _DIGITS)):
            unit *= 10
        small = -exponent > _DIGITS
        whole = 0 if small else mantissa // unit
        lost = lost or small or mantissa != whole * unit
        mantissa = whole + (not small and 2 * (mantissa - whole * unit) >= unit)
    return mantissa, kind == TIME or not lost, lost


@compiled
def _exponent(data: Bytes, i: int, stop: int) -> tuple[int, int]:
    """Read what follows an ``e``; where no digit does, the place stays before the end."""
    if i >= stop or (data[i] | 32) != 101:
        return 0, i
    at = i + 1
    negative = at < stop and data[at] == 45
    if negative or (at < stop and data[at] == 43):
        at += 1
    power = 0
    begin = at
    while at < stop and 48 <= data[at] <= 57:
        digit: Any = np.int64(data[at]) - 48
        power = min(power * 10 + digit, _LARGEST_EXPONENT)
        at += 1
    if at == begin:
        return 0, i
    return (-power if negative else power), at
