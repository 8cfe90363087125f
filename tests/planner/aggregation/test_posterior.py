"""Runs correct predictions: by hand, and by laws that any posterior keeps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from planner.aggregation.aggregate import AggregationStudy, aggregate
from planner.aggregation.ipc import LeftOut, Phase
from planner.aggregation.prior import ipc_prior
from planner.aggregation.result import AggregationSettings
from planner.aggregation.tried import TriedRun, read_tried
from planner.errors import InputError
from scenarios.aggregation.task_samples import Sample
from tests.scenarios.aggregation.folders import layouts, synthetic


@pytest.fixture(scope="module")
def plain() -> AggregationStudy:
    return aggregate(synthetic(slope=0.03))


def after(*runs: tuple[int, float] | tuple[int, float, float]) -> AggregationStudy:
    return aggregate(synthetic(slope=0.03), AggregationSettings(tried=[TriedRun(*r) for r in runs]))


def run_s(study: AggregationStudy) -> dict[int, float]:
    return {c.pattern.id: 100 * c.time_s for c in study.candidates}


def test_a_run_is_believed_and_moves_similar_patterns_more(plain: AggregationStudy) -> None:
    before = run_s(plain)
    slow = run_s(after((1, before[1]), (8, 1.1 * before[8])))
    assert slow[8] == pytest.approx(1.1 * before[8])
    assert slow[1] == pytest.approx(before[1])
    moved = {p: slow[p] / before[p] for p in before}
    assert moved[7] > moved[2]  # 7 fills a socket as 8 does, 2 has one rank on each


def test_runs_that_agree_with_what_is_expected_move_nothing(plain: AggregationStudy) -> None:
    expected = {c.pattern.id: 100 * c.time_s for c in plain.posterior.candidates}
    assert run_s(after((1, expected[1]), (6, expected[6]))) == pytest.approx(expected)


def test_the_order_of_runs_changes_nothing_and_repetition_narrows() -> None:
    one, other = after((1, 30.0), (6, 31.0)), after((6, 31.0), (1, 30.0))
    assert one.to_dict()["patterns"] == other.to_dict()["patterns"]
    often = after(*[(1, 30.0)] * 9, *[(6, 31.0)] * 9)
    narrow, wide = (
        study.posterior.slowdown(study.posterior.candidates[6], 0.95) for study in (often, one)
    )
    assert narrow < wide


def test_what_was_not_run_is_not_confirmed(plain: AggregationStudy) -> None:
    assert plain.answer == "predicted"
    assert after((6, 31.0)).confirmed == frozenset()  # without its reference
    assert after((1, 30.0)).answer == "predicted"
    assert after((1, 30.0), (6, 31.0)).confirmed == {6}
    assert after((1, 30.0), (6, 31.6)).failed == {6}  # 5.3 % slower


def test_after_two_failures_the_answer_is_one_rank_until_a_pattern_is_confirmed() -> None:
    runs = [(1, 30.0), (8, 34.0), (7, 33.0)]
    assert after(*runs).chosen.pattern.id == 1
    assert after(*runs, (2, 30.1)).chosen.pattern.id == 2


def test_metered_joules_scale_those_of_other_patterns() -> None:
    timed = after((1, 30.0), (6, 31.0))
    used = {c.pattern.id: c.energy_j or 0.0 for c in timed.candidates}
    metered = after((1, 30.0, 2 * used[1]), (6, 31.0, 2 * used[6]))
    assert [c.energy_j for c in metered.candidates] == pytest.approx([2 * e for e in used.values()])


def test_the_next_run_has_the_largest_expected_saving(plain: AggregationStudy) -> None:
    known, proposed = plain.posterior, plain.next_run
    assert proposed is not None
    assert proposed.saved_j is not None
    base = next(c.energy_j for c in known.candidates if c.pattern.id == 1)
    assert base is not None
    for c in known.candidates:
        assert c.energy_j is not None
        assert known.within(c, 0.05) * (base - c.energy_j) <= proposed.saved_j + 1e-9
    assert proposed.candidate.pattern.id != 1


def test_the_prior_by_hand() -> None:
    # three codes of one phase: true IPC is the mean of the samples in logs; predictions are 10 %
    # too low. So the line is right, and all of its distance from the prediction counts.
    samples = [(Sample(a, (0.0,)), Sample(b, (0.0,))) for a, b in ((1, 2), (1, 1.5), (2, 2.2))]
    phases = [
        Phase(f"c{k}", pair, {1: float(np.sqrt(pair[0].ipc * pair[1].ipc))})
        for k, pair in enumerate(samples)
    ]
    errors = [LeftOut(p.code, 1, p.ipc[1], 0.9 * p.ipc[1]) for p in phases]
    prior = ipc_prior(phases, errors, {1: layouts(synthetic().node)[1]})
    assert prior.lines[1] == pytest.approx((0.0, 0.5))
    assert prior.line_share == pytest.approx(1.0)
    assert prior.disagreement(samples[0], 1, 1.0) == pytest.approx(np.log(2) / 2)
    assert prior.disagreement(samples[0], 4, 1.0) == 0


def test_no_doubt_is_negative_and_more_runs_leave_no_more_of_it() -> None:
    few, more = after((1, 30.0)), after((1, 30.0), (8, 34.0), (5, 30.5))
    for study in (few, more):
        assert np.linalg.eigvalsh(study.posterior.covariance).min() > -1e-12
    assert (np.diag(more.posterior.covariance) <= np.diag(few.posterior.covariance) + 1e-15).all()


@pytest.mark.parametrize(
    ("text", "run"),
    [("6=412", (6, 412.0, None)), (" 6 = 4.12e2 , 980000", (6, 412.0, 980000.0))],
)
def test_a_run_is_read(text: str, run: tuple[int, float, float | None]) -> None:
    assert read_tried(text) == run


def test_impossible_runs_are_refused_from_python() -> None:
    with pytest.raises(InputError, match="tried run of pattern 6: its time is inf s"):
        AggregationSettings(tried=[TriedRun(6, float("inf"))])
    with pytest.raises(InputError, match="pattern 6: has no time; give its seconds"):
        AggregationSettings(tried=[TriedRun(6, None, 3.0)])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="pattern 12: this pattern is not predicted"):
        after((12, 30.0))
    settings = AggregationSettings(tried=[(6, 30.0)])  # type: ignore[list-item]
    assert replace(settings).tried == (TriedRun(6, 30.0),)
