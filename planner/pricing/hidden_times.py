"""True run times of the simulated node, for scoring: no estimator sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations_with_replacement

import numpy as np

from planner.pricing.scoring import Truth
from planner.pricing.trial import TrialSettings, node_settings, play_seed
from scenarios.simulated.shared_node.applications import NULL, SharedApplication
from scenarios.simulated.shared_node.truth import truth


def hidden_times(
    applications: Sequence[SharedApplication], seeds: Sequence[int], settings: TrialSettings
) -> Truth:
    """Run times alone and with each partner, without measuring; means over the seeds of a trial.

    Parameters
    ----------
    applications
        Rows; the partners are the same and, last, the busy loop.
    seeds
        Of the trial. The jobs do the same work as there.
    settings
        Of the trial.
    """
    count = len(applications)
    everybody = (*applications, NULL)
    pairs = [*combinations_with_replacement(range(count), 2), *((a, count) for a in range(count))]
    node = replace(node_settings(settings), restart=True)
    solo, together = np.zeros(count), np.zeros((count, count + 1))
    weight = np.zeros(count)
    for number, (first, second) in enumerate(pairs):
        for seed in seeds:
            times = truth(
                (everybody[first], everybody[second]),
                node,
                settings.law,
                seed=play_seed(seed, number),
            )
            for job, own, other in ((0, first, second), (1, second, first)):
                if own < count and (job == 0 or first != second):
                    solo[own] += times.solo_us[job]
                    together[own, other] += times.together_us[job]
                    weight[own] += 1
    return Truth(solo / weight / 1e6, together / len(seeds) / 1e6)
