"""The report of ``headroom share``: its figures, its pages, and the document that they make."""

from __future__ import annotations

from reports.sharing.figures import FIGURES, pictures
from reports.sharing.pages import PAGES, document

__all__ = ["FIGURES", "PAGES", "document", "pictures"]
