"""The report of ``headroom configure``: its figures, its pages, and the document that they make."""

from __future__ import annotations

from planner.configurations.study import ConfigurationStudy
from reports.configuration.figures import FIGURES, pictures
from reports.configuration.pages import document
from reports.configuration.pages.front import pairs, title
from reports.report import Report

__all__ = ["FIGURES", "REPORT", "document", "pictures"]

REPORT: Report[ConfigurationStudy] = Report("configuration.typ", title, pairs, pictures, document)
