"""Whether a job is unlike all that were seen: then the gate abstains."""

from __future__ import annotations

import numpy as np

from planner.sharing_nodes.tangram.metrics import Floats


def novelty(known: Floats, other: Floats) -> float:
    """Distance of a profile to the nearest known one, over the largest such distance among those.

    Above 1, no known application is as far from all others as this one.

    Parameters
    ----------
    known
        Profiles of the known applications, shape (applications, counters), at least two.
    other
        Profile of the application in question.

    Notes
    -----
    Counters are divided by their standard deviation over the known applications. If the new
    application and ``n`` known ones come from one distribution, the gate abstains from it about
    once in ``n + 1`` times.
    """
    width = known.std(axis=0)
    used = width > 1e-12
    if not used.any():
        return 0.0 if np.allclose(known[0], other) else float("inf")
    points, new = known[:, used] / width[used], other[used] / width[used]
    between = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(between, np.inf)
    largest = float(between.min(axis=1).max())
    distance = float(np.linalg.norm(points - new, axis=1).min())
    if largest == 0:
        return 0.0 if distance == 0 else float("inf")
    return distance / largest
