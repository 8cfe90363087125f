"""How policies differ on the same jobs, with intervals by batch means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from planner.replications.batch_means import BATCHES, MeanInterval
from planner.scheduling.simulation.paired_jobs import paired_difference

if TYPE_CHECKING:
    from planner.scheduling.simulation.simulate import Simulation
    from planner.scheduling.simulation.trimming import Measured

COMPARED = ("wait", "bounded_slowdown")
"""What is compared where each job runs as long under every policy."""


@dataclass(frozen=True)
class PolicyComparison:
    """Differences of another policy from one, job by job.

    Attributes
    ----------
    first, second
        Policies.
    differences
        Mean of the second less the first, with its interval by batch means; by quantity.
    """

    first: str
    second: str
    differences: Mapping[str, MeanInterval]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        differences = {name: asdict(interval) for name, interval in self.differences.items()}
        return {"first": self.first, "second": self.second, "differences": differences}


def compared(
    simulations: Sequence[Simulation], measured: Measured, quantities: Sequence[str] = COMPARED
) -> tuple[PolicyComparison, ...]:
    """Every policy compared with the first one; none where the log is too short for batch means."""
    if len(simulations) < 2:
        return ()
    first, *others = (simulation.schedule for simulation in simulations)
    if int((first.started & measured.jobs).sum()) < 2 * BATCHES:
        return ()
    return tuple(
        PolicyComparison(
            first.policy,
            other.policy,
            {name: paired_difference(first, other, name, measured) for name in quantities},
        )
        for other in others
    )
