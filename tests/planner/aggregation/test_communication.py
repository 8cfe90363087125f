"""Placements, tables, the upper bound, and groups of tasks."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from planner.aggregation.communication import (
    SIZES_B,
    Floats,
    Tables,
    Times,
    measured_tables,
    upper_bound_s,
)
from planner.aggregation.grouping import Objective, among, grouped, pair_times, rank_order, weights
from planner.aggregation.placements import (
    NEARNESS,
    cores_of,
    nearness,
    placements,
    shared,
)
from planner.errors import InputError, PlanError
from planner.placement.message_times import PairTimes
from scenarios.aggregation.task_layout import Core, Layout
from scenarios.aggregation.task_samples import Traffic

XEON = Layout(2, 2, 2)
STEP = {"die": 1e-6, "processor": 2e-6, "node": 4e-6, "network": 3e-6}


def ping_pong(
    observed: tuple[Core, Core], noise: tuple[tuple[Core, Core], ...], sizes_b: Floats
) -> Floats:
    """Latency by nearness, 1 GB/s, and half as long again for each noise pair of its kind."""
    alike = sum(nearness(pair) == nearness(observed) for pair in noise)
    answer: Floats = (STEP[nearness(observed)] + sizes_b * 1e-9) * (1 + 0.5 * alike)
    return answer


def exchange(layout: Layout, tasks: int, sizes_b: Floats) -> Floats:
    answer: Floats = layout.tasks * tasks * sizes_b * 1e-9
    return answer


def tables(*layouts: Layout, tasks: int = 4) -> Tables:
    return measured_tables(layouts, XEON, tasks, ping_pong, exchange)


def ring(size_b: float, tasks: int = 4) -> Traffic:
    """Each task sends two messages of one size to the next."""
    source = np.arange(tasks)
    ones = np.ones(tasks)
    return Traffic(tasks, source, (source + 1) % tasks, size_b * ones, 2 * ones, 0.0)


def test_the_groups_of_figure_4_have_these_placements() -> None:
    # four tasks on one processor: the other two share a die (group 1) or sit beside each other
    assert [len(placements(Layout(1, 2, 2), kind)) for kind in NEARNESS] == [2, 2, 0, 3]
    # eight tasks: all counted by hand would be 15 matchings of six cores and one to the network
    assert [len(placements(XEON, kind)) for kind in NEARNESS] == [5, 5, 6, 14]
    assert placements(Layout(1, 1, 1), "die") == ()


@pytest.mark.parametrize("kind", NEARNESS)
def test_every_other_task_talks_once(kind: str) -> None:
    for placement in placements(XEON, kind):  # type: ignore[arg-type]
        ends = [c for pair in (placement.observed, *placement.noise) for c in pair if c.node == 0]
        assert sorted(ends) == sorted(cores_of(XEON, 0))
        assert nearness(placement.observed) == kind
        assert placement.intensity == 1 + len(placement.noise)


def test_symmetric_placements_are_one() -> None:
    """Brute force: matchings of the six other cores, by what they share, in any order of cores."""
    (first, *_) = placements(XEON, "die")
    others = list(cores_of(XEON, 0))
    for end in first.observed:
        others.remove(end)
    kinds = set()
    for order in permutations(others):
        noise = ((order[0], order[1]), (order[2], order[3]), (order[4], order[5]))
        kinds.add(shared(type(first)(first.observed, noise)))
    within = {shared(p) for p in placements(XEON, "die") if nearness(p.noise[0]) != "network"}
    assert kinds == within


def test_the_table_keeps_the_worst_noise() -> None:
    made = tables(Layout(1, 2, 2))
    # observed pair on a die, the other two on a die as well: one of its kind, 1.5 times
    worst = made.worst[Layout(1, 2, 2), "die"].times_s
    assert worst == pytest.approx(1.5 * (1e-6 + np.array(SIZES_B) * 1e-9))
    # to the network with three others there: 1 + 3 / 2
    assert made.worst[Layout(1, 2, 2), "network"].times_s[0] == pytest.approx(2.5 * (3e-6 + 8e-9))
    assert made.alone["node"].times_s[0] == pytest.approx(4e-6 + 8e-9)


def test_times_between_sizes_and_beyond() -> None:
    times = Times(np.array(SIZES_B), np.array(SIZES_B) * 2)
    assert times.at(np.array([0.0, 8.0, 100.0, 1e9])) == pytest.approx([16, 16, 200, 2e9])


def test_the_bound_by_hand() -> None:
    # ring of four on two nodes of two tasks on a die; groups (0 1) (2 3): messages 0-1 and 2-3
    # stay on the die (no other pair there), 1-2 and 3-0 cross with one task beside that sends
    layout = Layout(1, 1, 2)
    size = SIZES_B[3]
    die = 2 * (1e-6 + size * 1e-9)
    network = 2 * 1.5 * (3e-6 + size * 1e-9)
    made = tables(layout)
    result = upper_bound_s(made, ring(size), layout, np.array([[0, 1], [2, 3]]))
    # a task sends within and receives from without, or the other way round: the longer counts
    assert result == pytest.approx(max(die, network))
    # groups (0 2) (1 3): every message crosses
    assert upper_bound_s(made, ring(size), layout, np.array([[0, 2], [1, 3]])) == pytest.approx(
        network
    )


def test_exchanges_have_their_own_table() -> None:
    layout = Layout(1, 1, 2)
    nobody, none = np.zeros(0, dtype=np.int64), np.zeros(0)
    traffic = Traffic(4, nobody, nobody, none, none, 1e4)
    groups = np.array([[0, 1], [2, 3]])
    assert upper_bound_s(tables(layout), traffic, layout, groups) == pytest.approx(8e-5)
    with pytest.raises(InputError, match="measured with 8 ranks, not with 4"):
        upper_bound_s(tables(layout, tasks=8), traffic, layout, groups)


def test_pair_times_take_the_farthest_seats_of_a_node() -> None:
    size = SIZES_B[2]
    result = pair_times(tables(Layout(1, 1, 1)), ring(size))
    # the ring's pairs, the last one sent from 3 to 0
    assert list(zip(result.low, result.high, strict=True)) == [(0, 1), (0, 3), (1, 2), (2, 3)]
    assert result.intra_us == pytest.approx(2 * (4 + size * 1e-3))
    assert result.inter_us == pytest.approx(2 * (3 + size * 1e-3))


def test_under_noise_the_longest_time_of_the_layout_counts() -> None:
    size, layout = SIZES_B[2], Layout(1, 2, 2)
    result = pair_times(tables(layout), ring(size), layout)
    # no pair of processors on one processor: two dies of it are the farthest; the other two tasks
    # talk across dies as well, half as long again; to the network three others send, 1 + 3 / 2
    assert result.intra_us == pytest.approx(2 * 1.5 * (2 + size * 1e-3))
    assert result.inter_us == pytest.approx(2 * 2.5 * (3 + size * 1e-3))


def test_both_directions_of_a_pair_add_up() -> None:
    both = Traffic(
        3, np.array([2, 0]), np.array([0, 2]), np.full(2, SIZES_B[1]), np.array([1.0, 3.0]), 0.0
    )
    result = pair_times(tables(Layout(1, 1, 1)), both)
    assert (result.low.tolist(), result.high.tolist()) == ([0], [2])
    assert result.inter_us == pytest.approx(4 * (3 + SIZES_B[1] * 1e-3))


def test_pairs_among_some_tasks_are_numbered_by_their_place() -> None:
    result = among(pair_times(tables(Layout(1, 1, 1)), ring(8.0)), np.array([3, 0, 2]))
    # 3, 0, 2 are 0, 1, 2 now: of the ring 0-3 and 2-3 are left
    assert list(zip(result.low, result.high, strict=True)) == [(0, 1), (0, 2)]
    assert result.ranks == 3


def test_weights_of_equation_4_by_hand() -> None:
    # pairs: 0-1 loses 2 us within a node, 0-2 loses 0.5, 1-2 gains 3; k = 2: C = 4 * 1 / 0.5 = 8
    low, high = np.array([0, 0, 1]), np.array([1, 2, 2])
    times = PairTimes(3, low, high, np.array([5, 2, 1.0]), np.array([3, 1.5, 4.0]))
    assert weights(times, 2, "paper") == pytest.approx(
        np.array([[0, 0.5, 2], [0.5, 0, 11], [2, 11, 0]])
    )
    signed = weights(times, 2, "signed")
    assert signed == pytest.approx(np.array([[0, -2, -0.5], [-2, 0, 3], [-0.5, 3, 0]]))


def test_groups_are_split_into_nodes_processors_and_dies() -> None:
    settings = []

    def reversed_order(weights: Floats, per_group: int) -> list[list[int]]:
        settings.append((len(weights), per_group))
        return np.arange(len(weights))[::-1].reshape(-1, per_group).tolist()

    made = tables(XEON, tasks=16)
    result = grouped(made, ring(1e3, 16), XEON, reversed_order)
    assert settings == [(16, 8), (8, 4), (4, 2), (4, 2), (8, 4), (4, 2), (4, 2)]
    assert sorted(result.ravel().tolist()) == list(range(16))
    assert sorted(result[0].tolist()) == list(range(8, 16))
    plain = grouped(made, ring(1e3, 16), Layout(2, 1, 1), rank_order)
    assert plain.tolist() == np.arange(16).reshape(8, 2).tolist()


def test_the_objective_decides_the_weights() -> None:
    seen = {}
    made, traffic = tables(Layout(2, 1, 1)), ring(1e3)
    layout = Layout(2, 1, 1)
    objectives: tuple[Objective, ...] = ("paper", "signed", "loaded")
    for objective in objectives:

        def keep(square: Floats, per_group: int, name: str = objective) -> list[list[int]]:
            seen[name] = square
            return rank_order(square, per_group)

        grouped(made, traffic, layout, keep, objective)
    times = pair_times(made, traffic)
    assert seen["signed"].tolist() == weights(times, 2, "signed").tolist()
    assert seen["paper"].tolist() == weights(times, 2, "paper").tolist()
    noisy = weights(pair_times(made, traffic, layout), 2, "signed")
    assert seen["loaded"].tolist() == noisy.tolist() != seen["signed"].tolist()


def test_one_task_a_node_leaves_nothing_to_group() -> None:
    result = grouped(tables(XEON), ring(1e3), Layout(1, 1, 1), lambda w, k: [[0]])
    assert result.tolist() == [[0], [1], [2], [3]]


def test_unequal_groups_are_refused() -> None:
    with pytest.raises(PlanError, match="each task once"):
        grouped(tables(XEON), ring(1e3), Layout(2, 1, 1), lambda w, k: [[0, 1], [1, 2]])
