"""Which jobs are measured, and how sure their mean is."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import lfilter

from planner.errors import InputError
from planner.replications.batch_means import BATCHES, CHOICES, LARGE, SMALL, batch_means
from planner.scheduling.simulation.paired_jobs import paired_difference
from planner.scheduling.simulation.schedule import NEVER, JobSchedule
from planner.scheduling.simulation.trimming import (
    all_measured,
    mser,
    trim_by_mser,
    trim_by_share,
)
from tests.planner.scheduling.simulation.literal import made_log, schedule_of
from tests.planner.scheduling.simulation.published import published
from tests.shared_data import needs_data


def waits(values: list[int], gap_s: int = 100) -> JobSchedule:
    """Jobs submitted at equal gaps that wait so long, on a machine with room for all."""
    log = made_log([(gap_s * i, 10, 1, 10) for i in range(len(values))])
    return schedule_of(log, len(values) + 1, log.submit_s + np.array(values, np.int64))


def test_shares_leave_out_the_ends() -> None:
    schedule = waits([0] * 10)
    by_share = trim_by_share(schedule, 0.25, 0.1)
    assert by_share.jobs.tolist() == [False] * 2 + [True] * 7 + [False]
    assert (by_share.start_s, by_share.end_s) == (200, 800)
    whole = all_measured(schedule)
    assert whole.jobs.all()
    assert (whole.start_s, whole.end_s) == (0, 910)


def literal_mser(values: list[float]) -> int:
    """The rule as its author wrote it: squares of what is left over the square of its number."""
    batches = [sum(values[i : i + 5]) / 5 for i in range(0, len(values) - 4, 5)]
    scores = []
    for cut in range(len(batches) // 2 + 1):
        left = batches[cut:]
        mean = sum(left) / len(left)
        scores.append(sum((x - mean) ** 2 for x in left) / len(left) ** 2)
    return 5 * scores.index(min(scores))


@pytest.mark.parametrize("seed", range(10))
def test_mser_is_the_literal_rule(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.normal(10, 1, 300) + 30 * np.exp(-np.arange(300) / 20)
    cut, settled = mser(values)
    assert cut == literal_mser(values.tolist())
    assert settled
    assert 30 <= cut <= 150


def test_mser_leaves_out_the_jump_and_keeps_a_steady_series() -> None:
    jump = [1000] * 40 + [10, 11, 9, 10, 10] * 40
    trimmed = trim_by_mser(waits(jump))
    assert int(np.flatnonzero(trimmed.jobs)[0]) == 40
    assert trimmed.settled
    steady = np.random.default_rng(0).integers(90, 110, 400).tolist()
    assert trim_by_mser(waits(steady)).jobs.sum() > 300


def test_mser_says_where_nothing_settles() -> None:
    trimmed = trim_by_mser(waits(list(range(0, 40_000, 100))))
    assert not trimmed.settled
    assert int(np.flatnonzero(trimmed.jobs)[0]) == 200


def test_mser_on_the_queue_cuts_by_time() -> None:
    """Each of the first 100 jobs waits for 5,000 s, so that 50 are in the queue; later ones 100."""
    schedule = waits([5_000] * 100 + [100] * 500)
    trimmed = trim_by_mser(schedule, "queue", interval_s=500, cool_down=0.1)
    first, last = np.flatnonzero(trimmed.jobs)[[0, -1]]
    assert 9_500 <= schedule.submit_s[first] <= 17_500
    assert last == 539
    assert "queue" in trimmed.rule


@needs_data
def test_a_real_log_has_a_warm_up_that_is_short() -> None:
    schedule = published("SDSC-SP2-10k_easy_pyss-2007")
    trimmed = trim_by_mser(schedule, "queue")
    assert 0 < trimmed.jobs.sum() <= len(schedule)


def test_what_cannot_be_trimmed_is_refused() -> None:
    schedule = waits([0] * 10)
    with pytest.raises(InputError, match="shares from 0 whose sum is below 1"):
        trim_by_share(schedule, 0.5, 0.5)
    with pytest.raises(InputError, match="shares from 0"):
        trim_by_share(schedule, math.nan, 0)
    with pytest.raises(InputError, match="10 values cannot show a warm-up"):
        trim_by_mser(schedule)
    with pytest.raises(InputError, match="'x' is not known; choose wait or queue"):
        trim_by_mser(schedule, "x")


# --- batch means ---------------------------------------------------------------------------------


def test_an_interval_worked_by_hand() -> None:
    """Batch means 1, 3, 2, 6: mean 3, variance 14/3; t of 3 degrees at 97.5 % is 3.182446."""
    interval = batch_means([0, 2, 2, 4, 1, 3, 5, 7], batches=4)
    assert interval.mean == 3
    assert interval.half_width == pytest.approx(3.182446 * math.sqrt(14 / 3 / 4), rel=1e-6)
    # deviations -2, 0, -1, 3: (0 + 0 - 3) / 14
    assert interval.lag_1 == pytest.approx(-3 / 14)
    assert interval.warning == ""
    assert not interval.tells_apart
    assert (interval.batches, interval.least_batch) == (4, 2)


def test_batches_differ_by_one_job_at_most() -> None:
    interval = batch_means(np.arange(103.0), batches=10)
    assert interval.least_batch == 10
    assert interval.mean == 51
    assert "lag-1 autocorrelation" in interval.warning
    assert "leave the number of batches to the program" in interval.warning
    assert batch_means(np.ones(40)).lag_1 is None


def test_intervals_hold_the_true_mean_as_often_as_they_say() -> None:
    """Of 400 intervals at 90 %, 360 +- 3 x 6 hold the mean of independent draws."""
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(400):
        interval = batch_means(rng.exponential(1.0, 400), confidence=0.9)
        held += interval.low <= 1 <= interval.high
    assert 342 <= held <= 378


def hanging_together(rng: np.random.Generator, over: float, length: int) -> NDArray[np.float64]:
    """An autoregressive series around 0 in its steady state."""
    keeps = math.exp(-1 / over)
    result: NDArray[np.float64] = lfilter([1], [1, -keeps], rng.standard_normal(length + 5000))
    return result[5000:]


def test_batches_are_made_longer_until_neighbours_are_no_longer_alike() -> None:
    """Series that hang together over 100 of 2,000 values: 20 batches cover 78 % of them, not 95."""
    rng = np.random.default_rng(3)
    held = fixed = narrow = 0
    for _ in range(300):
        x = hanging_together(rng, 100, 2000)
        found, twenty = batch_means(x), batch_means(x, BATCHES)
        held += found.low <= 0 <= found.high
        fixed += twenty.low <= 0 <= twenty.high
        narrow += bool(found.warning)
        assert found.batches in CHOICES
        assert found.warning or (found.lag_1 is not None and found.lag_1 <= SMALL)
    assert fixed < 0.82 * 300
    assert held > 0.85 * 300
    assert narrow < 0.55 * 300
    assert batch_means(rng.normal(size=2000)).warning == ""


def test_a_log_as_long_as_the_warning_asks_for_has_a_sound_interval() -> None:
    rng = np.random.default_rng(4)
    sound = covered_cases = 0
    for _ in range(60):
        interval = batch_means(hanging_together(rng, 300, 2000))
        if interval.jobs_needed is None:
            continue
        covered_cases += 1
        words = f"Use a log with about {interval.jobs_needed:,} measured jobs"
        assert words in interval.warning
        assert "give fewer" not in interval.warning
        sound += not batch_means(hanging_together(rng, 300, interval.jobs_needed)).warning
    assert covered_cases > 40
    assert sound > 0.8 * covered_cases


def test_a_warning_gives_the_autocorrelation_of_the_batches_that_it_names() -> None:
    rng = np.random.default_rng(6)
    kinds = set()
    for over in (60, 100, 200, 400):
        for _ in range(60):
            x = hanging_together(rng, over, 2000)
            found = batch_means(x)
            twenty = batch_means(x, BATCHES).lag_1 or 0.0
            passes = found.lag_1 is not None and found.lag_1 <= SMALL
            assert bool(found.warning) == (twenty > LARGE or not passes)
            if twenty > LARGE:
                assert "means of 20 batches" in found.warning
                assert f"lag-1 autocorrelation of {twenty:.2f} (limit 0.5)" in found.warning
            elif not passes:
                assert "means of 5 long batches" in found.warning
                assert f"lag-1 autocorrelation of {found.lag_1:.2f} (limit 0.1)" in found.warning
            kinds.add((twenty > LARGE, passes))
    assert kinds == {(False, True), (False, False), (True, True), (True, False)}


def test_a_trend_is_beyond_any_longer_log() -> None:
    interval = batch_means(
        np.concatenate([np.zeros(4000), np.full(4000, 9.0)]) + np.arange(8000) / 99
    )
    assert interval.jobs_needed is None or interval.jobs_needed >= 5 * 8000
    assert "is too narrow" in interval.warning


def test_pairs_tell_apart_what_two_intervals_do_not() -> None:
    rng = np.random.default_rng(2)
    base = rng.integers(0, 10_000, 400)
    first, second = waits(base.tolist()), waits((base + 20 + rng.integers(0, 20, 400)).tolist())
    apart = [batch_means(item.wait_s) for item in (first, second)]
    assert apart[0].high > apart[1].low
    interval = paired_difference(first, second)
    assert interval.tells_apart
    assert interval.mean == pytest.approx((second.wait_s - first.wait_s).mean())
    assert paired_difference(second, first).mean == -interval.mean
    slowed = paired_difference(first, second, "bounded_slowdown")
    assert slowed.mean == pytest.approx(interval.mean / 10, rel=0.05)


def test_pairs_are_matched_by_number_and_only_where_both_start() -> None:
    first = waits([10] * 50)
    second = waits([13] * 50)
    second = replace(second, start_s=np.where(np.arange(50) == 7, NEVER, second.start_s))
    shuffled = second.take(np.random.default_rng(0).permutation(50))
    for other in (second, shuffled):
        interval = paired_difference(first, other, batches=10)
        assert (interval.mean, interval.half_width) == (3, 0)
    trimmed = paired_difference(first, second, measured=trim_by_share(first, 0.5, 0), batches=5)
    assert trimmed.least_batch == 5


def test_schedules_of_other_jobs_are_not_compared() -> None:
    with pytest.raises(InputError, match="not of the same jobs"):
        paired_difference(waits([0] * 50), waits([0] * 49))
    with pytest.raises(InputError, match="not of the same jobs"):
        paired_difference(waits([0] * 50), waits([0] * 50, gap_s=99))
    with pytest.raises(InputError, match="not of the same jobs"):
        paired_difference(waits([0] * 50), waits([]))
    with pytest.raises(InputError, match="'x' is not known; choose wait or turnaround"):
        paired_difference(waits([0] * 50), waits([0] * 50), "x")


def test_series_without_an_interval_are_refused() -> None:
    with pytest.raises(InputError, match="39 jobs cannot fill 20 batches"):
        batch_means(np.zeros(39))
    with pytest.raises(InputError, match="give at least 2"):
        batch_means(np.zeros(39), batches=1)
    with pytest.raises(InputError, match="confidence = 1 is not between"):
        batch_means(np.zeros(40), confidence=1.0)
    with pytest.raises(InputError, match="not finite"):
        batch_means([np.inf] * 40)


@needs_data
def test_backfilling_beats_fcfs_on_a_real_log_beyond_chance() -> None:
    fcfs, easy = (published(f"SDSC-SP2-10k_{name}_pyss-2007") for name in ("fcfs", "easy"))
    interval = paired_difference(easy, fcfs)
    assert interval.mean == pytest.approx(26_898.4466 - 6_719.4663, abs=1e-3)
    assert interval.low > 0
