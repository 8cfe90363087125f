"""Settings of the pairing of a pair table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.errors import InputError
from planner.formatting import given
from planner.sharing_nodes.pairs.groups import GroupRules
from planner.sharing_nodes.pairs.memory import NodeMemory
from planner.sharing_nodes.pairs.throughput import SHARE

LEAST_SPEED = 0.8
"""A job that shares takes at most a quarter longer."""
LEAST_GAIN = 0.05
"""Work that sharing must add on each shared node, in nodes."""


@dataclass(frozen=True, kw_only=True)
class PairingSettings:
    """How jobs are paired.

    Attributes
    ----------
    share
        Share of the best throughput that the bottleneck matchings keep.
    least_gain
        Least gain of a shared node, in nodes, from 0 to 1.
    least_speed
        Least relative speed of each job on it, from 0 to 1.
    draws
        Number of random pairings.
    seed
        Seed of the random pairings.
    predict
        Whether pairs that were not measured may be chosen by a simple prediction.
    next_pairs
        Largest number of pairs to measure next.
    memories
        Memories of a node in which jobs that share it must fit.
    rules
        Rules for groups of three and four; ``None`` for pairs alone.
    solver, time_limit_s
        Solver of groups and its time limit, as in :func:`solvers.solve`.
    """

    share: float = SHARE
    least_gain: float = LEAST_GAIN
    least_speed: float = LEAST_SPEED
    draws: int = 100
    seed: int = 0
    predict: bool = False
    next_pairs: int = 5
    memories: tuple[NodeMemory, ...] = ()
    rules: GroupRules | None = None
    solver: str = "highs"
    time_limit_s: float | None = None

    def __post_init__(self) -> None:
        for name in ("least_gain", "least_speed"):
            value = getattr(self, name)
            if not 0 <= value <= 1:
                raise InputError(f"{name} = {value:g} is out of range; give a share from 0 to 1")

    @property
    def limits(self) -> str:
        """What a shared node must keep, as people read it."""
        return f"gain at least {given(self.least_gain)}, speed at least {given(self.least_speed)}"

    def words(self) -> dict[str, Any]:
        """The settings by the names that people read."""
        return {
            "least share of the best throughput": given(self.share),
            "least gain of a shared node": given(self.least_gain),
            "least speed of a job on it": given(self.least_speed),
            "random draws": self.draws,
            "seed": self.seed,
            "pairs without a measurement": "predicted" if self.predict else "never chosen",
            **{f"{each.kind} of a node [GB]": each.node_gb for each in self.memories},
            **{f"{each.kind} of a job [GB]": dict(each.needs_gb) for each in self.memories},
            **({} if self.rules is None else self._rule_words(self.rules)),
        }

    def _rule_words(self, rules: GroupRules) -> dict[str, Any]:
        return {
            "largest group on a node": rules.size,
            "least mean speed by user": dict(rules.floors),
            "balanced budget": rules.balanced,
            "solver for groups": self.solver,
        }
