"""True speeds of the simulated applications on a shared node, for the loop and for scoring.

This is the only module of this folder that looks at the law. Policies get a gate and estimates,
which are made from measurements.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.scheduling.shared.speeds import Speeds, speeds_of
from scenarios.simulated.shared_node.applications import SharedApplication
from scenarios.simulated.shared_node.demand import Law
from scenarios.simulated.shared_node.truth import degradation_matrix, speed_on_all_cores


def true_speeds(
    applications: Sequence[SharedApplication], law: Law | None = None, seed: int = 0
) -> Speeds:
    """Speeds by the law, simulated without a shutter.

    Notes
    -----
    ``pair`` is ``T_solo / T_co`` with the other half idle in ``T_solo``; ``full`` is the speed on
    all cores of half as many nodes, where the job's own ranks disturb each other.
    """
    full = [speed_on_all_cores(each, law=law, seed=seed) for each in applications]
    return speeds_of(
        [each.name for each in applications],
        1 - degradation_matrix(applications, law=law, seed=seed),
        full=np.array(full),
    )
