"""What the comments of a log in the Standard Workload Format say: ``; Key: value``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import numpy as np

from scenarios.cell_text import one_line
from scenarios.faults import printable
from scenarios.job_logs.job_log import Codes

MOST_LINES = 10_000
LONGEST = 1000
ENTRY = re.compile(r";\s*([A-Za-z][A-Za-z0-9 _.-]{0,39}?)\s*:\s*(.*)")
_FIRST_NUMBER = re.compile(r"\+?([0-9]{1,12})(?![0-9.])")
NAMED_CODE = re.compile(r"([0-9]{1,9})(?![0-9])\s*[:=,-]?\s*(\S.*)")
NAMED = {"User": "user", "Group": "group", "Queue": "queue", "Partition": "partition"}
"""Headers that name a code, and the property whose codes they are."""


def parse_header(comments: Iterable[bytes]) -> dict[str, str]:
    """Values by key; of a key that stands several times, one line each."""
    header: dict[str, list[str]] = {}
    for comment in comments:
        found = ENTRY.fullmatch(_text(comment[:LONGEST]))
        if found is not None:
            header.setdefault(found[1], []).append(found[2])
    return {key: "\n".join(filter(None, values)) for key, values in header.items()}


def machine_size(header: Mapping[str, str]) -> int | None:
    """Processors of the machine: ``MaxProcs``, or ``MaxNodes`` where it alone is given."""
    for key in ("MaxProcs", "MaxNodes"):
        found = _FIRST_NUMBER.match(header.get(key, ""))
        if found is not None and int(found[1]) > 0:
            return int(found[1])
    return None


def name_codes(
    header: Mapping[str, str], codes: Mapping[str, Codes]
) -> tuple[dict[str, tuple[str, ...]], dict[str, Codes]]:
    """Names that the header gives, and codes as their indices.

    Names stand in the order of their numbers. A number without a name that a job has is called by
    its digits; numbers stay as they are where the header names none.
    """
    names: dict[str, tuple[str, ...]] = {}
    renamed = dict(codes)
    for key, target in NAMED.items():
        given: dict[int, str] = {}
        for line in header.get(key, "").split("\n"):
            found = NAMED_CODE.fullmatch(line)
            if found is not None:
                given.setdefault(int(found[1]), found[2])
        if given:
            used = codes[target][codes[target] >= 0]
            numbers = np.union1d(np.array(sorted(given), dtype=np.int32), used)
            names[target] = tuple(given.get(int(each), str(each)) for each in numbers)
            places = np.searchsorted(numbers, codes[target]).astype(np.int32)
            renamed[target] = np.where(codes[target] < 0, -1, places).astype(np.int32)
    return names, renamed


def _text(comment: bytes) -> str:
    try:
        text = comment.decode("utf-8")
    except UnicodeDecodeError:
        text = comment.decode("latin-1")
    return printable(one_line(text))
