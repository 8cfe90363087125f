"""Tangram's metrics, splits, gates and scores, and its command."""

from __future__ import annotations

import json
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from planner.cli.main import main
from planner.errors import InputError
from planner.sharing_nodes.tangram.border import best_border, hindsight
from planner.sharing_nodes.tangram.evaluate import tangram
from planner.sharing_nodes.tangram.gates import GATES, Lesson
from planner.sharing_nodes.tangram.metrics import makespan_ratio, turnaround_ratio
from planner.sharing_nodes.tangram.pair_runs import (
    FEATURES,
    PairRuns,
    io_intensity,
    pair_runs,
)
from planner.sharing_nodes.tangram.printed import TABLE_II, table_two
from planner.sharing_nodes.tangram.rules import always_shared
from planner.sharing_nodes.tangram.scores import (
    BORDER,
    FIXED,
    RANDOM,
    Decisions,
    GateScore,
    decide,
    score,
    scores_of,
)
from planner.sharing_nodes.tangram.splits import SPLITS
from planner.sharing_nodes.tangram.study import TangramStudy
from scenarios.pairs.co_runs import CoRun, CoRuns, SoloRun
from scenarios.simulated.oversubscription import LAWS, SYSTEMS, measured_co_runs

BY_NAME = {split.name: split for split in SPLITS}


@pytest.fixture(scope="module")
def runs() -> PairRuns:
    return pair_runs(measured_co_runs(SYSTEMS[0], 0))


@pytest.fixture(scope="module")
def study() -> TangramStudy:
    return tangram("tangram-eight-node", seeds=2, tests=["(I)"], law="slowest-rank")


@pytest.mark.parametrize("slower", [1.0, 2.0, 33.96])
def test_a_self_pair_has_a_turnaround_of_sqrt_2_times_its_makespan(slower: float) -> None:
    one, co = np.array([50.0]), np.array([50.0 * slower])
    assert makespan_ratio(one, one, co, co)[0] == pytest.approx(slower / 2)
    assert turnaround_ratio(one, one, co, co)[0] == pytest.approx(slower / sqrt(2))


def test_the_largest_values_of_table_two_are_those_of_a_self_pair() -> None:
    largest = [row for (_, _, gate), row in TABLE_II.items() if gate == "all co-located"]
    assert [row[4] / row[1] for row in largest] == pytest.approx([sqrt(2)] * 6, rel=5e-4)


def test_turnaround_depends_on_which_job_starts_first() -> None:
    """T = 100, 300 and C = 200, 400: sqrt(2 x 1), and sqrt(4/3 x 1/2) the other way."""
    solo_a, solo_b, co_a, co_b = (np.array([each]) for each in (100.0, 300.0, 200.0, 400.0))
    assert turnaround_ratio(solo_a, solo_b, co_a, co_b)[0] == pytest.approx(sqrt(2))
    assert turnaround_ratio(solo_b, solo_a, co_b, co_a)[0] == pytest.approx(sqrt(2 / 3))


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


def test_the_arithmetic_mean_is_of_ratios_and_a_refused_pair_counts_1(runs: PairRuns) -> None:
    """Ratios of 0.5 and 2.0, of which half are shared: (0.5 + 2.0 + 1 + 1) / 4 = 1.125."""
    times = replace(runs, makespan=np.where(np.arange(len(runs)) % 2, 0.5, 2.0))
    decided = Decisions(np.arange(4), np.array([True, True, False, False]), ("",) * 4)
    scored = score(times, "(I)", "Tangram", decided, 0)
    assert scored.arithmetic == 1.125
    assert scored.makespan == pytest.approx(1.0)
    drawn = {one.gate: one for one in scores_of(times, BY_NAME["(I)"], 0)}
    assert drawn["no co-location"].arithmetic == 1.0
    share = drawn[RANDOM].admitted / len(runs)
    expected = 1 + share * (drawn["all co-located"].arithmetic - 1)
    assert drawn[RANDOM].arithmetic == pytest.approx(expected)


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


