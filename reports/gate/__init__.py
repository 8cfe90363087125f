"""The report of ``headroom colocate SYSTEM --limit``: risk, coverage and who abstains."""

from __future__ import annotations

from dataclasses import replace

from reports.gate.document import document
from reports.gate.figures import pictures
from reports.standard import standard_report

__all__ = ["REPORT", "pictures"]

REPORT = replace(standard_report(pictures), document=document)
