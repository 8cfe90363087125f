"""What unequal watts gain over equal ones, on the simulated cluster.

Each method sees measured times of each rank at some caps, with scatter. A distribution is scored by
the law's time of its slowest rank, messages included.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from benchmarks.studies.distribution.distribution import distribute, in_proportion, uniform
from benchmarks.studies.simulated.per_socket import socket_times
from planner.configurations.socket_caps import SocketCaps, SocketCapsProblem
from scenarios.measurements.runs import Floats
from scenarios.simulated import Application, SimulatedCluster, find_application

CAPS_W = tuple(np.linspace(51.0, 110.0, 9).tolist())
"""Caps at which each rank is measured; turbo needs 115 W and would break the curve [W]."""

SCATTER = 0.005
"""Standard deviation of the logarithm of a measured time."""

METHODS = ("optimal", "in proportion to load")


@dataclass(frozen=True)
class Setting:
    """One comparison.

    Attributes
    ----------
    application
        Its name.
    sockets
        Ranks, one a socket.
    mean_cap_w
        Power bound over the number of sockets [W].
    imbalance
        Standard deviation of the logarithm of the ranks' loads; 0: all carry the same.
    """

    application: str
    sockets: int
    mean_cap_w: float
    imbalance: float


@dataclass(frozen=True)
class Gained:
    """Simulated gain of a distribution over uniform caps: time of the job, old over new.

    Attributes
    ----------
    setting, method
        Of what, and how.
    median, least, largest
        Over the seeds.
    seeds
        How many machines and loads were drawn.
    largest_gap
        Of the certificates; ``None`` for a rule of thumb.
    """

    setting: Setting
    method: str
    median: float
    least: float
    largest: float
    seeds: int
    largest_gap: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        setting: dict[str, Any] = plain.pop("setting")
        return setting | plain


def study(
    applications: Sequence[str] = ("SPhot", "BT-MZ", "SP-MZ", "LU-MZ"),
    *,
    sockets: int = 64,
    cores: int = 16,
    mean_caps_w: Sequence[float] = (55.0, 65.0, 80.0),
    imbalances: Sequence[float] = (0.0, 0.05, 0.15),
    seeds: Sequence[int] = tuple(range(20)),
) -> tuple[Gained, ...]:
    """Compare the optimal distribution and power in proportion to load with uniform caps.

    Parameters
    ----------
    applications
        Names of simulated applications.
    sockets, cores
        Ranks, one a socket, and cores per node.
    mean_caps_w
        Power bounds over the number of sockets [W].
    imbalances
        Standard deviations of the logarithm of the loads.
    seeds
        One machine, one set of loads and one set of measurements each.
    """
    rows = []
    for name, mean, imbalance in itertools.product(applications, mean_caps_w, imbalances):
        setting = Setting(name, sockets, mean, imbalance)
        drawn = [_one(setting, cores, seed) for seed in seeds]
        for method in METHODS:
            gains = np.array([gains[method][0] for gains in drawn])
            gaps = [gains[method][1] for gains in drawn]
            known = [gap for gap in gaps if gap is not None]
            rows.append(
                Gained(
                    setting,
                    method,
                    float(np.median(gains)),
                    float(gains.min()),
                    float(gains.max()),
                    len(gains),
                    max(known) if known else None,
                )
            )
    return tuple(rows)


def _one(setting: Setting, cores: int, seed: int) -> dict[str, tuple[float, float | None]]:
    """Gain and gap of every method on one machine."""
    streams = np.random.default_rng(seed).spawn(2)
    cluster = SimulatedCluster.build((setting.sockets + 1) // 2, seed)
    application = find_application(setting.application)
    load = np.exp(setting.imbalance * streams[0].standard_normal(setting.sockets))
    load /= load.mean()
    job = partial(_job_s, cluster, application, cores, load)
    problem = SocketCapsProblem(
        np.tile(CAPS_W, (setting.sockets, 1)),
        _measured(cluster, application, cores, load, streams[1]),
        setting.mean_cap_w * setting.sockets,
    )
    equal = job(uniform(problem))
    best, by_load = distribute(problem), in_proportion(problem, load)
    gap = None if best.certificate is None else best.certificate.gap_relative
    return {METHODS[0]: (equal / job(best), gap), METHODS[1]: (equal / job(by_load), None)}


def _measured(
    cluster: SimulatedCluster,
    application: Application,
    cores: int,
    load: Floats,
    generator: np.random.Generator,
) -> Floats:
    """Times of each rank at each cap, with scatter, shape ``(ranks, caps)`` [s]."""
    ranks = np.arange(len(load))
    times = [
        socket_times(cluster, application, ranks, cores, cap, load).compute_s for cap in CAPS_W
    ]
    scatter = np.exp(SCATTER * generator.standard_normal((len(CAPS_W), len(load))))
    measured: Floats = (np.array(times) * scatter).T
    return measured


def _job_s(
    cluster: SimulatedCluster,
    application: Application,
    cores: int,
    load: Floats,
    found: SocketCaps,
) -> float:
    """True time of the job: its slowest rank, and messages."""
    ranks = np.arange(len(load))
    truth = socket_times(cluster, application, ranks, cores, found.cap_w, load)
    return float(truth.compute_s.max()) + truth.communication_s
