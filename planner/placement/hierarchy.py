"""What the cores of a node share: processors, dies, caches, as hwloc writes synthetic nodes.

References
----------
hwloc, "Synthetic topologies": ``pack:2 l2:2 core:2 pu:1`` is a node of two packages, two second
caches in each, two cores on each, and one hardware thread a core.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np

from planner.errors import InputError
from planner.placement.lstopo import synthetic_of
from planner.placement.synthetic import os_numbers, words
from scenarios.communication.matrix import Integers
from scenarios.communication.ping_pong import Sharing
from scenarios.formatting import nearest, short

Fill = Literal["packed", "spread"]

_KINDS: dict[str, tuple[str, ...]] = {
    "group": ("group", "group0"),
    "group1": ("group1",),
    "group2": ("group2",),
    "group3": ("group3",),
    "numa": ("numa", "numanode", "node"),
    "pack": ("pack", "package", "socket"),
    "die": ("die",),
    "l5": ("l5", "l5u", "l5d", "l5cache", "l5ucache", "l5dcache"),
    "l4": ("l4", "l4u", "l4d", "l4cache", "l4ucache", "l4dcache"),
    "l3": ("l3", "l3u", "l3d", "l3cache", "l3ucache", "l3dcache"),
    "l2": ("l2", "l2u", "l2d", "l2cache", "l2ucache", "l2dcache"),
    "l1": ("l1", "l1u", "l1d", "l1cache", "l1ucache", "l1dcache"),
    "core": ("core",),
    "pu": ("pu",),
}
"""Names of hwloc, and what it takes for the same."""

LEVELS = tuple(_KINDS)
"""In their usual order, outermost first."""

_GROUPS = ("group", "group1", "group2", "group3")
_PROCESSOR = "pack"
_COUNTED = re.compile(r"([0-9]{1,7})\s*[*x]\s*(.+)", re.DOTALL)
_NODE = re.compile(r"(?<![a-z])node:", re.IGNORECASE)
MOST_CORES = 65_536


@dataclass(frozen=True)
class Hierarchy:
    """A node as nested levels.

    Attributes
    ----------
    levels
        Name and number within the level above, outermost first; cores and threads left out.
    cores_within
        Cores of each innermost unit.
    threads
        Threads of each core; all of them belong to the task on that core.
    indexes
        Numbers of the operating system, as hwloc writes them; empty where these are its logical
        ones. All numbers of cores here are logical.
    cpus
        The operating system's number of the first thread of each core; empty where the hierarchy
        does not tell.
    """

    levels: tuple[tuple[str, int], ...]
    cores_within: int
    threads: int = 1
    indexes: str = field(default="", compare=False)
    cpus: tuple[int, ...] = field(default=(), compare=False)

    @cached_property
    def cores(self) -> int:
        """Number of cores of the node."""
        return self.cores_within * int(np.prod([count for _, count in self.levels], dtype=int))

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the levels, outermost first."""
        return tuple(name for name, _ in self.levels)

    @cached_property
    def cores_per_processor(self) -> int:
        """Cores of each package; 1 if no package is named, so that cores count through the node."""
        if _PROCESSOR not in self.names:
            return 1
        return self.cores // self._units_until(_PROCESSOR)

    def unit(self, name: str, core: Integers) -> Integers:
        """Which unit of a level each core lies in, counted through the node."""
        return core // (self.cores // self._units_until(name))

    def sharing(self, name: str) -> Sharing:
        """What two cores share that share a unit of this level, as ping-pong tables have it."""
        if name == _PROCESSOR:
            return "processor"
        inside = self.names[self.names.index(name) :]
        return "node" if _PROCESSOR in inside else "die"

    def filled(self, tasks: int, fill: Fill) -> Integers:
        """Cores that ``tasks`` tasks use, ascending.

        ``packed`` takes the first cores; ``spread`` distributes the tasks evenly at each level.

        Examples
        --------
        >>> node = read_hierarchy("pack:2 l2:2 core:2 pu:1")
        >>> node.filled(3, "packed").tolist(), node.filled(3, "spread").tolist()
        ([0, 1, 2], [0, 2, 4])
        """
        if tasks > self.cores:
            raise InputError(f"{tasks} ranks do not fit on {self.cores} cores; give more nodes")
        if fill == "packed":
            return np.arange(tasks, dtype=np.int64)
        held = np.array([tasks])
        for _, count in self.levels:
            least, more = np.divmod(held[:, None], count)
            held = (least + (np.arange(count) < more)).ravel()
        first = np.arange(len(held)) * self.cores_within
        return np.concatenate([start + np.arange(n) for start, n in zip(first, held, strict=True)])

    def __str__(self) -> str:
        """As it is read."""
        outer = [f"{name}:{count}" for name, count in self.levels]
        numbered = f"(indexes={self.indexes})" if self.indexes else ""
        return " ".join([*outer, f"core:{self.cores_within}", f"pu:{self.threads}{numbered}"])

    def _units_until(self, name: str) -> int:
        last = self.names.index(name)
        return int(np.prod([count for _, count in self.levels[: last + 1]], dtype=int))


