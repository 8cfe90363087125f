"""Simulates a system for the studies of the gate: a campaign as a site would measure it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

import numpy as np

from benchmarks.studies.gate.separation import Early, early
from benchmarks.studies.gate.watch import (
    POLLING_IPC,
    WatchedCampaign,
    WatchedCoRun,
    watched_co_runs,
)
from benchmarks.studies.gate.watched import Watched
from planner.pricing.estimators.estimator import Polling
from planner.sharing_nodes.gate.inputs import GatePairs, run_variance
from planner.sharing_nodes.tangram.metrics import Floats
from planner.sharing_nodes.tangram.pair_runs import PairRuns, pair_runs
from scenarios.simulated.oversubscription import (
    LAWS,
    SIX,
    SYSTEMS,
    OversubscribedApplication,
    find_system,
    under,
)

POLLING = Polling(POLLING_IPC, 0.1)
"""A site measures the IPC of a polling loop once, to within 10 %."""


@dataclass(frozen=True, eq=False)
class Campaign:
    """Measured pairs, one per row, with everything that a gate may ask for or is charged with.

    Attributes
    ----------
    runs
        The co-runs, as gates without a guarantee see them.
    pairs
        Profiles and measured makespans.
    solo_s
        Measured run times alone of both jobs: (rows, 2) [s].
    watched
        The co-runs with what a monitor saw of each, and of a probing run.
    watch_s, paused_s
        Length of a watch or a probe, and how long one of the jobs is paused in it [s].
    known
        Estimates that were made already.
    """

    runs: PairRuns
    pairs: GatePairs
    solo_s: Floats
    watched: Sequence[WatchedCoRun]
    watch_s: float
    paused_s: float
    known: dict[int, Early] = field(default_factory=dict)

    @property
    def serial_s(self) -> Floats:
        """Time of both jobs one after the other [s]."""
        return np.asarray(self.solo_s.sum(axis=1))

    def probe(self, row: int) -> float:
        """Log makespan as a short probing run shows it."""
        return self._early(row, self.watched[row].probe).log_makespan

    def separates(self, row: int) -> bool:
        """Whether the first seconds of the co-run say that separating is faster."""
        return self._early(row, self.watched[row].watched).separate

    def separated(self, row: int) -> float:
        """Makespan of a co-run that is separated after the watch: measured."""
        return float(self.watched[row].separated_s / self.solo_s[row].sum())

    def _early(self, row: int, seen: Watched) -> Early:
        if id(seen) not in self.known:
            one, other = self.solo_s[row]
            self.known[id(seen)] = early(seen, (float(one), float(other)), POLLING)
        return self.known[id(seen)]


def campaign(
    system: str,
    seed: int,
    applications: Sequence[OversubscribedApplication],
    which: Sequence[tuple[int, int]],
    *,
    ranks: tuple[int, ...] = (),
    watch_s: float = 10.0,
    law: str = LAWS[0],
) -> Campaign:
    """Measure pairs of applications on a simulated system.

    Parameters
    ----------
    system
        Its name.
    seed
        Seed of all noise.
    applications
        What runs there.
    which
        Pairs of positions in ``applications``.
    ranks
        Rank counts; by default those of the system.
    watch_s
        Length of a watch, and of a probing run [s].
    law
        Law of shared cores.
    """
    chosen = under(find_system(system, SYSTEMS), law)
    played = watched_co_runs(
        chosen, seed, tuple(applications), tuple(which), ranks=ranks, watch_s=watch_s
    )
    alone = {(run.application, run.ranks): run for run in played.runs.solo}
    runs = pair_runs(played.runs)
    solo_s = np.array(
        [
            (alone[one.a, one.ranks].time_s, alone[one.b, one.ranks].time_s)
            for one in played.runs.together
        ]
    )
    paused_s = played.watched[0].watched.paused_s
    return Campaign(runs, _pairs(played, runs, solo_s), solo_s, played.watched, watch_s, paused_s)


def six_applications(system: str, seed: int, watch_s: float = 10.0, law: str = LAWS[0]) -> Campaign:
    """All pairs of the paper's six applications at all rank counts of a system."""
    which = list(combinations_with_replacement(range(len(SIX)), 2))
    return campaign(system, seed, SIX, which, watch_s=watch_s, law=law)


def _pairs(played: WatchedCampaign, runs: PairRuns, solo_s: Floats) -> GatePairs:
    spread = np.log(np.array(played.earlier_s)).std(axis=1, ddof=1)
    profiles = [
        np.vstack([runs.profile_a[runs.a == number], runs.profile_b[runs.b == number]])
        for number in range(len(runs.applications))
    ]
    share = solo_s[:, 0] / solo_s.sum(axis=1)
    return GatePairs(
        runs.applications, runs.a, runs.b, np.array([profile.mean(axis=0) for profile in profiles]),
        runs.profile_a, runs.profile_b, runs.ranks, runs.makespan,
        run_variance(spread[runs.a], spread[runs.b], share, runs.self_pair),
    )  # fmt: skip
