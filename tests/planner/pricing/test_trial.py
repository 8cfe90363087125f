"""Trials on the simulated node, and their scores."""

from __future__ import annotations

import numpy as np
import pytest

from planner.errors import InputError
from planner.pricing.estimators.estimator import Observation, Polling
from planner.pricing.estimators.registry import ESTIMATORS
from planner.pricing.fairness import Fairness
from planner.pricing.overhead import Shutter
from planner.pricing.scoring import HiddenTimes, hidden_times, policies, relative_prices, score
from planner.pricing.trial import (
    Trial,
    TrialSettings,
    run_trial,
    with_error,
)
from planner.pricing.windows import blocks_of_windows, reading_share
from scenarios.simulated.shared_node.applications import find_shared_application
from scenarios.simulated.shared_node.play import ShutterSchedule, play
from scenarios.simulated.shared_node.settings import NodeSettings

PAIR = (find_shared_application("LAMMPS"), find_shared_application("MILC"))
SETTINGS = TrialSettings(iterations=1, polling_errors=(0.0, 0.3))


@pytest.fixture(scope="module")
def trial() -> Trial:
    return run_trial(PAIR, (0, 1), SETTINGS)


@pytest.fixture(scope="module")
def hidden() -> HiddenTimes:
    return hidden_times(PAIR, SETTINGS)


def test_a_trial_has_every_pair_and_the_busy_loop(trial: Trial) -> None:
    assert trial.perf.shape == (2, len(SETTINGS.methods), 2, 3)
    assert np.isfinite(trial.perf).all()
    assert (trial.low <= trial.perf).all()
    assert (trial.perf <= trial.high).all()
    assert (trial.run_s > 30).all()
    assert (trial.paused_s < 0.02 * trial.run_s).all()


def test_seeds_give_the_same_estimates_alone_and_together(trial: Trial) -> None:
    alone = run_trial(PAIR, (1,), SETTINGS)
    single = [k for k, (name, _) in enumerate(trial.methods) if name != "shrinkage"]
    assert (alone.perf[0, single] == trial.perf[1, single]).all()


def test_estimators_find_the_hidden_ratio_within_their_intervals(
    trial: Trial, hidden: HiddenTimes
) -> None:
    spin = trial.method("spin")
    assert hidden.perf[1, 1] < 0.75
    assert hidden.perf[:, 2] == pytest.approx([1.0, 1.0])
    assert trial.perf[:, spin].mean(axis=0) == pytest.approx(hidden.perf, abs=0.05)
    result = {each.estimator: each for each in score(trial, hidden) if each.polling_error == 0}
    assert result["algorithm-4"].phantom_discount > 0.05
    assert abs(result["spin"].phantom_discount) < 0.03
    assert result["spin"].coverage >= 0.75
    assert result["spin"].mean_absolute_error < 0.6 * result["algorithm-4"].mean_absolute_error


def test_policies_of_the_trial_are_ordered_as_in_the_paper(
    trial: Trial, hidden: HiddenTimes
) -> None:
    result = policies(trial, hidden, trial.method("spin"))
    assert result["oracle"].jain == pytest.approx(1.0)
    assert result["oracle"].phantom_discount == pytest.approx(0.0, abs=0.01)
    assert result["state-of-practice"].mean_discount < 0 < result["oracle"].mean_discount
    assert result["headroom"].price_error < result["state-of-practice"].price_error
    assert all(isinstance(each, Fairness) for each in result.values())


def by_hand(perf: float) -> tuple[Trial, HiddenTimes]:
    """One application that takes 80 s alone and 100 s with itself; one estimator."""
    cell = np.array([[[[perf, 1.0]]]])
    times = np.array([[[100.0, 80.0]]])
    nothing = np.zeros((1, 1, 2))
    trial = Trial(
        ("A",),
        (("unfiltered", 0.0),),
        cell,
        cell - 0.02,
        cell + 0.02,
        np.zeros_like(cell),
        times,
        nothing,
        nothing,
        np.zeros((1, 1)),
        np.zeros((1, 1)),
        (0,),
        (),
    )
    return trial, HiddenTimes(np.array([80.0]), np.array([[100.0, 80.0]]))


