"""What a shutter costs the jobs that it measures, as it emerges: no formula of it is used here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scenarios.simulated.shared_node.applications import SharedApplication
from scenarios.simulated.shared_node.demand import Floats, InterferenceLaw
from scenarios.simulated.shared_node.law import CacheAndBandwidth
from scenarios.simulated.shared_node.machine import advance
from scenarios.simulated.shared_node.occurrences import seeds_of
from scenarios.simulated.shared_node.play import ShutterSchedule, build, play
from scenarios.simulated.shared_node.settings import NodeSettings

_NO_END = 1_000_000_000
"""Iterations that no measurement reaches."""


@dataclass(frozen=True, eq=False)
class Overhead:
    """T / T_i - 1 of each job, ``(jobs,)``: T with a shutter, T_i with the same co-runners without.

    Attributes
    ----------
    sleeping
        Pauses alone, without refill and base cost. It holds the gain of a job that runs alone in
        its shutter.
    with_refill
        Pauses, and cache lines that are fetched again.
    total
        The same, and the time that signals and readings take.
    """

    sleeping: Floats
    with_refill: Floats
    total: Floats

    @property
    def refill(self) -> Floats:
        """Part of the total that refilling the cache costs."""
        return self.with_refill - self.sleeping

    @property
    def base_cost(self) -> Floats:
        """Part of the total that signals and readings cost."""
        return self.total - self.with_refill


def emergent_overhead(
    applications: Sequence[SharedApplication],
    schedule: ShutterSchedule | None = None,
    settings: NodeSettings | None = None,
    law: InterferenceLaw | None = None,
    seed: int = 0,
    rounds: int = 1000,
) -> Overhead:
    """Measure the overhead over whole turns of the shutter: every job runs alone equally often.

    Parameters
    ----------
    rounds
        At least this number of rounds; long enough that phases of all jobs meet often.

    Raises
    ------
    ValueError
        Jobs that do not fit on the node.

    Examples
    --------
    >>> from scenarios.simulated.shared_node.applications import NULL
    >>> emergent_overhead([NULL, NULL], rounds=10).sleeping.round(5).tolist()
    [0.00769, 0.00769]
    """
    schedule = ShutterSchedule() if schedule is None else schedule
    settings = replace(NodeSettings() if settings is None else settings, iterations=_NO_END)
    law = CacheAndBandwidth() if law is None else law
    jobs = len(applications)
    schedule = replace(schedule, most_rounds=jobs * -(-rounds // jobs))
    lost = []
    for refill, base_cost in ((False, False), (True, False), (True, True)):
        now = replace(settings, refill=refill, base_cost=base_cost)
        measured = play(applications, schedule, now, law, seed)
        machine = build(applications, now, law, seeds_of(seed, jobs))
        advance(machine, measured.clock_us)
        lost.append(np.array(machine.state["progress_us"]) / measured.progress_us - 1)
    return Overhead(*lost)
