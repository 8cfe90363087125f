"""Measured pairs as arrays: profiles of both jobs, and what the co-run gained."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.sharing_nodes.tangram.metrics import Floats, makespan_ratio, turnaround_ratio
from scenarios.pairs.co_runs import CoRuns, SoloRun

FEATURES = ("CPU intensity", "memory intensity", "I/O intensity")


@dataclass(frozen=True, eq=False)
class PairRuns:
    """One entry for each co-run.

    Attributes
    ----------
    system
        Its name, as people read it.
    applications
        Names.
    a, b, ranks
        Both applications by number, and the ranks of each job.
    profile_a, profile_b
        Intensities of each job alone, shape (co-runs, 3).
    makespan, turnaround
        Ratios of each co-run; below 1 the pair gains.
    """

    system: str
    applications: tuple[str, ...]
    a: NDArray[np.int64]
    b: NDArray[np.int64]
    ranks: NDArray[np.int64]
    profile_a: Floats
    profile_b: Floats
    makespan: Floats
    turnaround: Floats

    def __len__(self) -> int:
        return len(self.a)

    @property
    def features(self) -> Floats:
        """Sums of both jobs' intensities, not scaled yet."""
        return np.asarray(self.profile_a + self.profile_b)

    @property
    def gains(self) -> NDArray[np.bool_]:
        """The label y: whether the pair finishes sooner together."""
        return np.asarray(self.makespan < 1)

    @property
    def self_pair(self) -> NDArray[np.bool_]:
        """Whether both jobs are of one application."""
        return np.asarray(self.a == self.b)

    def named(self, row: int) -> tuple[str, str, int]:
        """Both applications of a co-run, and the ranks of each job."""
        return self.applications[self.a[row]], self.applications[self.b[row]], int(self.ranks[row])

    @property
    def pair(self) -> NDArray[np.int64]:
        """A number for each unordered pair of applications."""
        count = len(self.applications)
        return np.asarray(np.minimum(self.a, self.b) * count + np.maximum(self.a, self.b))


def io_intensity(run: SoloRun) -> float:
    """Share of the run time in which a rank is on no core, from 0 to 1.

    References
    ----------
    Tangram, section III: (t_real - (t_sys + t_user) / ranks per node) / t_real. Core time must be
    that of one node, and the value is clipped (D3).
    """
    asleep = (run.time_s - run.core_time_s / run.ranks_per_node) / run.time_s
    return min(max(asleep, 0.0), 1.0)


def pair_runs(runs: CoRuns) -> PairRuns:
    """Arrays of a campaign.

    Parameters
    ----------
    runs
        Solo runs and co-runs.

    Raises
    ------
    InputError
        There is no co-run, or an application was not run alone at the ranks of a co-run.
    """
    if not runs.together:
        raise InputError("no co-run is given; give at least one pair that was run together")
    alone = {(run.application, run.ranks): run for run in runs.solo}
    missing = sorted(
        {(name, one.ranks) for one in runs.together for name in (one.a, one.b)} - alone.keys()
    )
    if missing:
        name, ranks = missing[0]
        raise InputError(f"{name} was not run alone with {ranks} ranks; add this run")
    number = {name: index for index, name in enumerate(runs.applications)}
    solo_a = [alone[one.a, one.ranks] for one in runs.together]
    solo_b = [alone[one.b, one.ranks] for one in runs.together]
    times = (
        np.array([run.time_s for run in solo_a]),
        np.array([run.time_s for run in solo_b]),
        np.array([one.time_a_s for one in runs.together]),
        np.array([one.time_b_s for one in runs.together]),
    )
    return PairRuns(
        runs.system,
        runs.applications,
        np.array([number[one.a] for one in runs.together]),
        np.array([number[one.b] for one in runs.together]),
        np.array([one.ranks for one in runs.together]),
        _profiles(solo_a),
        _profiles(solo_b),
        makespan_ratio(*times),
        turnaround_ratio(*times),
    )


def _profiles(runs: list[SoloRun]) -> Floats:
    return np.array(
        [[run.instructions_per_cycle, run.misses_per_kinstr, io_intensity(run)] for run in runs]
    )