def test_a_study_is_made_again_from_the_same_seeds(study: TangramStudy) -> None:
    assert len(study.tables()["table_two"]) == 4
    assert study.settings["seeds"] == 2
    assert json.loads(json.dumps(study.to_dict(), allow_nan=False))["scores"]
    ours = tangram("tangram-eight-node", seeds=2, tests=["(I)"], law="slowest-rank")
    assert ours.to_dict() == study.to_dict()


def test_synthetic_applications_are_not_compared_with_the_paper() -> None:
    study = tangram(seeds=1, tests=["(I)"], synthetic=4, law="idle-cycles")
    assert len(study.runs) == 30  # 10 pairs at 3 rank counts
    assert "table_two" not in study.tables()
    with pytest.raises(InputError, match="at least 3"):
        tangram(synthetic=2)


def findings(study: TangramStudy) -> dict[str, Any]:
    return {each.kind: each.values for each in study.study.findings}


def test_the_headline_names_the_better_gate(study: TangramStudy) -> None:
    better = {"logistic": (0.8, 1.2), "Tangram": (0.9, 1.3)}

    def changed(score: GateScore) -> GateScore:
        mean, most = better.get(score.gate, (score.makespan, score.makespan_max))
        return replace(score, makespan=mean, makespan_max=most)

    scores = tuple(tuple(map(changed, one)) for one in study.by_seed)
    simpler = replace(study, by_seed=scores)
    assert simpler.chosen == simpler.study.headline.values["gate"] == "logistic"
    assert simpler.study.headline.values["changes"] == pytest.approx((-0.2,))
    assert "try-rule" not in findings(simpler)
    assert [row["gate"] for row in simpler.study.rows("gates")] == [
        "logistic", "Tangram", BORDER, FIXED, "all co-located", "oracle",
    ]  # fmt: skip


def test_means_on_the_other_side_of_1_than_in_the_paper_are_a_risk(study: TangramStudy) -> None:
    changed = tuple(
        tuple(
            replace(one, makespan=0.9, turnaround=0.9)
            if one.gate == "all co-located"
            else replace(one, turnaround=1.0)
            for one in scores
        )
        for scores in study.by_seed
    )
    other = replace(study, by_seed=changed)
    rows = {(row["gate"], row["measure"]): row for row in other.study.rows("reversals")}
    assert {*rows} == {("all co-located", "makespan"), ("all co-located", "turnaround")}
    (side,) = [each for part in other.study.questions for each in part.findings
               if each.kind == "other-side"]  # fmt: skip
    turned = rows["all co-located", "turnaround"]
    assert (turned["printed_mean"], turned["ours_mean"]) == (1.67, pytest.approx(0.9))
    assert side.values["means"] == (2, 4)
    assert not replace(other, of_the_paper=False).reversals


def test_both_laws_are_compared_and_table_two_has_both() -> None:
    """The second law is that of a run of its own; the answer is that of the first."""
    both = tangram("tangram-two-node", seeds=1, tests=["(II)"])
    first, second = (
        tangram("tangram-two-node", seeds=1, tests=["(II)"], law=law)
        for law in ("slowest-rank", "idle-cycles")
    )
    assert both.by_seed == first.by_seed
    assert both.other is not None
    scored = {score for score in second.by_seed[0] if score.gate != FIXED}
    assert scored == {score for score in both.other.by_seed[0] if score.gate != FIXED}
    row = next(row for row in both.tables()["table_two"] if row["gate"] == "all co-located")
    assert row["ours_mean"] == first.mean("(II)", "all co-located") > 1
    assert row["other_mean"] == second.mean("(II)", "all co-located") < 1
    assert "other_mean" not in first.tables()["table_two"][0]
    assert [row["statement"] for row in both.study.rows("laws") if row["first"] != row["second"]]


