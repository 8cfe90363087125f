"""Other readings of the inputs of a comparison of two designs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Reading:
    """Another reading of the inputs, and how the mix fares under it.

    Attributes
    ----------
    kind
        Another meaning of "faster by"; another cost ratio, from ``node prices`` alone or from
        ``whole racks``; or the ``published`` speedups.
    cost_ratio, nodes_overprovisioned
        Its cost ratio and its older nodes; ``None`` for published speedups.
    mix_speedup
        As that of the decision (``DesignDecision``).
    reverses
        Whether it reverses the decision.
    measured
        Whether all run times were measured at its node counts; ``None`` where none is used.
    """

    kind: Literal["faster by", "node prices", "whole racks", "published"]
    cost_ratio: float | None
    nodes_worst_case: int
    nodes_overprovisioned: int | None
    mix_speedup: float
    reverses: bool
    measured: bool | None = True
