"""The report of ``headroom schedule``: its figures, its pages, and the files next to it."""

from __future__ import annotations

from dataclasses import replace

from planner.scheduling.power.files import files
from planner.scheduling.power.study import ScheduleStudy
from reports.schedule.document import document
from reports.schedule.figures import pictures
from reports.standard import standard_report

__all__ = ["REPORT", "pictures"]

REPORT = replace(
    standard_report(pictures), document=document, solves=ScheduleStudy.times, files=files
)
