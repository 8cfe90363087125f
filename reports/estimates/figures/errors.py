"""Mean error of the oracle by its largest: four placements, and the closed form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.figure import Figure

from planner.scheduling.estimates.oracle_errors import MeanErrors, OracleErrors
from planner.scheduling.estimates.study import EstimateStudy
from reports.numbers import fixed
from reports.simulation.policy_looks import look
from reports.style import GREY, Picture, draw


def pictures(study: EstimateStudy) -> list[Picture]:
    """One picture, where any job ran for a second."""
    errors = study.oracle_errors
    if not errors.are_known:
        return []
    text = "; ".join(
        f"{error.placement}: {', '.join(fixed(mean, 2) for mean in error.mean_error_percent)}"
        for error in errors.by_placement
    )
    return [
        draw("errors", "06-errors", finding(study), f"Mean errors in percent. {text}.",
             (6.8, 2.7), lambda figure: paint(figure, errors, study.settings.placement))
    ]  # fmt: skip


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
    """How the mean error relates to the largest."""
    errors, placement = study.oracle_errors, study.settings.placement
    if not errors.are_known:
        return "All run times are 0 s, so relative errors are undefined"
    every = errors.by_placement
    used = [each for each in every if each.placement == placement]
    rules = f"{_of_largest(every)} over all {len(every)} rules"
    return f"The mean error is {_of_largest(used)} of the largest with the rule used ({rules})"


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


def paint(figure: Figure, errors: OracleErrors, used: str) -> None:
    """Plot mean errors on the left; plot their difference from the closed form on the right."""
    left, right = figure.subplots(1, 2)
    bounds = errors.by_placement[0].most_error_percent
    left.plot(bounds, [closed_form(bound) for bound in bounds], color=GREY, linewidth=1.6,
              label="e / ln(1 + e) - 1")  # fmt: skip
    right.axhline(0, color=GREY, linewidth=1.6)
    for index, error in enumerate(errors.by_placement):
        colour, dashes, marker = look(index)
        means = zip(error.most_error_percent, error.mean_error_percent, strict=True)
        there = [(x, y) for x, y in means if y is not None]
        x = [bound for bound, _ in there]
        style: Any = {"color": colour, "linestyle": dashes, "marker": marker, "ms": 4,
                      "markerfacecolor": "white", "linewidth": 1.1}  # fmt: skip
        words = f"{error.placement}{' (used)' if error.placement == used else ''}"
        left.plot(x, [y for _, y in there], label=words, **style)
        right.plot(x, [y - closed_form(bound) for bound, y in there], **style)
    left.set_ylim(bottom=0)
    left.set_ylabel("mean error (%)")
    right.set_ylabel("minus the closed form (points)")
    for axes in (left, right):
        axes.set_xlabel("largest error e (%)")
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=6,
                  handlelength=2.0, columnspacing=1.0, fontsize=7.5)  # fmt: skip
