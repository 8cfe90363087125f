"""Turnaround of each policy over all logs and bounds: the figure of the first page."""

from __future__ import annotations

from functools import partial

from matplotlib.figure import Figure

from planner.formatting import capitalised, plural
from planner.scheduling.power.headline import label
from planner.scheduling.power.results.comparisons import Overall, overall
from planner.scheduling.power.study import ScheduleStudy
from reports.schedule.figures.by_bound import REFERENCE_LOOK
from reports.style import BLUE, GREY, Picture, draw


def pictures(study: ScheduleStudy) -> list[Picture]:
    """Return the ratios of all policies to the reference policy, if there are several logs."""
    results = {row.policy: row for row in overall(study.outcomes, study.reference)}
    rows = [results[name] for name, _ in study.ranking if name != study.reference]
    if not rows or len(study.logs) < 2:
        return []
    return [
        draw(
            "overall",
            "00-policies",
            _finding(study, rows),
            f"{capitalised(_marks(study))}; {plural(study.seeds, 'seed')}, simulated.",
            (6.8, 1.1 + 0.3 * len(rows)),
            partial(_draw, study=study, rows=rows),
        )
    ]


def _finding(study: ScheduleStudy, rows: list[Overall]) -> str:
    """Return the policies with the lowest and the highest ratio to the reference policy."""
    subject = f"Mean turnaround relative to {label(study.reference)}"
    texts = {f"{row.ratio or 0:.3f}": label(row.policy) for row in reversed(rows)}
    if len(rows) == 1:
        return f"{subject} is {rows[0].ratio or 0:.3f} under {label(rows[0].policy)}"
    if len(texts) == 1:
        return f"{subject} is {next(iter(texts))} under every other policy"
    (high, highest), *_, (low, lowest) = texts.items()
    return f"{subject} is {low} ({lowest}) to {high} ({highest})"


def _marks(study: ScheduleStudy) -> str:
    """Return what each mark is, as far as there are such marks."""
    interval = "bar: 95 % interval; " if study.seeds > 1 else ""
    return f"dot: mean; {interval}ticks: each log and bound"


def _draw(figure: Figure, study: ScheduleStudy, rows: list[Overall]) -> None:
    axes = figure.subplots()
    for index, row in enumerate(reversed(rows)):
        cases = [case.ratio for case in study.rows
                 if case.policy == row.policy and case.ratio is not None]  # fmt: skip
        axes.plot(cases, [index - 0.25] * len(cases), "|", color=GREY, markersize=5, alpha=0.7)
        if row.low is not None and row.high is not None:
            axes.hlines(index, row.low, row.high, color=BLUE, linewidth=3, alpha=0.5)
        if row.ratio is not None:
            axes.plot([row.ratio], [index], "o", color=BLUE, markersize=6)
            axes.annotate(f"{row.ratio:.3f}", (row.ratio, index), (0, 5), ha="center", fontsize=8,
                          textcoords="offset points")  # fmt: skip
    axes.axvline(1, color=REFERENCE_LOOK, linewidth=1.2, linestyle="--")
    axes.annotate(label(study.reference), (1, 1), (0, 2), xycoords=("data", "axes fraction"),
                  textcoords="offset points", ha="center", fontsize=8)  # fmt: skip
    axes.set_yticks(range(len(rows)), [label(row.policy) for row in reversed(rows)])
    axes.set_ylim(-0.6, len(rows) - 0.3)
    axes.set_xlabel(
        f"mean turnaround relative to {label(study.reference)} (below 1: jobs end sooner)\n"
        f"{_marks(study)}"
    )
