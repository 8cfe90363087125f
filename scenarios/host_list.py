"""Names of hosts with ranges in brackets, as Slurm and launchers write them."""

from __future__ import annotations

import itertools
import math
import re
from functools import lru_cache

from scenarios.formatting import short
from scenarios.tables.cell_text import CellError

_MOST = 2**20
_COMMA = re.compile(r",(?![^\[]*\])")
_BRACKETS = re.compile(r"\[([^\]]*)\]")
_NUMBERS = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", re.ASCII)


def written_out(text: str) -> list[str]:
    """Names of hosts with commas between them, and ranges of numbers in brackets.

    Raises
    ------
    CellError
        A range is not one.

    Examples
    --------
    >>> written_out("n[01-02,9],r[1-2]c[0-1]")
    ['n01', 'n02', 'n9', 'r1c0', 'r1c1', 'r2c0', 'r2c1']
    """
    names: list[str] = []
    for entry in _COMMA.split(text):
        parts = _BRACKETS.split(entry.strip())
        choices = [[part] if at % 2 == 0 else _range(part, text) for at, part in enumerate(parts)]
        if math.prod(map(len, choices)) + len(names) > _MOST:
            raise CellError(f"{short(text)} names more than {_MOST:,} hosts; give fewer")
        names += map("".join, itertools.product(*choices))
    return names


def _range(text: str, shown: str) -> list[str]:
    """Numbers of ``01-03,7``, as wide as the first of each range."""
    return [
        f"{number:0{width}d}"
        for first, last, width in _ranges(text, shown)
        for number in range(first, last + 1)
    ]


def _ranges(text: str, shown: str) -> list[tuple[int, int, int]]:
    """First and last number of each range, and the width of its numbers."""
    ranges: list[tuple[int, int, int]] = []
    for word in text.split(","):
        matched = _NUMBERS.fullmatch(word.strip())
        first, last = (matched[1], matched[2] or matched[1]) if matched else ("1", "0")
        if not 0 <= int(last) - int(first) < _MOST:
            message = f"{short(shown)} is not a list of hosts; write, for example, n[01-16,20]"
            raise CellError(message)
        ranges.append((int(first), int(last), len(first)))
    return ranges


@lru_cache(1 << 16)
def number_of_hosts(text: str) -> int:
    """How many hosts a list names, or a number of hosts is; 0 where it is neither or too long.

    An entry that is there several times counts once. No name is written out: logs of large machines
    have lists of thousands.

    Examples
    --------
    >>> number_of_hosts("n[01-16,20]"), number_of_hosts("4"), number_of_hosts("n[3-1]")
    (17, 4, 0)
    >>> number_of_hosts("a,a,r[1-2]c[0-9]")
    21
    """
    text = text.strip()
    if text.isascii() and text.isdecimal():
        return int(text) if len(text) < 10 else 0
    try:
        hosts = sum(
            math.prod(
                sum(last - first + 1 for first, last, _ in _ranges(part, text))
                for part in _BRACKETS.split(entry)[1::2]
            )
            for entry in {entry.strip() for entry in _COMMA.split(text)} - {""}
        )
    except CellError:
        return 0
    return hosts if hosts <= _MOST else 0
