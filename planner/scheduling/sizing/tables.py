"""A sizing as tables: rows of plain values, as in the workbook."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from planner.scheduling.sizing.periods import work_by_period

if TYPE_CHECKING:
    from planner.scheduling.sizing.result import SizingResult
    from planner.scheduling.sizing.sizing import Sizing, Tried

Row = dict[str, Any]


def tables(study: SizingResult) -> dict[str, list[Row]]:
    """Every table by its name."""
    periods = study.periods
    return {
        "sizes": [_answer(study, place) for place in range(len(study.sizings))],
        "sizes tried": [
            tried(sizing.policy, each) for sizing in study.sizings for each in sizing.tried.values()
        ],
        "drawn weeks": [
            {"policy": found.policy, "draw": draw, "nodes": nodes}
            for found in study.resampled
            for draw, nodes in enumerate(found.nodes, 1)
        ],
        "work by week": [
            {periods.word: place, "processor_seconds": work}
            for place, work in enumerate(work_by_period(periods, study.log).tolist(), 1)
        ]
        if periods
        else [],
        "jobs of the log": [{"what": what, "jobs": n} for what, n in study.log.counts.items()],
    }


def _answer(study: SizingResult, place: int) -> Row:
    sizing = study.sizings[place]
    answer, below, above = sizing.answer, sizing.below, sizing.above
    row: Row = {
        "policy": sizing.policy,
        "nodes": sizing.nodes,
        "processors": answer.processors if answer else None,
        study.asked.level.key: answer.value if answer else sizing.largest.value,
        "one_node_below": below.value if below else None,
        "one_node_above": above.value if above else None,
        "utilisation": answer.utilisation if answer else None,
        "log_as_it_is": sizing.today.value if sizing.today else None,
    }
    if study.resampled:
        drawn = study.resampled[place]
        row |= {"drawn_median": drawn.median, "drawn_p05": drawn.low, "drawn_p95": drawn.high}
    return row


def around(sizing: Sizing) -> list[Row]:
    """The answer and its neighbours, or the largest size that was tried."""
    kinds = {
        "one node less": sizing.below, "answer": sizing.answer, "one node more": sizing.above,
    }  # fmt: skip
    if sizing.answer is None:
        kinds = {"largest tried": sizing.largest}
    return [tried(sizing.policy, each) | {"what": what} for what, each in kinds.items() if each]


def tried(policy: str, each: Tried) -> Row:
    """A size that was tried under a policy."""
    return {"policy": policy} | asdict(each)
