from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.studies.simulated.per_socket import socket_times
from scenarios.simulated import (
    NAMES,
    SimulatedCluster,
    find_application,
    grid,
    load_applications,
    truth,
)
from scenarios.simulated.parallel import communication_s, loads

CLUSTER = SimulatedCluster.build(32, 7)
MACHINE = CLUSTER.machine
IDEAL = replace(
    find_application("SC"), stream_gb=1e-9, exchanges=0, gigacycles=4800.0, crowding=0.0
)


def test_a_loop_in_the_cache_takes_its_cycles() -> None:
    # 4,800 billion cycles on 4 nodes of 16 cores in turbo (3.0 GHz): 4,800 / 64 / 3.0 = 25 s
    result = truth(CLUSTER, IDEAL, 4, 16, 115)
    assert result.time_s[0] == pytest.approx(25.0, rel=1e-4)
    # 4 cores a node: 4,800 / 16 / 3.3 = 90.9 s
    assert truth(CLUSTER, IDEAL, 4, 4, 115).time_s[0] == pytest.approx(4800 / 16 / 3.3, rel=1e-4)


def test_power_of_a_loop_by_hand() -> None:
    power = MACHINE.power
    one = SimulatedCluster(np.ones((1, 2)))
    result = truth(one, IDEAL, 1, 16, 115)
    v = dict(zip(MACHINE.clock.frequency_ghz, MACHINE.clock.voltage_v, strict=True))[3.0]
    switching = (8 * IDEAL.active_nf + power.uncore_nf) * v**2 * 3.0 + power.uncore_fixed_w
    leak = power.leakage_w * v * np.exp(power.leakage_per_v * (v - 1))
    watts = result.package_power_w[0] / 2
    celsius = power.coolant_c + power.resistance_k_per_w * watts
    hot = leak * (1 + power.leakage_per_k * (celsius - power.reference_c))
    assert watts == pytest.approx(switching + hot, rel=1e-4)
    assert result.dram_power_w[0] == pytest.approx(2 * power.dram_idle_w, rel=1e-3)


@pytest.mark.parametrize("problem", ["C", "D"])
def test_no_socket_draws_more_than_its_cap(problem: str) -> None:
    cluster = SimulatedCluster.build(64, 3)
    nodes, cores, caps = grid("D" if problem == "D" else "C")
    for application in load_applications("D" if problem == "D" else "C").values():
        result = truth(cluster, application, nodes, cores, caps)
        mean = result.package_power_w / (2 * nodes)
        assert (mean <= caps * (1 + 1e-9)).all()
        assert (mean > 20).all()
        assert np.isfinite(result.time_s).all()


def test_together_or_one_by_one_is_the_same() -> None:
    application = find_application("BT-MZ")
    together = truth(CLUSTER, application, [8, 30, 8], [4, 14, 16], [51, 80, 115])
    for row, configuration in enumerate([(8, 4, 51), (30, 14, 80), (8, 16, 115)]):
        alone = truth(CLUSTER, application, *configuration)
        assert together.time_s[row] == alone.time_s[0]
        assert together.package_power_w[row] == alone.package_power_w[0]


@pytest.mark.parametrize("name", ["SPhot", "SC", "BT-MZ", "SP-MZ"])
def test_a_looser_cap_never_slows_codes_without_strong_row_conflicts(name: str) -> None:
    caps = np.array([51, 55, 60, 65, 70, 80, 95, 114, 115])
    for cores in (4, 10, 16):
        times = truth(CLUSTER, find_application(name), 16, cores, caps).time_s
        assert (np.diff(times) <= 0).all()


def test_a_looser_cap_may_slow_a_code_with_row_conflicts_but_little() -> None:
    times = truth(CLUSTER, find_application("LU-MZ"), 16, 16, np.array([51, 65, 80, 95, 115]))
    assert (times.time_s <= 1.015 * np.minimum.accumulate(times.time_s)).all()


def test_the_slowest_socket_sets_the_pace() -> None:
    good = np.full((8, 2), 0.9)
    mixed = good.copy()
    mixed[5, 1] = 1.6
    application = find_application("SPhot")
    fast, slow = (truth(SimulatedCluster(x), application, 8, 16, 65) for x in (good, mixed))
    assert slow.time_s[0] > 1.03 * fast.time_s[0]
    # its seven neighbours are done sooner and wait
    assert slow.package_power_w[0] < fast.package_power_w[0]


def test_sockets_one_by_one_give_the_same_run() -> None:
    for name in NAMES:
        application = find_application(name)
        load = np.repeat(loads(application, 20), 2)
        parts = socket_times(CLUSTER, application, np.arange(40), 12, 65.0, load)
        whole = truth(CLUSTER, application, 20, 12, 65)
        assert parts.compute_s.max() + parts.communication_s == pytest.approx(whole.time_s[0])
        assert parts.communication_s == communication_s(MACHINE, application, 20)
        work = parts.package_power_w * parts.compute_s
        rest = parts.waiting_power_w * (whole.time_s[0] - parts.compute_s)
        assert (work + rest).sum() / whole.time_s[0] == pytest.approx(whole.package_power_w[0])


