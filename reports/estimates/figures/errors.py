"""Mean error of the oracle by its largest: four placements, the closed form, the printed one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from planner.scheduling.estimates.published import MOST_ERROR_PERCENT
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.estimates.tables import LogTables, MeanErrors
from reports.numbers import fixed
from reports.simulation.policy_looks import look
from reports.style import GREY, Picture, draw


def pictures(study: EstimateStudy) -> list[Picture]:
    """One picture, where any job ran for a second."""
    tables = study.log_tables
    if not _known(tables):
        return []
    text = "; ".join(
        f"{error.placement}: {', '.join(fixed(mean, 2) for mean in error.mean_error_percent)}"
        for error in tables.errors
    )
    return [
        draw("errors", "06-errors", finding(study), f"Mean errors in percent. {text}.",
             (6.8, 2.7), lambda figure: paint(figure, tables, study.settings.placement))
    ]  # fmt: skip


def _known(tables: LogTables) -> bool:
    return any(mean is not None for error in tables.errors for mean in error.mean_error_percent)


def closed_form(most_percent: float) -> float:
    """E / ln(1 + e) - 1 in per cent: the mean error of run times log-uniform in their class.

    Examples
    --------
    >>> round(closed_form(10), 2), round(closed_form(100), 2)
    (4.92, 44.27)
    """
    error = most_percent / 100
    return 100 * (error / math.log1p(error) - 1) if error else 0.0


def finding(study: EstimateStudy) -> str:
    """How the mean error relates to the largest, and which placement is nearest to the print."""
    tables = study.log_tables
    if not _known(tables):
        return "All run times are 0 s, so relative errors are undefined"
    used = [each for each in tables.errors if each.placement == study.settings.placement]
    message = f"The mean error is {_of_largest(used or tables.errors)} of the largest"
    if used and len(tables.errors) > 1:
        rules = f"{_of_largest(tables.errors)} over all {len(tables.errors)} rules"
        message = f"{message} with the rule used ({rules})"
    near = [error for error in tables.errors if error.mean_deviation is not None]
    if not near:
        return message
    best = min(near, key=lambda row: row.mean_deviation or 0.0)
    return (
        f"{message}; {best.placement} is nearest to the published errors, "
        f"{fixed(best.mean_deviation, 2)} points off on average"
    )


def _of_largest(errors: Sequence[MeanErrors]) -> str:
    """The least and the largest mean error over its largest error."""
    ratios = [
        mean / largest
        for error in errors
        for largest, mean in zip(error.most_error_percent, error.mean_error_percent, strict=True)
        if mean is not None
    ]
    low, high = fixed(min(ratios), 2), fixed(max(ratios), 2)
    return low if low == high else f"{low} to {high}"


def paint(figure: Figure, tables: LogTables, used: str = "") -> None:
    """Plot mean errors on the left; plot their difference from the closed form on the right."""
    left, right = figure.subplots(1, 2)
    lines: list[tuple[str, tuple[float, ...], tuple[float | None, ...]]]
    lines = [(f"{error.placement}{' (used)' if error.placement == used else ''}",
              error.most_error_percent, error.mean_error_percent)
             for error in tables.errors]  # fmt: skip
    if tables.published is not None:
        lines.append(("published", MOST_ERROR_PERCENT, tables.published.mean_error_percent))
    bounds = tables.errors[0].most_error_percent
    left.plot(bounds, [closed_form(bound) for bound in bounds], color=GREY, linewidth=1.6,
              label="e / ln(1 + e) - 1")  # fmt: skip
    right.axhline(0, color=GREY, linewidth=1.6)
    for index, (words, largest, means) in enumerate(lines):
        colour, dashes, marker = look(index)
        there = [(x, y) for x, y in zip(largest, means, strict=True) if y is not None]
        x = [error for error, _ in there]
        printed = words == "published"
        if printed:
            colour, dashes, marker = "black", "none", "x"
        style: Any = {"color": colour, "linestyle": dashes, "marker": marker, "ms": 4,
                      "markerfacecolor": "white", "linewidth": 1.1}  # fmt: skip
        left.plot(x, [y for _, y in there], label=words, **style)
        right.plot(x, [y - closed_form(error) for error, y in there], **style)
    left.set_ylim(bottom=0)
    left.set_ylabel("mean error (%)")
    right.set_ylabel("minus the closed form (points)")
    for axes in (left, right):
        axes.set_xlabel("largest error e (%)")
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=6,
                  handlelength=2.0, columnspacing=1.0, fontsize=7.5)  # fmt: skip
