"""Adding up directed records into pairs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scenarios.communication.matrix import Directed, Sizes, joined


def directed(*rows: tuple[int, int, float, float]) -> Directed:
    columns = list(zip(*rows, strict=True))
    return Directed(
        np.array(columns[0], dtype=np.int64),
        np.array(columns[1], dtype=np.int64),
        np.array(columns[2], dtype=np.float64),
        np.array(columns[3], dtype=np.float64),
    )


def test_both_directions_add_up_and_self_messages_stand_apart() -> None:
    # 0 -> 2: 5 + 1 bytes, 2 -> 0: 7; 1 to itself 9; 3 silent; 2 -> 1: a message without bytes
    rows = directed((0, 2, 5, 1), (2, 0, 7, 2), (1, 1, 9, 3), (0, 2, 1, 1), (2, 1, 0, 4))
    result = joined("x", 4, rows)
    assert (result.low.tolist(), result.high.tolist()) == ([0, 1], [2, 2])
    assert result.bytes.tolist() == [13, 0]
    assert result.messages is not None
    assert result.messages.tolist() == [4, 4]
    assert result.self_bytes.tolist() == [0, 9, 0, 0]
    assert result.self_messages is not None
    assert result.self_messages.tolist() == [0, 3, 0, 0]
    assert result.sent_bytes is not None
    assert result.sent_bytes.tolist() == [6, 0, 7, 0]
    assert result.received_bytes is not None
    assert result.received_bytes.tolist() == [7, 0, 6, 0]
    assert result.silent.tolist() == [3]
    assert (result.pairs, result.total_bytes) == (2, 13)


def test_a_record_of_nothing_makes_no_pair() -> None:
    result = joined("x", 3, directed((0, 1, 0, 0), (1, 2, 3, 1)))
    assert (result.low.tolist(), result.high.tolist()) == ([1], [2])
    assert joined("x", 3, directed((0, 1, 0, 0))).silent.tolist() == [0, 1, 2]


def test_histograms_follow_their_pairs() -> None:
    # records: 0 = self, 1 = (2, 1), 2 = (1, 2), 3 = nothing sent, 4 = (0, 1)
    rows = directed((1, 1, 9, 1), (2, 1, 8, 2), (1, 2, 4, 1), (0, 2, 0, 0), (0, 1, 1, 1))
    sizes = Sizes(
        np.array([0, 1, 1, 2, 3, 4]), np.array([4, 3, 0, 3, 2, 1]), np.array([1, 5, 6, 7, 8, 9])
    )
    result = joined("x", 3, rows._replace(sizes=sizes))
    assert list(zip(result.low.tolist(), result.high.tolist(), strict=True)) == [(0, 1), (1, 2)]
    assert result.sizes is not None
    assert result.sizes.pair.tolist() == [0, 1, 1]
    assert result.sizes.bin.tolist() == [1, 0, 3]
    assert result.sizes.messages.tolist() == [9, 6, 12]


amounts = st.floats(0, 1e12) | st.integers(0, 10**12).map(float)
RECORDS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), amounts, st.integers(0, 99).map(float)),
    min_size=1,
)


@given(RECORDS)
def test_pairs_are_those_of_the_full_matrix(rows: list[tuple[int, int, float, float]]) -> None:
    full = np.zeros((10, 10))
    for source, target, much, _ in rows:
        full[source, target] += much
    result = joined("x", 10, directed(*rows))
    symmetric = full + full.T
    assert np.allclose(symmetric[result.low, result.high], result.bytes, rtol=1e-12)
    assert np.isclose(result.bytes.sum(), np.triu(symmetric, 1).sum(), rtol=1e-12)
    assert np.allclose(result.self_bytes, np.diag(full), rtol=1e-12)
    assert (np.diff(result.low * 10 + result.high) > 0).all()
    assert (result.low < result.high).all()
    again = np.zeros((10, 10))
    again[result.low, result.high] = result.bytes
    np.fill_diagonal(symmetric, 0)
    assert np.allclose(again + again.T, symmetric, rtol=1e-12)


@given(RECORDS, st.permutations(range(10)))
def test_other_names_of_ranks_change_nothing_else(
    rows: list[tuple[int, int, float, float]], names: list[int]
) -> None:
    result = joined("x", 10, directed(*rows))
    again = joined("x", 10, directed(*((names[s], names[t], b, m) for s, t, b, m in rows)))
    of = {
        frozenset(pair): much
        for *pair, much in zip(again.low.tolist(), again.high.tolist(), again.bytes, strict=True)
    }
    for low, high, much in zip(result.low, result.high, result.bytes, strict=True):
        assert np.isclose(of[frozenset((names[low], names[high]))], much, rtol=1e-12)
    assert len(of) == result.pairs


def test_many_weights_of_a_trillion_are_exact() -> None:
    rng = np.random.default_rng(1)
    source = rng.integers(0, 1 << 20, 200_000)
    target = (source + rng.integers(1, 100, len(source))) % (1 << 20)
    much = 10**12 + rng.integers(0, 9, len(source))
    result = joined("x", 1 << 20, Directed(source, target, much.astype(np.float64)))
    assert result.bytes.astype(np.int64).sum() == much.sum()
    assert result.pairs > 190_000
