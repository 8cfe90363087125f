"""What a gate learns from: profiles of both jobs of each pair, and measured makespans."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.sharing_nodes.tangram.metrics import Floats

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class GatePairs:
    """Pairs of applications, one per row, measured together or not.

    Attributes
    ----------
    applications
        Names.
    a, b
        Both applications of a row by number.
    profiles
        Profile of each application alone, shape (applications, counters). Only solo runs are in it.
    profile_a, profile_b
        The same for the runs of a row, as counters may depend on the rank count: (rows, counters).
    ranks
        Ranks of each job; all equal where a site does not vary them.
    makespan
        Measured together over one after the other; NaN where not measured. Below 1 a pair gains.
    run_variance
        Variance of the log makespan since run times vary from run to run
        (:func:`run_variance`); 0 where it is not known.
    """

    applications: tuple[str, ...]
    a: NDArray[np.int64]
    b: NDArray[np.int64]
    profiles: Floats
    profile_a: Floats
    profile_b: Floats
    ranks: NDArray[np.int64]
    makespan: Floats
    run_variance: Floats

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
        result = np.zeros((len(rows), len(self.applications)))
        np.add.at(result, (np.arange(len(rows)), self.a[rows]), 1.0)
        np.add.at(result, (np.arange(len(rows)), self.b[rows]), 1.0)
        return result


def run_variance(
    spread_a: Floats, spread_b: Floats, share_a: Floats, self_pair: NDArray[np.bool_]
) -> Floats:
    """Variance of a log makespan since run times vary from run to run.

    Both times together and both times alone vary by the spreads of earlier solo runs; errors are
    independent and small. The solo run of a self pair is one run, so its error counts twice.

    Parameters
    ----------
    spread_a, spread_b
        Standard deviations of the logarithm of run times alone, of both jobs: (rows,).
    share_a
        Time of job a alone over that of both one after the other.
    self_pair
        Whether both jobs are of one application.

    Examples
    --------
    >>> import numpy as np
    >>> third = np.array([0.3])
    >>> run_variance(third, third, np.array([0.5]), np.array([False, True])).round(3)
    array([0.09 , 0.135])
    """
    a, b = spread_a * share_a, spread_b * (1 - share_a)
    apart = a**2 + b**2
    return np.asarray(apart + np.where(self_pair, (a + b) ** 2, apart))
