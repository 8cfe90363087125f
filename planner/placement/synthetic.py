"""The words of hwloc's synthetic nodes, as people and ``lstopo --of synthetic`` write them.

Attributes are taken by what they mean. Sizes of caches and memory do not change what cores share.
Memory in square brackets is attached to the level before it, whose units share it already.
``indexes=`` gives numbers of the operating system; cores are counted by hwloc's logical ones. An
instruction cache is shared by no messages: its count belongs to the next level.

References
----------
hwloc, "Synthetic topologies" and hwloc_topology_export_synthetic(3), version 2.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

from planner.errors import InputError
from scenarios.formatting import short

_LEVEL = re.compile(r"(?:([A-Za-z][A-Za-z0-9]*):)?([0-9]{1,6})(?:\(([^()]*)\))?(?=\s|\[|$)")
_UNNAMED = ("pu", "core", "pack", "numa", "group", "group", "group", "group")
"""What numbers without names count, innermost first."""

_WORD = re.compile(r"\S+")
_MEMORY = re.compile(r"(?:numanode|numa|memcache|memorysidecache)(?:\(([^()]*)\))?", re.IGNORECASE)
_INSTRUCTIONS = re.compile(r"l[1-3]i(?:cache)?", re.IGNORECASE)
_AMOUNT = re.compile(r"[0-9]+(?:\.[0-9]+)?\s?(?:[kMGT]i?)?B?", re.IGNORECASE)
_INDEXES = re.compile(
    r"[0-9]+(?:,[0-9]+)*|[0-9]+\*[0-9]+(?::[0-9]+\*[0-9]+)*|[a-z0-9:]+", re.IGNORECASE
)
_OF_CACHES, _OF_MEMORY = ("size",), ("memory", "memorysidecachesize", "size")


@dataclass(frozen=True)
class Word:
    """One level: its name as written, how many in the level above, and its ``indexes=``."""

    name: str
    count: int
    indexes: str = ""


def words(text: str) -> list[Word]:
    """Split a hierarchy into its levels.

    Raises
    ------
    InputError
        A word is not a level, or a level has an unknown attribute.

    Examples
    --------
    >>> [(e.name, e.count) for e in words("[NUMANode(memory=64GB)] Package:2 L1iCache:1 Core:4")]
    [('Package', 2), ('Core', 4)]
    >>> words("PU:2(indexes=2*4:1*2)")
    [Word(name='PU', count=2, indexes='2*4:1*2')]
    """
    result: list[Word] = []
    factor, at = 1, 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text[at] == "[":
            at = _after_memory(text, at)
        else:
            level = _LEVEL.match(text, at)
            if level is None:
                raise _no_level(text, at)
            name, count, attributes = level[1] or "", int(level[2]), level[3]
            indexes = _indexes(text, name, attributes or "", _known(name))
            at = level.end()
            if _INSTRUCTIONS.fullmatch(name):
                factor *= count
                continue
            result.append(Word(name, factor * count, indexes))
            factor = 1
    if factor != 1:
        raise InputError(f"hierarchy {short(text)} ends with an instruction cache; add its cores")
    return _named(result, text)


def _named(levels: list[Word], text: str) -> list[Word]:
    """The levels; if none has a name, threads, cores, processors and so on from the innermost."""
    unnamed = sum(not level.name for level in levels)
    if not unnamed:
        return levels
    if unnamed < len(levels) or len(levels) > len(_UNNAMED):
        raise InputError(f"hierarchy {short(text)}: a number has no name; write it as in core:2")
    names = reversed(_UNNAMED[: len(levels)])
    return [replace(level, name=name) for level, name in zip(levels, names, strict=True)]


def os_numbers(indexes: str, count: int) -> tuple[int, ...] | None:
    """Numbers of the operating system by hwloc's logical ones.

    Returns
    -------
    tuple of int, or None
        ``None`` where they are the names of levels, whose numbers hwloc alone computes.

    Raises
    ------
    ValueError
        They are not as many different numbers as there are objects.

    Examples
    --------
    >>> os_numbers("0,2,1,3", 4), os_numbers("2*4:1*2", 8)
    ((0, 2, 1, 3), (0, 2, 4, 6, 1, 3, 5, 7))
    """
    if "*" in indexes:
        loops = [tuple(map(int, loop.split("*"))) for loop in indexes.split(":")]
        if math.prod(times for _, times in loops) != count:
            raise ValueError(f"indexes={indexes} does not count {count} objects")
        numbers = [0]
        for step, times in loops:
            numbers = [number + step * turn for turn in range(times) for number in numbers]
    elif indexes[:1].isdigit():
        numbers = [int(number) for number in indexes.split(",")]
    else:
        return None
    if len(numbers) != count or len(set(numbers)) != count:
        raise ValueError(f"indexes={indexes} does not list {count} different numbers")
    return tuple(numbers)


def _known(name: str) -> tuple[str, ...]:
    lower = name.lower()
    if lower in {"node", "numa", "numanode"}:
        return _OF_MEMORY
    return _OF_CACHES if re.match(r"l[1-5]|cache", lower) else ()


def _after_memory(text: str, at: int) -> int:
    """Where brackets end that hold memory, one in another or not."""
    depth, end = 0, at
    for end in range(at, len(text)):
        depth += (text[end] == "[") - (text[end] == "]")
        if not depth:
            break
    inside = text[at : end + 1]
    names = re.sub(r"[\[\]]", " ", inside).strip()
    index = 0
    while index < len(names):
        memory = _MEMORY.match(names, index)
        if depth or memory is None:
            raise InputError(
                f"hierarchy {short(text)}: {short(inside)} is not a memory attribute; write it as "
                "lstopo does, as in [NUMANode(memory=64GB)], or omit it"
            )
        _indexes(text, "NUMANode", memory[1] or "", _OF_MEMORY)
        index = memory.end()
        while index < len(names) and names[index].isspace():
            index += 1
    return end + 1


def _indexes(text: str, name: str, attributes: str, known: tuple[str, ...]) -> str:
    """The numbers of the operating system among the attributes of a level."""
    indexes = ""
    for attribute in attributes.split():
        key, _, value = attribute.partition("=")
        if key == "indexes":
            if not _INDEXES.fullmatch(value):
                raise InputError(
                    f"hierarchy {short(text)}: {short(attribute)} is not a list of numbers; write "
                    "it as lstopo does, as in indexes=2*16:1*2 or indexes=0,2,1,3"
                )
            indexes = value
        elif (key in known and _AMOUNT.fullmatch(value)) or (key == "subtype" and value):
            continue
        else:
            named = ", ".join(f"{each}=" for each in (*known, "indexes", "subtype"))
            raise InputError(
                f"hierarchy {short(text)}: {short(attribute)} is not an attribute of {name}; "
                f"allowed: {named}. Correct it, or omit it"
            )
    return indexes


def _no_level(text: str, at: int) -> InputError:
    word = _WORD.match(text, at)
    return InputError(
        f"hierarchy {short(text)}: {short(word[0] if word else text[at:])} is not a level; write "
        "names and counts, as in pack:2 l2:2 core:2 pu:1"
    )