def test_scores_by_hand() -> None:
    # perf 0.8 is estimated as 0.75: run time predicted 1 / 15 too long, price 0.5625 / 0.64
    trial, hidden = by_hand(0.75)
    (result,) = score(trial, hidden)
    assert result.mean_absolute_error == pytest.approx(1 / 15)
    assert (result.bias, result.largest_error) == pytest.approx((1 / 15, 1 / 15))
    assert result.price_error == pytest.approx(1 - 0.5625 / 0.64)
    assert (result.coverage, result.price_coverage) == (0.0, 0.0)
    assert result.phantom_discount == pytest.approx(0.0)
    assert score(*by_hand(0.79))[0].coverage == 1.0


def test_measuring_is_not_charged_to_our_price_but_to_poppas() -> None:
    trial, hidden = by_hand(0.8)
    longer = Trial(**{**vars(trial), "run_s": trial.run_s + 1, "paused_s": trial.paused_s + 1})
    assert relative_prices(longer, hidden, 0) == pytest.approx(relative_prices(trial, hidden, 0))
    poppa = Trial(**{**vars(longer), "methods": (("algorithm-4", 0.0),)})
    assert relative_prices(poppa, hidden, 0)[0, 0, 0] == pytest.approx(1.01)


def test_reading_is_seen_on_the_clock() -> None:
    # two jobs of 40 us a reading, and each is delayed half of the time: 40 / 3,280
    windows = play(PAIR, ShutterSchedule(placebo_share=0.25, most_rounds=40))
    assert reading_share(windows, Shutter()) == pytest.approx(40 / 3_280, rel=1e-6)
    assert reading_share(windows, Shutter(), crowded=False) == 0.0
    quiet = play(PAIR, ShutterSchedule(most_rounds=8), NodeSettings(base_cost=False))
    assert reading_share(quiet, Shutter()) == pytest.approx(0.0, abs=1e-9)


def test_without_placebo_rounds_reading_is_taken_from_real_ones() -> None:
    # four readings of 80 us, two of 40 us and two signals of 25 us: 450 us over 5 readings
    windows = play(PAIR, ShutterSchedule(most_rounds=8))
    assert reading_share(windows, Shutter()) == pytest.approx(45 / 3_290, rel=1e-6)


def test_blocks_of_windows_hold_the_sampled_shares() -> None:
    windows = play(PAIR, ShutterSchedule(placebo_share=0.2, most_rounds=50))
    blocks = blocks_of_windows(windows, 0)
    assert len(blocks.placebo) == 10
    assert len(blocks.real) == 20
    assert 0.02 < np.nanmean(blocks.waiting) < 0.15
    assert blocks.dropped == 0


def test_a_job_alone_on_its_node_is_never_measured() -> None:
    settings = NodeSettings(iterations=1)
    blocks = blocks_of_windows(play(PAIR[:1], ShutterSchedule(gap_us=1e6), settings), 0)
    found = ESTIMATORS["spin"].estimate(Observation(blocks))
    assert (found.perf, found.low, found.high) == (1.0, 0.0, 1.0)


def test_an_error_of_the_polling_ipc_is_put_on_and_stated() -> None:
    result = with_error(Polling(1.6, 0.03), 0.1, -1.0)
    assert result is not None
    assert (result.ipc, result.ipc_error) == pytest.approx((1.44, np.hypot(0.03, 0.1)))
    assert with_error(None, 0.1, 1.0) is None


def test_trials_of_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="at least one application"):
        run_trial((), (0,))
    with pytest.raises(InputError, match="none below 0"):
        TrialSettings(polling_errors=(-0.1,))
    with pytest.raises(InputError, match="is unknown"):
        TrialSettings(estimators=("magic",))
    with pytest.raises(InputError, match="hidden run times have shape"):
        score(by_hand(0.8)[0], HiddenTimes(np.ones(2), np.ones((2, 3))))
