"""What the comments of a log in the Standard Workload Format say: ``; Key: value``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from scenarios.faults import printable
from scenarios.job_logs.job_log import Codes
from scenarios.remark import Remark, remark
from scenarios.tables.cell_text import one_line

MOST_LINES = 10_000
LONGEST = 1000
ENTRY = re.compile(r";\s*([A-Za-z][A-Za-z0-9 _.-]{0,39}?)\s*:\s*(.*)")
_SIZE = re.compile(r"\+?([0-9]{1,12})(?:\s*\(.*|\s+(?:processors|procs|cores|cpus|nodes)\b.*)?")
_NOT_KNOWN = re.compile(r"(?:-1|0|unknown|n/?a)?", re.IGNORECASE)
_SIZES = ("MaxProcs", "MaxNodes")
UNKNOWN_SIZE = "log-unknown-size"
"""Kind of the remark that a header line should give the size of the machine and does not."""

NAMED_CODE = re.compile(r"([0-9]{1,9})(?![0-9])\s*[:=,-]?\s*(\S.*)")
NAMED = {"User": "user", "Group": "group", "Queue": "queue", "Partition": "partition"}
"""Headers that name a code, and the property whose codes they are."""


def parse_header(comments: Iterable[bytes]) -> dict[str, str]:
    """Return values by key; a key that occurs several times has a line for each value."""
    header: dict[str, list[str]] = {}
    for comment in comments:
        matched = ENTRY.fullmatch(_text(comment[:LONGEST]))
        if matched is not None:
            header.setdefault(matched[1], []).append(matched[2])
    return {key: "\n".join(filter(None, values)) for key, values in header.items()}


def machine_size(header: Mapping[str, str]) -> int | None:
    """Processors of the machine: ``MaxProcs``, or ``MaxNodes`` where it alone is given.

    ``None`` where neither is a number: ``1,024`` and ``4x16`` are not read as 1 and 4.
    """
    for key in _SIZES:
        text = _text_of(header, key)
        matched = _SIZE.fullmatch(text)
        if matched is not None and int(matched[1]) > 0:
            return int(matched[1])
        if not _NOT_KNOWN.fullmatch(text):
            return None
    return None


def size_remarks(header: Mapping[str, str], comments: Sequence[tuple[int, bytes]]) -> list[Remark]:
    """Header lines that should give the size of the machine and do not, each with its line."""
    if machine_size(header) is not None:
        return []
    remarks = []
    for key in _SIZES:
        text = _text_of(header, key)
        if _SIZE.fullmatch(text) or _NOT_KNOWN.fullmatch(text):
            continue
        line = next(n for n, comment in comments if parse_header([comment]).keys() == {key})
        remarks.append(
            remark(UNKNOWN_SIZE, line=(line, "id"), key=(key, "id"), text=(text, "text"))
        )
    return remarks


def _text_of(header: Mapping[str, str], key: str) -> str:
    """Return the value of a key; different values of a repeated key are not a number."""
    return " and ".join(dict.fromkeys(header.get(key, "").split("\n")))


def name_codes(
    header: Mapping[str, str], codes: Mapping[str, Codes]
) -> tuple[dict[str, tuple[str, ...]], dict[str, Codes]]:
    """Return names that the header gives, and codes as their indices.

    Names are in the order of their numbers. If a job has a number without a name, its digits are
    the name; numbers stay as they are if the header names none.
    """
    names: dict[str, tuple[str, ...]] = {}
    renamed = dict(codes)
    for key, target in NAMED.items():
        listed: dict[int, str] = {}
        for line in header.get(key, "").split("\n"):
            matched = NAMED_CODE.fullmatch(line)
            if matched is not None:
                listed.setdefault(int(matched[1]), matched[2])
        if listed:
            used = codes[target][codes[target] >= 0]
            numbers = np.union1d(np.array(sorted(listed), dtype=np.int32), used)
            names[target] = tuple(listed.get(int(number), str(number)) for number in numbers)
            places = np.searchsorted(numbers, codes[target]).astype(np.int32)
            renamed[target] = np.where(codes[target] < 0, -1, places).astype(np.int32)
    return names, renamed


def _text(comment: bytes) -> str:
    try:
        text = comment.decode("utf-8")
    except UnicodeDecodeError:
        text = comment.decode("latin-1")
    return printable(one_line(text))
