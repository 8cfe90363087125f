"""Parts of the gate: its distribution, novelty, and the value of probes."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest

from planner.sharing_nodes.gate.distribution import Distribution
from planner.sharing_nodes.gate.gate import JudgedPairs, learn
from planner.sharing_nodes.gate.inputs import GatePairs, run_variance
from planner.sharing_nodes.gate.novelty import novelty
from planner.sharing_nodes.gate.own_data import own_pairs
from planner.sharing_nodes.gate.probes import probe_values
from planner.sharing_nodes.gate.process import fit
from tests.planner.sharing_nodes.gate.cases import tables

LIMIT = log(1.1)


@pytest.fixture(scope="module")
def data() -> GatePairs:
    return own_pairs(*tables(calibration=6, new=0))[0]


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


def test_predictions_do_not_depend_on_the_order_of_the_jobs(data: GatePairs) -> None:
    pairs = data
    rows = np.flatnonzero(~pairs.of(5))
    turned = replace(
        pairs, a=pairs.b, b=pairs.a, profile_a=pairs.profile_b, profile_b=pairs.profile_a
    )
    asked = np.flatnonzero(pairs.of(5))
    one, other = (fit(each, rows).predict(asked) for each in (pairs, turned))
    assert one.mean == pytest.approx(other.mean, abs=1e-3)
    assert one.spread == pytest.approx(other.spread, abs=1e-3)


def test_the_distribution_knows_what_it_learned(data: GatePairs) -> None:
    pairs = data
    rows = np.flatnonzero(~pairs.of(5))
    result = fit(pairs, rows)
    known, unknown = result.predict(rows), result.predict(np.flatnonzero(pairs.of(5)))
    assert np.abs(known.mean - np.log(pairs.makespan[rows])).mean() < 0.1
    assert unknown.spread.mean() > known.spread.mean()


@pytest.mark.parametrize("makespan", [0.6, 2.0])
def test_with_one_label_the_gate_decides_by_it(data: GatePairs, makespan: float) -> None:
    pairs = replace(data, makespan=np.full(len(data), makespan))
    train, test = np.flatnonzero(~pairs.of(2)), np.flatnonzero(pairs.of(2))
    judged = learn(pairs, train, 1.1).judge(2, test)
    assert (judged.admitted(-1.28) == (makespan < 1)).all()


def test_a_gate_sees_no_co_run_that_it_decides(data: GatePairs) -> None:
    train, test = np.flatnonzero(~data.of(3)), np.flatnonzero(data.of(3))
    changed = data.makespan.copy()
    changed[test] = 1 / changed[test]
    one, other = (
        learn(each, train, 1.1).judge(3, test) for each in (data, replace(data, makespan=changed))
    )
    assert (one.score == other.score).all()


def test_an_application_unlike_any_seen_is_not_admitted() -> None:
    rows = np.arange(3)
    judged = JudgedPairs(rows, np.full(3, -1.0), np.full(3, 0.1), 1.5, LIMIT)
    assert judged.abstains
    assert not judged.admitted(0.0).any()
    assert replace(judged, novelty=1.0).admitted(0.0).all()
