"""What the decisions of a gate take in the end: co-runs, separations, watching and probes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.studies.gate.probing import ProbedPairs
from benchmarks.studies.gate.simulated import Campaign
from planner.sharing_nodes.tangram.metrics import Floats


@dataclass(frozen=True, eq=False)
class Charged:
    """Makespans of all judged pairs of an application; 1 for a pair that does not share.

    Attributes
    ----------
    makespan
        With everything that is charged.
    admitted, separated
        Which pairs began to share, and which of these were separated.
    """

    makespan: Floats
    admitted: NDArray[np.bool_]
    separated: NDArray[np.bool_]


def separates(data: Campaign, judged: ProbedPairs) -> NDArray[np.bool_]:
    """Pairs that would be separated after the watch, among those that may be admitted at all."""
    return np.array(
        [
            bool(np.isfinite(score)) and data.separates(int(row))
            for row, score in zip(judged.rows, judged.score, strict=True)
        ]
    )


def shared_makespan(data: Campaign, judged: ProbedPairs, *, watch: bool) -> Floats:
    """Makespan of each pair if it is admitted, with the time of the application's probes.

    With a watch, pairs are separated where the first seconds say that it is faster, and the pauses
    of the watch are charged.
    """
    rows = judged.rows
    result = data.pairs.makespan[rows] + probe_share(data, judged)
    if not watch:
        return np.asarray(result)
    apart = separates(data, judged)
    separated = np.array([data.separated(int(row)) for row in rows])
    result = np.where(apart, result - data.pairs.makespan[rows] + separated, result)
    return np.asarray(result + data.paused_s / data.serial_s[rows])


def probe_share(data: Campaign, judged: ProbedPairs) -> Floats:
    """Time of an application's probes over that of each pair: its pairs bear it in equal parts."""
    spent_s = data.watch_s * len(judged.probed) / len(judged.rows)
    return np.asarray(spent_s / data.serial_s[judged.rows])


def charged(data: Campaign, judged: ProbedPairs, threshold: float, *, watch: bool) -> Charged:
    """What an application's pairs take in the end."""
    admitted = judged.admitted(threshold)
    together = shared_makespan(data, judged, watch=watch)
    makespan = np.where(admitted, together, 1.0 + probe_share(data, judged))
    apart = separates(data, judged) if watch else np.zeros(len(admitted), dtype=bool)
    return Charged(makespan, admitted, np.asarray(admitted & apart))
