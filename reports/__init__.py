"""What people read: figures, workbook, typeset document. Shows, and computes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reports.publish import IncompleteReportError, Written, plan_json, write
    from reports.registered import pictures
    from reports.standard import standard_report

__all__ = ["IncompleteReportError", "Written", "pictures", "plan_json", "standard_report", "write"]

_HOMES = {
    "IncompleteReportError": "reports.publish",
    "Written": "reports.publish",
    "pictures": "reports.registered",
    "plan_json": "reports.publish",
    "standard_report": "reports.standard",
    "write": "reports.publish",
}


def __getattr__(name: str) -> Any:
    """Import on first use: matplotlib is needed only where something is drawn."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'reports' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