def bordered(runs: PairRuns, test: str) -> GateScore:
    """The border of one counter in a test."""
    split = BY_NAME[test]
    return score(runs, test, BORDER, decide(runs, split, BORDER, 0), 0)


def test_a_border_of_one_counter_is_learned_without_the_tested_pairs(runs: PairRuns) -> None:
    """A border that separates all pairs decides right; known pairs of one kind decide all."""
    io = runs.features[:, 2]
    separated = replace(runs, makespan=np.where(io > 0.2, 0.5, 2.0))
    learned = bordered(separated, "leave-pair-out")
    assert learned.makespan_max == 1.0
    assert learned.regret == pytest.approx(0.0)
    one_kind = replace(runs, makespan=np.full(len(runs), 0.5))
    assert bordered(one_kind, "CV").admitted == len(runs)


def with_border(study: TangramStudy, makespan: float) -> TangramStudy:
    """The study with another score of the border of one counter."""
    return replace(
        study,
        by_seed=tuple(
            tuple(
                replace(one, makespan=makespan, makespan_max=1.0) if one.gate == BORDER else one
                for one in scores
            )
            for scores in study.by_seed
        ),
    )


def test_table_two_has_the_largest_and_smallest_of_all_seeds(study: TangramStudy) -> None:
    """Two seeds with 1.6 and 1.0 have a largest value of 1.6, as in the table of all tests."""
    changed = [
        tuple(
            replace(one, makespan=mean, makespan_max=most, makespan_min=least)
            if one.gate == "Tangram"
            else one
            for one in scores
        )
        for scores, (mean, most, least) in zip(
            study.by_seed, ((0.8, 1.6, 0.5), (0.9, 1.0, 0.4)), strict=True
        )
    ]
    row = table_two(8, changed)[0]
    assert row.ours_mean == pytest.approx(0.85)
    assert (row.ours_max, row.ours_min) == (1.6, 0.4)
    assert replace(study, by_seed=changed).worst("Tangram", "(I)") == row.ours_max


def test_the_rule_is_a_row_in_the_tables(study: TangramStudy) -> None:
    """Its row and its column hold the scores on which the headline rests."""
    row = next(row for row in study.tables()["strictest_test"] if row["gate"] == BORDER)
    assert (row["makespan"], row["worst"]) == study.border_makespan
    both = tangram("tangram-two-node", seeds=1, tests=["(I)", "(II)"])
    for shown, split in zip(both.study.rows("by test"), both.splits, strict=True):
        assert shown[f"mean {BORDER}"] == both.mean(split.name, BORDER)
        assert shown[f"worst {BORDER}"] == both.worst(BORDER, split.name)


def test_self_pairs_of_the_paper_are_described_alike_and_imply_means(study: TangramStudy) -> None:
    """With 15 mixed and 6 self pairs: CV counts 15 and 6, (II) counts 30 and 6."""
    both = tangram("tangram-two-node", seeds=1, tests=["CV", "(II)"])
    notes = [row["note"] for row in both.tables()["table_two"]]
    assert notes.count("self pairs") == 2
    assert notes.count("free") == 4
    for nodes, implied in ((2, "0.730 and 1.006"), (8, "1.061 and 1.632")):
        once, twice = (
            np.log(TABLE_II[nodes, test, "all co-located"][0]) for test in ("CV", "(II)")
        )
        mixed, own = np.linalg.solve([[15, 6], [30, 6]], [21 * once, 36 * twice])
        assert f"{np.exp(mixed):.3f} and {np.exp(own):.3f}" == implied


def test_the_worst_pair_is_that_of_the_first_seed_and_test_with_it(study: TangramStudy) -> None:
    seed, found = study.worst_admitted("all co-located")
    assert found.makespan_max == study.worst("all co-located")
    assert found.worst_pair == ("miniAMR", "miniAMR", 96)
    assert seed == next(
        number for number, one in enumerate(study.scores("(I)", "all co-located"))
        if one.makespan_max == found.makespan_max
    )  # fmt: skip
    assert study.worst_admitted("oracle")[1].worst_pair is None  # a refused pair counts 1


