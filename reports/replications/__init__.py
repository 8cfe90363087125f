"""The report of ``headroom simulate --seeds``: the tables, and the differences as a figure."""

from __future__ import annotations

from collections.abc import Sequence

from planner.scheduling.simulation.comparison import PolicyComparison
from planner.scheduling.simulation.replications import ReplicationStudy
from planner.scheduling.simulation.summary import difference
from planner.scheduling.simulation.wait_text import interval_ends
from reports.simulation.figures.comparisons import finding_of, label, paint
from reports.standard import standard_report
from reports.style import Picture, draw, rows_high

__all__ = ["REPORT", "pictures"]


def pictures(study: ReplicationStudy) -> list[Picture]:
    """Return one picture of the differences with their intervals, where there are any."""
    rows = study.comparisons
    if not rows:
        return []
    words = "; ".join(
        f"{label(row)}: wait {' to '.join(interval_ends(row.differences['wait']))}" for row in rows
    )
    height = 0.55 + rows_high(len(rows), 0.25, 0.5)
    return [
        draw("comparisons", "01-comparisons", _title(rows),
             f"Differences over {len(study.logs)} logs with 95 % intervals. {words}.",
             (6.8, height), lambda figure: paint(figure, rows))
    ]  # fmt: skip


def _title(rows: Sequence[PolicyComparison]) -> str:
    return finding_of(rows, difference)


REPORT = standard_report(pictures)
