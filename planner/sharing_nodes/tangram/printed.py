"""Numbers that the paper prints, what its equations give, and where it contradicts itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.sharing_nodes.tangram.metrics import Floats
from planner.sharing_nodes.tangram.scores import GateScore

Six = tuple[float, float, float, float, float, float]
"""Geometric mean, largest and smallest makespan ratio, and the same of the turnaround."""

TABLE_II: dict[tuple[int, str, str], Six] = {
    (2, "CV", "Tangram"): (0.75, 1.22, 0.41, 1.00, 1.74, 0.62),
    (2, "CV", "all co-located"): (0.80, 16.98, 0.41, 1.13, 24.02, 0.62),
    (2, "(I)", "Tangram"): (0.81, 1.26, 0.47, 1.08, 2.08, 0.65),
    (2, "(I)", "all co-located"): (0.83, 16.98, 0.47, 1.19, 24.02, 0.65),
    (2, "(II)", "Tangram"): (0.82, 1.30, 0.41, 1.04, 2.19, 0.55),
    (2, "(II)", "all co-located"): (0.77, 16.98, 0.41, 1.10, 24.02, 0.55),
    (8, "CV", "Tangram"): (0.90, 2.30, 0.50, 1.06, 3.25, 0.73),
    (8, "CV", "all co-located"): (1.20, 6.57, 0.50, 1.69, 9.29, 0.73),
    (8, "(I)", "Tangram"): (0.93, 2.82, 0.50, 1.08, 3.93, 0.68),
    (8, "(I)", "all co-located"): (1.20, 6.57, 0.50, 1.67, 9.29, 0.68),
    (8, "(II)", "Tangram"): (0.96, 2.12, 0.50, 1.05, 3.07, 0.68),
    (8, "(II)", "all co-located"): (1.14, 6.57, 0.50, 1.60, 9.29, 0.68),
}
"""Table II by nodes, test and method."""

_ALL = "all co-located"


@dataclass(frozen=True)
class TableTwoRow:
    """A row of Table II for makespan or turnaround, next to ours.

    Ours are the mean over seeds, and the largest and smallest value of all seeds; those of the
    other law are ``None`` if it was not run.
    """

    test: str
    gate: str
    measure: str
    printed_mean: float
    ours_mean: float
    printed_max: float
    ours_max: float
    printed_min: float
    ours_min: float
    note: str
    other_mean: float | None = None
    other_max: float | None = None
    other_min: float | None = None


def table_two(
    nodes: int,
    by_seed: Sequence[Sequence[GateScore]],
    other: Sequence[Sequence[GateScore]] = (),
) -> tuple[TableTwoRow, ...]:
    """Table II of one system next to the scores of every seed, and those under another law."""
    result = []
    for (size, test, gate), printed in TABLE_II.items():
        ours, others = (_seeds(each, test, gate) for each in (by_seed, other))
        if size != nodes or not len(ours):
            continue
        for measure, at in (("makespan", 0), ("turnaround", 3)):
            ours_mean, ours_max, ours_min = _over_seeds(ours, at)
            mean, most, least = printed[at : at + 3]
            note = _note(test, gate, measure)
            row = (mean, ours_mean, most, ours_max, least, ours_min)
            second = _over_seeds(others, at) if len(others) else ()
            result.append(TableTwoRow(test, gate, measure, *row, note, *second))
    return tuple(result)


def _seeds(by_seed: Sequence[Sequence[GateScore]], test: str, gate: str) -> Floats:
    """The six values of a gate in a test, one row for each seed."""
    return np.array(
        [
            _six(score)
            for scores in by_seed
            for score in scores
            if (score.test, score.gate) == (test, gate)
        ]
    )


def _over_seeds(seeds: Floats, at: int) -> tuple[float, float, float]:
    """The mean over seeds, and the largest and smallest value of all seeds."""
    return float(seeds[:, at].mean()), float(seeds[:, at + 1].max()), float(seeds[:, at + 2].min())


def _six(score: GateScore) -> Six:
    return (
        score.makespan, score.makespan_max, score.makespan_min,
        score.turnaround, score.turnaround_max, score.turnaround_min,
    )  # fmt: skip


def _note(test: str, gate: str, measure: str) -> str:
    """A word of the vocabulary ``note of Table II``."""
    if gate != _ALL:
        return "free"
    if test == "(II)":
        return "self pairs"
    return "fitted" if measure == "makespan" else "sqrt 2"
