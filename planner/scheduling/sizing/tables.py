"""A sizing as tables: rows of plain values, as in the workbook."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from planner.scheduling.sizing.periods import work_by_period

if TYPE_CHECKING:
    from planner.scheduling.sizing.result import SizingResult
    from planner.scheduling.sizing.sizing import SizeTrial, Sizing

Row = dict[str, Any]


def tables(study: SizingResult) -> dict[str, list[Row]]:
    """Every table by its name."""
    periods = study.periods
    return {
        "sizes": [_answer(study, index) for index in range(len(study.sizings))],
        "sizes tried": [
            tried(sizing.policy, outcome)
            for sizing in study.sizings
            for outcome in sizing.tried.values()
        ],
        "resampled weeks": [
            {"policy": resampled.policy, "draw": draw, "nodes": nodes}
            for resampled in study.resampled
            for draw, nodes in enumerate(resampled.nodes, 1)
        ],
        "work by week": [
            {periods.word: number, "processor_seconds": work}
            for number, work in enumerate(work_by_period(periods, study.log).tolist(), 1)
        ]
        if periods
        else [],
        "jobs of the log": [{"what": kind, "jobs": n} for kind, n in study.log.counts.items()],
    }


def _answer(study: SizingResult, index: int) -> Row:
    sizing = study.sizings[index]
    answer, below, above = sizing.answer, sizing.below, sizing.above
    row: Row = {
        "policy": sizing.policy,
        "nodes": sizing.nodes,
        "processors": answer.processors if answer else None,
        study.settings.level.key: answer.value if answer else sizing.largest.value,
        "one_node_below": below.value if below else None,
        "one_node_above": above.value if above else None,
        "utilisation": answer.utilisation if answer else None,
        "log_as_it_is": sizing.today.value if sizing.today else None,
    }
    if study.resampled:
        resampled = study.resampled[index]
        row |= {
            "drawn_median": resampled.median,
            "drawn_p05": resampled.low,
            "drawn_p95": resampled.high,
        }
    return row


def around(sizing: Sizing) -> list[Row]:
    """The answer and its neighbours, or the largest size that was tried."""
    unit = "processor" if sizing.largest.processors == sizing.largest.nodes else "node"
    kinds = {
        f"one {unit} less": sizing.below,
        "answer": sizing.answer,
        f"one {unit} more": sizing.above,
    }
    if sizing.answer is None:
        kinds = {"largest tried": sizing.largest}
    return [
        tried(sizing.policy, outcome) | {"what": kind} for kind, outcome in kinds.items() if outcome
    ]


def tried(policy: str, outcome: SizeTrial) -> Row:
    """A size that was tried under a policy."""
    return {"policy": policy} | asdict(outcome)
