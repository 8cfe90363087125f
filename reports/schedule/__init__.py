"""The report of ``headroom schedule``: tables, and turnaround by policy, bound and log."""

from __future__ import annotations

from dataclasses import replace

from planner.scheduling.power.files import files
from planner.scheduling.power.study import ScheduleStudy
from reports.schedule.figures import pictures
from reports.standard import standard_report

__all__ = ["REPORT", "pictures"]

REPORT = replace(standard_report(pictures), solves=ScheduleStudy.times, files=files)
