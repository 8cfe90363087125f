"""What a gate learns from: profiles of both jobs of each pair, and measured makespans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.colocation.tangram.metrics import Floats

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of applications, one per row, measured together or not.

    Attributes
    ----------
    applications
        Names.
    a, b
        Both applications of a row by number.
    profiles
        Of each application alone, shape (applications, counters). Only solo runs are in it.
    profile_a, profile_b
        The same for the runs of a row, as counters may depend on the rank count: (rows, counters).
    ranks
        Ranks of each job; all equal where a site does not vary them.
    makespan
        Measured together over one after the other; NaN where not measured. Below 1 a pair gains.
    """

    applications: tuple[str, ...]
    a: NDArray[np.int64]
    b: NDArray[np.int64]
    profiles: Floats
    profile_a: Floats
    profile_b: Floats
    ranks: NDArray[np.int64]
    makespan: Floats

    def __len__(self) -> int:
        return len(self.a)

    def of(self, application: int) -> NDArray[np.bool_]:
        """Rows in which an application runs."""
        return np.asarray((self.a == application) | (self.b == application))

    def among(self, applications: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Rows in which only some applications run."""
        return np.asarray(np.isin(self.a, applications) & np.isin(self.b, applications))

    def membership(self, rows: Rows) -> Floats:
        """How often each application runs in a row: (rows, applications)."""
        found = np.zeros((len(rows), len(self.applications)))
        np.add.at(found, (np.arange(len(rows)), self.a[rows]), 1.0)
        np.add.at(found, (np.arange(len(rows)), self.b[rows]), 1.0)
        return found
