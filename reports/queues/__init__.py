"""The report of ``headroom colocate --log``: what a queue gains where jobs may share nodes."""

from __future__ import annotations

from dataclasses import replace

from reports.queues.document import document
from reports.queues.figures import pictures
from reports.standard import standard_report

__all__ = ["REPORT", "pictures"]

REPORT = replace(standard_report(pictures), document=document)
