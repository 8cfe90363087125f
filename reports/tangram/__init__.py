"""The report of ``headroom colocate`` on a bundled system: what a learned gate gains."""

from __future__ import annotations

from dataclasses import replace

from reports.standard import standard_report
from reports.tangram.document import document
from reports.tangram.figures import pictures

__all__ = ["REPORT", "pictures"]

REPORT = replace(standard_report(pictures), document=document)
