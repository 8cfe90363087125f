"""Placement algorithms: the built-in ones by name, and those that users write.

A user's own is a function from a request to the part of each vertex: ranks are vertices, nodes are
parts. Its answer is checked before anything is made of it, and it proves no bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from planner import parts
from planner.errors import InputError
from planner.parts import PartKind, calling, given_part, name_of
from planner.placement.reference import REFERENCES
from planner.sealed import sealed
from solvers.partition.graph import Parts
from solvers.partition.outcome import Partition, outcome
from solvers.partition.registry import BY_NAME
from solvers.partition.request import FREE, Partitioner, Request, Unsuited


class Algorithm(Protocol):
    """Cuts a graph into parts of given sizes."""

    def __call__(self, request: Request) -> Sequence[int]:
        """Return the part of each vertex, from 0 on; every part is filled and every pin kept."""
        ...


ALGORITHM: PartKind[Algorithm] = PartKind("placement algorithm", Algorithm)


@dataclass(frozen=True)
class Own:
    """A user's own algorithm as a partitioner."""

    algorithm: Algorithm

    @property
    def name(self) -> str:
        """Name of the function or class."""
        return name_of(self.algorithm)

    def suits(self, request: Request) -> Unsuited | None:
        """It has to answer every request."""
        del request
        return None

    def partition(self, request: Request) -> Partition:
        """Ask the algorithm, and check what it answers.

        Raises
        ------
        InputError
            It fails, or its parts have other sizes or break a pin.
        """
        with calling(self.algorithm):
            part = _checked(self.algorithm(sealed(request)), request, self.name)
        return outcome(request.graph, part, request.capacities, -math.inf, self.name)


def find_algorithm(given: str | Algorithm | type[Algorithm]) -> Partitioner:
    """Return a built-in algorithm by its name, or one of the user's own as a partitioner.

    Parameters
    ----------
    given
        A name, ``file.py:NAME`` or ``package.module:NAME``, or the algorithm itself or its class.

    Raises
    ------
    InputError
        There is no such algorithm, or it lacks what is needed.
    """
    built_in: dict[str, Partitioner] = {**BY_NAME, **REFERENCES}
    if isinstance(given, str) and given in built_in:
        return built_in[given]
    return Own(given_part(given, ALGORITHM, built_in))


def files_of(partitioner: Partitioner) -> tuple[tuple[str, str], ...]:
    """Name and SHA-256 of the file of a user's own algorithm; none for a built-in one."""
    return parts.files_of([partitioner.algorithm]) if isinstance(partitioner, Own) else ()


def _checked(answer: Sequence[int], request: Request, name: str) -> Parts:
    """The parts, if they fill the capacities and keep the pins."""
    part = np.asarray(answer)
    vertices = request.graph.vertices
    if part.shape != (vertices,) or part.dtype.kind not in "iu":
        raise InputError(
            f"{name} returns {part.dtype} of shape {part.shape}; return a whole number for each of "
            f"{vertices} vertices"
        )
    if part.min() < 0 or part.max() >= request.parts:
        raise InputError(f"{name} uses parts outside 0 to {request.parts - 1}; use all of these")
    sizes = np.bincount(part, minlength=request.parts)
    for k in np.flatnonzero(sizes != request.capacities)[:1].tolist():
        raise InputError(
            f"{name} puts {sizes[k]} vertices into part {k}, which holds {request.capacities[k]}; "
            "fill every part exactly"
        )
    moved = (request.fixed != FREE) & (request.fixed != part)
    for vertex in np.flatnonzero(moved)[:1].tolist():
        raise InputError(
            f"{name} puts vertex {vertex} into part {part[vertex]}, but it is pinned to "
            f"{request.fixed[vertex]}; keep request.fixed"
        )
    return part.astype(np.int32)
