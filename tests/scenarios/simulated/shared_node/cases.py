"""Small applications and laws whose answers can be worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scenarios.simulated.shared_node.applications import ApplicationPhase, SharedApplication
from scenarios.simulated.shared_node.demand import PhaseDemand, Rates
from scenarios.simulated.shared_node.settings import NodeSettings

EXACT = NodeSettings(
    counter_noise=0, sampler_noise=0, refill=False, base_cost=False, uneven_share=0
)
"""A node without noise, refill and costs."""


def application(
    phases: tuple[ApplicationPhase, ...] = (ApplicationPhase(10.0, 1.0, 0.5, 0.4, 1.0),),
    cycles: int = 100,
    waiting: float = 0.0,
    imbalance: float = 0.0,
    polling: float = 2.0,
    spread: float = 0.0,
) -> SharedApplication:
    """An application whose phases all have the same length and waiting share."""
    return SharedApplication(
        "small", phases, cycles, waiting, imbalance, polling, spread, waiting_spread=0.0
    )


@dataclass(frozen=True)
class StatedLaw:
    """A law that says the same of all jobs: numbers for one job that runs, and for several."""

    stretch: float = 1.2
    resident_alone: float = 0.8
    resident_together: float = 0.5
    traffic: float = 0.4
    bandwidth_scale: float = 1.0
    miss_scale: float = 0.5

    def rates(self, demand: PhaseDemand) -> Rates:
        count = len(demand.stall)
        alone = count == 1
        return Rates(
            np.full(count, 1.0 if alone else self.stretch),
            np.ones(count),
            np.full(count, self.resident_alone if alone else self.resident_together),
            np.full(count, self.traffic),
        )
