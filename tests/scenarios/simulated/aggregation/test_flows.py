"""Fluid messages: cases by hand, and max-min fairness by its definition."""

from __future__ import annotations

import numpy as np
import pytest

from scenarios.simulated.aggregation.flows import Flows, ends_s, fair_rates


def flows(
    start: list[float], size: list[float], stream: float, capacity: float, weight: float = 1.0
) -> Flows:
    """Flows through one part."""
    count = len(start)
    return Flows(
        np.array(start, dtype=float),
        np.array(size, dtype=float),
        np.full(count, stream, dtype=float),
        np.zeros((count, 1), dtype=np.int64),
        np.full((count, 1), weight),
        np.array([capacity], dtype=float),
    )


def test_two_messages_share_a_part_until_the_shorter_is_done() -> None:
    # 10 B/s shared: 5 each; 10 B done at 2 s; the other has 20 B left, alone at 8 B/s: 2.5 s
    assert ends_s(flows([0, 0], [10, 30], 8, 10)) == pytest.approx([2, 4.5])


def test_a_later_message_slows_the_first() -> None:
    # alone 8 B/s for 1 s, then 5 each: 12 B left take 2.4 s; then 18 - 12 = 6 B at 8 B/s
    assert ends_s(flows([0, 1], [20, 18], 8, 10)) == pytest.approx([3.4, 4.15])


def test_a_copy_twice_through_a_part_counts_twice() -> None:
    assert ends_s(flows([0], [10], 100, 10, weight=2)) == pytest.approx([2])


def test_endless_noise_takes_its_share_and_never_arrives() -> None:
    assert ends_s(flows([0, 0], [10, np.inf], 8, 10)).tolist() == [2, np.inf]


@pytest.mark.parametrize("seed", range(8))
def test_rates_are_max_min_fair(seed: int) -> None:
    """Feasible, and each flow is at its stream's rate or largest on a part that is full."""
    rng = np.random.default_rng(seed)
    count, parts = 12, 5
    crossing = rng.integers(parts, size=(count, 2))
    crossing[:, 1] = (crossing[:, 0] + 1 + rng.integers(parts - 1, size=count)) % parts
    made = Flows(
        np.zeros(count),
        np.ones(count),
        rng.uniform(0.5, 3, count),
        crossing,
        np.ones((count, 2)),
        rng.uniform(1, 5, parts),
    )
    rate = fair_rates(made, np.arange(count))
    through = np.array([rate[(crossing == p).any(axis=1)].sum() for p in range(parts)])
    assert (through <= made.capacity_b_s * (1 + 1e-9)).all()
    for number in range(count):
        at_stream = rate[number] >= made.stream_b_s[number] * (1 - 1e-6)
        held = [
            p
            for p in crossing[number]
            if through[p] >= made.capacity_b_s[p] * (1 - 1e-6)
            and rate[number] >= rate[(crossing == p).any(axis=1)].max() * (1 - 1e-6)
        ]
        assert at_stream or held
