"""A study in a notebook."""

from __future__ import annotations

from planner.study import Study


def notebook(study: Study) -> str:
    """HTML of at most 60 kB: the answer, its numbers, the risks, the decision and its figure."""
    from reports.figures import pictures  # only a notebook that shows it waits for matplotlib
    from reports.writers.html import snippet

    return snippet(study, pictures(study)[:1])
