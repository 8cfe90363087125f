"""Say why a line is not a job of the Standard Workload Format."""

from __future__ import annotations

import re
from decimal import Decimal

from scenarios.faults import Fault
from scenarios.job_logs.job_log import LATEST_S
from scenarios.tables.cell_text import quoted

FIELD_NAMES = (
    "job number",
    "submit time",
    "wait time",
    "run time",
    "allocated processors",
    "average CPU time",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding job",
    "think time",
)
_TIMES = {1, 2, 3, 8}
_CODES = {4, 7, 11, 12, 14, 15}
_ANY_NUMBER = {5, 6, 9, 13, 16, 17}
_FIELD = re.compile(rb"[^ \t\r\n]+")
_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?([0-9]+))?")
_LONGEST_EXPONENT = 4


def line_faults(file_name: str, number: int, line: bytes) -> list[Fault]:
    """Return all errors of one line: its number of fields, or each field that cannot be read."""
    matches = list(_FIELD.finditer(line))
    count = next(
        (n for n, match in enumerate(matches) if n >= len(FIELD_NAMES) and match[0][:1] == b";"),
        len(matches),
    )
    faults = []
    if count == len(FIELD_NAMES):
        for index, match in enumerate(matches[:count]):
            if error := _error_in(match[0], index):
                where = f"column {match.start() + 1}, field {index + 1} ({FIELD_NAMES[index]})"
                text = match[0].decode("utf-8", "backslashreplace")
                faults.append(Fault(file_name, number, where, f"{quoted(text)} {error}"))
    if b"\0" in line:
        return [
            Fault(
                file_name,
                number,
                "",
                "contains a zero byte, so it is not a text file; give the log itself",
            )
        ]
    if count != len(FIELD_NAMES):
        remedy = "write -1 for missing values" if count < 18 else "write one line per job"
        fields = "field" if count == 1 else "fields"
        message = f"{count} {fields}, but the Standard Workload Format has 18; {remedy}"
        faults.append(Fault(file_name, number, "", message))
    return faults or [Fault(file_name, number, "", "cannot be read as a job; correct the line")]


def _error_in(field: bytes, index: int) -> str:
    """Return what is wrong with a field; empty if nothing is."""
    matched = _NUMBER.fullmatch(field)
    if matched is None:
        return "is not a number; correct it, or write -1 if it is unknown"
    if index in _ANY_NUMBER:
        return ""
    if len((matched[1] or b"").lstrip(b"0")) > _LONGEST_EXPONENT:
        return "has an exponent that is too large; correct it"
    value = Decimal(field.decode())
    if abs(value) >= 10**18:
        return "has more than 18 digits; correct it"
    if index in _TIMES:
        in_range = -LATEST_S <= value < LATEST_S
        return "" if in_range else "is beyond 2**38 s (about 8,700 years); correct it"
    if value != int(value):
        return "is not a whole number; correct it"
    if index in _CODES and not -(1 << 31) <= value < 1 << 31:
        return "is beyond 2,147,483,647; correct it"
    return ""
