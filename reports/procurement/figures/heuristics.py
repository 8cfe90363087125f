"""Heuristics and systems as quoted, compared with the optimum and its proven limit."""

from __future__ import annotations

import math

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from planner.formatting import percent
from planner.procurement.compared import Compared
from planner.procurement.findings import best_other, shortfall
from planner.procurement.study import ProcurementStudy
from reports.numbers import fixed
from reports.style import BLUE, GREY, ORANGE, VERMILLION, Picture, draw, rows_high, wrapped

MOST = 24


def pictures(study: ProcurementStudy) -> list[Picture]:
    """Return one picture, if there is a plan and something to compare it with."""
    displayed = ranked(study)
    if study.plan is None or not displayed:
        return []
    listed = "; ".join(
        f"{heuristic.plan.method} {fixed(heuristic.plan.score, 3)}"
        f"{' (with violations)' * bool(heuristic.wrong)}"
        for heuristic in displayed
    )
    alternative = (
        f"Scores compared with the {study.plan_name} of {fixed(study.plan.score, 3)}: {listed}."
    )
    size = (6.6, rows_high(len(displayed) + 1, 0.205, 0.9, 5.5))
    return [
        draw(
            "heuristics", "02-heuristics", finding(study), alternative, size,
            lambda figure: _paint(figure, study, displayed),
        )
    ]  # fmt: skip


def ranked(study: ProcurementStudy) -> list[Compared]:
    """Best first, only as many as a page holds."""
    return by_score(study)[:MOST]


def by_score(study: ProcurementStudy) -> list[Compared]:
    """All of them, best first."""
    return sorted(study.heuristics, key=lambda heuristic: -heuristic.plan.score)


def finding(study: ProcurementStudy) -> str:
    """How near the best of the others comes."""
    best, wrong = best_other(study), sum(bool(heuristic.wrong) for heuristic in study.heuristics)
    wrong += len(study.refused)
    every = len(study.heuristics) + len(study.refused)
    if best is None:
        return f"No simpler method or quoted system meets all requirements ({every} compared)"
    if study.by_heuristic:
        less = study.compared[0].below_optimum or 0.0
        return f"The plan ({study.plan_name}) scores {percent(less)} less than the optimum"
    less = shortfall(study, best.plan)
    near = f"{percent(less)} less than the plan" if less > 1e-9 else "as much as the plan"
    text = f"The best simpler method or quoted system ({best.plan.method}) scores {near}"
    return f"{text}; {wrong} of {every} violate a requirement or limit" if wrong else text


def _paint(figure: Figure, study: ProcurementStudy, listed: list[Compared]) -> None:
    if study.plan is None:
        return
    axes = figure.subplots()
    best = study.plan.score
    bound = study.optimum.bound
    axes.axvline(best, color=VERMILLION, linewidth=1.2, linestyle=(0, (5, 2)), zorder=1)
    if bound is not None and math.exp(bound) > best * 1.002:
        axes.axvspan(best, math.exp(bound), color="#F0F0F0", zorder=0)
    axes.plot([best], [0], "D", color=ORANGE, markeredgecolor="black", ms=6, zorder=3)
    for row, heuristic in enumerate(listed, start=1):
        score = heuristic.plan.score
        axes.hlines(row, score, best, color=GREY, linewidth=0.8, zorder=1)
        axes.plot(
            [score], [row], "o", ms=6, color="white" if heuristic.wrong else BLUE,
            markeredgecolor=BLUE, markeredgewidth=1.5, zorder=3,
        )  # fmt: skip
        axes.annotate(
            percent(-shortfall(study, heuristic.plan), signed=True), (score, row), xytext=(-7, 0),
            textcoords="offset points", ha="right", va="center", fontsize=8,
        )  # fmt: skip
    names = [study.plan_name, *(wrapped(heuristic.plan.method, 30, 1) for heuristic in listed)]
    axes.set_yticks(range(len(names)), names, parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    low = min([best, *(heuristic.plan.score for heuristic in listed)])
    high = best if bound is None else max(best, min(math.exp(bound), 1.5 * best))
    axes.set_xlim(low - 0.16 * (high - low or high), high + 0.04 * (high - low or high))
    axes.set_xlabel("score S (reference machine = 1)")
    figure.legend(
        handles=[
            Line2D([], [], marker="D", color=ORANGE, markeredgecolor="black", ls="",
                   label=study.plan_name),
            Line2D([], [], marker="o", color=BLUE, ls="", label="meets all requirements"),
            Line2D([], [], marker="o", color="white", markeredgecolor=BLUE, ls="",
                   label="violates a requirement or limit"),
        ],
        loc="outside upper left", ncols=3, handlelength=1.2,
    )  # fmt: skip
