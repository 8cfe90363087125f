"""The jobs of a node as arrays, and the law's answer for every combination of their phases.

A combination is a number in mixed radix: the digit of a job is 0 where it does not run, and
otherwise its phase plus 1. Few combinations exist, so the law is solved for all of them once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scenarios.simulated.shared_node.applications import REFERENCE_RANKS, SharedApplication
from scenarios.simulated.shared_node.demand import InterferenceLaw, Rates, demand_of
from scenarios.simulated.shared_node.settings import NodeSettings

Records = NDArray[np.void]

JOB = np.dtype(
    [
        *((name, np.int64) for name in ("phases", "stride", "per_run")),
        ("seed", np.uint64),
        *(
            (name, np.float64)
            for name in ("waiting", "imbalance", "polling", "length_spread", "waiting_spread")
        ),
    ]
)
"""A job: number of phases, weight of its digit, occurrences of phases in a run, the seed of these
occurrences, and what `SharedApplication` says."""

PHASE = np.dtype([(name, np.float64) for name in ("solo_us", "ipc", "stall", "whole", "weight")])
"""A phase of a job: as in `Phase`; share of the cache at which the misses are those alone;
scaled bandwidth of the job at its width."""

ANSWER = np.dtype([(name, np.float64) for name in Rates._fields])
"""The law's answer, as in `Rates`; NaN for jobs that rest."""


class Constants(NamedTuple):
    """The settings of the node as numbers.

    Attributes
    ----------
    jobs, iterations, restart, refill
        As in `NodeSettings`.
    crowded
        Whether the jobs take all cores, so that the measuring program delays one of them.
    signal_us, read_us
        Costs; 0 where the base cost is off.
    cycles_per_us
        Cycles per microsecond of all ranks of a job on the node together.
    noise, sampler_noise
        Standard deviations: of instructions and of cycles, and of the waiting share.
    fills_per_us, miss_scale, uneven
        As in `NodeSettings` and `Law`.
    """

    jobs: int
    iterations: int
    restart: bool
    refill: bool
    crowded: bool
    signal_us: float
    read_us: float
    cycles_per_us: float
    noise: float
    sampler_noise: float
    fills_per_us: float
    miss_scale: float
    uneven: float


def jobs_of(applications: Sequence[SharedApplication], seeds: Sequence[int]) -> Records:
    """Return the jobs, ``(jobs,)`` of `JOB`."""
    jobs, stride = np.zeros(len(applications), dtype=JOB), 1
    for job, (application, seed) in enumerate(zip(applications, seeds, strict=True)):
        phases = len(application.phases)
        jobs[job] = (
            phases,
            stride,
            phases * application.cycles,
            seed,
            application.waiting_share,
            application.imbalance_share,
            application.polling_ipc,
            application.length_spread,
            application.waiting_spread,
        )
        stride *= phases + 1
    return jobs


def phases_of(
    applications: Sequence[SharedApplication], width: float, bandwidth_scale: float
) -> Records:
    """The phases of all jobs, ``(jobs, phases)`` of `PHASE`; zero behind a job's last one."""
    most = max(len(application.phases) for application in applications)
    table = np.zeros((len(applications), most), dtype=PHASE)
    for job, application in enumerate(applications):
        for index, phase in enumerate(application.phases):
            table[job, index] = (
                1e3 * phase.solo_ms,
                phase.ipc,
                phase.stall_share,
                width * min(phase.llc_share, 1.0),
                width * bandwidth_scale * phase.bandwidth_share,
            )
    return table


def width_of(settings: NodeSettings, jobs: int) -> float:
    """Ranks per socket of each job over the reference."""
    return settings.ranks_of(jobs) / REFERENCE_RANKS


@lru_cache(maxsize=512)
def table_of(
    applications: tuple[SharedApplication, ...], law: InterferenceLaw, width: float
) -> Records:
    """Solve the law for every combination of phases: ``(combinations, jobs)`` of `ANSWER`."""
    digits = [range(len(application.phases) + 1) for application in reversed(applications)]
    chosen = np.array(list(product(*digits)))[:, ::-1]
    table = np.full(chosen.shape, np.nan, dtype=np.dtype((np.float64, 4))).view(ANSWER)[..., 0]
    for row, digit in zip(table, chosen, strict=True):
        running = np.flatnonzero(digit)
        if len(running):
            phases = [
                (applications[job], applications[job].phases[digit[job] - 1]) for job in running
            ]
            rates = law.rates(demand_of(phases, width))
            for name, answer in zip(Rates._fields, rates, strict=True):
                row[name][running] = answer
    table.setflags(write=False)
    return table


def constants_of(settings: NodeSettings, jobs: int, law: InterferenceLaw) -> Constants:
    """Return the settings as numbers."""
    ranks = settings.ranks_of(jobs)
    return Constants(  # always of the same types: others would be compiled anew
        jobs=jobs,
        iterations=settings.iterations,
        restart=bool(settings.restart),
        refill=bool(settings.refill),
        crowded=jobs > 1 and ranks * jobs == settings.cores_per_socket,
        signal_us=float(settings.signal_us) if settings.base_cost else 0.0,
        read_us=float(settings.read_us) if settings.base_cost else 0.0,
        cycles_per_us=1e3 * settings.ghz * ranks * settings.sockets,
        noise=settings.counter_noise / float(np.sqrt(2)),
        sampler_noise=float(settings.sampler_noise),
        fills_per_us=settings.llc_fills_per_ms / 1e3,
        miss_scale=float(law.miss_scale),
        uneven=float(settings.uneven_share),
    )
