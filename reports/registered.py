"""The report on a study, found by the type of the study."""

from __future__ import annotations

import importlib
from typing import Any

from planner.registry import answer_of
from reports.report import Report
from reports.style import Picture


def report_of(study: object) -> Report[Any]:
    """Return the report on a study.

    Raises
    ------
    LookupError
        No command answers with this kind of study.
    """
    report: Report[Any] = importlib.import_module(answer_of(study).report).REPORT
    return report


def pictures(study: object) -> list[Picture]:
    """Return every picture that the study has data for."""
    return report_of(study).pictures(study)