def test_each_socket_follows_its_own_cap_and_load() -> None:
    application = find_application("SPhot")
    caps = np.array([[51, 65, 80, 95], [80, 80, 80, 80], [65, 65, 65, 65]])
    result = socket_times(CLUSTER, application, [0, 1, 2, 3], 16, caps)
    assert result.compute_s.shape == (3, 4)
    assert result.compute_s[0, 2] == result.compute_s[1, 2]
    assert result.compute_s[0, 1] == result.compute_s[2, 1]
    double = socket_times(CLUSTER, application, [0, 1, 2, 3], 16, caps, [1, 1, 2, 1])
    assert double.compute_s[:, 2] == pytest.approx(2 * result.compute_s[:, 2])
    assert (double.compute_s[:, 3] == result.compute_s[:, 3]).all()


def test_a_socket_keeps_its_leakage_wherever_it_stands_in_a_job() -> None:
    application = find_application("SPhot")
    forth = socket_times(CLUSTER, application, [5, 40, 17, 3], 16, 51)
    back = socket_times(CLUSTER, application, [3, 17, 40, 5], 16, 51)
    assert (forth.compute_s == back.compute_s[::-1]).all()
    order = np.argsort(CLUSTER.leakage.ravel()[[5, 40, 17, 3]])
    assert (np.diff(forth.compute_s[order]) > 0).all()


def test_class_d_multiplies_or_replaces_what_its_input_changes() -> None:
    small, large = (find_application("BT-MZ", problem) for problem in ("C", "D"))
    assert large.gigacycles == pytest.approx(19.6 * small.gigacycles)
    assert large.crowding == pytest.approx(0.064 * small.crowding)
    assert (small.zones, large.zones) == (256, 1024)
    assert large.stream_gb == small.stream_gb


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        ((33, 16, 80), "nodes 33 is outside 1 to 32"),
        ((0, 16, 80), "nodes 0 is outside"),
        ((8.5, 16, 80), "nodes 8.5 is not a whole number"),
        ((8, 18, 80), "cores per node 18 is outside 2 to 16"),
        ((8, 7, 80), "cores per node 7 do not divide among 2 sockets"),
        ((8, 16, 50), "package cap 50 is outside 51 to 115"),
        ((8, 16, float("nan")), "package cap nan is outside"),
    ],
)
def test_configurations_that_the_machine_does_not_have(
    configuration: tuple[float, float, float], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        truth(CLUSTER, IDEAL, *configuration)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 0], 16, 80), "different numbers"),
        (([], 16, 80), "different numbers"),
        (([0, 64], 16, 80), "socket 64 is outside 0 to 63"),
        (([0, 1], 5, 80), "cores per node 5 do not divide"),
        (([0, 1], 16, 116), "package cap 116 is outside"),
        (([0, 1], 16, 80, [1, 0]), "a load of 0"),
    ],
)
def test_socket_requests_that_make_no_sense(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        socket_times(CLUSTER, IDEAL, *arguments)  # type: ignore[arg-type]


def test_names_are_checked() -> None:
    with pytest.raises(ValueError, match="did you mean 'BT-MZ'"):
        find_application("BT-MX")


@pytest.mark.parametrize("shape", [(0, 2), (3,), (3, 1)])
def test_a_cluster_has_nodes_of_two_sockets(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="leakage has the shape"):
        SimulatedCluster(np.ones(shape))


def test_a_cluster_is_the_same_for_the_same_seed_and_cannot_be_changed() -> None:
    again = SimulatedCluster.build(32, 7)
    assert (again.leakage == CLUSTER.leakage).all()
    assert (SimulatedCluster.build(32, 8).leakage != CLUSTER.leakage).any()
    with pytest.raises(ValueError, match="read-only"):
        again.leakage[0, 0] = 1
    with pytest.raises(ValueError, match="at least one"):
        SimulatedCluster.build(0, 1)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("problem", ["C", "D"])
def test_power_rises_with_the_clock_whatever_runs(name: str, problem: str) -> None:
    """What the search for the state that a cap allows rests on."""
    application = find_application(name, "D" if problem == "D" else "C")
    caps = np.linspace(51, 114, 64)
    parts = socket_times(CLUSTER, application, np.arange(16), 16, caps[:, None])
    assert (np.diff(parts.package_power_w, axis=0) >= -1e-9).all()
    assert (parts.package_power_w <= 0.97 * caps[:, None]).all()


def test_an_odd_socket_stands_in_a_node_of_its_own() -> None:
    cluster, application = SimulatedCluster.build(4, 0), find_application("SPhot")
    five = socket_times(cluster, application, np.arange(5), 16, 80.0)
    six = socket_times(cluster, application, np.arange(6), 16, 80.0)
    assert five.compute_s.tolist() == six.compute_s[:5].tolist()
    assert five.communication_s == six.communication_s
