"""The report of ``headroom colocate --log``: what a queue gains where jobs may share nodes."""

from __future__ import annotations

from reports.queues.figures import pictures
from reports.standard import standard_report

__all__ = ["REPORT", "pictures"]

REPORT = standard_report(pictures)
