"""The report of ``headroom configure``: its figures, its pages, and the document that they make."""

from __future__ import annotations

from reports.configuration.figures import FIGURES, pictures
from reports.configuration.pages import PAGES, document

__all__ = ["FIGURES", "PAGES", "document", "pictures"]
