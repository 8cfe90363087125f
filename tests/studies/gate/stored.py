"""Results of ten campaigns, which the tests repeat."""

from __future__ import annotations

TRIALS: dict[tuple[str, int], dict[str, tuple[float, float, float]]] = {
    ("tangram-two-node", 0): {
        "with probes and separation": (0.296, 0.487, 1.25),
        "with probes": (0.296, 0.498, 1.25),
        "profiles only": (0.036, 0.052, 1.0),
        "Tangram": (0.442, 0.796, 1.6),
        "all co-located": (1.0, -0.428, 17.33),
        "oracle": (0.539, 1.0, 1.0),
    },
    ("tangram-two-node", 100): {
        "with probes and separation": (0.284, 0.420, 1.88),
        "with probes": (0.284, 0.432, 1.87),
        "profiles only": (0.025, 0.030, 1.0),
        "Tangram": (0.458, 0.721, 2.06),
        "all co-located": (1.0, -0.715, 17.17),
        "oracle": (0.527, 1.0, 1.0),
    },
    ("tangram-eight-node", 100): {
        "with probes and separation": (0.297, 0.506, 1.74),
        "with probes": (0.297, 0.519, 1.72),
        "profiles only": (0.047, 0.062, 1.33),
        "Tangram": (0.435, 0.767, 1.67),
        "all co-located": (1.0, -0.633, 6.73),
        "oracle": (0.507, 1.0, 1.0),
    },
}
"""Coverage, share of the oracle's gain and worst makespan over ten seeds; by system and first seed,
then by gate."""
