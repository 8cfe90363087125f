"""How fast an application runs alone on a node, on half of one, and next to each other one.

A node has two halves: half of the cores of each socket (POPPA, section 7). Speeds are work per
time on one scale for each application, so that only their ratios count. They are kept as whole
millionths: work is then a whole number too, and none is lost or gained by rounding.

References
----------
Breslow et al. (2013), sections 7 and 8.1: half of each socket for each job; the baseline of the
paper leaves the other half idle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from planner.errors import InputError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

PPM = 1_000_000
"""Millionths: the unit in which the loop keeps speeds."""

_FASTEST = 1000.0


@dataclass(frozen=True, eq=False)
class Speeds:
    """Relative speeds of applications; read-only arrays.

    Attributes
    ----------
    applications
        Names.
    pair
        ``pair[a, b]``: speed of ``a`` on half a node while ``b`` runs on the other half; shape
        ``(applications, applications)``.
    half
        Speed on half a node while the other half is idle; 1 in POPPA's scale. Shape
        ``(applications,)``.
    full
        Speed of the same job on half as many nodes with all cores: its own ranks disturb each
        other there. Shape ``(applications,)``.

    Raises
    ------
    InputError
        A shape does not match, or a speed is not above 0 (at most 1,000).
    """

    applications: tuple[str, ...]
    pair: Floats
    half: Floats
    full: Floats

    def __post_init__(self) -> None:
        count = len(self.applications)
        if not count:
            raise InputError("the speeds name no application; give at least one")
        for name, shape in (("pair", (count, count)), ("half", (count,)), ("full", (count,))):
            array = np.array(getattr(self, name), dtype=np.float64)
            if array.shape != shape:
                raise InputError(
                    f"speeds.{name} has the shape {array.shape}, where {count} applications need "
                    f"{shape}"
                )
            self._refuse_odd(name, array)
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def _refuse_odd(self, name: str, array: Floats) -> None:
        odd = np.argwhere(~((array >= 1 / PPM) & (array <= _FASTEST)))
        if len(odd):
            at = tuple(int(index) for index in odd[0])
            names = " next to ".join(self.applications[index] for index in at)
            raise InputError(
                f"speeds.{name} of {names} is {array[at]:g}; give a relative speed above 0, such "
                "as 0.85 for a job that gets 15 % less work done per second"
            )

    def __len__(self) -> int:
        return len(self.applications)

    def take(self, names: Sequence[str]) -> Speeds:
        """Return the speeds of some applications, in their order."""
        codes = {name: index for index, name in enumerate(self.applications)}
        for name in names:
            if name not in codes:
                raise InputError(f"no application is called {name!r}; there are {', '.join(codes)}")
        rows = np.array([codes[name] for name in names])
        return Speeds(tuple(names), self.pair[np.ix_(rows, rows)], self.half[rows], self.full[rows])


def speeds_of(
    applications: Sequence[str],
    pair: ArrayLike,
    *,
    half: ArrayLike | None = None,
    full: ArrayLike | None = None,
) -> Speeds:
    """Return speeds from a matrix ``T_solo / T_co``, as POPPA's oracle has it.

    Parameters
    ----------
    half
        By default 1: the other half of the node is idle in ``T_solo``.
    full
        By default the diagonal: a job with all cores of a node disturbs itself as a second job of
        its own application would.
    """
    matrix = np.array(pair, dtype=np.float64)
    if matrix.ndim != 2:
        raise InputError(f"a matrix of speeds has two dimensions, this has {matrix.ndim}")
    return Speeds(
        tuple(applications),
        matrix,
        np.ones(len(matrix)) if half is None else np.asarray(half, np.float64),
        matrix.diagonal() if full is None else np.asarray(full, np.float64),
    )


def millionths(speed: Floats) -> Integers:
    """Return speeds as the loop keeps them: whole millionths, at least 1."""
    return np.maximum(np.rint(speed * PPM), 1).astype(np.int64)
