"""Nodes, pins and distances of a placement as words on the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import click

from planner.cli.values import pairs
from planner.errors import InputError
from planner.plain_numbers import plain_float
from scenarios.host_list import written_out
from scenarios.tables.cell_text import CellError

_COUNT = re.compile(r"(?:([0-9]{1,7})\s*[*x]\s*)?([0-9]{1,7})")
_NODE = re.compile(r"(node)?([0-9]{1,7})", re.ASCII)
_LONGEST_FILE = 1 << 26
_RANKS = re.compile(r"([0-9]{1,7})(?:-([0-9]{1,7}))?")
_MOST = 2**20
_SLOTS = re.compile(r":[0-9]+$")


def counts(text: str, option: str) -> tuple[int, ...]:
    """Read numbers, each with how often it is there.

    Examples
    --------
    >>> counts("2*8,4", "--capacities")
    (8, 8, 4)
    """
    numbers: list[int] = []
    for word in text.split(","):
        match = _COUNT.fullmatch(word.strip())
        if match is None:
            message = f"{word.strip()!r} is not a number of ranks; write 8,8,4 or 2*8,4"
            raise click.BadParameter(message, param_hint=option)
        times = int(match[1] or 1)
        if times + len(numbers) > _MOST:
            raise click.BadParameter(
                f"more than {_MOST:,} nodes are given; give fewer", param_hint=option
            )
        numbers += [int(match[2])] * times
    return tuple(numbers)


def host_names(texts: tuple[str, ...], path: str | None) -> tuple[str, ...]:
    """Read names of nodes: from options with commas between them, or from a file, one a line.

    Ranges in brackets are written out, as ``scontrol show hostnames`` does. A file may be that of
    Open MPI (``n01 slots=4``), MPICH (``n01:4``) or PBS, which names a host once a slot.

    Examples
    --------
    >>> host_names(("n[01-02]", "n03"), None)
    ('n01', 'n02', 'n03')
    """
    if path is None:
        return tuple(name for text in texts for name in _written_out(text))
    if texts:
        raise click.UsageError("--host and --host-file both name the nodes; give one of them")
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(_LONGEST_FILE + 1)
    except OSError as error:
        message = f"{path} cannot be read ({error.strerror}); give a file with one host per line"
        raise InputError(message) from None
    if len(data) > _LONGEST_FILE:
        raise InputError(
            f"{path} is larger than {_LONGEST_FILE:,} bytes; give a file with one host per line"
        )
    from scenarios.files import with_line_feeds

    text = with_line_feeds(data.decode("utf-8", "replace"))
    lines = (line.partition("#")[0].strip() for line in text.split("\n"))
    entries = (_SLOTS.sub("", line.split()[0]) for line in lines if line)
    hosts = tuple(dict.fromkeys(name for entry in entries for name in _written_out(entry)))
    if not hosts:
        raise InputError(f"{path} contains no host; write one per line")
    return hosts


def _written_out(text: str) -> list[str]:
    try:
        return written_out(text)
    except CellError as error:
        raise InputError(str(error)) from None


def pinned_ranks(texts: tuple[str, ...], hosts: Sequence[str]) -> dict[int, int]:
    """Read nodes of pinned ranks; a node is a number from 0, or the name of a host.

    Without hosts their placeholders node0, ... are names.

    Examples
    --------
    >>> pinned_ranks(("0,4-5=1", "2=n01"), ["n01", "n02"])
    {0: 1, 4: 1, 5: 1, 2: 0}
    """
    nodes: dict[int, int] = {}
    for text in texts:
        ranks, _, node = (part.strip() for part in text.partition("="))
        if node in hosts:
            index = list(hosts).index(node)
        elif (number := _NODE.fullmatch(node)) and (number[2] == node or not hosts):
            index = int(number[2])
        else:
            raise _no_pin(text)
        for word in ranks.split(","):
            match = _RANKS.fullmatch(word.strip())
            if match is None:
                raise _no_pin(text)
            first, last = int(match[1]), int(match[2] or match[1])
            if last < first or last - first >= _MOST:
                raise _no_pin(text)
            for rank in range(first, last + 1):
                if nodes.get(rank, index) != index:
                    message = (
                        f"rank {rank} is pinned to nodes {nodes[rank]} and "
                        f"{index}; keep one of them"
                    )
                    raise click.BadParameter(message, param_hint="--pin")
                nodes[rank] = index
    return nodes


def _no_pin(text: str) -> click.BadParameter:
    message = f"{text!r} is not RANKS=NODE; write, for example, 0,8-11=2 (both count from 0)"
    return click.BadParameter(message, param_hint="--pin")


def read_distances(texts: tuple[str, ...]) -> dict[str, float]:
    """Read distances of levels."""
    distances: dict[str, float] = {}
    for name, value in pairs(texts, "--distance").items():
        try:
            distances[name] = plain_float(value)
        except ValueError as error:
            raise click.BadParameter(f"{name}: {error}", param_hint="--distance") from None
    return distances
