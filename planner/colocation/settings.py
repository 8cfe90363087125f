"""What is asked about a pair table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.colocation.throughput import SHARE
from solvers.matching.engines import Engine


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How jobs are paired.

    Attributes
    ----------
    share
        Of the best throughput that the bottleneck matchings keep.
    engine
        What finds the matching; its proof is always the built-in one.
    draws, seed
        Of the random policy.
    """

    share: float = SHARE
    engine: Engine = "auto"
    draws: int = 100
    seed: int = 0

    def words(self) -> dict[str, Any]:
        """The settings by the names that people read."""
        return {
            "share of the best throughput kept": self.share,
            "engine": self.engine,
            "random draws": self.draws,
            "seed": self.seed,
        }
