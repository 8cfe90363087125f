"""A second hidden law, unlike the first: sensitivity curves against pressure scores.

Notes
-----
Each phase presses on the others with a score

    p = w (0.7 b + 0.3 min(f, 1))

from its bandwidth share b, cache footprint f and width w, at any speed. A phase answers to
the sum P of the scores of the others, and of its own ranks beyond the reference, with

    x = 1 + A (1 - exp(-(P / H)^2)),   A = 1.5 s (1 + 0.5 min(f, 1)),   H = 0.9

where s is its stall share: an S-shaped curve that saturates at 1 + A. Nothing feeds back: a slow
job presses as hard as a fast one. No number of this law is fitted. Its round constants were chosen
so that discounts are of the size of the paper's.

The cache is divided in proportion to footprints. It matters for the refill after a pause only.

References
----------
Curves and scores as in Mars et al. (2011), "Bubble-Up: increasing utilization in modern warehouse
scale computers via sensible co-locations"; the formulas are this project's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scenarios.simulated.shared_node.demand import PhaseDemand, Rates
from solvers.portable import exp


@dataclass(frozen=True)
class SensitivityAndPressure:
    """The second law.

    Attributes
    ----------
    amplitude, half
        1.5 and H of the formula.
    bandwidth_scale, miss_scale
        As in the first law; for the refill only.
    """

    amplitude: float = 1.5
    half: float = 0.9
    bandwidth_scale: float = 1.0
    miss_scale: float = 0.5

    def __post_init__(self) -> None:
        for name in ("amplitude", "half", "bandwidth_scale"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ValueError(f"{name} = {getattr(self, name)}; give a number above 0")
        if not 0 <= self.miss_scale < float("inf"):
            raise ValueError(f"miss_scale = {self.miss_scale}; give 0 or more")

    def rates(self, demand: PhaseDemand) -> Rates:
        """Evaluate every curve at the pressure of the others."""
        footprint = np.minimum(demand.llc, 1.0)
        score = 0.7 * demand.bandwidth + 0.3 * footprint
        own_extra = score * np.maximum(demand.width - 1.0, 0.0)
        pressed = demand.width * score
        pressure = np.maximum(pressed.sum() - pressed, 0.0) + own_extra
        most = self.amplitude * demand.stall * (1 + 0.5 * footprint)
        stretch = 1 + most * (1 - exp(-((pressure / self.half) ** 2)))
        wanted = demand.width * demand.llc
        resident = wanted / max(1.0, float(wanted.sum()))
        time = (1 - demand.transfer) * stretch + demand.transfer
        traffic = np.minimum(demand.bandwidth * demand.width / time, 1.0)
        return Rates(stretch, np.ones(len(stretch)), resident, traffic)
