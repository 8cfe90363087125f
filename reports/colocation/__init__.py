"""The report of ``headroom colocate``."""

from __future__ import annotations

from reports.standard import standard_report

REPORT = standard_report()
