"""Tangram's metrics, splits, gates and scores, and its command."""

from __future__ import annotations

import json
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from click.testing import CliRunner

from planner.cli.main import main
from planner.colocation.tangram.border import best_border
from planner.colocation.tangram.evaluate import tangram
from planner.colocation.tangram.gates import GATES, Lesson
from planner.colocation.tangram.metrics import makespan_ratio, turnaround_ratio
from planner.colocation.tangram.pair_runs import PairRuns, io_intensity, pair_runs
from planner.colocation.tangram.printed import TABLE_II
from planner.colocation.tangram.scores import RANDOM, GateScore, decide, scores_of
from planner.colocation.tangram.splits import SPLITS
from planner.colocation.tangram.study import TangramStudy
from planner.errors import InputError
from scenarios.pairs.co_runs import CoRun, CoRuns, SoloRun
from scenarios.simulated.oversubscription import SYSTEMS, measured_co_runs

BY_NAME = {split.name: split for split in SPLITS}


@pytest.fixture(scope="module")
def runs() -> PairRuns:
    return pair_runs(measured_co_runs(SYSTEMS[0], 0))


@pytest.fixture(scope="module")
def study() -> TangramStudy:
    return tangram("tangram-eight-node", seeds=2, tests=["(I)"])


@pytest.mark.parametrize("slower", [1.0, 2.0, 33.96])
def test_a_self_pair_has_a_turnaround_of_sqrt_2_times_its_makespan(slower: float) -> None:
    one, co = np.array([50.0]), np.array([50.0 * slower])
    assert makespan_ratio(one, one, co, co)[0] == pytest.approx(slower / 2)
    assert turnaround_ratio(one, one, co, co)[0] == pytest.approx(slower / sqrt(2))


def test_the_largest_values_of_table_two_are_those_of_a_self_pair() -> None:
    largest = [row for (_, _, gate), row in TABLE_II.items() if gate == "all co-located"]
    assert [row[4] / row[1] for row in largest] == pytest.approx([sqrt(2)] * 6, rel=5e-4)


def test_turnaround_depends_on_which_job_starts_first() -> None:
    """T = 100, 300 and C = 200, 400: sqrt(2 x 1) listed first, sqrt(4/3 x 1/2) the other way."""
    solo_a, solo_b, co_a, co_b = (np.array([each]) for each in (100.0, 300.0, 200.0, 400.0))
    values = (solo_a, solo_b, co_a, co_b)
    assert turnaround_ratio(*values)[0] == pytest.approx(sqrt(2))
    assert turnaround_ratio(*values, "shorter")[0] == pytest.approx(sqrt(2))
    assert turnaround_ratio(*values, "longer")[0] == pytest.approx(sqrt(2 / 3))


def test_io_intensity_is_the_share_asleep_and_never_below_0() -> None:
    """80 s on cores of 4 ranks are 20 s each: half of 40 s asleep."""
    run = SoloRun("io", 8, 4.0, 40.0, 80.0, 3.0, 1.0)
    assert io_intensity(run) == pytest.approx(0.5)
    assert io_intensity(replace(run, core_time_s=170.0)) == 0.0


def test_splits_leave_out_what_they_say(runs: PairRuns) -> None:
    for fold in BY_NAME["leave-app-and-rank-out"].folds(runs, 0):
        known = set(runs.a[fold.train]) | set(runs.b[fold.train])
        unknown = {runs.applications.index(fold.left_out)}
        assert not known & unknown
        assert not set(runs.ranks[fold.train]) & set(runs.ranks[fold.test])
    for fold in BY_NAME["leave-pair-out"].folds(runs, 0):
        assert not set(runs.pair[fold.train]) & set(runs.pair[fold.test])
    for fold in BY_NAME["(II)"].folds(runs, 0):
        assert not runs.self_pair[fold.test].any()
    tested = np.concatenate([fold.test for fold in BY_NAME["CV"].folds(runs, 0)])
    assert sorted(tested) == list(range(63))


@pytest.mark.parametrize("gate", GATES)
def test_no_gate_but_the_oracle_sees_the_co_runs_that_it_decides(gate: str, runs: PairRuns) -> None:
    fold = next(BY_NAME["leave-app-out"].folds(runs, 0))
    turned = runs.makespan.copy()
    turned[fold.test] = 1 / turned[fold.test]
    lessons = [
        Lesson(each, fold.train, fold.test, grouped=True, seed=0)
        for each in (runs, replace(runs, makespan=turned))
    ]
    one, other = (GATES[gate](lesson) for lesson in lessons)
    assert (one == other).all() == (gate != "oracle")


@pytest.mark.parametrize("gains", [True, False])
@pytest.mark.parametrize("gate", ["Tangram", "logistic"])
def test_with_one_label_the_gate_decides_by_it(gate: str, runs: PairRuns, *, gains: bool) -> None:
    same = replace(runs, makespan=np.full(len(runs), 0.5 if gains else 2.0))
    decided = decide(same, BY_NAME["(I)"], gate, 0)
    assert (decided.admitted == gains).all()


def test_no_gate_beats_the_oracle_and_random_gates_lie_between(runs: PairRuns) -> None:
    scores = {score.gate: score for score in scores_of(runs, BY_NAME["leave-app-out"], 0)}
    assert scores["oracle"].regret == pytest.approx(0)
    assert min(score.makespan for score in scores.values()) == scores["oracle"].makespan
    assert scores["no co-location"].makespan == 1
    ends = sorted([1.0, scores["all co-located"].makespan])
    assert ends[0] <= scores[RANDOM].makespan <= ends[1]
    assert scores[RANDOM].admitted == scores["Tangram"].admitted
    for one in scores.values():
        assert one.low is None or one.high is None or one.low <= one.makespan <= one.high


