"""What is decided: physical models, decision modules, comparisons, the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.api import plan
    from planner.designs.study import DesignStudy, compare_designs
    from planner.errors import PlanError
    from planner.procurement.procure import procure
    from planner.procurement.study import ProcurementStudy

__all__ = ["DesignStudy", "PlanError", "ProcurementStudy", "compare_designs", "plan", "procure"]

_HOMES = {
    "PlanError": "planner.errors",
    "ProcurementStudy": "planner.procurement.study",
    "DesignStudy": "planner.designs.study",
    "compare_designs": "planner.designs.study",
    "plan": "planner.api",
    "procure": "planner.procurement.procure",
}


def __getattr__(name: str) -> Any:
    """Import on first use: the command line's help must not wait for numpy."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'planner' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
