"""Stragglers: found by the table's own spread, told with their place, never averaged."""

from __future__ import annotations

import math

import numpy as np

from scenarios.measurements.reader import read_measurements
from scenarios.measurements.runs import Runs
from scenarios.measurements.spread import RepetitionSpread, spread
from tests.shared_data import RZMERL, needs_data


def runs_of(times: dict[tuple[int, int, float], list[float]]) -> Runs:
    rows = [(*key, n, time) for key, item in times.items() for n, time in enumerate(item, 1)]
    nodes, cores, cap, repetition, time_s = (np.array(item) for item in zip(*rows, strict=True))
    return Runs("A", nodes, cores, cap, repetition, time_s, np.full(len(rows), 500.0))


ORDINARY = {(n, 8, 65.0): [100.0, 100.5, 101.0] for n in range(2, 12)}


def found(
    extra: dict[tuple[int, int, float], list[float]], floor: float = 0.05
) -> RepetitionSpread:
    return spread(runs_of(ORDINARY | extra), floor)


def test_a_run_beyond_the_gap_straggles_and_is_told_with_its_place() -> None:
    content = found({(4, 16, 65.0): [10.0, 18.0, 10.1]})
    (straggler,) = content.stragglers
    assert straggler.configuration == (4, 16, 65.0)
    assert (straggler.repetition, straggler.time_s, straggler.best_time_s) == (2, 18.0, 10.0)
    assert straggler.ratio == 1.8
    # second best over best: 1.005 in ten of eleven configurations, 1.01 in the other
    assert math.isclose(content.ordinary, 1.005)
    assert math.isclose(content.threshold, 1.05)
    assert (content.configurations, content.repeated, content.runs, content.straggling) == (
        11,
        11,
        33,
        1,
    )


def test_most_runs_of_a_configuration_may_straggle() -> None:
    content = found({(4, 16, 65.0): [18.0, 10.0, 18.1], (6, 16, 65.0): [9.0, 5.0]})
    assert [straggler.repetition for straggler in content.stragglers] == [1, 3, 1]


def test_a_straggler_in_every_configuration_does_not_pass_for_ordinary() -> None:
    times = {(n, 8, 65.0): [100.0, 100.5, 170.0] for n in range(2, 12)}
    assert len(spread(runs_of(times)).stragglers) == 10


def test_slow_runs_without_a_gap_are_no_second_mode() -> None:
    # ratios 1.01, 1.03, 1.05, ... 1.21: a long tail, each step narrower than 5 %
    tail = {(n, 16, 65.0): [100.0, 100.5, 101.0 + 2 * n] for n in range(11)}
    assert found(tail).stragglers == ()
    # the same with a hole: 1.09 to 1.17 is a step of 7 %
    hole = {key: item for key, item in tail.items() if key[0] not in {5, 6, 7}}
    assert {straggler.time_s for straggler in found(hole).stragglers} == {117.0, 119.0, 121.0}
    assert found(hole, floor=0.1).stragglers == ()


def test_the_bound_follows_the_spread_of_the_table() -> None:
    # second bests lie at 1.02 to 1.10, median 1.06: their deviation is log(1.08 / 1.06) or so
    noisy = {(n, 8, 65.0): [100.0, 100.0 + 2 * n] for n in range(1, 6)}
    ratios = np.log(1 + 0.02 * np.arange(1, 6))
    deviation = np.median(np.abs(ratios - ratios[2]))
    bound = ratios[2] + 6 * 1.4826 * deviation
    content = spread(runs_of(noisy))
    assert math.isclose(content.threshold, math.exp(bound))
    assert content.stragglers == ()
    assert spread(runs_of(noisy | {(9, 8, 65.0): [100.0, 150.0, 101.0]})).stragglers


def test_one_repetition_leaves_it_unknown() -> None:
    content = spread(runs_of({(n, 8, 65.0): [100.0] for n in range(1, 4)}))
    assert not content.known


def test_the_order_of_the_runs_changes_nothing_but_the_order() -> None:
    runs = runs_of(ORDINARY | {(4, 16, 65.0): [18.0, 10.0, 18.1], (4, 16, 80.0): [9.0, 16.0]})
    mixed = runs.take(np.random.default_rng(1).permutation(len(runs)))
    one, other = spread(runs), spread(mixed)
    assert set(one.stragglers) == set(other.stragglers)
    assert (one.ordinary, one.threshold) == (other.ordinary, other.threshold)


@needs_data
def test_the_stragglers_of_2013_stand_at_16_cores_on_24_nodes_and_more() -> None:
    measured = read_measurements(RZMERL)
    content = spread(measured.runs["BT-MZ"])
    assert (content.repeated, content.runs, content.straggling, len(content.stragglers)) == (
        455,
        1365,
        26,
        26,
    )
    ratios = sorted(straggler.ratio for straggler in content.stragglers)
    # one alone took 1.21 times its best; then nothing up to 1.59
    assert [round(ratio, 2) for ratio in ratios[:4]] == [1.21, 1.59, 1.62, 1.64]
    assert round(ratios[-1], 2) == 1.87
    assert sum(straggler.repetition == 2 for straggler in content.stragglers) == 24
    assert all(
        s.cores_per_node == 16 and s.nodes >= 24 for s in content.stragglers if s.ratio > 1.5
    )
    assert spread(measured.runs["SM"]).stragglers == ()
    assert spread(measured.runs["NSM"]).stragglers == ()
    assert not spread(measured.runs["SC"]).known
