"""What a co-run gains: makespan and turnaround, over those of one job after the other."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Which job starts first without co-location: the paper leaves it open (D4)."""


def makespan_ratio(solo_a: Floats, solo_b: Floats, co_a: Floats, co_b: Floats) -> Floats:
    """M = max(C_a, C_b) / (T_a + T_b); below 1 the pair finishes sooner together.

    The paper calls it "makespan reduction" (F10); smaller is better.

    Examples
    --------
    >>> import numpy as np
    >>> one, slow = np.array([100.0]), np.array([300.0])
    >>> makespan_ratio(one, one, slow, slow)
    array([1.5])
    """
    return np.asarray(np.maximum(co_a, co_b) / (solo_a + solo_b))


def turnaround_ratio(solo_a: Floats, solo_b: Floats, co_a: Floats, co_b: Floats) -> Floats:
    """R = sqrt(C_a / T_a * C_b / (T_a + T_b)), where job a starts first without co-location.

    Parameters
    ----------
    solo_a, solo_b, co_a, co_b
        Run times alone and together [s].

    References
    ----------
    Tangram, section IV. The geometric mean is a repair (R13): for a self pair that takes s times
    its time, R = s / sqrt(2) and M = s / 2, and only so do the largest values of Table II agree.
    """
    return np.asarray(np.sqrt(co_a / solo_a * (co_b / (solo_a + solo_b))))
