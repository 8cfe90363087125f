"""Placements, tables, the upper bound, and groups of tasks."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from planner.aggregation.communication import (
    SIZES_B,
    Floats,
    Tables,
    at_size,
    measured_tables,
    upper_bound_s,
)
from planner.aggregation.grouping import (
    grouped,
    pair_times_us,
    paper_costs,
    rank_order,
    signed_weights,
)
from planner.aggregation.placements import (
    NEARNESS,
    nearness,
    placements,
    seats_of,
    shared,
)
from planner.errors import InputError, PlanError
from scenarios.task_layout import Core, Layout
from scenarios.task_samples import Traffic

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
        assert sorted(ends) == sorted(seats_of(XEON, 0))
        assert nearness(placement.observed) == kind
        assert placement.intensity == 1 + len(placement.noise)


def test_symmetric_placements_are_one() -> None:
    """Brute force: matchings of the six other cores, by what they share, in any order of cores."""
    (first, *_) = placements(XEON, "die")
    others = list(seats_of(XEON, 0))
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
    worst = made.worst_s[Layout(1, 2, 2), "die"]
    assert worst == pytest.approx(1.5 * (1e-6 + np.array(SIZES_B) * 1e-9))
    # to the network with three others there: 1 + 3 / 2
    assert made.worst_s[Layout(1, 2, 2), "network"][0] == pytest.approx(2.5 * (3e-6 + 8e-9))
    assert made.alone_s["node"][0] == pytest.approx(4e-6 + 8e-9)


def test_times_between_sizes_and_beyond() -> None:
    times = np.array(SIZES_B) * 2
    assert at_size(times, np.array([8.0, 100.0, 1e9])) == pytest.approx([16, 200, 2e9])


def test_the_bound_by_hand() -> None:
    # ring of four on two nodes of two tasks on a die; groups (0 1) (2 3): messages 0-1 and 2-3
    # stay on the die (no other pair there), 1-2 and 3-0 cross with one task beside that sends
    layout = Layout(1, 1, 2)
    size = SIZES_B[3]
    die = 2 * (1e-6 + size * 1e-9)
    network = 2 * 1.5 * (3e-6 + size * 1e-9)
    made = tables(layout)
    found = upper_bound_s(made, ring(size), layout, np.array([[0, 1], [2, 3]]))
    # a task sends within and receives from without, or the other way round: the longer counts
    assert found == pytest.approx(max(die, network))
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
    with pytest.raises(InputError, match="measured with 8 tasks, not with 4"):
        upper_bound_s(tables(layout, tasks=8), traffic, layout, groups)


def test_pair_times_take_the_farthest_seats_of_a_node() -> None:
    size = SIZES_B[2]
    intra, inter = pair_times_us(tables(Layout(1, 1, 1)), ring(size))
    assert intra[0, 1] == intra[1, 0] == pytest.approx(2 * (4 + size * 1e-3))
    assert inter[0, 1] == pytest.approx(2 * (3 + size * 1e-3))
    assert intra[0, 2] == 0


def test_costs_of_equation_4_by_hand() -> None:
    # pairs: 0-1 loses 2 us within a node, 0-2 loses 0.5, 1-2 gains 3; k = 2: C = 4 * 1 / 0.5 = 8
    intra = np.array([[0, 5, 2], [5, 0, 1], [2, 1, 0]], dtype=float)
    inter = np.array([[0, 3, 1.5], [3, 0, 4], [1.5, 4, 0]])
    costs = paper_costs(intra, inter, 2)
    assert costs == pytest.approx(np.array([[0, 0.5, 2], [0.5, 0, 11], [2, 11, 0]]))
    assert signed_weights(intra, inter)[1, 2] == 3


@pytest.mark.parametrize("seed", range(20))
def test_c_outweighs_every_pair_that_is_better_apart(seed: int) -> None:
    """Remark on equation 4: k^2 such edges together cost no more than one of the others."""
    rng = np.random.default_rng(seed)
    intra, inter = rng.lognormal(size=(2, 8, 8))
    intra, inter = intra + intra.T, inter + inter.T
    costs = paper_costs(intra, inter, 4)
    apart = intra > inter
    assert 16 * costs[apart].max() <= costs[~apart].min() * (1 + 1e-12)


def test_nearly_equal_times_do_not_drown_the_rest() -> None:
    intra, inter = np.full((2, 2), 1.0), np.full((2, 2), 1.0 - 1e-15)
    assert paper_costs(intra, inter, 2).max() == pytest.approx(1000)


def test_without_a_pair_that_is_better_apart_c_is_nothing() -> None:
    assert paper_costs(np.full((2, 2), 1.0), np.full((2, 2), 3.0), 2).max() == 2


def test_groups_are_split_into_nodes_processors_and_dies() -> None:
    asked = []

    def reversed_order(weights: Floats, per_group: int) -> list[list[int]]:
        asked.append((len(weights), per_group))
        return np.arange(len(weights))[::-1].reshape(-1, per_group).tolist()

    made = tables(XEON, tasks=16)
    found = grouped(made, ring(1e3, 16), XEON, reversed_order)
    assert asked == [(16, 8), (8, 4), (4, 2), (4, 2), (8, 4), (4, 2), (4, 2)]
    assert sorted(found.ravel().tolist()) == list(range(16))
    assert sorted(found[0].tolist()) == list(range(8, 16))
    plain = grouped(made, ring(1e3, 16), Layout(2, 1, 1), rank_order)
    assert plain.tolist() == np.arange(16).reshape(8, 2).tolist()


def test_the_objective_decides_the_weights() -> None:
    seen = {}
    made, traffic = tables(XEON, tasks=4), ring(1e3)
    times = pair_times_us(made, traffic)
    for objective in ("paper", "signed"):

        def keep(weights: Floats, per_group: int, name: str = objective) -> list[list[int]]:
            seen[name] = weights
            return rank_order(weights, per_group)

        grouped(made, traffic, Layout(2, 1, 1), keep, objective)
    assert seen["signed"].tolist() == signed_weights(*times).tolist()
    assert seen["paper"].tolist() == paper_costs(*times, 2).tolist()


def test_unequal_groups_are_refused() -> None:
    with pytest.raises(PlanError, match="each task once"):
        grouped(tables(XEON), ring(1e3), Layout(2, 1, 1), lambda w, k: [[0, 1], [1, 2]])
