"""The report of ``headroom place``: its figures, its pages, and the document that they make."""

from __future__ import annotations

from reports.placement.figures import FIGURES, pictures
from reports.placement.pages import PAGES, document

__all__ = ["FIGURES", "PAGES", "document", "pictures"]
