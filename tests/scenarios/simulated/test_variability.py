"""Two printed numbers (7.3.1) from one cause: leakage that differs from socket to socket."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.studies.simulated.per_socket import SocketTimes, socket_times
from scenarios.simulated import SimulatedCluster, find_application


def alone(cluster: SimulatedCluster, cap_w: float) -> SocketTimes:
    sockets = np.arange(cluster.leakage.size)
    return socket_times(cluster, find_application("EP"), sockets, 16, cap_w)


def spread(values: np.ndarray) -> float:
    return float(values.max() / values.min()) - 1


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_power_spreads_by_23_percent_and_capped_time_by_10(seed: int) -> None:
    cluster = SimulatedCluster.build(1193, seed)  # 2,386 sockets
    assert spread(alone(cluster, 115).package_power_w) == pytest.approx(0.23, abs=0.025)
    assert spread(alone(cluster, 115).compute_s) < 1e-12
    assert spread(alone(cluster, 65).compute_s) == pytest.approx(0.10, abs=0.03)


def test_without_different_leakage_both_vanish() -> None:
    cluster = SimulatedCluster(np.ones((20, 2)))
    assert spread(alone(cluster, 115).package_power_w) < 1e-12
    assert spread(alone(cluster, 65).compute_s) < 1e-12


def test_the_hungriest_sockets_without_a_cap_are_the_slowest_under_one() -> None:
    cluster = SimulatedCluster.build(200, 1)
    power = alone(cluster, 115).package_power_w
    time = alone(cluster, 65).compute_s
    assert (np.diff(time[np.argsort(power)]) >= 0).all()


def test_typical_clusters_hold_the_spread_of_drawn_ones() -> None:
    typical = np.log(SimulatedCluster.typical(500).leakage)
    drawn = np.log(SimulatedCluster.build(500, 1).leakage)
    assert typical.mean() == pytest.approx(0, abs=0.005)
    assert typical.std() == pytest.approx(drawn.std(), rel=0.1)
