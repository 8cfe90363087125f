"""Other plans compared with the optimum, with their violations, and quotes that are not sold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from planner.procurement.plan import Plan
from planner.procurement.reach import Reach


@dataclass(frozen=True)
class Compared:
    """A plan compared with the optimum, and the rules that it breaks.

    If the plan misses work, ``reach`` says how far its machine meets every requirement.
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
    """A system that cannot be bought as quoted, and every reason."""

    method: str
    wrong: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"method": self.method, "violations": list(self.wrong)}
