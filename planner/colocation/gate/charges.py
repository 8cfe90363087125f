"""What the decisions of a gate take in the end: co-runs, separations, watching and probes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.colocation.gate.gate import Judged
from planner.colocation.gate.simulated import Campaign
from planner.colocation.tangram.metrics import Floats


@dataclass(frozen=True, eq=False)
class Charged:
    """Makespans of all judged pairs of an application; 1 for a pair that does not share.

    Attributes
    ----------
    makespan
        With everything that is charged.
    admitted, separated
        Which pairs began to share, and which of these were separated.
    probes
        Share of the makespan that probing runs add to each pair.
    """

    makespan: Floats
    admitted: NDArray[np.bool_]
    separated: NDArray[np.bool_]
    probes: float


def shared_makespan(data: Campaign, rows: NDArray[np.intp], *, watch: bool) -> Floats:
    """Makespan of each row if it is admitted.

    With a watch, pairs are separated where the first seconds say that it is faster, and the pauses
    of the watch are charged.
    """
    if not watch:
        return np.asarray(data.pairs.makespan[rows])
    apart = data.watched[rows] > data.apart[rows]
    found = np.where(apart, data.separated[rows], data.pairs.makespan[rows])
    return np.asarray(found + data.paused_s / data.serial_s[rows])


def probe_share(data: Campaign, judged: Judged) -> Floats:
    """Time of an application's probes over that of each pair: its pairs bear it in equal parts."""
    spent_s = data.watch_s * len(judged.probed) / len(judged.rows)
    return np.asarray(spent_s / data.serial_s[judged.rows])


def charged(data: Campaign, judged: Judged, threshold: float, *, watch: bool) -> Charged:
    """What an application's pairs take in the end."""
    rows = judged.rows
    admitted = judged.admitted(threshold)
    together = shared_makespan(data, rows, watch=watch)
    probes = probe_share(data, judged)
    separated = admitted & watch & (data.watched[rows] > data.apart[rows])
    makespan = np.where(admitted, together, 1.0) + probes
    return Charged(makespan, admitted, np.asarray(separated), float(np.mean(probes)))
