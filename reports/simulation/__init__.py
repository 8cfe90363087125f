"""The report of ``headroom simulate``: its figures, its pages, and the document they make."""

from __future__ import annotations

from reports.simulation.figures import FIGURES, pictures
from reports.simulation.pages import PAGES, document

__all__ = ["FIGURES", "PAGES", "document", "pictures"]
