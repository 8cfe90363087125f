"""What is decided: physical models, decision modules, comparisons, the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.errors import PlanError
    from planner.study import Study, plan

__all__ = ["PlanError", "Study", "plan"]

_HOMES = {"PlanError": "planner.errors", "Study": "planner.study", "plan": "planner.study"}


def __getattr__(name: str) -> Any:
    """Import on first use: the command line's help must not wait for numpy."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'planner' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
