"""What a log says of its jobs and a simulation does not use: GPUs, memory, nodes, dependencies.

A scheduler that counts processors only starts such jobs too early. Readers note for each job what
it has, as bits; cleaning counts the jobs that it keeps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scenarios.job_logs.cell_values import is_unknown
from scenarios.tables.headings import split_unit

Bits = NDArray[np.int8]

GPUS, MEMORY, NODES, DEPENDENCY, THINK_TIME = 1, 2, 4, 8, 16
_WORDS = {
    GPUS: "GPUs",
    MEMORY: "memory",
    NODES: "nodes",
    DEPENDENCY: "a dependency",
    THINK_TIME: "a think time",
}
NOT_SIMULATED = "not simulated: "
"""How ``counts`` calls jobs with something that a simulation does not use."""

_HEADINGS = {
    GPUS: "gpus gpu ngpus numgpus gpucount gpualloc gpusalloc allocgpus reqgpus",
    MEMORY: "memory mem reqmem requestedmemory memorymb memorygb memreq maxrss",
    NODES: "nodes nnodes allocnodes reqnodes numnodes nodecount nodecnt nodect",
    DEPENDENCY: "dependency dependencies dependson depend precedingjob",
    THINK_TIME: "thinktime thinktimes think",
}
_SIGNS = re.compile(r"[\W_]+")
_TRES = "alloctres tresalloc reqtres tresreq tres allocgres reqgres gres"
_SUBMIT_LINE = "submitline"
_KINDS: dict[str, int] = {
    name: bit for bit, names in _HEADINGS.items() for name in names.split()
} | dict.fromkeys(_TRES.split(), 0)
_NOTHING = re.compile(r"[0.:]*[KMGTPEkmgtpe]?[nc]?")
_DEPENDS = re.compile(r"(?:^|\s)(?:--dependency|-d)\b")
_CARRIED = re.compile(rf"([0-9]{{1,9}}) ({NOT_SIMULATED}(?:{'|'.join(_WORDS.values())}))")


def key(heading: str) -> str:
    """Return a heading without unit, capitals, blanks and signs.

    Examples
    --------
    >>> key("Run_Time [s]"), key("run_s")
    ('runtime', 'runs')
    """
    return _SIGNS.sub("", split_unit(heading)[0]).lower()


def unused_columns(headings: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """Places of the columns that a simulation does not use, with what each is called."""
    names = ((index, key(heading)) for index, heading in enumerate(headings))
    return tuple((index, name) for index, name in names if name in _KINDS or name == _SUBMIT_LINE)


def unused_bits(cells: Iterable[tuple[str, str]]) -> int:
    """Return what a job has by its cells, each with the name of its column.

    Examples
    --------
    >>> unused_bits([("alloctres", "cpu=4,gres/gpu:a100=2,mem=8G"), ("nnodes", "1")])
    7
    >>> unused_bits([("reqmem", "0n"), ("gpus", "0"), ("dependency", "")])
    0
    """
    bits = 0
    for name, text in cells:
        bits |= _bits(name, text)
    return bits


@lru_cache(1 << 16)
def _bits(name: str, text: str) -> int:
    text = text.strip()
    if is_unknown(text):
        return 0
    if name == _SUBMIT_LINE:
        return DEPENDENCY if _DEPENDS.search(text) else 0
    bit = _KINDS[name]
    if bit:
        return 0 if _NOTHING.fullmatch(text) else bit
    return _of_tres(text)


def _of_tres(text: str) -> int:
    """Return what ``billing=4,cpu=4,gres/gpu=2,mem=8G,node=1`` or ``gpu:2`` holds."""
    bits = 0
    for part in text.lower().split(","):
        name, _, value = part.partition("=")
        if value and _NOTHING.fullmatch(value):
            continue
        if name.startswith(("gres/gpu", "gpu")):
            bits |= GPUS
        bits |= {"mem": MEMORY, "node": NODES}.get(name, 0)
    return bits


def unused_counts(bits: Bits, header: Mapping[str, str]) -> dict[str, int]:
    """Return jobs by what they have, in words.

    A log that Headroom wrote has lost it; there the counts in its header are repeated.
    """
    counts: dict[str, int] = {}
    for line in header.get("Cleaning", "").split("\n"):
        if carried := _CARRIED.fullmatch(line):
            counts[carried[2]] = int(carried[1])
    for bit, words in _WORDS.items():
        if much := int(np.count_nonzero(bits & bit)):
            counts[NOT_SIMULATED + words] = much
    return counts