def test_the_gate_learns_a_threshold(runs: PairRuns) -> None:
    io = runs.features[:, 2]
    clear = replace(runs, makespan=np.where(io > 0.3, 0.6, 1.5))
    decided = decide(clear, BY_NAME["(I)"], "Tangram", 0)
    assert (decided.admitted == clear.gains[decided.rows]).mean() > 0.9


def test_a_campaign_without_a_solo_run_is_refused() -> None:
    together = (CoRun("a", "a", 4, 10.0, 10.0),)
    with pytest.raises(InputError, match="a was not run alone with 4 ranks"):
        pair_runs(CoRuns("test", ("a",), (4,), (), together))
    with pytest.raises(InputError, match="no co-run"):
        pair_runs(CoRuns("test", ("a",), (4,), (), ()))


@pytest.mark.parametrize("time_s", [0.0, -1.0, float("nan"), float("inf")])
def test_a_run_without_a_time_is_refused(time_s: float) -> None:
    with pytest.raises(ValueError, match="0 s"):
        CoRun("a", "b", 4, time_s, 10.0)
    with pytest.raises(ValueError, match="0 s"):
        SoloRun("a", 4, 2.0, time_s, 1.0, 1.0, 1.0)


def test_the_study_says_what_it_rests_on(study: TangramStudy) -> None:
    assert "84 co-runs" in study.confidence
    assert "Simulated" in study.confidence
    assert any("1 in 6" in warning for warning in study.warnings)
    tables = study.tables()
    assert len(tables["table_two"]) == 4
    assert study.settings["seeds"] == 2
    assert json.loads(json.dumps(study.to_dict(), allow_nan=False))["scores"]
    ours = tangram("tangram-eight-node", seeds=2, tests=["(I)"])
    assert ours.to_dict() == study.to_dict()


def test_synthetic_applications_are_not_compared_with_the_paper() -> None:
    study = tangram(seeds=1, tests=["(I)"], synthetic=4)
    assert len(study.runs) == 30  # 10 pairs at 3 rank counts
    assert not {"table_two", "printed"} & set(study.tables())
    with pytest.raises(InputError, match="at least 3"):
        tangram(synthetic=2)


def test_large_counts_of_pairs_have_no_exponent(study: TangramStudy) -> None:
    scores = tuple(
        tuple(replace(score, admitted=1770, tested=20_000) for score in one)
        for one in study.by_seed
    )
    _, _, admitted, *_ = replace(study, by_seed=scores).explanation.reasons
    assert admitted.startswith(
        "Tangram admits 1,770 of 20,000 pairs on average; 1,770 are faster together."
    )


def test_a_gate_that_admits_nothing_is_named(study: TangramStudy) -> None:
    none = tuple(tuple(replace(score, admitted=0) for score in scores) for scores in study.by_seed)
    idle = replace(study, by_seed=none)
    assert any("no pair if it does not know 'a rank count'" in line for line in idle.warnings)


def test_the_headline_names_the_better_gate(study: TangramStudy) -> None:
    better = {"logistic": (0.8, 1.2), "Tangram": (0.9, 1.3)}

    def changed(score: GateScore) -> GateScore:
        mean, most = better.get(score.gate, (score.makespan, score.makespan_max))
        return replace(score, makespan=mean, makespan_max=most)

    scores = tuple(tuple(map(changed, one)) for one in study.by_seed)
    simpler = replace(study, by_seed=scores)
    assert simpler.headline == (
        "Logistic regression saves 20 % of the time (worst pair: 1.20 times as long); "
        "Tangram's gate saves 10 % (1.30)."
    )
    assert any("logistic" in step for step in simpler.explanation.next_steps)
    assert any("Tangram's gate" in line for line in simpler.explanation.alternatives)


def test_the_counter_that_separates_pairs_is_found(runs: PairRuns) -> None:
    border = best_border(runs)
    assert border is not None
    assert border.name == "I/O intensity"
    right = (runs.features[:, border.feature] > border.value) == (runs.gains == border.above)
    assert right.sum() == border.right
    flat = replace(runs, profile_a=np.ones_like(runs.profile_a),
                   profile_b=np.ones_like(runs.profile_b))  # fmt: skip
    assert best_border(flat) is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tangram-twonode"], "tangram-two-node"),
        (["tangram-two-node", "--jobs", "a,b"], "--jobs"),
        (["pairs.csv", "--seeds", "2"], "--seeds"),
        (["tangram-two-node", "--synthetic", "2"], "at least 3"),
    ],
)
def test_the_command_refuses_what_does_not_fit(words: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["colocate", *words])
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"seeds": 0}, "seeds = 0"), ({"tests": ["(III)"]}, "leave-app-out"), ({"system": "x"}, "x")],
)
def test_python_refuses_what_does_not_fit(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        tangram(**arguments)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_results_of_twenty_seeds_are_the_stored_ones(system: object) -> None:
    """Means over 20 seeds of all six tests; the figures of docs/colocate.md."""
    from tests.planner.colocation.tangram.stored import MEANS

    name = getattr(system, "name", "")
    study = tangram(name, seeds=20)
    result = {
        (split.name, gate): round(study.mean(split.name, gate), 3)
        for split in study.splits
        for gate in ("Tangram", "logistic", "all co-located", "oracle")
    }
    assert result == pytest.approx(MEANS[name], abs=0.002)
