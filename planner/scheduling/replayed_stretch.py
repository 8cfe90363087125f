"""Which stretch of a log is replayed to test a user's own policy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def busiest_stretch(submit: NDArray[np.int64], work: NDArray[np.int64], jobs: int) -> slice:
    """The stretch of consecutive jobs in which most work is submitted per time.

    Parameters
    ----------
    submit
        Submit times, ascending, at least one; shape ``(log,)``.
    work
        Work of each job, in any unit; shape ``(log,)``.
    jobs
        Jobs of the stretch; fewer where the log has fewer.

    Examples
    --------
    >>> busiest_stretch(np.array([0, 9, 10, 11]), np.array([5, 1, 9, 9]), 2)
    slice(2, 4, None)
    """
    first = np.arange(max(1, len(submit) - jobs + 1))
    last = np.minimum(first + jobs, len(submit))
    until = np.concatenate(([0.0], np.cumsum(work, dtype=float)))
    span = submit[last - 1] - submit[first] + 1
    begin = int(np.argmax((until[last] - until[first]) / span))
    return slice(begin, begin + jobs)
