"""The overhead that emerges on the simulated node, next to equation 10.

The simulation pauses jobs and counts what they still do; it knows no formula of the overhead. The
difference from equation 10 has three parts: a job runs faster alone (negative), it fetches lost
cache lines again, and signals and readings take time.

References
----------
POPPA, section 8.1 (figure 5) and 8.2 (figures 14 and 15), equations 9 and 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.studies.shared_node.emergent import emergent_overhead
from scenarios.simulated.shared_node import ShutterSchedule, find_shared_application

LENGTHS_US = tuple(200 * 2**k for k in range(12))
GAP_US = 200_000
JOBS = (2, 3, 4)
QUIET = ("LAMMPS", "NekBone", "GTC", "LULESH")
CONTENTIOUS = ("MILC", "MG", "CG", "MiniGhost")
GROUPS = {"quiet": QUIET, "contentious": CONTENTIOUS}
SEEDS = range(3)
ROUNDS = 1000


@dataclass(frozen=True)
class Case:
    """Overhead of one group at one length, as means over its jobs and over seeds.

    Attributes
    ----------
    group, jobs, length_us
        Which codes, how many of them, and S.
    equation
        T / T_i - 1 by equation 10.
    speed_up
        What jobs gain by running alone in their shutters: not above 0.
    refill, base_cost
        What refilling, and signals with readings, add.
    spread
        Largest minus smallest total over seeds.
    """

    group: str
    jobs: int
    length_us: int
    equation: float
    speed_up: float
    refill: float
    base_cost: float
    spread: float

    @property
    def total(self) -> float:
        """T / T_i - 1, simulated."""
        return self.equation + self.speed_up + self.refill + self.base_cost


def equation_10(jobs: int, length_us: float, gap_us: float = GAP_US) -> float:
    """Z / (1 - Z) with Z = (n - 1) S / (n (3 S + P)).

    Examples
    --------
    >>> round(equation_10(2, 3200), 6), round(equation_10(4, 3200), 6)
    (0.007692, 0.011583)
    """
    sleeping = (jobs - 1) * length_us / (jobs * (3 * length_us + gap_us))
    return sleeping / (1 - sleeping)


def case(
    group: str, jobs: int, length_us: int, seeds: Iterable[int] = SEEDS, rounds: int = ROUNDS
) -> Case:
    """Simulate one case."""
    codes = [find_shared_application(name) for name in GROUPS[group][:jobs]]
    schedule = ShutterSchedule(length_us=length_us, gap_us=GAP_US)
    overheads = [emergent_overhead(codes, schedule, seed=seed, rounds=rounds) for seed in seeds]
    totals = [float(overhead.total.mean()) for overhead in overheads]
    expected = equation_10(jobs, length_us)
    return Case(
        group,
        jobs,
        length_us,
        expected,
        float(np.mean([overhead.sleeping for overhead in overheads])) - expected,
        float(np.mean([overhead.refill for overhead in overheads])),
        float(np.mean([overhead.base_cost for overhead in overheads])),
        max(totals) - min(totals),
    )


def cases() -> Iterator[Case]:
    """Yield all groups, numbers of jobs and lengths."""
    for group in GROUPS:
        for jobs in JOBS:
            for length_us in LENGTHS_US:
                yield case(group, jobs, length_us)
