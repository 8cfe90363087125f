"""Placements of the oracle's classes: by hand, against brute force, a closed form, and laws."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import log

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks.studies.estimates.placements import (
    PLACEMENTS,
    closed_form,
    mean_errors,
    placed,
)
from planner.scheduling.estimates.binning import LARGEST_ERROR
from scenarios.job_logs.job_log import LATEST_S
from scenarios.job_logs.reader import read_job_log
from tests.shared_data import TRACES, needs_data
from tests.sizes import few

pytestmark = pytest.mark.slow

HAND = np.array([20, 1, 10, 11, 12, 13, 14, 10])
ERRORS = st.sampled_from([0.0, 0.001, 0.1, 0.25, 0.3, 0.5, 0.7, 1.0, 2.0, 10.0]) | st.floats(0, 10)
RUNS = st.lists(st.integers(0, 300) | st.integers(0, LATEST_S - 1), min_size=1, max_size=40)
FEW = settings(max_examples=few(40))
EVERY = pytest.mark.parametrize("placement", PLACEMENTS)


@pytest.mark.parametrize(
    ("placement", "estimates", "classes"),
    [
        # 1; 10 reaches 12.5, so 12; 13 reaches 16.25, so 14; 20
        ("from-below", [20, 1, 12, 12, 12, 14, 14, 12], 4),
        # 20 reaches down to 16; 14 to 11.2, so 12; 11 to 8.8, so 10; 1
        ("from-above", [20, 1, 11, 11, 14, 14, 14, 11], 4),
        # edges 1, 1.25, ..., 9.31, 11.64, 14.55, 18.19, 22.74
        ("grid-maxima", [20, 1, 11, 11, 14, 14, 14, 11], 4),
        ("grid-edges", [22, 1, 11, 11, 14, 14, 14, 11], 4),
    ],
)
def test_classes_worked_by_hand(placement: str, estimates: list[int], classes: int) -> None:
    made = placed(HAND, 0.25, placement)
    assert made.estimate_s.tolist() == estimates
    assert made.classes == classes
    errors = [e / t - 1 for e, t in zip(estimates, HAND.tolist(), strict=True)]
    assert made.mean_error == pytest.approx(sum(errors) / 8)
    assert made.largest_error == pytest.approx(max(errors))


@pytest.mark.parametrize(("placement", "estimate"), [("grid-maxima", 7), ("grid-edges", 8)])
def test_a_grid_of_doublings_has_whole_edges(placement: str, estimate: int) -> None:
    made = placed(np.array([4, 7, 8, 1 << 37]), 1.0, placement)
    assert made.estimate_s[:2].tolist() == [estimate, estimate]  # 8 opens a class of its own
    assert made.estimate_s[2] == {7: 8, 8: 16}[estimate]
    assert made.estimate_s[3] == (1 << 37) * (estimate - 6)


def test_whole_edges_of_other_grids_are_exact() -> None:
    # edges 1, 10, 100, 1000; the logarithm of 1000 to the base 10 is 2.9999999999999996 in floats
    made = placed(np.array([99, 100, 999, 1000]), 9.0, "grid-edges")
    assert made.estimate_s.tolist() == [100, 1000, 1000, 10_000]


def test_an_edge_that_floats_would_miss_is_found() -> None:
    # 1.00000000001 to the power 2630842023664 is 266441418002.0009; the logarithm says one more
    time = 266_441_418_002
    made = placed(np.array([time]), 1e-11, "grid-edges")
    assert made.estimate_s.tolist() == [time]


@EVERY
def test_the_bound_is_the_decimal_that_was_written(placement: str) -> None:
    # 1.1 x 70 is 77 and not the 77.00000000000001 or 76.99999999999999 of floats
    for run in (10, 30, 70, 110, 1130, 99990):
        top = run * 11 // 10
        both = np.array([run, top, top + 1])
        made = placed(both, 0.1, placement)
        assert made.estimate_s[0] >= run
        assert Fraction(int(made.estimate_s[0]), run) <= Fraction(11, 10)
        if placement == "from-below":
            assert made.estimate_s.tolist() == [top, top, top + 1]
            assert made.largest_error == 0.1


@EVERY
@given(runs=RUNS, most=ERRORS)
@FEW
@example(runs=[1 << 37, 3 << 35, LATEST_S - 1], most=0.5)
@example(runs=[0, 0], most=0.1)
@example(runs=[0, 1, 2], most=1.0)
def test_an_estimate_is_never_short_and_never_beyond_the_bound(
    placement: str, runs: list[int], most: float
) -> None:
    made = placed(np.array(runs), most, placement)
    bound = Fraction(f"{most:.15g}")
    for run, estimate in zip(runs, made.estimate_s.tolist(), strict=True):
        assert run <= estimate
        assert estimate == 1 if run == 0 else estimate - run <= bound * run
    assert made.zero_runs == runs.count(0)
    of_some = {each for run, each in zip(runs, made.estimate_s.tolist(), strict=True) if run}
    assert made.classes == len(of_some) + (0 in runs)


@EVERY
@given(runs=RUNS, most=ERRORS, seed=st.integers(0, 9))
@FEW
def test_order_and_repetition_change_nothing(
    placement: str, runs: list[int], most: float, seed: int
) -> None:
    jobs = np.array(runs)
    order = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(jobs)), 2))
    once = placed(jobs, most, placement)
    again = placed(jobs[order], most, placement)
    assert again.estimate_s.tolist() == once.estimate_s[order].tolist()
    assert (again.classes, again.zero_runs) == (once.classes, 2 * once.zero_runs)


@EVERY
@given(runs=RUNS, most=ERRORS)
@FEW
def test_longer_runs_have_no_shorter_estimates(
    placement: str, runs: list[int], most: float
) -> None:
    made = placed(np.sort(np.array(runs)), most, placement)
    assert (np.diff(made.estimate_s) >= 0).all()


@EVERY
def test_long_runs_are_looked_up_like_short_ones(placement: str) -> None:
    rng = np.random.default_rng(3)
    short = rng.integers(1, 1 << 19, 500)
    long = np.append(short, 1 << 30)  # beyond the table
    for most in (0.05, 0.6):
        made = placed(short, most, placement)
        other = placed(long, most, placement)
        if placement != "from-above":
            assert other.estimate_s[:-1].tolist() == made.estimate_s.tolist()
        assert other.classes == made.classes + 1


@EVERY
def test_no_error_is_allowed_means_exact(placement: str) -> None:
    made = placed(np.array([7, 9, 7, 0]), 0, placement)
    assert made.estimate_s.tolist() == [7, 9, 7, 1]
    assert (made.classes, made.zero_runs) == (3, 1)
    assert made.mean_error == made.largest_error == 0


def fewest_classes(times: list[int], most: Fraction) -> int:
    """By trying all ways to cut the sorted times."""
    for cuts in range(len(times)):
        for ends in combinations(range(1, len(times)), cuts):
            edges = [0, *ends, len(times)]
            parts = [times[a:b] for a, b in pairwise(edges)]
            if all(part[-1] - part[0] <= most * part[0] for part in parts):
                return cuts + 1
    return 0


@given(
    runs=st.sets(st.integers(1, 60), min_size=1, max_size=9),
    most=st.sampled_from([0.1, 0.25, 0.5, 1.0, 3.0]),
)
def test_no_cover_has_fewer_classes_than_the_greedy_ones(runs: set[int], most: float) -> None:
    fewest = fewest_classes(sorted(runs), Fraction(str(most)))
    jobs = np.array(sorted(runs))
    assert placed(jobs, most, "from-below").classes == fewest
    assert placed(jobs, most, "from-above").classes == fewest
    assert placed(jobs, most, "grid-maxima").classes >= fewest


@EVERY
@given(runs=RUNS, most=ERRORS, more=ERRORS)
@FEW
def test_a_looser_bound_needs_no_more_classes(
    placement: str, runs: list[int], most: float, more: float
) -> None:
    if placement.startswith("grid"):
        more = (1 + most) ** 2 - 1  # every second edge
        if more > LARGEST_ERROR or most != round(most, 6):
            return
    low, high = sorted((most, more))
    assert (
        placed(np.array(runs), high, placement).classes
        <= placed(np.array(runs), low, placement).classes
    )


@given(runs=RUNS, most=st.sampled_from([0.1, 0.25, 0.5, 1.0]))
def test_every_second_edge_gives_no_smaller_estimates(runs: list[int], most: float) -> None:
    jobs = np.array(runs)
    twice = float(Fraction(str(most)) ** 2 + 2 * Fraction(str(most)))
    for placement in ("grid-maxima", "grid-edges"):
        fine, coarse = placed(jobs, most, placement), placed(jobs, twice, placement)
        assert (fine.estimate_s <= coarse.estimate_s).all()


@given(runs=RUNS, most=ERRORS)
def test_edges_are_maxima_rounded_up(runs: list[int], most: float) -> None:
    jobs = np.array(runs)
    maxima, edges = (placed(jobs, most, item) for item in ("grid-maxima", "grid-edges"))
    assert (maxima.estimate_s <= edges.estimate_s).all()
    assert maxima.classes == edges.classes


@pytest.mark.parametrize(
    ("most", "classes", "mean"), [(0.1, 97, 0.0490), (0.5, 23, 0.2314), (1.0, 14, 0.4343)]
)
def test_errors_of_log_uniform_run_times_follow_the_closed_form(
    most: float, classes: int, mean: float
) -> None:
    # microseconds from 10 s to 1e5 s; inside a class of width 1 + e the mean is e / ln(1 + e) - 1,
    # and the last class, cut short by the longest run, pulls the mean below it
    rng = np.random.default_rng(20110707)
    runs = np.exp(rng.uniform(log(1e7), log(1e11), 200_000)).astype(np.int64)
    closed = most / log(1 + most) - 1
    result = {item: placed(runs, most, item) for item in PLACEMENTS}
    for greedy in (result["from-below"], result["from-above"]):
        assert greedy.classes == classes
        assert greedy.mean_error == pytest.approx(mean, abs=0.0025)
        assert greedy.mean_error == pytest.approx(closed, rel=0.025)
        assert greedy.largest_error is not None
        assert greedy.largest_error <= most * (1 + 1e-12)
    # upper edges have no class that is cut short, but for parts of classes at both ends
    assert result["grid-edges"].mean_error == pytest.approx(closed, rel=0.005)


@needs_data
def test_a_real_log_has_108_classes_within_a_tenth() -> None:
    runs = read_job_log(TRACES / "SDSC-BLUE.swf.gz").run_s
    result = {item: placed(runs, 0.1, item) for item in PLACEMENTS}
    assert {name: item.classes for name, item in result.items()} == {
        "from-below": 108,
        "from-above": 108,
        "grid-maxima": 114,
        "grid-edges": 114,
    }
    percent = {name: round(100 * (item.mean_error or 0), 2) for name, item in result.items()}
    assert percent == {
        "from-below": 4.84,
        "from-above": 4.49,
        "grid-maxima": 4.49,
        "grid-edges": 4.50,
    }


@EVERY
def test_without_runs_there_is_no_error(placement: str) -> None:
    made = placed(np.array([], np.int64), 0.1, placement)
    assert (made.classes, made.zero_runs, len(made.estimate_s)) == (0, 0, 0)
    assert made.mean_error is None
    assert placed(np.array([0]), 0.1, placement).largest_error is None


def test_mean_errors_worked_by_hand() -> None:
    # 10 and 11 share a class at 10 %, 20 and 30 at 50 %; the run of 0 s is part of no mean
    row = mean_errors(np.array([10, 11, 20, 30, 0]), (10, 50))[0]
    assert row.placement == "from-below"
    assert row.mean_error_percent == pytest.approx((100 * 0.1 / 4, 100 * (0.1 + 0.5) / 4))
    assert row.classes == (4, 3)
    assert mean_errors(np.array([0]), (10,))[0].mean_error_percent == (None,)


def test_the_closed_form_of_log_uniform_run_times() -> None:
    assert [round(closed_form(most), 2) for most in (0, 10, 20, 100)] == [0, 4.92, 9.70, 44.27]
