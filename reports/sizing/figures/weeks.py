"""Work by week: what the log has, and what it grew to."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from planner.formatting import percent
from planner.scheduling.policies.display import in_prose
from planner.scheduling.sizing.growth import work_of
from planner.scheduling.sizing.periods import work_by_period
from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.summary import factor
from reports.style import BLUE, ORANGE, Picture, draw


def pictures(study: SizingStudy) -> list[Picture]:
    """One picture, where the log has weeks."""
    if study.periods is None:
        return []
    return [
        draw("weeks", "03-weeks", finding(study), f"{finding(study)}.", (6.8, 1.9),
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def finding(study: SizingStudy) -> str:
    """How uneven the work is."""
    assert study.periods is not None  # noqa: S101 - the caller checks it
    work = work_by_period(study.periods, study.log)
    word = study.periods.word
    busiest = float(work.max() / work.mean()) if work.mean() else 0.0
    spread = float(work.std() / work.mean()) if work.mean() else 0.0
    return (
        f"The busiest of {len(work)} {word}s has {factor(busiest)} times the mean work; "
        f"{word}s differ by a standard deviation of {percent(spread)} of that mean"
    )


def paint(figure: Figure, study: SizingStudy) -> None:
    """Mean processors at work, were all work of a week done in it; and those of the answer."""
    assert study.periods is not None  # noqa: S101 - the caller checks it
    axes = figure.subplots()
    length = study.periods.length_s
    own = work_by_period(study.periods, study.log) / length
    edges = np.arange(len(own) + 1) + 0.5
    axes.stairs(own, edges, baseline=None, color=BLUE, linewidth=1.3, label="log")
    if study.settings.growth.by == "copies" and study.settings.growth.factor != 1:
        log = study.grown.log
        slot = (log.submit_s - int(study.log.submit_s[0])) // length
        grown = np.bincount(slot, work_of(log), minlength=len(own))[: len(own)] / length
        axes.stairs(grown, edges, baseline=None, color=ORANGE, linewidth=1.6, linestyle="--",
                    label="grown log")  # fmt: skip
    answer = study.sizings[study.ranking[0]].answer if study.ranking else None
    if answer is not None:
        axes.axhline(answer.processors, color="black", linestyle=":", linewidth=1.3,
                     label="size of the machine: answer under "
                     + in_prose(study.sizings[study.ranking[0]].policy))  # fmt: skip
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.set_xlabel(f"{study.periods.word} of the log")
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True, min_n_ticks=3))
    axes.set_ylabel("mean processors\nat work")
    figure.legend(loc="outside upper left", ncols=3, handlelength=2.4)
