from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from scenarios.simulated import find_application
from scenarios.simulated.machine import load_machine
from scenarios.simulated.parallel import communication_s, crowding, loads

MACHINE = load_machine()


def test_equal_zones_are_not_divided() -> None:
    # 256 zones on 12 ranks: four of them have 22, eight have 21; on 32 all have 8
    loaded = loads(find_application("SP-MZ"), 12)
    assert sorted(loaded) == pytest.approx(sorted([22 * 12 / 256] * 4 + [21 * 12 / 256] * 8))
    assert loads(find_application("SP-MZ"), 32) == pytest.approx(np.ones(32))


@pytest.mark.parametrize("nodes", [1, 7, 12, 30, 64])
@pytest.mark.parametrize("name", ["SPhot", "BT-MZ", "SP-MZ", "LU-MZ", "SC"])
def test_loads_are_shares_of_all_work(name: str, nodes: int) -> None:
    loaded = loads(find_application(name), nodes)
    assert loaded.shape == (nodes,)
    assert loaded.mean() == pytest.approx(1.0)


def test_uneven_zones_are_balanced_largest_first() -> None:
    # four zones, sides 1 and 2: sizes 1, 2, 2, 4 on two ranks: 4 + 1 and 2 + 2
    small = replace(find_application("BT-MZ"), zones=4, zone_ratio=4.0)
    assert sorted(loads(small, 2)) == pytest.approx([8 / 9, 10 / 9])
    assert loads(find_application("BT-MZ"), 32).max() < 1.05


def test_more_ranks_than_zones_leave_ranks_idle() -> None:
    few = replace(find_application("SP-MZ"), zones=4)
    assert loads(few, 8) == pytest.approx([2, 2, 2, 2, 0, 0, 0, 0])


def test_messages_by_hand() -> None:
    plain = replace(
        find_application("NSC"), steps=10, halo_gb=0.6, reductions=2, exchanges=100, block_mb=3.0
    )
    latency, bandwidth = MACHINE.network.latency_s, MACHINE.network.bandwidth_gb_s
    # four nodes: half of the halo, two levels of the tree, three partners
    step = 4 * latency + 0.3 / bandwidth + 2 * latency * 2
    exchange = 3 * (latency + 0.003 / bandwidth)
    assert communication_s(MACHINE, plain, 4) == pytest.approx(10 * step + 100 * exchange)
    assert communication_s(MACHINE, plain, 1) == 0


def test_a_node_is_crowded_only_where_the_job_leaves_no_core_free() -> None:
    mean = MACHINE.system.service_threads
    result = crowding(MACHINE, np.array([16, 14, 8]), 2)
    none, one, two = (math.exp(-mean) * mean**k / math.factorial(k) for k in range(3))
    assert result[0] == pytest.approx(1 - none)
    assert result[1] == pytest.approx(1 - none - one - two)
    assert result[2] < 1e-9
    assert crowding(MACHINE, np.array([16]), 1)[0] == 0
