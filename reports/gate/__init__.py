"""The report of ``headroom colocate --profiles``: its tables say everything."""

from __future__ import annotations

from reports.standard import standard_report

__all__ = ["REPORT"]

REPORT = standard_report()
