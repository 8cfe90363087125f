"""Costs of parting pairs: by hand, the true objective, and why the published costs have a C."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.errors import InputError
from planner.placement.costs import by_bytes, by_messages, paper, signed
from planner.placement.message_times import PairTimes, pair_times
from scenarios.communication.matrix import Communication, Sizes
from scenarios.communication.ping_pong import Curve, PingPong, bundled_ping_pong
from scenarios.communication.reader import read_communication
from tests.shared_data import COMMUNICATION, needs_data

TABLE = PingPong(
    "by hand",
    {
        "node": Curve(np.array([0.0, 1000.0]), np.array([1.0, 2.0])),
        "network": Curve(np.array([0.0, 1000.0]), np.array([2.0, 2.5])),
    },
)

# Pair (0, 1): 2 messages of 500 bytes, within a node 2 x 1.5 us, between nodes 2 x 2.25 us.
# Pair (1, 2): one of 3,000 bytes, beyond the table: 2 + 2 = 4 us, and 2.5 + 1 = 3.5 us.
SMALL = Communication(
    "small",
    4,
    np.array([0, 1]),
    np.array([1, 2]),
    np.array([1000.0, 3000.0]),
    np.zeros(4),
    messages=np.array([2.0, 1.0]),
)


def test_times_by_hand() -> None:
    times = pair_times(SMALL, TABLE)
    assert times.intra_us.tolist() == [3, 4]
    assert times.inter_us.tolist() == [4.5, 3.5]
    assert times.apart.tolist() == [False, True]
    assert [(each.kind, each.values) for each in times.findings] == [
        ("sizes-outside", {"sizes": (1, 2)})
    ]


def test_costs_by_hand() -> None:
    times = pair_times(SMALL, TABLE)
    assert signed(times).cost.tolist() == [1.5, -0.5]
    # apart: 1 / 0.5 = 2; C = 2^2 x 2 = 8; together: 8 + 1.5
    assert paper(times, 2).cost.tolist() == [9.5, 2]
    # in milliseconds: 1 / 0.0005 = 2,000; C = 8,000; together: 8,000.0015
    assert paper(times, 2, unit_s=1e-3).cost.tolist() == pytest.approx([8000.0015, 2000])
    assert by_bytes(SMALL).cost.tolist() == [1000, 3000]
    assert by_messages(SMALL).cost.tolist() == [2, 1]
    assert [by_bytes(SMALL).unit, by_messages(SMALL).unit, signed(times).unit] == [
        "B",
        "messages",
        "us",
    ]


def test_without_messages_their_size_must_be_given() -> None:
    bare = replace(SMALL, messages=None)
    with pytest.raises(InputError, match="small has no message counts; use --objective bytes"):
        by_messages(bare)
    with pytest.raises(
        InputError, match=r"second matrix \(--messages\), or give a mean size \(--message-size\)"
    ):
        pair_times(bare, TABLE)
    with pytest.raises(InputError, match="message_bytes = 0 is not above 0"):
        pair_times(bare, TABLE, message_bytes=0)
    # of 500 bytes each: 2 and 6 messages
    assert pair_times(bare, TABLE, message_bytes=500).intra_us.tolist() == [3, 9]
    with pytest.raises(InputError, match="small has message counts, which give the mean size"):
        pair_times(SMALL, TABLE, message_bytes=500)


def test_bytes_without_a_message_come_in_one() -> None:
    odd = replace(SMALL, messages=np.array([0.0, 1.0]))
    assert pair_times(odd, TABLE).intra_us.tolist() == [2, 4]


def test_sizes_by_bins_take_the_size_that_gives_the_pair_s_bytes() -> None:
    # 4 empty messages and 3 of 512 to 1,023 bytes, 1,800 bytes in all: 600 each, 1.6 us
    sizes = Sizes(np.array([0, 0, 1]), np.array([0, 10, 12]), np.array([4, 3, 1]))
    known = replace(SMALL, bytes=np.array([1800.0, 3000.0]), sizes=sizes)
    assert pair_times(known, TABLE).intra_us.tolist() == pytest.approx([4 + 3 * 1.6, 4])
    # bytes that do not fit the bin: the bin's largest, 1,023
    wrong = replace(known, bytes=np.array([9e9, 3000.0]))
    assert pair_times(wrong, TABLE).intra_us[0] == pytest.approx(4 + 3 * 2.023)


def test_an_assumed_table_is_told() -> None:
    kinds = [each.kind for each in pair_times(SMALL, bundled_ping_pong()).findings]
    assert "times-assumed" in kinds


TIMES = st.integers(2, 8).flatmap(
    lambda k: st.tuples(
        st.just(k),
        st.lists(
            st.tuples(st.floats(0, 1e6), st.floats(0, 1e6)) | st.just((0.0, 0.0)),
            min_size=k * k,
            max_size=k * k,
        ),
    )
)


def between(k: int, times: list[tuple[float, float]]) -> PairTimes:
    """All k x k pairs between two groups of k."""
    low, high = (np.ravel(each) for each in np.indices((k, k)))
    intra, inter = np.array(times).T
    return PairTimes(2 * k, low, high + k, intra, inter)


@given(TIMES, st.sampled_from([1e-6, 1e-3, 1.0]))
def test_all_pairs_that_favour_being_apart_cost_no_more_than_one_other(
    given_times: tuple[int, list[tuple[float, float]]], unit_s: float
) -> None:
    k, rows = given_times
    times = between(k, rows)
    result = paper(times, k, unit_s=unit_s)
    apart = result.cost[times.apart]
    together = result.cost[~times.apart]
    assert (result.cost >= 0).all()
    if len(apart) and len(together):
        assert apart.sum() <= together.min() * (1 + 1e-12)
    if not len(apart):
        assert result.cost == pytest.approx((times.inter_us - times.intra_us) * 1e-6 / unit_s)


@given(TIMES, st.randoms(use_true_random=False))
def test_signed_costs_are_the_time_but_for_a_constant(
    given_times: tuple[int, list[tuple[float, float]]], random: object
) -> None:
    k, rows = given_times
    times = between(k, rows)
    node = np.array([random.randrange(3) for _ in range(2 * k)])  # type: ignore[attr-defined]
    parted = node[times.low] != node[times.high]
    whole = times.inter_us[parted].sum() + times.intra_us[~parted].sum()
    assert signed(times).cost[parted].sum() + times.intra_us.sum() == pytest.approx(whole, abs=1e-3)


def test_without_c_the_pairs_apart_outweigh_one_together() -> None:
    # Four pairs 0.1 us better apart cost 10 each, one that is 5 us better together would cost 5:
    # parting it to keep the four together is what C prevents.
    times = between(2, [(1, 0.9), (1, 0.9), (1, 0.9), (0, 5)])
    result = paper(times, 2)
    assert result.cost[:3].sum() == pytest.approx(30)
    assert result.cost[3] == pytest.approx(4 * 10 + 5)


def test_the_unit_decides_between_partitions() -> None:
    # One partition parts a pair 10 us better together; the other one pair 1 us better together
    # and one 2 us better apart. Microseconds: C + 10 against C + 1 + 0.5. Milliseconds:
    # C + 0.01 against C + 0.001 + 500.
    low = np.arange(3)
    times = PairTimes(4, low, low + 1, np.array([0.0, 0.0, 2.0]), np.array([10.0, 1.0, 0.0]))
    first, second = np.array([True, False, False]), np.array([False, True, True])
    us = paper(times, 2).cost
    ms = paper(times, 2, unit_s=1e-3).cost
    assert us[first].sum() > us[second].sum()
    assert ms[first].sum() < ms[second].sum()


def test_tiny_differences_are_floored_and_lost_ones_told() -> None:
    times = between(1, [(1.0 + 1e-12, 1.0)])
    floored = paper(times, 1)
    assert floored.cost.tolist() == pytest.approx([1000])
    assert (floored.findings[0].kind, floored.findings[0].values["pairs"]) == ("floored", 1)
    times = PairTimes(4, np.arange(2), np.arange(1, 3), np.array([1.5, 0]), np.array([1, 1e-9]))
    result = paper(times, 64, unit_s=1)
    assert (result.findings[0].kind, result.findings[0].values["pairs"]) == ("lost", 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unit_s": 0.0}, "unit_s = 0.0 is not above 0"),
        ({"least_difference_us": -1.0}, "least_difference_us = -1.0 is not above 0"),
        ({"tasks_per_node": 0}, "tasks_per_node = 0 is below 1"),
    ],
)
def test_a_wrong_parameter_is_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        paper(pair_times(SMALL, TABLE), **{"tasks_per_node": 2, **options})  # type: ignore[arg-type]


@needs_data
def test_measured_sizes_refine_mean_sizes() -> None:
    table = bundled_ping_pong()
    listed = read_communication(COMMUNICATION / "bt.W.16.p2p.sizes.csv")
    fine = pair_times(listed, table)
    coarse = pair_times(replace(listed, sizes=None), table)
    assert not np.allclose(fine.intra_us, coarse.intra_us, rtol=1e-3)
    assert np.allclose(fine.intra_us, coarse.intra_us, rtol=0.1)
    # LU's messages are small, a few hundred bytes each: all pairs gain from a node
    lu = pair_times(read_communication(COMMUNICATION / "lu.W.16.p2p.sizes.csv"), table)
    assert (~lu.apart).all()
