"""What the trials add to the gate: probes, separation, and what decisions cost."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest

from benchmarks.studies.gate.charges import charged, shared_makespan
from benchmarks.studies.gate.probing import GateRule, ProbedPairs, learn_with_probes
from benchmarks.studies.gate.separation import early
from benchmarks.studies.gate.simulated import Campaign, six_applications
from benchmarks.studies.gate.watched import Watched
from planner.pricing.estimators.estimator import Polling
from planner.sharing_nodes.gate.gate import JudgedPairs

pytestmark = pytest.mark.slow

LIMIT = log(1.1)
NO_ERRORS = np.zeros(1)


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
    seen = watched((0.2, 0.2), waiting=0.8, polling=0.9)
    assert not early(seen, (100.0, 100.0)).separate
    corrected = early(seen, (100.0, 100.0), Polling(0.9))
    assert corrected.separate
    assert corrected.log_makespan == pytest.approx(log(500 / 200), abs=0.01)


def test_a_gate_sees_no_co_run_that_it_decides(data: Campaign) -> None:
    pairs = data.pairs
    train, test = np.flatnonzero(~pairs.of(3)), np.flatnonzero(pairs.of(3))
    changed = pairs.makespan.copy()
    changed[test] = 1 / changed[test]
    one, other = (
        learn_with_probes(each, train, GateRule(), NO_ERRORS).judge(3, test, data.probe)
        for each in (pairs, replace(pairs, makespan=changed))
    )
    assert (one.score == other.score).all()
    assert (one.probed == other.probed).all()


def test_at_most_two_probes_and_none_where_they_cost_too_much(data: Campaign) -> None:
    pairs = data.pairs
    train, test = np.flatnonzero(~pairs.of(3)), np.flatnonzero(pairs.of(3))
    gate = learn_with_probes(pairs, train, GateRule(), NO_ERRORS)
    assert 1 <= len(gate.judge(3, test, data.probe).probed) <= 2
    assert len(gate.judge(3, test, data.probe, cost=1e3).probed) == 0
    assert len(gate.judge(3, test).probed) == 0


def test_an_application_unlike_any_seen_is_admitted_only_where_it_was_probed() -> None:
    rows = np.arange(3)
    judged = JudgedPairs(rows, np.full(3, -1.0), np.full(3, 0.1), 1.5, LIMIT)
    assert ProbedPairs(judged, np.array([1])).admitted(0.0).tolist() == [False, True, False]


def test_everything_is_charged(data: Campaign) -> None:
    rows = np.flatnonzero(data.pairs.of(0))
    count = len(rows)
    known = JudgedPairs(rows, np.full(count, -1.0), np.full(count, 0.1), 0.0, LIMIT)
    judged, none = ProbedPairs(known, rows[:2]), ProbedPairs(known, rows[:0])
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
