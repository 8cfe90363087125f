"""The report of ``headroom estimate``: figures, pages, and the document they make."""

from __future__ import annotations

from reports.estimates.figures import FIGURES, pictures
from reports.estimates.pages import PAGES, document

__all__ = ["FIGURES", "PAGES", "document", "pictures"]