def read_hierarchy(text: str) -> Hierarchy:
    """Read levels from the outermost to cores or hardware threads.

    Where no cores are named, the last level before threads has one core in each unit.

    Raises
    ------
    InputError
        A level that is none, is there twice or is out of order, or too many cores.

    Examples
    --------
    >>> node = read_hierarchy("package:2 L2Cache:2 core:2 pu:1")
    >>> node.cores, node.cores_per_processor, str(node)
    (8, 4, 'pack:2 l2:2 core:2 pu:1')
    """
    levels: list[tuple[str, int]] = []
    indexes, numbered = "", ""
    for word in words(text):
        if word.name.lower() == "machine" and word.count == 1 and not levels:
            continue
        levels.append((_inner_group(_kind(word.name, text), levels), word.count))
        if word.indexes:  # of the innermost level that has some
            indexes, numbered = word.indexes, levels[-1][0]
    if not levels:
        raise InputError("the hierarchy is empty; write levels, as in pack:2 l2:2 core:2 pu:1")
    _check(levels, text)
    inner = dict(levels)
    outer = tuple((name, count) for name, count in levels if name not in {"core", "pu"})
    cores, threads = inner.get("core"), inner.get("pu", 1)
    if cores is None:  # without a core level, hwloc counts threads as cores
        cores, threads = (threads, 1) if "pu" in inner else (1, 1)
    made = Hierarchy(outer, cores, threads, indexes)
    if made.cores > MOST_CORES:
        raise InputError(f"hierarchy {short(text)} has {made.cores} cores; {MOST_CORES} at most")
    if numbered != levels[-1][0] or numbered not in ("core", "pu"):
        return made
    try:
        numbers = os_numbers(indexes, made.cores * made.threads)
    except ValueError as error:
        raise InputError(f"hierarchy {short(text)}: {error}; correct it, or omit it") from None
    return made if numbers is None else replace(made, cpus=numbers[:: made.threads])


def _inner_group(kind: str, levels: list[tuple[str, int]]) -> str:
    """The name of a group within other groups: hwloc counts them from the outermost."""
    if kind != "group":
        return kind
    names = {name for name, _ in levels}
    return next((name for name in _GROUPS if name not in names), kind)


def read_counted(text: str) -> tuple[int | None, Hierarchy]:
    """Read a hierarchy, and before it how many nodes have it: ``4*pack:2 core:8``.

    A name that ends with ``.xml`` is that of a file of ``lstopo``.

    Raises
    ------
    InputError
        As :func:`read_hierarchy`, or no nodes.
    """
    matched = _COUNTED.fullmatch(text.strip())
    words = text if matched is None else matched[2]
    if matched is not None and int(matched[1]) < 1:
        raise InputError(f"hierarchy {short(text)} has 0 nodes; give 1 or more, or omit it")
    if words.strip().lower().endswith(".xml"):
        node = _of_file(words.strip())
    else:
        node = read_hierarchy(words)
    return (None if matched is None else int(matched[1])), node


def _of_file(path: str) -> Hierarchy:
    words = synthetic_of(path)
    try:
        return read_hierarchy(words)
    except InputError as error:
        remedy = "describe the node in words, as in pack:2 core:8"
        raise InputError(f"{path} is read as {short(words)}: {error}; {remedy}") from None


def _kind(name: str, text: str) -> str:
    for kind, spellings in _KINDS.items():
        if name.lower() in spellings:
            return kind
    if name.lower() in {"machine", "switch", "rack"}:
        raise InputError(
            f"hierarchy {short(text)}: {name} is not a level within a node; give the number "
            "of nodes "
            "with --nodes, or as in 4*pack:2 core:8"
        )
    known = [kind for kind in _KINDS if kind not in _GROUPS[1:]]
    raise InputError(
        f"hierarchy {short(text)}: {short(name)} is not a level; {nearest(name, known)}"
    )


def _check(levels: list[tuple[str, int]], text: str) -> None:
    names = [name for name, _ in levels]
    for name, count in levels:
        if count < 1:
            raise InputError(f"hierarchy {short(text)}: {name}:0 has no cores; give 1 or more")
        if names.count(name) > 1:
            raise InputError(f"hierarchy {short(text)}: {name} is there twice; keep one")
    inside = dict(zip(names, levels[1:], strict=False)).get("numa", ("", 1))
    if _NODE.search(text) and inside[0] == "pack" and inside[1] > 1:
        raise InputError(
            f"hierarchy {short(text)}: node is hwloc's NUMA domain, which lies in a pack; write "
            "numa, or give the number of nodes with --nodes, or as in 4*pack:2 core:8"
        )
    for kind in ("pu", "core"):
        if kind in names and set(names[names.index(kind) + 1 :]) - {"pu"}:
            raise InputError(f"hierarchy {short(text)}: {kind} comes before levels that contain it")
    caches = [name for name in names if name.startswith("l")]
    if caches != sorted(caches, reverse=True):
        raise InputError(f"hierarchy {short(text)}: a smaller cache comes before a larger one")
