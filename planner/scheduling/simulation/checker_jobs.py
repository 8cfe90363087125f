"""What replays of the checkers follow: jobs in queue order, and the instants of their events."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

NOT_FOUND = -(1 << 62)
"""Time of a violation that there is not."""


class Jobs(NamedTuple):
    """Jobs that all start, in queue order."""

    submit: Integers
    start: Integers
    run: Integers
    estimated: Integers
    processors: Integers
    by_end: Integers  # those with a length


def followed(
    submit_s: Integers, start_s: Integers, run_s: Integers, *others: Integers
) -> tuple[Jobs, Integers]:
    """The jobs as the compiled loops take them, and every instant at which something happens."""
    end_s = start_s + run_s
    long = np.flatnonzero(run_s > 0)
    by_end = long[np.lexsort((start_s[long], end_s[long]))]  # further in the order of the starts
    facts = (submit_s, start_s, run_s, *others, by_end)
    # copies: the loops would be compiled once more for columns that are read-only
    jobs = Jobs(*(np.array(fact, np.int64, order="C") for fact in facts))
    return jobs, np.unique(np.concatenate([submit_s, start_s, end_s])).astype(np.int64)
