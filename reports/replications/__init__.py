"""The report of ``headroom simulate --seeds``: figures, pages, and the document they make."""

from __future__ import annotations

from planner.scheduling.simulation.replications import ReplicationStudy
from reports.replications.figures import pictures
from reports.replications.pages import appendix, differences, front, limits, logs, method, pairs
from reports.report import Report
from reports.skeleton import paged

__all__ = ["REPORT", "document", "pictures"]

document = paged(front, differences, logs, method, limits, appendix)
REPORT: Report[ReplicationStudy] = Report(
    "simulation.typ", lambda study: study.title, pairs, pictures, document
)
