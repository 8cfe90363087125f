"""How much of the bound each policy uses, and how fair it is, over the bound."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.formatting import percent, plural
from planner.scheduling.power.headline import label
from planner.scheduling.power.study import ScheduleStudy
from reports.schedule.figures.by_bound import BoundPoint, draw_lines
from reports.style import Picture, draw, in_groups

Measure = Literal["power_utilisation", "fairness"]
_WORDS: dict[Measure, tuple[str, str, str]] = {
    "power_utilisation": ("30", "share-of-the-bound", "share of the bound used (%)"),
    "fairness": ("40", "fairness", "Jain's index"),
}
_MOST_PANELS = 4


def pictures(study: ScheduleStudy) -> list[Picture]:
    """Return use of the bound and Jain's index, if there are several bounds and policies."""
    if len(study.bounds_w) < 2 or len(study.policies) < 2:
        return []
    return [
        draw(
            measure,
            f"{int(_WORDS[measure][0]) + index:02d}-{_WORDS[measure][1]}",
            _finding(study, measure),
            f"Means over {plural(study.seeds, 'seed')} for each log, bound and policy; simulated.",
            (6.8, 0.8 + 1.25 * ((len(part) + 1) // 2)),
            partial(_panels, study=study, logs=part, measure=measure),
        )
        for measure in _WORDS
        if any(getattr(use, measure) is not None for use in study.uses)
        for index, part in enumerate(in_groups(study.logs, _MOST_PANELS))
    ]


def _finding(study: ScheduleStudy, measure: Measure) -> str:
    """Return the policies with the lowest and the highest mean."""
    means = {}
    for policy in study.policies:
        values = [getattr(use, measure) for use in study.uses if use.policy == policy]
        values_known = [value for value in values if value is not None]
        if values_known:
            means[policy] = float(np.mean(values_known))
    low, high = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
    if measure == "fairness":
        texts, subject = [f"{means[name]:.3f}" for name in (low, high)], "Jain's index of fairness"
    else:
        texts, subject = [percent(means[name]) for name in (low, high)], "Jobs use"
    verb = subject if measure == "power_utilisation" else f"{subject} is"
    means_over = " and ".join(
        word
        for word, count in (("logs", len(study.logs)), ("bounds", len(study.bounds_w)))
        if count > 1
    )
    of = " of the bound" if measure == "power_utilisation" else ""
    if texts[0] == texts[1]:
        return f"{verb} {texts[0]}{of} under every policy, mean over {means_over}"
    lowest, highest = f"{texts[0]} ({label(low)})", f"{texts[1]} ({label(high)})"
    return f"{verb} {lowest} to {highest}{of}, mean over {means_over}"


def lowest_fairness(study: ScheduleStudy) -> float:
    """Return where the axis of Jain's index begins."""
    values = [use.fairness for use in study.uses if use.fairness is not None]
    return float(np.floor(20 * min(values, default=0.0)) / 20)


def _panels(figure: Figure, study: ScheduleStudy, logs: Sequence[str], measure: Measure) -> None:
    rows = (len(logs) + 1) // 2
    columns = min(len(logs), 2)
    panels: list[Axes] = [*figure.subplots(rows, columns, squeeze=False, sharey=True).flat]
    scale = 100 if measure == "power_utilisation" else 1
    for index, (axes, log) in enumerate(zip(panels, logs, strict=False)):
        lines: dict[str, list[BoundPoint]] = {}
        for use in study.uses:
            value = getattr(use, measure)
            if use.log == log and value is not None:
                lines.setdefault(use.policy, []).append(BoundPoint(use.bound_w, scale * value))
        draw_lines(axes, lines, study.reference)
        axes.set_title(f"log {log}")
        if index >= len(logs) - columns:
            axes.set_xlabel("power bound (kW)")
    for axes in panels[len(logs) :]:
        axes.set_visible(False)
    figure.supylabel(_WORDS[measure][2], fontsize=9)
    panels[0].set_ylim(bottom=0 if scale == 100 else lowest_fairness(study))
    panels[columns - 1].legend(loc="upper left", bbox_to_anchor=(1, 1))
