"""The report of ``headroom price`` on a day of a job log."""

from __future__ import annotations

from reports.queue_prices.figures import pictures
from reports.standard import standard_report

__all__ = ["REPORT", "pictures"]

REPORT = standard_report(pictures)
