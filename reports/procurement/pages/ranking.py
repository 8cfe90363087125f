"""Who wins under other evaluation weights."""

from __future__ import annotations

from planner.formatting import clipped, percent
from planner.procurement.ranking import Ranking
from planner.procurement.study import ProcurementStudy
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.grid import Table, table
from reports.numbers import fixed
from reports.procurement.figures.ranking import finding, label

_MOST = 20


def page(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """Points, totals, and how far each weight may move."""
    if study.ranking is None:
        return None
    question = study.scenario.procurement
    assumed = (
        "stated by the scenario"
        if question and question.weights
        else "assumed, since the scenario states none"
    )
    heading, answer = "Would other evaluation weights change the winner?", finding(study.ranking)
    if len(study.ranking.candidates) == 1:
        return Page(heading, f"{answer}.", tuple(_notes(study, study.ranking)))
    return Page(
        heading,
        f"{answer}.",
        (
            text(
                f"The weights are {assumed}. In each criterion the best offer has 1 point, and the "
                "others have their ratio to it. Performance is the score. Total cost and energy "
                "are divided by the score; delivery is the longest lead time. The total sums "
                "points times weights. When one weight changes, the others keep their proportions."
            ),
            *_notes(study, study.ranking),
            *figures(pictures, "ranking", "Diamond: the weight as it is."),
            grid(_reversals(study), "The winner stays first while one weight is in this range"),
            grid(
                _candidates(study.ranking),
                partly(
                    "Points of each offer (best: 1), and their weighted total",
                    _MOST,
                    len(study.ranking.candidates),
                ),
            ),
        ),
    )


def _reversals(study: ProcurementStudy) -> Table:
    columns = (
        ("Criterion", False), ("Weight now", True), ("From", True), ("To", True),
        ("Winner outside it", False),
    )  # fmt: skip
    winner = study.ranking.candidates[0].name if study.ranking else ""
    rows = []
    for reversal in study.ranking.reversals if study.ranking else ():
        others = dict.fromkeys(label(name) for _, _, name in reversal.winners if name != winner)
        rows.append(
            (
                reversal.criterion,
                percent(reversal.weight, places=1),
                percent(reversal.stays_from, "up", places=1),
                percent(reversal.stays_to, "down", places=1),
                clipped(", ".join(others) or "no other", 120),
            )
        )
    return table(columns, (1.2, 0.8, 1.2, 0.8, 2), rows)


def _notes(study: ProcurementStudy, ranking: Ranking) -> list[Block]:
    """What is not ranked, and why."""
    notes = []
    if ranking.left_out:
        names = [f"{clipped(name, 60)} ({_why(study, name)})" for name in ranking.left_out]
        more = len(names) - _MOST_LEFT_OUT
        if more > 0:
            names = [*names[:_MOST_LEFT_OUT], f"{more} more"]
        notes.append(f"Not ranked: {'; '.join(names)}.")
    if "delivery" not in ranking.weights:
        notes.append("Delivery is not rated, since not every lead time is known.")
    return [text(" ".join(notes))] if notes else []


def _why(study: ProcurementStudy, name: str) -> str:
    """The first rule that a system breaks, and how many more."""
    wrong = next((other.wrong for other in study.heuristics if other.plan.method == name), ())
    if not wrong:
        return "cannot run all workloads"
    more = f" and {len(wrong) - 1} more" if wrong[1:] else ""
    return f"{clipped(wrong[0], 120)}{more}"


_MOST_LEFT_OUT = 6


def _candidates(ranking: Ranking) -> Table:
    criteria = list(ranking.weights)
    columns = [("Offer", False), *((name, True) for name in criteria), ("Total", True)]
    rows = [
        (
            clipped(label(candidate.name), 60),
            *(fixed(candidate.points[name], 3) for name in criteria),
            fixed(candidate.total, 4),
        )
        for candidate in ranking.candidates[:_MOST]
    ]
    return table(columns, (2, *([1] * len(criteria)), 0.8), rows)