def test_the_headline_has_both_laws_and_the_choice_of_the_other_is_the_first_risk() -> None:
    both = tangram("tangram-two-node", seeds=1, tests=["(II)", "leave-app-out"])
    assert both.other is not None
    assert both.study.headline.values["laws"] == LAWS
    risks = [each for each in both.study.findings if each.severity == "risk"]
    assert risks[0].kind == "choice-by-law"
    facts = {fact.key: fact.value for fact in both.study.facts}
    assert facts["anywhere_other"] == both.other.worst(both.chosen)
    numbers = both.tables()["simulated_system"]
    assert [row["value"] for row in numbers if row["name"] == "law"] == [*LAWS]


def test_the_rule_in_hindsight_of_the_six_shares_every_pair_with_io(runs: PairRuns) -> None:
    border = hindsight(runs)
    assert border is not None
    assert always_shared(runs, border) == ("MACSio", "IOR")
    assert not always_shared(runs, replace(border, value=1.0))  # MACSio has less alone
    assert hindsight(replace(runs, makespan=np.full(len(runs), 0.5))) is None


def test_the_rule_is_named_where_it_is_no_worse_than_the_gates(study: TangramStudy) -> None:
    simple = with_border(study, 0.5)
    assert simple.border_is_best
    expected = {"counter": "io_intensity", "side": "above", "value": 0.386, "test": "(I)",
                "changes": (-0.5,), "laws": ("slowest-rank",)}  # fmt: skip
    assert simple.study.headline.values == expected
    low, high = findings(simple)["try-rule"]["alike"]
    assert low < 0.386 < high
    worse = with_border(study, 0.99)
    assert worse.chosen != BORDER
    assert "try-rule" not in findings(worse)


def test_errors_of_all_gates_that_learn_stand_next_to_each_other(study: TangramStudy) -> None:
    rows = study.study.rows("errors")
    assert [row["gate"] for row in rows] == [BORDER, "logistic", "Tangram"] * 4  # rank counts
    for row in rows:
        assert row["admitted"] <= row["tested"]
        assert row["oracle"] <= row["makespan"] <= row["worst"]


def test_the_parameters_are_those_of_the_system(study: TangramStudy) -> None:
    names = [row["name"] for row in study.tables()["simulated_system"]]
    values = " ".join(row["value"] for row in study.tables()["simulated_system"])
    assert len(names) == len(set(names))
    assert "8 nodes, 16 cores each" in values
    assert "15.742" not in values  # of the two-node system


def test_the_counter_that_separates_pairs_is_found(runs: PairRuns) -> None:
    border = best_border(runs)
    assert border is not None
    assert FEATURES[border.feature] == "I/O intensity"
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
    [
        ({"seeds": 0}, "seeds = 0"),
        ({"tests": ["(III)"]}, "leave-app-out"),
        ({"system": "x"}, "x"),
        ({"law": "fast"}, "both, slowest-rank, idle-cycles"),
    ],
)
def test_python_refuses_what_does_not_fit(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        tangram(**arguments)  # type: ignore[arg-type]


@pytest.mark.release
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_results_of_twenty_seeds_are_the_stored_ones(system: object, law: str) -> None:
    """Means over 20 seeds of all tests: docs/colocate.md and docs/evidence/shared-cores.md."""
    from tests.planner.sharing_nodes.tangram.stored import MEANS

    name = getattr(system, "name", "")
    study = tangram(name, seeds=20, law=law)
    result = {
        (split.name, gate): round(study.mean(split.name, gate), 3)
        for split in study.splits
        for gate in ("Tangram", "logistic", "all co-located", "oracle")
    }
    assert result == pytest.approx(MEANS[name, law], abs=0.002)
