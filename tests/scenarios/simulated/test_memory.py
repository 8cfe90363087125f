from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenarios.simulated.machine import SocketMemory, load_machine
from scenarios.simulated.memory import achievable_gb_s, queue, traffic_gb_per_gigacycle

MACHINE = load_machine()
SIMPLE = replace(MACHINE, memory=SocketMemory(served_gb_s=(2.0, 4.0, 4.0, 4.0), cache_gb=0.02))


def served(machine: object, cores: int, think: float, service: float = 1.0, loss: float = 0.0):  # type: ignore[no-untyped-def]
    result = queue(machine, np.array([cores]), np.array([[think]]), service, loss)  # type: ignore[arg-type]
    return float(result[0][0, 0]), float(result[1][0, 0])


def test_one_core_computes_and_waits_in_turn() -> None:
    # 0.5 s of computing a gigabyte, then 0.5 s at 2 GB/s
    assert served(SIMPLE, 1, 0.5) == pytest.approx((1.0, 0.5))


def test_two_cores_by_hand() -> None:
    # waiting 0, 1, 2: weights 1, 2/(0.5*2) = 2, 2 * 1/(0.5*4) = 1; mean waiting (2+2)/4 = 1;
    # so one computes on average, 1/0.5 = 2 GB/s
    assert served(SIMPLE, 2, 0.5) == pytest.approx((2.0, 0.5))


def test_a_crowd_loses_row_hits() -> None:
    # rates 2, 4, 4 and with all of the loss at the last: 4 / (1 + 1) = 2
    slow = served(SIMPLE, 4, 1e-6, loss=1.0)[0]
    assert slow == pytest.approx(2.0, rel=1e-3)
    assert served(SIMPLE, 3, 1e-6, loss=1.0)[0] == pytest.approx(4.0, rel=1e-3)


def test_half_of_the_channels_are_filled_by_half_as_many_cores() -> None:
    # 2, 4, 4, 4 GB/s of 1 to 4 cores; with half of it one core does what two did, and that is all
    assert achievable_gb_s(SIMPLE, 0.5).tolist() == [2, 2, 2, 2]
    assert achievable_gb_s(SIMPLE, 1.0).tolist() == [2, 4, 4, 4]
    # 0.8: one core weighs 1.25, two 2.5, so 0.8 of 2.5 and of 4
    assert achievable_gb_s(SIMPLE, 0.8).tolist() == pytest.approx([2, 3.2, 3.2, 3.2])


@given(service=st.floats(0.05, 1.0))
def test_a_poor_pattern_lowers_the_ceiling_and_hardly_the_single_stream(service: float) -> None:
    good, poor = achievable_gb_s(MACHINE, 1.0), achievable_gb_s(MACHINE, service)
    assert poor[-1] == pytest.approx(service * good[-1])
    assert (np.diff(poor) >= 0).all()
    assert (service * good <= poor + 1e-9).all()
    assert (poor <= np.minimum(good, poor[-1]) + 1e-9).all()
    two = served(MACHINE, 2, 0.01)[0] / served(MACHINE, 8, 0.01)[0]
    assert served(MACHINE, 2, 0.01, service)[0] / served(MACHINE, 8, 0.01, service)[0] >= two - 1e-9


def by_mean_value_analysis(rates: list[float], cores: int, think: float) -> float:
    """Throughput by the exact recursion over customers (Reiser and Lavenberg)."""
    shares = [1.0]
    rate = 0.0
    for n in range(1, cores + 1):
        stay = sum(j / rates[j - 1] * shares[j - 1] for j in range(1, n + 1))
        rate = n / (think + stay)
        tail = [rate / rates[j - 1] * shares[j - 1] for j in range(1, n + 1)]
        shares = [1 - sum(tail), *tail]
    return rate


@given(cores=st.integers(1, 8), think=st.floats(0.01, 2.0), loss=st.floats(0.0, 2.0))
def test_the_queue_agrees_with_mean_value_analysis(cores: int, think: float, loss: float) -> None:
    crowd = [max(j - 3, 0) / 5 for j in range(1, 9)]
    # 0.8 of the channels: 1, 2, ... cores weigh as much as 1.25, 2.5, ... of the table
    # 16, 28, 34, 37, 39, 40, 40, 40
    table = [0.8 * r for r in (19, 31, 36.25, 39, 40, 40, 40, 40)]
    rates = [r / (1 + loss * c) for r, c in zip(table, crowd, strict=True)]
    result = served(MACHINE, cores, think, 0.8, loss)
    assert result[0] == pytest.approx(by_mean_value_analysis(rates, cores, think), rel=1e-6)
    assert result[1] == pytest.approx(result[0] * think / cores)


def test_conflicts_can_make_more_cores_slower() -> None:
    assert served(MACHINE, 8, 0.02, loss=2.0)[0] < served(MACHINE, 5, 0.02, loss=2.0)[0]
    assert served(MACHINE, 8, 0.02)[0] > served(MACHINE, 5, 0.02)[0]


def test_caches_of_more_nodes_hold_what_is_reused() -> None:
    # 1 GB on 25 nodes: 25 x 2 x 0.02 GB of cache is all of it, so half of the reuse is saved
    assert traffic_gb_per_gigacycle(MACHINE, 1.0, 0.5, 1.0, 25) == pytest.approx(1.25)
    assert traffic_gb_per_gigacycle(MACHINE, 1.0, 0.5, 0.0, 25) == pytest.approx(1.5)
    assert traffic_gb_per_gigacycle(MACHINE, 1.0, 0.5, 1.0, 2500) == pytest.approx(1.0, rel=1e-3)
