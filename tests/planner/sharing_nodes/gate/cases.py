"""Co-runs and profiles that a gate learns from, for its tests."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pandas as pd

REFERENCES = tuple(f"ref{number}" for number in range(6))


def tables(calibration: int = 12, new: int = 3) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A makespan grows with the busy cores of both jobs: easy to learn."""
    rng = np.random.default_rng(0)
    others = [f"app{number}" for number in range(calibration)]
    names = [*REFERENCES, *others, *(f"new{number}" for number in range(new))]
    busy = {name: float(rng.uniform()) for name in names}
    pairs = [
        *combinations_with_replacement(REFERENCES, 2),
        *((a, b) for a in others for b in REFERENCES),
    ]
    rows = []
    for a, b in pairs:
        time = 200 * (0.4 + 0.6 * (busy[a] + busy[b])) * float(np.exp(0.02 * rng.normal()))
        rows.append((a, b, 100.0, 100.0, time, 0.9 * time))
    columns = ["a", "b", "solo_a_s", "solo_b_s", "co_a_s", "co_b_s"]
    profiles = pd.DataFrame({"application": names, "busy": [busy[name] for name in names]})
    return pd.DataFrame(rows, columns=columns), profiles
