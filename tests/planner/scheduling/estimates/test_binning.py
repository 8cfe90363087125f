"""The bounded-error oracle: by hand, against brute force, a closed form, and laws."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import log

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from planner.errors import InputError
from planner.scheduling.estimates.binning import binned
from scenarios.job_logs.job_log import LATEST_S
from scenarios.job_logs.reader import read_job_log
from tests.shared_data import TRACES, needs_data

HAND = np.array([20, 1, 10, 11, 12, 13, 14, 10])
ERRORS = st.sampled_from([0.0, 0.001, 0.1, 0.25, 0.3, 0.5, 0.7, 1.0, 2.0, 10.0]) | st.floats(0, 10)
RUNS = st.lists(st.integers(0, 300) | st.integers(0, LATEST_S - 1), min_size=1, max_size=40)


def test_classes_worked_by_hand() -> None:
    # 1; 10 reaches 12.5, so 12; 13 reaches 16.25, so 14; 20
    made = binned(HAND, 0.25)
    estimates = [20, 1, 12, 12, 12, 14, 14, 12]
    assert made.estimate_s.tolist() == estimates
    assert made.classes == 4
    errors = [e / t - 1 for e, t in zip(estimates, HAND.tolist(), strict=True)]
    assert made.mean_error == pytest.approx(sum(errors) / 8)
    assert made.largest_error == pytest.approx(max(errors))


def test_the_bound_is_the_decimal_that_was_written() -> None:
    # 1.1 x 70 is 77 and not the 77.00000000000001 or 76.99999999999999 of floats
    for run in (10, 30, 70, 110, 1130, 99990):
        top = run * 11 // 10
        both = np.array([run, top, top + 1])
        made = binned(both, 0.1)
        assert made.estimate_s.tolist() == [top, top, top + 1]
        assert made.largest_error == 0.1


@given(runs=RUNS, most=ERRORS)
@example(runs=[1 << 37, 3 << 35, LATEST_S - 1], most=0.5)
@example(runs=[0, 0], most=0.1)
@example(runs=[0, 1, 2], most=1.0)
def test_an_estimate_is_never_short_and_never_beyond_the_bound(
    runs: list[int], most: float
) -> None:
    made = binned(np.array(runs), most)
    bound = Fraction(f"{most:.15g}")
    for run, estimate in zip(runs, made.estimate_s.tolist(), strict=True):
        assert run <= estimate
        assert estimate == 1 if run == 0 else estimate - run <= bound * run
    assert made.zero_runs == runs.count(0)
    of_some = {each for run, each in zip(runs, made.estimate_s.tolist(), strict=True) if run}
    assert made.classes == len(of_some) + (0 in runs)


@given(runs=RUNS, most=ERRORS, seed=st.integers(0, 9))
def test_order_and_repetition_change_nothing(runs: list[int], most: float, seed: int) -> None:
    jobs = np.array(runs)
    order = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(jobs)), 2))
    once = binned(jobs, most)
    again = binned(jobs[order], most)
    assert again.estimate_s.tolist() == once.estimate_s[order].tolist()
    assert (again.classes, again.zero_runs) == (once.classes, 2 * once.zero_runs)


@given(runs=RUNS, most=ERRORS)
def test_longer_runs_have_no_shorter_estimates(runs: list[int], most: float) -> None:
    made = binned(np.sort(np.array(runs)), most)
    assert (np.diff(made.estimate_s) >= 0).all()


def test_long_runs_are_looked_up_like_short_ones() -> None:
    rng = np.random.default_rng(3)
    short = rng.integers(1, 1 << 19, 500)
    long = np.append(short, 1 << 30)  # beyond the table
    for most in (0.05, 0.6):
        made = binned(short, most)
        other = binned(long, most)
        assert other.estimate_s[:-1].tolist() == made.estimate_s.tolist()
        assert other.classes == made.classes + 1


def test_no_error_is_allowed_means_exact() -> None:
    made = binned(np.array([7, 9, 7, 0]), 0)
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
def test_no_cover_has_fewer_classes(runs: set[int], most: float) -> None:
    fewest = fewest_classes(sorted(runs), Fraction(str(most)))
    jobs = np.array(sorted(runs))
    assert binned(jobs, most).classes == fewest


@given(runs=RUNS, most=ERRORS, more=ERRORS)
def test_a_looser_bound_needs_no_more_classes(runs: list[int], most: float, more: float) -> None:
    low, high = sorted((most, more))
    assert binned(np.array(runs), high).classes <= binned(np.array(runs), low).classes


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
    result = binned(runs, most)
    assert result.classes == classes
    assert result.mean_error == pytest.approx(mean, abs=0.0025)
    assert result.mean_error == pytest.approx(closed, rel=0.025)
    assert result.largest_error is not None
    assert result.largest_error <= most * (1 + 1e-12)


@needs_data
def test_a_real_log_has_108_classes_within_a_tenth() -> None:
    runs = read_job_log(TRACES / "SDSC-BLUE.swf.gz").run_s
    result = binned(runs, 0.1)
    assert (result.classes, round(100 * (result.mean_error or 0), 2)) == (108, 4.84)


def test_without_runs_there_is_no_error() -> None:
    made = binned(np.array([], np.int64), 0.1)
    assert (made.classes, made.zero_runs, len(made.estimate_s)) == (0, 0, 0)
    assert made.mean_error is None
    assert binned(np.array([0]), 0.1).largest_error is None


@pytest.mark.parametrize("most", [-0.1, float("nan"), float("inf"), 10.5])
def test_a_bound_that_bounds_nothing_is_refused(most: float) -> None:
    with pytest.raises(InputError, match="give a fraction of the run time from 0"):
        binned(HAND, most)


def test_run_times_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match=r"run_s\[1\] = -3 is not a valid run time"):
        binned(np.array([5, -3]), 0.1)
    with pytest.raises(InputError, match=r"run_s\[0\] = 274877906944"):
        binned(np.array([LATEST_S]), 0.1)
    with pytest.raises(InputError, match="not whole"):
        binned(np.array([1.5]), 0.1)
