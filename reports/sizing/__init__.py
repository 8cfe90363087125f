"""The report of ``headroom simulate --size-for``: figures, pages, and the document they make."""

from __future__ import annotations

from reports.sizing.figures import FIGURES, pictures
from reports.sizing.pages import PAGES, document

__all__ = ["FIGURES", "PAGES", "document", "pictures"]
