"""What is decided: physical models, decision modules, comparisons, the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from planner.answer import plan
    from planner.errors import PlanError
    from planner.procurement.procure import procure
    from planner.procurement.study import ProcurementStudy
    from planner.study import Study, compare_designs

__all__ = ["PlanError", "ProcurementStudy", "Study", "compare_designs", "plan", "procure"]

_HOMES = {
    "PlanError": "planner.errors",
    "ProcurementStudy": "planner.procurement.study",
    "Study": "planner.study",
    "compare_designs": "planner.study",
    "plan": "planner.answer",
    "procure": "planner.procurement.procure",
}


def __getattr__(name: str) -> Any:
    """Import on first use: the command line's help must not wait for numpy."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'planner' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
