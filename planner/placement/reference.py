"""The reference formulations as placement algorithms: exact, for a few ranks, by CBC or HiGHS."""

from __future__ import annotations

from dataclasses import dataclass

from planner.formulations.partition import partition, terms_of
from planner.formulations.solved import LARGEST
from solvers.partition.outcome import Partition
from solvers.partition.request import Request


@dataclass(frozen=True)
class Reference:
    """The readable PuLP model of :mod:`planner.formulations.partition`, as a partitioner.

    With levels within nodes that add up, :mod:`planner.formulations.mapping` takes its place.

    Attributes
    ----------
    name
        By which it is chosen.
    solver
        ``cbc`` or ``highs``.
    """

    name: str
    solver: str

    def suits(self, request: Request) -> str:
        """Models that are not too large."""
        terms = terms_of(request.graph, request.parts)
        return f"the model would have {terms:,} terms of {LARGEST:,}" if terms > LARGEST else ""

    def partition(self, request: Request) -> Partition:
        """Solve the model.

        Raises
        ------
        PlanError
            The model is too large, or no partition was found in time.
        """
        return partition(request, solver=self.solver)


REFERENCES = {
    each.name: each
    for each in (Reference("reference", "cbc"), Reference("reference-highs", "highs"))
}
