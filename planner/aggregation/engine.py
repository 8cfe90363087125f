"""Partition functions for the grouping of tasks: the engine's partitioners by name."""

from __future__ import annotations

from dataclasses import dataclass, field

from planner.aggregation.grouping import Floats, rank_order
from planner.errors import InputError

GROUPINGS = ("order", "kl", "multilevel", "dynamic", "portfolio")
"""Partitioners that take weights below 0 and parts of any one size."""


@dataclass(frozen=True)
class Engine:
    """A partition function: `Group` of the grouping.

    Attributes
    ----------
    name
        One of `GROUPINGS`. ``kl`` is the paper's; ``dynamic`` is exact, up to 20 tasks.
    seed, starts
        Seed and number of its random starts.

    Raises
    ------
    InputError
        Another name.
    """

    name: str = "kl"
    seed: int = 0
    starts: int = 10
    _found: dict[tuple[bytes, int], list[list[int]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if self.name not in GROUPINGS:
            raise InputError(f"unknown grouping {self.name!r}; give one of {', '.join(GROUPINGS)}")

    def __call__(self, weights: Floats, per_group: int) -> list[list[int]]:
        """Groups with ascending tasks, that of the least task first.

        Tasks that exchange nothing stay in rank order. The same is not worked out twice.

        Raises
        ------
        InputError
            More tasks than it can group.
        """
        if self.name == "order" or not weights.any():
            return rank_order(weights, per_group)
        key = weights.tobytes(), per_group
        if key not in self._found:
            self._found[key] = self._grouped(weights, per_group)
        return self._found[key]

    def _grouped(self, weights: Floats, per_group: int) -> list[list[int]]:
        from solvers.partition import BY_NAME, Graph, Request, equal_parts

        graph = Graph.from_matrix(weights / 2)  # both directions add up
        request = Request(graph, equal_parts(graph, per_group), self.seed, self.starts)
        if reason := BY_NAME[self.name].suits(request):
            raise InputError(f"grouping {self.name}: {reason}; use kl or portfolio")
        result = BY_NAME[self.name].partition(request)
        return sorted(result.members(part).tolist() for part in range(request.parts))
