"""The report of ``headroom aggregate``: its figures, its pages, and the document they make."""

from __future__ import annotations

from reports.aggregation.figures import FIGURES, pictures
from reports.aggregation.pages import PAGES, document

__all__ = ["FIGURES", "PAGES", "document", "pictures"]
