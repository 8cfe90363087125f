"""The report of ``headroom price``: questions with figures of prices, errors and degradation."""

from __future__ import annotations

from dataclasses import replace

from reports.pricing.document import document
from reports.pricing.figures import pictures
from reports.standard import standard_report

__all__ = ["REPORT", "pictures"]

REPORT = replace(standard_report(pictures), document=document)
