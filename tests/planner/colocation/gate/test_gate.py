"""Parts of the gate: its distribution, novelty, probes, separation, and what decisions cost."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest

from planner.colocation.gate.charges import charged, shared_makespan
from planner.colocation.gate.distribution import Distribution
from planner.colocation.gate.gate import GateRule, JudgedPairs, learn
from planner.colocation.gate.inputs import run_variance
from planner.colocation.gate.novelty import novelty
from planner.colocation.gate.probes import probe_values
from planner.colocation.gate.process import fit
from planner.colocation.gate.separation import early
from planner.colocation.gate.simulated import Campaign, six_applications
from scenarios.pairs.watched import Watched

LIMIT = log(1.1)


@pytest.fixture(scope="module")
def data() -> Campaign:
    return six_applications("tangram-two-node", 0)


def watched(speeds: tuple[float, float], waiting: float = 0.0, polling: float = 0.0) -> Watched:
    """20 rounds without noise; together ranks poll for a share ``waiting`` of their cycles."""
    shuttered = np.arange(20) % 2
    cycles = np.full((20, 3, 1, 2), 1e8)
    cycles[np.arange(20), 1, 0, 1 - shuttered] = np.nan
    rate = np.ones((20, 3, 1, 2))
    rate[:, [0, 2]] = np.array(speeds) + polling * waiting
    shares = np.zeros((20, 3, 2))
    shares[:, [0, 2]] = waiting
    return Watched(10.0, 0.05, rate * cycles, cycles, shares, shuttered, 5e5 * np.arange(20.0))


def test_early_makespan_worked_by_hand() -> None:
    """100 s at speed 0.5 end at 200 s; the other job did 160 of its 300 s: (200 + 140) / 400."""
    result = early(watched((0.5, 0.8)), (100.0, 300.0))
    assert result.log_makespan == pytest.approx(log(340 / 400))
    assert result.log_separated == pytest.approx(log((400 + 10 * 0.2 + 2) / 400))
    assert not result.separate


def test_polling_hides_a_bad_co_run_unless_it_is_taken_off() -> None:
    from planner.pricing.estimators.estimator import Polling

    seen = watched((0.2, 0.2), waiting=0.8, polling=0.9)
    assert not early(seen, (100.0, 100.0)).separate
    corrected = early(seen, (100.0, 100.0), Polling(0.9))
    assert corrected.separate
    assert corrected.log_makespan == pytest.approx(log(500 / 200), abs=0.01)


def test_novelty_worked_by_hand() -> None:
    """Known at 0, 1 and 3: the largest distance to a neighbour is 2; 9 is 6 away."""
    known = np.array([[0.0], [1.0], [3.0]])
    assert novelty(known, np.array([9.0])) == pytest.approx(3.0)
    assert novelty(known, np.array([1.0])) == 0.0
    assert novelty(np.ones((3, 1)), np.array([1.0])) == 0.0
    assert novelty(np.ones((3, 1)), np.array([2.0])) == float("inf")


def test_a_probe_moves_what_is_correlated_and_narrows_it() -> None:
    now = Distribution(np.array([0.0, 0.0]), np.array([[0.04, 0.02], [0.02, 0.04]]), np.zeros(2))
    after = now.after(0, -0.3, 0.0)
    assert after.mean == pytest.approx([-0.3, -0.15])
    assert np.diag(after.covariance) == pytest.approx([0.0, 0.03])


def test_the_value_of_a_probe_is_that_of_simulation() -> None:
    rng = np.random.default_rng(0)
    root = rng.normal(size=(4, 4)) * 0.15
    now = Distribution(np.array([-0.3, 0.05, -0.05, 0.3]), root @ root.T, np.full(4, 0.01))
    values = probe_values(now, 0.01, 0.02, 1.28, LIMIT)
    before = now.mean[now.mean < np.minimum(0, LIMIT - 1.28 * now.spread)].sum()
    for row in range(4):
        later = now.after(row, 0.0, 0.01)
        most = np.minimum(0, LIMIT - 1.28 * later.spread)
        draws = rng.standard_normal(40_000)[:, None]
        means = now.mean + draws * now.moved_by(row, 0.01)
        saved = -np.where(means < most, means, 0.0).sum(axis=1)
        assert values[row] == pytest.approx(saved.mean() + before - 0.02, abs=0.004)


def test_variance_of_runs_is_that_of_simulation() -> None:
    rng = np.random.default_rng(0)
    solo, co = (rng.standard_normal((2, 200_000)) * 0.05 for _ in range(2))
    share = 0.3
    weight = np.array([share, 1 - share])
    apart = np.exp(co).T @ weight / (np.exp(solo).T @ weight)
    one = np.exp(solo[0])
    alone = np.exp(co).T @ np.array([0.5, 0.5]) / one
    spread = np.array([0.05])
    result = run_variance(spread, spread, np.array([share, 0.5]), np.array([False, True]))
    assert result[0] == pytest.approx(np.log(apart).var(), rel=0.03)
    assert result[1] == pytest.approx(np.log(alone).var(), rel=0.03)


def test_predictions_do_not_depend_on_the_order_of_the_jobs(data: Campaign) -> None:
    pairs = data.pairs
    rows = np.flatnonzero(~pairs.of(5))
    turned = replace(
        pairs, a=pairs.b, b=pairs.a, profile_a=pairs.profile_b, profile_b=pairs.profile_a
    )
    asked = np.flatnonzero(pairs.of(5))
    one, other = (fit(each, rows).predict(asked) for each in (pairs, turned))
    assert one.mean == pytest.approx(other.mean, abs=1e-3)
    assert one.spread == pytest.approx(other.spread, abs=1e-3)


def test_the_distribution_knows_what_it_learned(data: Campaign) -> None:
    pairs = data.pairs
    rows = np.flatnonzero(~pairs.of(5))
    result = fit(pairs, rows)
    known, unknown = result.predict(rows), result.predict(np.flatnonzero(pairs.of(5)))
    assert np.abs(known.mean - np.log(pairs.makespan[rows])).mean() < 0.1
    assert unknown.spread.mean() > known.spread.mean()


def test_a_gate_sees_no_co_run_that_it_decides(data: Campaign) -> None:
    pairs = data.pairs
    train, test = np.flatnonzero(~pairs.of(3)), np.flatnonzero(pairs.of(3))
    changed = pairs.makespan.copy()
    changed[test] = 1 / changed[test]
    one, other = (
        learn(each, train, GateRule()).judge(3, test, data.probe)
        for each in (pairs, replace(pairs, makespan=changed))
    )
    assert (one.score == other.score).all()
    assert (one.probed == other.probed).all()


def test_at_most_two_probes_and_none_where_they_cost_too_much(data: Campaign) -> None:
    pairs = data.pairs
    train, test = np.flatnonzero(~pairs.of(3)), np.flatnonzero(pairs.of(3))
    gate = learn(pairs, train, GateRule())
    assert 1 <= len(gate.judge(3, test, data.probe).probed) <= 2
    assert len(gate.judge(3, test, data.probe, cost=1e3).probed) == 0
    assert len(gate.judge(3, test).probed) == 0


@pytest.mark.parametrize("makespan", [0.6, 2.0])
def test_with_one_label_the_gate_decides_by_it(data: Campaign, makespan: float) -> None:
    pairs = replace(data.pairs, makespan=np.full(len(data.pairs), makespan))
    train, test = np.flatnonzero(~pairs.of(2)), np.flatnonzero(pairs.of(2))
    judged = learn(pairs, train, GateRule()).judge(2, test)
    assert (judged.admitted(-1.28) == (makespan < 1)).all()


def test_an_application_unlike_any_seen_is_admitted_only_where_it_was_probed() -> None:
    rows = np.arange(3)
    judged = JudgedPairs(rows, np.full(3, -1.0), np.full(3, 0.1), 1.5, np.array([1]), LIMIT)
    assert judged.abstains
    assert judged.admitted(0.0).tolist() == [False, True, False]


def test_everything_is_charged(data: Campaign) -> None:
    rows = np.flatnonzero(data.pairs.of(0))
    count = len(rows)
    judged = JudgedPairs(rows, np.full(count, -1.0), np.full(count, 0.1), 0.0, rows[:2], LIMIT)
    none = replace(judged, probed=rows[:0])
    probes = shared_makespan(data, judged, watch=False) - shared_makespan(data, none, watch=False)
    assert probes == pytest.approx(2 * data.watch_s / count / data.serial_s[rows])
    waiting = charged(data, judged, -np.inf, watch=True)
    assert waiting.makespan == pytest.approx(1 + probes)
    shared = charged(data, none, 0.0, watch=True)
    assert shared.separated.any()
    alone = charged(data, none, 0.0, watch=False)
    selected = ~shared.separated
    pauses = data.paused_s / data.serial_s[rows]
    assert shared.makespan[selected] == pytest.approx((alone.makespan + pauses)[selected])
    assert shared.makespan[shared.separated].max() < 1.2 < alone.makespan.max()
