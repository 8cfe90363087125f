"""One constraint that could be given up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from planner.procurement.problem import Problem


@dataclass(frozen=True)
class Group:
    """One constraint of the board's language, and the problem without it."""

    name: str
    relaxed: Callable[[Problem], Problem]
