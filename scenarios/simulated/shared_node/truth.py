"""True run times of jobs that share a node, without a shutter: for scoring only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scenarios.simulated.shared_node.applications import REFERENCE_RANKS, SharedApplication
from scenarios.simulated.shared_node.demand import Floats, InterferenceLaw
from scenarios.simulated.shared_node.law import CacheAndBandwidth
from scenarios.simulated.shared_node.machine import run_free
from scenarios.simulated.shared_node.occurrences import seeds_of
from scenarios.simulated.shared_node.play import build
from scenarios.simulated.shared_node.settings import NodeSettings

_STEP_US = 1e6


@dataclass(frozen=True, eq=False)
class SharedNodeTruth:
    """Run times of the jobs of one node.

    Attributes
    ----------
    solo_us, together_us
        Mean time of a run alone with the same cores, and together, over the required iterations
        [us], ``(jobs,)``.
    """

    solo_us: Floats
    together_us: Floats

    @property
    def performance(self) -> Floats:
        """T_solo / T_co of each job: equation 5."""
        return self.solo_us / self.together_us

    @property
    def degradation(self) -> Floats:
        """D = 1 - T_solo / T_co of each job: the discount of the oracle."""
        return 1 - self.performance


def truth(
    applications: Sequence[SharedApplication],
    settings: NodeSettings | None = None,
    law: InterferenceLaw | None = None,
    seed: int = 0,
    job_seeds: Sequence[int] | None = None,
) -> SharedNodeTruth:
    """Run times of jobs that share a node without being measured.

    Parameters
    ----------
    applications, settings, law, seed, job_seeds
        As in `play`. With the same seeds the jobs do the same work as there.

    Raises
    ------
    ValueError
        Jobs that do not fit on the node.

    Examples
    --------
    >>> from scenarios.simulated.shared_node.applications import NULL, find_shared_application
    >>> truth([find_shared_application("MILC"), NULL]).performance.round(6).tolist()
    [1.0, 1.0]
    """
    law = CacheAndBandwidth() if law is None else law
    seeds = seeds_of(seed, len(applications)) if job_seeds is None else job_seeds
    same_cores = _same_cores(settings, len(applications))
    alone = [
        _run_us([application], same_cores, law, [own])[0]
        for application, own in zip(applications, seeds, strict=True)
    ]
    return SharedNodeTruth(np.array(alone), _run_us(applications, same_cores, law, seeds))


def _same_cores(settings: NodeSettings | None, jobs: int) -> NodeSettings:
    """Settings with which a job has as many cores alone as next to the others."""
    settings = NodeSettings() if settings is None else settings
    return replace(settings, ranks_per_socket=settings.ranks_of(jobs))


def _run_us(
    applications: Sequence[SharedApplication],
    settings: NodeSettings,
    law: InterferenceLaw,
    seeds: Sequence[int],
) -> Floats:
    """Mean time of a run of each job [us]; all jobs run until the last one is done."""
    machine = build(applications, replace(settings, restart=True), law, seeds)
    run_free(machine, _STEP_US)
    mean: Floats = machine.state["end_us"] / settings.iterations
    return mean


def degradation_matrix(
    applications: Sequence[SharedApplication],
    settings: NodeSettings | None = None,
    law: InterferenceLaw | None = None,
    seed: int = 0,
) -> Floats:
    """D of each application (row) with each co-runner (column).

    The diagonal is the mean of both jobs of the same application.
    """
    law = CacheAndBandwidth() if law is None else law
    count, seeds, same_cores = len(applications), seeds_of(seed, 2), _same_cores(settings, 2)
    alone = np.array(
        [[_run_us([each], same_cores, law, [own])[0] for own in seeds] for each in applications]
    )
    matrix = np.empty((count, count))
    for i in range(count):
        for j in range(i, count):
            together = _run_us([applications[i], applications[j]], same_cores, law, seeds)
            solo = np.array([alone[i, 0], alone[j, 1]])
            pair = SharedNodeTruth(solo, together).degradation
            matrix[i, j], matrix[j, i] = pair
            if i == j:
                matrix[i, i] = pair.mean()
    return matrix


def speed_on_all_cores(
    application: SharedApplication,
    settings: NodeSettings | None = None,
    law: InterferenceLaw | None = None,
    seed: int = 0,
) -> float:
    """Speed of a rank on a node whose cores all belong to its job, over that with half of them.

    The job has twice the ranks there, which disturb each other by the same law.

    Examples
    --------
    >>> from scenarios.simulated.shared_node.applications import find_shared_application
    >>> milc, lammps = (find_shared_application(name) for name in ("MILC", "LAMMPS"))
    >>> speed_on_all_cores(milc) < 0.7 < 0.95 < speed_on_all_cores(lammps)
    True
    """
    settings = NodeSettings() if settings is None else settings
    law = CacheAndBandwidth() if law is None else law
    seeds = seeds_of(seed, 1)
    half = replace(settings, ranks_per_socket=REFERENCE_RANKS)
    whole = replace(settings, ranks_per_socket=settings.cores_per_socket)
    spread = _run_us([application], half, law, seeds)
    return float(spread[0] / _run_us([application], whole, law, seeds)[0])
