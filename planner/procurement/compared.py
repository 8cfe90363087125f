"""Other plans beside the optimum with what is wrong with them, and bids that are not sold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.procurement.plan import Plan
from planner.procurement.reach import Reach


@dataclass(frozen=True)
class Compared:
    """A plan beside the optimum, and what is wrong with it.

    ``reach`` says what its machine reaches of every requirement, where it misses work.
    """

    plan: Plan
    wrong: tuple[str, ...]
    below_optimum: float | None
    reach: Reach | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return self.plan.to_dict() | {
            "violations": list(self.wrong),
            "below_optimum": self.below_optimum,
            "waived": [] if self.reach is None else list(self.reach.waived),
        }


@dataclass(frozen=True)
class Refused:
    """A system as bid that cannot be bought so, and every reason."""

    method: str
    wrong: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"method": self.method, "violations": list(self.wrong)}
