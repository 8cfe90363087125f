"""Who wins under other evaluation weights."""

from __future__ import annotations

from planner.formatting import clipped, plural, words
from planner.procurement.heuristics import BID
from planner.procurement.ranking import Ranking
from planner.procurement.study import ProcurementStudy
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, partly, text
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
                f"{_as_quoted(study.ranking)}"
            ),
            *figures(
                pictures,
                "ranking",
                "Diamond: the weight now. Numbers: where the winner changes.",
                title="First place for each weight of one criterion",
            ),
            grid(
                _candidates(study.ranking),
                partly(
                    "Points of each offer (best: 1), and their weighted total",
                    _MOST,
                    len(study.ranking.candidates),
                ),
                small=True,
            ),
            *_notes(study, study.ranking),
        ),
    )


def _as_quoted(ranking: Ranking) -> str:
    """What a system as quoted is, where one is ranked."""
    quoted = any(candidate.name.startswith(BID) for candidate in ranking.candidates)
    return " As quoted: the quantities that the vendor proposes." if quoted else ""


def _notes(study: ProcurementStudy, ranking: Ranking) -> list[Block]:
    """What is not ranked, and why."""
    notes: list[Block] = []
    if ranking.left_out:
        names = [
            f"{clipped(name, 60)}, which {_why(study, name)}."
            for name in ranking.left_out[:_MOST_LEFT_OUT]
        ]
        more = len(ranking.left_out) - _MOST_LEFT_OUT
        if more > 0:
            names.append(f"{more} more systems.")
        if len(names) == 1:
            notes.append(text(f"Not ranked: {names[0]}"))
        else:
            notes += [text("These systems are not ranked:"), bullets(names)]
    if "delivery" not in ranking.weights:
        notes.append(text("Delivery is not rated, since not every lead time is known."))
    return notes


def _why(study: ProcurementStudy, name: str) -> str:
    """What a system misses, or the first rule that it breaks, and how many more."""
    other = next((other for other in study.heuristics if other.plan.method == name), None)
    if other is None or not other.wrong:
        return "cannot run all workloads"
    missed = [] if other.reach is None else [r for r in other.reach.requirements if r.missed]
    if missed:
        throughputs = dict.fromkeys(r.workload for r in missed if r.demand)
        timed = dict.fromkeys(r.workload for r in missed if not r.demand)
        what = [f"throughput of {name}" for name in throughputs]
        what += [f"time to solution of {name}" for name in timed]
        if len(what) > _MOST_MISSED:
            what = [*what[:_MOST_MISSED], f"{len(what) - _MOST_MISSED} more"]
        return f"misses the required {words(what)}"
    more = f", and {plural(len(other.wrong) - 1, 'other rule')}" if other.wrong[1:] else ""
    return f"breaks a rule: {clipped(other.wrong[0], 120)}{more}"


_MOST_MISSED = 3
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
