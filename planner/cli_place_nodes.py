"""Nodes, pins and distances of a placement as words on the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from planner.cli_edges import a_number
from planner.cli_values import pairs

if TYPE_CHECKING:
    from planner.placement.layout import Core
    from planner.placement.place import Placement

_COUNT = re.compile(r"(?:([0-9]{1,7})\s*[*x]\s*)?([0-9]{1,7})")
_RANKS = re.compile(r"([0-9]{1,7})(?:-([0-9]{1,7}))?")
_MOST = 2**20


def numbers(context: Any, option: Any, values: tuple[float, ...]) -> tuple[float, ...]:
    """No value is NaN."""
    for value in values:
        a_number(context, option, value)
    return values


def counts(text: str, option: str) -> tuple[int, ...]:
    """Read numbers, each with how often it is there.

    Examples
    --------
    >>> counts("2*8,4", "--capacities")
    (8, 8, 4)
    """
    found: list[int] = []
    for word in text.split(","):
        match = _COUNT.fullmatch(word.strip())
        if match is None:
            message = f"{word.strip()!r} is no number of tasks; write 8,8,4 or 2*8,4"
            raise click.BadParameter(message, param_hint=option)
        times = int(match[1] or 1)
        if times + len(found) > _MOST:
            raise click.BadParameter(f"more than {_MOST} nodes; give fewer", param_hint=option)
        found += [int(match[2])] * times
    return tuple(found)


def pinned_ranks(texts: tuple[str, ...], hosts: Sequence[str]) -> dict[int, int]:
    """Read nodes of pinned ranks; a node is a number from 0, or the name of a host.

    Examples
    --------
    >>> pinned_ranks(("0,4-5=1", "2=n01"), ["n01", "n02"])
    {0: 1, 4: 1, 5: 1, 2: 0}
    """
    found: dict[int, int] = {}
    for text in texts:
        ranks, _, node = (part.strip() for part in text.partition("="))
        if node in hosts:
            place = list(hosts).index(node)
        elif node.isdecimal() and len(node) < 8:
            place = int(node)
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
                if found.get(rank, place) != place:
                    message = f"rank {rank} is pinned to nodes {found[rank]} and {place}; keep one"
                    raise click.BadParameter(message, param_hint="--pin")
                found[rank] = place
    return found


def _no_pin(text: str) -> click.BadParameter:
    message = f"{text!r} is not RANKS=NODE; write ranks and a node, both from 0: 0,8-11=2"
    return click.BadParameter(message, param_hint="--pin")


def read_distances(texts: tuple[str, ...]) -> dict[str, float]:
    """Read distances of levels."""
    found: dict[str, float] = {}
    for name, value in pairs(texts, "--distance").items():
        try:
            found[name] = float(value)
        except ValueError:
            message = f"{value!r} is no number; write {name}=10"
            raise click.BadParameter(message, param_hint="--distance") from None
    return found


def cores_of(found: Placement) -> list[list[Core]]:
    """Processor, and core within it, of each rank of each group."""
    from planner.placement.layout import Core

    return [
        [Core(*divmod(core, shape.cores_per_processor if shape else len(cores))) for core in cores]
        for cores, shape in zip(found.cores, found.nodes.shapes, strict=True)
    ]
