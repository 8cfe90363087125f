from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scenarios.measurements.runs import Runs
from scenarios.simulated import (
    NAMES,
    SimulatedCluster,
    calibration,
    campaign,
    find_application,
    grid,
    truth,
)
from scenarios.simulated.machine import RunNoise

CLUSTER = SimulatedCluster.build(48, 5)


def measure(name: str, seed: int = 1, **changes: object) -> Runs:
    return campaign(CLUSTER, find_application(name), grid("C"), 3, seed, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_every_configuration_is_measured_so_often(name: str) -> None:
    runs = measure(name)
    nodes, cores, caps = grid("C")
    assert len(runs) == 3 * len(nodes)
    assert (runs.nodes == np.repeat(nodes, 3)).all()
    assert (runs.cores_per_node == np.repeat(cores, 3)).all()
    assert (runs.package_cap_w == np.repeat(caps, 3)).all()
    assert runs.repetition[:6].tolist() == [1, 2, 3, 1, 2, 3]
    assert runs.application == name
    assert runs.dram_power_w is not None


def test_the_same_seed_gives_the_same_runs() -> None:
    first, again, other = measure("LU-MZ"), measure("LU-MZ"), measure("LU-MZ", 2)
    assert (first.time_s == again.time_s).all()
    assert (first.package_power_w == again.package_power_w).all()
    assert (first.time_s != other.time_s).all()


def test_grids_are_those_of_the_thesis() -> None:
    nodes, cores, caps = grid("C")
    assert len(nodes) == 13 * 7 * 5
    assert (nodes.min(), nodes.max(), cores.min(), cores.max()) == (8, 32, 4, 16)
    nodes, cores, caps = grid("D")
    assert len(nodes) == 15 * 5 * 5  # 375 a code (5.4 prints 355)
    assert (nodes.min(), nodes.max(), cores.min(), cores.max()) == (8, 64, 8, 16)
    assert sorted(set(caps.tolist())) == [51, 65, 80, 95, 115]


def stretch(name: str) -> tuple[Runs, np.ndarray, np.ndarray]:
    """Runs on the first nodes, with time and power over the truth."""
    runs = measure(name, allocation="first")
    law = truth(CLUSTER, find_application(name), *grid("C"))
    time = runs.time_s / np.repeat(law.time_s, 3)
    return runs, time, runs.package_power_w / np.repeat(law.package_power_w, 3)


@pytest.mark.parametrize("name", ["SPhot", "SC", "SM"])
def test_one_large_full_allocation_in_three_straggles_and_no_other(name: str) -> None:
    runs, time, power = stretch(name)
    prone = (runs.cores_per_node == 16) & (runs.nodes >= 24)
    slow = time > 1.5
    assert not slow[~prone].any()
    assert prone.sum() == 5 * 5 * 3
    assert slow[runs.nodes == 24].any()
    assert 13 <= slow.sum() <= 37  # 25 of 75 expected, four deviations round it
    assert np.median(time[slow]) == pytest.approx(1.85, abs=0.02)
    assert 0.6 < np.median(power[slow]) < 1.0


def test_runs_scatter_round_the_truth_by_half_a_percent() -> None:
    _, time, power = stretch("BT-MZ")
    calm = time < 1.3
    for values in (time[calm], power[calm]):
        assert np.median(values) == pytest.approx(1, abs=0.001)
        middle = np.subtract(*np.percentile(values, [75, 25])) / 1.349
        assert 0.003 < middle < 0.007
    tails = [np.ptp(v[calm]) / v[calm].std() for v in (time, power)]
    assert tails[1] > tails[0]


def test_random_allocations_spread_capped_times_and_leave_uncapped_ones() -> None:
    grid_of = ([8] * 200, [16] * 200, [65.0] * 100 + [115.0] * 100)
    application = find_application("SPhot")
    calm = SimulatedCluster(CLUSTER.leakage, replace(CLUSTER.machine, noise=silent()))
    time = campaign(calm, application, grid_of, 1, 3).time_s
    assert np.ptp(time[:100]) / time[:100].min() > 0.02
    assert np.ptp(time[100:]) < 1e-9
    first = campaign(calm, application, grid_of, 1, 3, allocation="first").time_s
    assert np.ptp(first[:100]) < 1e-9


def silent() -> RunNoise:
    return replace(CLUSTER.machine.noise, time=0.0, power=0.0, straggler_share=0.0)


def test_without_noise_a_campaign_measures_the_truth() -> None:
    calm = SimulatedCluster(CLUSTER.leakage, replace(CLUSTER.machine, noise=silent()))
    application = find_application("SP-MZ", "D")
    runs = campaign(calm, application, ([8, 40], [16, 10], [51, 80]), 1, 3, allocation="first")
    law = truth(calm, application, [8, 40], [16, 10], [51, 80])
    assert runs.time_s == pytest.approx(law.time_s)
    assert runs.package_power_w == pytest.approx(law.package_power_w)
    assert runs.power_w == pytest.approx(law.power_w)


def test_bad_campaigns_are_refused() -> None:
    with pytest.raises(ValueError, match="repetitions = 0"):
        campaign(CLUSTER, find_application("SC"), ([8], [16], [80]), 0, 1)
    with pytest.raises(ValueError, match="nodes 64 is outside 1 to 48"):
        campaign(CLUSTER, find_application("SC"), ([8, 64], [16, 16], [80, 80]), 1, 1)


def test_a_calibration_scatters_around_what_each_node_draws_by_itself() -> None:
    """Single nodes as clusters of one: their law is what the median of many runs comes near."""
    application = find_application("BT-MZ")
    alone = np.array(
        [
            truth(SimulatedCluster(CLUSTER.leakage[[node]]), application, 1, 16, 115.0)
            .package_power_w.item()
            for node in range(CLUSTER.nodes)
        ]
    )  # fmt: skip
    few = calibration(CLUSTER, application, (16, 115.0), 3, 1)
    many = calibration(CLUSTER, application, (16, 115.0), 101, 1)
    assert many == pytest.approx(alone, rel=0.002)
    assert np.abs(few / alone - 1).max() > np.abs(many / alone - 1).max() > 0
    assert (few == calibration(CLUSTER, application, (16, 115.0), 3, 1)).all()
    assert (few != calibration(CLUSTER, application, (16, 115.0), 3, 2)).any()


def test_a_calibration_has_runs() -> None:
    with pytest.raises(ValueError, match="repetitions = 0"):
        calibration(CLUSTER, find_application("BT-MZ"), (16, 115.0), 0, 1)
