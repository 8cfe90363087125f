"""Nodes as ``lstopo FILE.xml`` writes them, as the words of a synthetic node."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

from planner.errors import InputError
from scenarios.files import read_bytes

_LARGEST_BYTES = 64 << 20
_LEVEL = re.compile(
    r"Group|NUMANode|Package|Socket|Die|L[1-5]d?(?:Cache)?|Cache|Core|PU", re.IGNORECASE
)


def synthetic_of(path: Path | str) -> str:
    """The levels of a node in a file of ``lstopo``, of hwloc 1 or 2.

    Memory, instruction caches and devices are left out: they change nothing that cores share. The
    threads have the numbers of the operating system.

    Raises
    ------
    InputError
        The file cannot be read, or branches of the node differ.
    """
    shown = str(path)
    data = read_bytes(Path(path), shown, "a file of lstopo", _LARGEST_BYTES, "write it again")
    if b"<!ENTITY" in data:
        raise InputError(f"{shown} defines entities; write it with lstopo FILE.xml")
    try:
        root = ET.fromstring(data)  # noqa: S314 - without entities nothing grows
        machine = root.find("object") if root.tag == "topology" else None
        return _levels(machine, shown)
    except (ET.ParseError, LookupError, ValueError, RecursionError) as error:
        raise InputError(f"{shown} is not XML ({error}); write it with lstopo FILE.xml") from None


def _levels(machine: ET.Element | None, shown: str) -> str:
    """The levels of a node as hwloc's synthetic words."""
    if machine is None:
        raise InputError(f"{shown} is not a topology of hwloc; write it with lstopo FILE.xml")
    words: list[str] = []
    level = [machine]
    while inner := [_within(each) for each in level]:
        kinds = {tuple(_name(each) for each in branch) for branch in inner}
        if len(kinds) > 1 or len({*next(iter(kinds))}) > 1:
            message = f"{shown}: parts of {_name(level[0]) or 'the node'} differ"
            raise InputError(f"{message}; describe the node in words, as in pack:2 core:8")
        (names,) = kinds
        if not names:
            break
        words.append(f"{names[0]}:{len(names)}")
        level = [each for branch in inner for each in branch]
    numbers = [each.get("os_index", "") for each in level]
    if words and words[-1].startswith("PU:") and all(map(str.isdecimal, numbers)):
        words[-1] += f"(indexes={','.join(numbers)})"
    if not words:
        raise InputError(f"{shown} has no cores; write it with lstopo FILE.xml")
    return " ".join(words)


def _within(parent: ET.Element) -> list[ET.Element]:
    """The next levels inside an object, and inside objects between that are not levels."""
    found = []
    for child in parent.findall("object"):
        inner = _within(child)
        kind = child.get("type", "")
        instructions = kind == "Cache" and child.get("cache_type") == "2"  # of hwloc 1
        if _LEVEL.fullmatch(kind) and not instructions and (inner or kind == "PU"):
            found.append(child)
        else:
            found += inner
    return found


def _name(level: ET.Element) -> str:
    """The word of a level; hwloc 1 has the depth of a cache apart."""
    kind = level.get("type", "")
    return f"L{level.get('depth', '1')[:1]}" if kind == "Cache" else kind
