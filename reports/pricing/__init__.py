"""The report of ``headroom price``: tables, and figures of prices, errors and degradation."""

from __future__ import annotations

from reports.pricing.figures import pictures
from reports.standard import standard_report

__all__ = ["REPORT", "pictures"]

REPORT = standard_report(pictures)
