"""Communication from a graph file of METIS: one line per vertex with its neighbours.

References
----------
Karypis (2013). METIS 5.1.0 manual, section 4.1.1: first ``n m [fmt [ncon]]``, then the vertices'
lines ``[size] [weights] neighbour [weight] ...``; the digits of fmt say whether there are
vertex sizes, vertex weights and edge weights. Vertices count from 1, each edge is written twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from scenarios.communication.matrix import MOST_RANKS, MOST_RECORDS, Directed
from scenarios.communication.numbered_text import LARGEST_AMOUNT, NumberedText, a_rank, whole
from scenarios.communication.records import Read, Records
from scenarios.formatting import short
from scenarios.remark import Remark, remark


class _Header(NamedTuple):
    line: int
    ranks: int
    edges: int
    weighted: bool
    skipped: int
    """Numbers before the neighbours: the vertex' size and weights."""


def read_metis(text: NumberedText) -> Read:
    """Read a graph whose edges' weights are the bytes of both directions together.

    Vertex sizes and weights are left out, with a remark; edges without weights count 1.

    Raises
    ------
    ScenarioError
        A line is not a vertex, or an edge does not occur twice with the same weight.
    """
    lines = ((number, line) for number, line in text if not line.startswith("%"))
    header = _header(text, next(((n, each) for n, each in lines if each.strip()), (0, "")))
    records = Records()
    line_of: list[int] = []
    for number, line in lines:
        if len(line_of) == header.ranks:
            if line.strip():
                text.fault(
                    number, f"follows the last of {header.ranks} vertices; see the first one"
                )
                break
            continue
        line_of.append(number)
        try:
            for other, weight in _neighbours(line, header):
                records.add(len(line_of) - 1, other, float(weight))
        except ValueError as error:
            text.fault(number, str(error), f"vertex {len(line_of)}")
    if len(line_of) < header.ranks:
        text.fault(0, f"ends after {len(line_of)} of {header.ranks} vertices; give each a line")
    text.settle()
    both = records.directed(messages=False)
    _check_twice(text, both, header.ranks, line_of)
    text.settle()
    if len(both.source) != 2 * header.edges:
        message = f"gives {header.edges} edges, and {len(both.source) // 2} follow; correct it"
        text.fault(header.line, message)
    text.settle()
    once = both.source < both.target
    half = Directed(both.source[once], both.target[once], both.bytes[once])
    return Read(header.ranks, half, directions=False, remarks=tuple(_remarks(header)))


def _header(text: NumberedText, first: tuple[int, str]) -> _Header:
    try:
        return _parsed(*first)
    except ValueError as error:
        text.fault(first[0], str(error))
        text.settle()
        raise


def _parsed(number: int, line: str) -> _Header:
    words = line.split()
    if len(words) not in (2, 3, 4):
        raise ValueError("does not begin with vertices, edges and fmt; give a METIS graph")
    digits = words[2] if words[2:] else "0"
    if not re.fullmatch(r"[01]{1,3}", digits):
        raise ValueError(f"fmt {short(digits)} is unknown; write up to three digits, 0 or 1")
    sizes, vertex_weights, weighted = (each == "1" for each in digits.zfill(3))
    several = whole(words[3], 0, 100, "number of vertex weights") if words[3:] else 1
    return _Header(
        number,
        whole(words[0], 1, MOST_RANKS, "number of vertices"),
        whole(words[1], 0, MOST_RECORDS // 2, "number of edges"),
        weighted,
        sizes + (several if vertex_weights else 0),
    )


def _neighbours(line: str, header: _Header) -> Iterator[tuple[int, int]]:
    words = line.split()
    if len(words) < header.skipped:
        raise ValueError(
            f"has {len(words)} numbers, but {header.skipped} must come before the neighbours"
        )
    for each in words[: header.skipped]:
        whole(each, 0, LARGEST_AMOUNT, "size or weight of a vertex")
    rest = words[header.skipped :]
    if header.weighted and len(rest) % 2:
        raise ValueError("has a neighbour without a weight; write neighbour and weight in turn")
    for each, weight in (
        zip(rest[::2], rest[1::2], strict=True)
        if header.weighted
        else ((each, "1") for each in rest)
    ):
        other = a_rank(each, 1)
        if other >= header.ranks:
            raise ValueError(f"neighbour {each} is above the {header.ranks} vertices")
        yield other, whole(weight, 1, LARGEST_AMOUNT, "weight of an edge")


def _check_twice(text: NumberedText, both: Directed, ranks: int, line_of: list[int]) -> None:
    """Note edges that are there once, thrice, from a vertex to itself, or with two weights."""
    key = both.source * ranks + both.target
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    back_key = both.target * ranks + both.source
    position = np.minimum(np.searchsorted(ordered, back_key), max(len(key) - 1, 0))
    back = order[position] if len(key) else order
    again = np.zeros(len(key), dtype=bool)
    again[order[1:]] = ordered[1:] == ordered[:-1]
    alone = key[back] != back_key
    unequal = both.bytes != both.bytes[back]
    for edge in np.flatnonzero((both.source == both.target) | again | alone | unequal).tolist():
        vertex, other = int(both.source[edge]), int(both.target[edge])
        if vertex == other:
            message = "is a neighbour of itself; METIS graphs have no loops"
        elif again[edge]:
            message = f"has the neighbour {other + 1} twice; add the weights up"
        elif alone[edge]:
            message = f"names {other + 1}, which does not name it; write each edge twice"
        else:
            weight, given = both.bytes[edge], both.bytes[back[edge]]
            message = (
                f"has weight {weight:.0f} to neighbour {other + 1}, which has "
                f"{given:.0f} back; make both equal"
            )
        text.fault(line_of[vertex], message, f"vertex {vertex + 1}")


def _remarks(header: _Header) -> Iterator[Remark]:
    if header.skipped:
        yield remark("ranks-vertex-weights")
    if not header.weighted:
        yield remark("ranks-no-amounts", thing=("edge", "counted thing"))
