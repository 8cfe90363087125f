"""Results of long runs, which the slow tests repeat."""

from __future__ import annotations

TRIALS: dict[str, dict[str, tuple[float, float, float]]] = {
    "tangram-two-node": {
        "with probes and separation": (0.296, 0.487, 1.25),
        "with probes": (0.296, 0.498, 1.25),
        "profiles only": (0.036, 0.052, 1.0),
        "Tangram": (0.442, 0.796, 1.6),
        "all co-located": (1.0, -0.428, 17.33),
        "oracle": (0.539, 1.0, 1.0),
    },
}
"""Coverage, share of the oracle's gain and worst makespan over ten seeds, by system and gate."""
