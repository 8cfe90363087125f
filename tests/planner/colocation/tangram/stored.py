"""Results of long runs, which the slow tests repeat."""

from __future__ import annotations

MEANS: dict[str, dict[tuple[str, str], float]] = {
    "tangram-two-node": {
        ("CV", "Tangram"): 0.849,
        ("CV", "logistic"): 0.855,
        ("CV", "all co-located"): 1.176,
        ("CV", "oracle"): 0.844,
        ("(I)", "Tangram"): 0.851,
        ("(I)", "logistic"): 0.855,
        ("(I)", "all co-located"): 1.176,
        ("(I)", "oracle"): 0.844,
        ("(II)", "Tangram"): 0.866,
        ("(II)", "logistic"): 0.857,
        ("(II)", "all co-located"): 1.011,
        ("(II)", "oracle"): 0.831,
        ("leave-pair-out", "Tangram"): 0.851,
        ("leave-pair-out", "logistic"): 0.863,
        ("leave-pair-out", "all co-located"): 1.176,
        ("leave-pair-out", "oracle"): 0.844,
        ("leave-app-out", "Tangram"): 0.87,
        ("leave-app-out", "logistic"): 0.864,
        ("leave-app-out", "all co-located"): 1.104,
        ("leave-app-out", "oracle"): 0.839,
        ("leave-app-and-rank-out", "Tangram"): 0.871,
        ("leave-app-and-rank-out", "logistic"): 0.867,
        ("leave-app-and-rank-out", "all co-located"): 1.104,
        ("leave-app-and-rank-out", "oracle"): 0.839,
    },
}
"""Mean makespan over 20 seeds by system, test and gate."""
