"""The model, guard and design that were fixed before the final test application was seen.

Chosen on simulated applications (SPhot, SP-MZ, LU-MZ, BT-MZ as the simulated cluster has them) and
on measured synthetic codes (SC, SM, NSC, NSM): docs/evidence/prediction.md has the tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from planner.configurations.prediction.corrected import Corrected
from planner.configurations.prediction.processor import Processor
from planner.configurations.prediction.sequential import Design


@dataclass(frozen=True)
class PredictionChoice:
    """A model, a guard, and a design that chooses runs.

    Attributes
    ----------
    model
        Family, with its features and priors.
    guard
        Share of a bound that predicted power leaves free where nothing is verified.
    design
        Start, acquisition and verifications.
    """

    model: Corrected = field(default_factory=Corrected)
    guard: float = 0.03
    design: Design = field(
        default_factory=lambda: Design(
            Corrected(),
            start=4,
            verifications=3,
            guard=0.005,
            straggler=1.25,
            margin=0.01,
            caution=2.0,
        )
    )

    def on(self, processor: Processor) -> PredictionChoice:
        """Return this choice for nodes of another processor."""
        physical = replace(self.model.physical, processor=processor)
        model = replace(self.model, physical=physical)
        design = replace(self.design, model=model, processor=processor)
        return replace(self, model=model, design=design)


CHOSEN = PredictionChoice()
