"""The report of ``headroom price`` on a day of a job log."""

from __future__ import annotations

from dataclasses import replace

from reports.queue_prices.document import document
from reports.queue_prices.figures import pictures
from reports.standard import standard_report

__all__ = ["REPORT", "pictures"]

REPORT = replace(standard_report(pictures), document=document)
