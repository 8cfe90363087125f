"""Rolling matching: at each decision, which waiting jobs are to open nodes together.

Vertices are the first jobs of the queue. The weight of a pair is the work per time that it is
predicted to gain on the nodes that it would open, times an age factor of both jobs: so a job that
waits long is matched before one that has just come. The greatest total weight is found by the
matching of :mod:`solvers.matching`, which proves it. Jobs that stay alone take halves next to
running jobs, or whole nodes.

Starvation cannot come from the matching: it only says with whom a job may open nodes. A job at the
head of the queue keeps its reservation of whole nodes under every pairing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from planner.sharing_nodes.queues.problem import MS, NEVER, Floats, Integers, SharedProblem
from planner.sharing_nodes.queues.rules import SharingGate, SharingRule
from solvers.matching.duals import proved
from solvers.matching.weights import Weights

ALONE = NEVER - 1
"""The mate of a job that is to open no nodes with a partner."""


@dataclass
class RollingMatching:
    """Pairs the first jobs of the queue anew whenever these have changed.

    Attributes
    ----------
    problem, rule
        Whose jobs, and whose gate, floors, cover and least gain; the true speeds are not looked at.
    gate
        That of the rule.
    horizon
        Jobs at the head of the queue that are matched; those behind wait for their turn.
    age_s
        Wait by which the weight of a job has doubled [s].
    """

    problem: SharedProblem
    rule: SharingRule
    gate: SharingGate
    horizon: int
    age_s: float
    _last: Integers = field(default_factory=lambda: np.empty(0, np.int64))
    _mates: Integers = field(default_factory=lambda: np.empty(0, np.int64))

    def mates(self, waiting: Integers, time_ms: int) -> Integers:
        """Partner of each waiting job by the matching; ``ALONE`` for jobs without one."""
        first = waiting[: self.horizon]
        if not np.array_equal(first, self._last):
            self._last, self._mates = first, self._matched(first, time_ms)
        mates = np.full(len(waiting), ALONE, np.int64)
        mates[: len(first)] = self._mates
        return mates

    def _matched(self, first: Integers, time_ms: int) -> Integers:
        mates = np.full(len(first), ALONE, np.int64)
        pairs, _ = proved(Weights(self.weights(first, time_ms)))
        mates[pairs[:, 0]], mates[pairs[:, 1]] = first[pairs[:, 1]], first[pairs[:, 0]]
        return mates

    def weights(self, first: Integers, time_ms: int) -> Floats:
        """Return weights of all pairs of jobs, 0 where not allowed; shape ``(jobs, jobs)``."""
        jobs = self.problem.jobs
        application, nodes = jobs.application[first], jobs.nodes[first].astype(np.float64)
        grid = np.ix_(application, application)
        work = self.gate.relative[grid] * nodes[:, None]
        wider = np.maximum(nodes[:, None], nodes[None, :])
        opened = self.problem.halves_per_node * wider
        together = self.problem.halves_per_node * np.minimum(nodes[:, None], nodes[None, :])
        gained = work + work.T - opened
        age = 1 + (time_ms - jobs.submit_ms[first]) / (self.age_s * MS)
        floor = self.rule.floor_of(jobs.user[first])
        keeps = self.gate.lowest[grid] >= floor[:, None]
        allowed = (self.gate.level[grid] > 0) & keeps & keeps.T
        allowed &= (together >= self.rule.cover * opened) & (opened <= self.problem.nodes)
        allowed &= gained >= (self.rule.least_gain or 0.0) * together
        return np.where(allowed, gained * (age[:, None] + age[None, :]), 0.0)
