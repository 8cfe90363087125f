"""A choice of a pattern: by hand, the same from files, and its laws."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from benchmarks.studies.aggregation.validation import Study
from planner.aggregation.aggregate import AggregationStudy, aggregate
from planner.aggregation.explained import explained
from planner.aggregation.ipc import LeftOut, terms
from planner.aggregation.measured import gathered
from planner.aggregation.patterns import SAMPLES
from planner.aggregation.result import AggregationSettings, Choice
from planner.aggregation.truths import true_runs
from planner.errors import InputError
from scenarios.aggregation import read_measurements, write_measurements
from scenarios.simulated.aggregation import load_hardware
from tests.scenarios.aggregation.folders import ipc, layouts, neighbours, synthetic

HARDWARE = load_hardware()


@pytest.fixture(scope="module")
def simulated() -> AggregationStudy:
    return aggregate(
        gathered(HARDWARE, "cliff", "lu", 16, 0),
        AggregationSettings(grouping="order"),
        true=lambda known: true_runs(HARDWARE, "cliff", "lu", 16, 0, known),
    )


@pytest.fixture(scope="module")
def plain() -> AggregationStudy:
    return aggregate(synthetic(), AggregationSettings(seed=1))


def test_from_files_the_same_is_chosen(tmp_path: Path, simulated: AggregationStudy) -> None:
    write_measurements(simulated.measured, tmp_path / "m")
    blind = replace(simulated, truths=None)
    read = aggregate(read_measurements(tmp_path / "m"), simulated.settings)
    ours, theirs = (each.to_dict() for each in (blind, read))
    assert len(theirs.pop("sha256")) == 6
    assert ours.pop("sha256") == {}
    assert ours.pop("study").keys() == theirs.pop("study").keys()
    assert ours == theirs


def test_the_choice_is_that_of_the_study(simulated: AggregationStudy, small: Study) -> None:
    wanted = ("cliff", "lu", "rank")
    (decision,) = (d for d in small.decisions if (d.family, d.code, d.method) == wanted)
    assert simulated.chosen.pattern.id == decision.chosen
    choice = simulated.choice
    assert choice is not None
    assert (choice.best, choice.slowdown) == (decision.best, decision.slowdown)
    assert (choice.saving, choice.best_saving) == (decision.saving, decision.best_saving)


def test_what_is_known_in_truth_stands_apart(simulated: AggregationStudy) -> None:
    blind = replace(simulated, truths=None)
    assert blind.to_dict()["true"] is None
    keys = set(simulated.to_dict()["patterns"][0]) - set(blind.to_dict()["patterns"][0])
    assert all(key.startswith("true_") for key in keys)
    assert "true_energy_j" in keys


def test_predictions_of_a_node_without_scatter_are_near_its_formula(
    plain: AggregationStudy,
) -> None:
    # 1e9 instructions at 2 GHz; ten messages of 4096 B each way and twice the time under noise
    for c in plain.candidates:
        expected = ipc(1.8, 0.02, c.pattern.layout)
        assert c.ipc == pytest.approx(expected, rel=0.01)
        assert c.compute_s == pytest.approx(1 / (2 * expected), rel=0.01)
    one = plain.reference
    assert one.communication_s == pytest.approx(10 * 2 * (3e-6 + 4096e-9))
    assert one.energy_j == pytest.approx(8 * (180 + 8 + 4 + 4 + 5 * one.ipc) * 100 * one.time_s)


def test_rows_of_patterns_add_up(plain: AggregationStudy, simulated: AggregationStudy) -> None:
    for study_ in (plain, simulated):
        rows = study_.tables()["patterns"]
        first = rows[0]["compute_s"] + rows[0]["communication_bound_s"]
        for row in rows:
            taken = row["compute_s"] + row["communication_bound_s"]
            assert row["run_s"] == pytest.approx(taken * study_.measured.program.iterations)
            assert row["slowdown_s"] == pytest.approx(taken - first, abs=1e-12)
            assert row["slowdown"] == pytest.approx(row["slowdown_s"] / first)
            base = next(r for r in rows if r["pattern"] == study_.baseline.pattern.id)
            assert row["saving"] == pytest.approx(1 - row["energy_j"] / base["energy_j"])
            assert row["slower_than_baseline"] == pytest.approx(row["run_s"] / base["run_s"] - 1)
        assert study_.baseline.pattern.id == max(r["pattern"] for r in rows if r["run_s"])


def test_errors_by_code_by_hand(plain: AggregationStudy) -> None:
    made = tuple(
        LeftOut(code, 1, 2.0, predicted)
        for code, predicted in (("a", 2.2), ("a", 1.9), ("b", 1.6), ("b", 2.0))
    )
    known = replace(plain.learnt, left_out=made)
    rows = replace(plain, learnt=known).tables()["left_out"]
    assert [row["code"] for row in rows] == ["b", "a"]
    # a: +10 and -5 %; b: -20 and 0 %
    assert rows[1]["mean_error"] == pytest.approx(0.075)
    assert (rows[1]["most_error"], rows[1]["bias"]) == (pytest.approx(0.1), pytest.approx(0.025))
    assert rows[0]["bias"] == pytest.approx(-0.1)


def test_sampled_patterns_are_not_predicted(plain: AggregationStudy) -> None:
    for row in plain.to_dict()["patterns"]:
        assert row["ipc_sampled"] == (row["pattern"] in SAMPLES)
        if row["ipc_sampled"]:
            assert row["ipc"] == ipc(1.8, 0.02, layouts(plain.measured.node)[row["pattern"]])


def test_groups_hold_each_task_once_and_neighbours_together(plain: AggregationStudy) -> None:
    groups = plain.to_dict()["groups"]
    assert sorted(task for group in groups for task in group) == list(range(8))
    position = {task: node for node, group in enumerate(groups) for task in group}
    parted = sum(position[a] != position[b] for a, b in neighbours(8))
    assert parted == (0 if len(groups) == 1 else len(groups))  # a ring in arcs


@pytest.mark.parametrize("choose", ["rank", "joules"])
def test_a_looser_limit_never_costs_more_joules_than_a_tight_one(choose: str) -> None:
    result = aggregate(synthetic(slope=0.05))
    known = [
        replace(result, settings=AggregationSettings(threshold=t, choose=choose))  # type: ignore[arg-type]
        for t in (0.0, 0.02, 0.05, 0.1, 0.5)
    ]
    for tight, loose in pairwise(known):
        assert tight.tolerable <= loose.tolerable
        if choose == "joules":
            assert loose.chosen.energy_j is not None
            assert tight.chosen.energy_j is not None
            assert loose.chosen.energy_j <= tight.chosen.energy_j
    assert known[0].chosen.slowdown <= 0
    assert known[-1].chosen.pattern.id == 8


def test_rank_and_joules_may_choose_otherwise(plain: AggregationStudy) -> None:
    # all are tolerable; 5 takes the least joules, 8 the fewest nodes
    energy = {c.pattern.id: 100.0 - (c.pattern.id == 5) for c in plain.candidates}
    made = tuple(replace(c, energy_j=energy[c.pattern.id]) for c in plain.candidates)
    loose = AggregationSettings(threshold=1.0)
    rank = replace(plain, candidates=made, settings=loose)
    assert rank.other is not None
    assert (rank.chosen.pattern.id, rank.other.pattern.id) == (8, 5)
    assert "By least predicted energy, pattern 5 would be chosen instead." in rank.warnings
    joules = replace(rank, settings=replace(loose, choose="joules"))
    assert joules.other is not None
    assert (joules.chosen.pattern.id, joules.other.pattern.id) == (5, 8)
    instead = "By fewest nodes, then sockets, then dies, pattern 8 would be chosen instead."
    assert instead in joules.warnings


def test_by_rank_no_power_need_be_metered() -> None:
    made = synthetic()
    blind = replace(made, training=tuple(replace(r, power_w=None) for r in made.training))
    result, seen = aggregate(blind), aggregate(made)
    assert result.chosen.pattern == seen.chosen.pattern
    assert result.chosen.slowdown == seen.chosen.slowdown
    plain = result.to_dict()
    assert (plain["energy_known"], plain["saving"], plain["other_choice"]) == (False, None, None)
    assert all(row["energy_j"] is None for row in plain["patterns"])
    json.dumps(plain, allow_nan=False)
    # 4 tasks on each of 2 nodes, where all 8 fit on one node
    assert result.chosen.pattern.tasks == 4
    assert result.study.headline.values["nodes"] == 2
    assert result.nodes(result.baseline.pattern) == 1
    assert any(w.startswith("Energy is not known: no power is metered.") for w in result.warnings)
    wanted = r"no power is metered; fill power_w \(best in every row\)"
    with pytest.raises(ValueError, match=wanted):
        aggregate(blind, AggregationSettings(choose="joules"))
    with pytest.raises(InputError, match="energy is not known without power; choose by rank"):
        _ = replace(result, settings=AggregationSettings(choose="joules")).chosen


def test_too_little_power_is_as_none_by_rank() -> None:
    made = synthetic()
    first, *others = made.training
    few = replace(made, training=(first, *(replace(r, power_w=None) for r in others)))
    result = aggregate(few)
    assert result.chosen.energy_j is None
    (why,) = (each for each in result.study.findings if each.kind == "few-metered")
    parts = ("idle", "socket", "die", "rank", "rank_ipc")
    assert why.values == {"runs": 1, "parts": parts}
    with pytest.raises(InputError, match="1 metered run cannot separate"):
        aggregate(few, AggregationSettings(choose="joules"))


def test_the_best_in_truth_keeps_the_limit_that_was_asked(simulated: AggregationStudy) -> None:
    truths = simulated.truths
    assert truths is not None
    slow = {p: truths.slowdown(p) for p in truths.outcomes}
    for limit in (0.0, 0.05, 1.0):
        choice = replace(simulated, settings=AggregationSettings(threshold=limit)).choice
        assert choice is not None
        selected = [p for p in slow if p == 1 or slow[p] <= limit]
        assert choice.best_saving == max(truths.saving(p) for p in selected)
        assert choice.best in selected
    assert min(slow[p] for p in slow if p > 1) > 0  # so that a limit of 0 leaves one task a node


def test_patterns_that_are_not_possible_say_why() -> None:
    heavy = aggregate(synthetic(memory_gb=1.5))
    assert heavy.refused == {8: "needs 12 GB of 8 GB"}
    uneven = aggregate(synthetic(tasks=12))
    assert uneven.refused == {8: "12 ranks do not fill nodes of 8"}
    made = synthetic()
    fewer = replace(made, training=tuple(r for r in made.training if r.pattern != 7))
    result = aggregate(fewer)
    assert result.refused == {7: "no training code ran under it"}
    assert result.warnings[-1] == "Patterns not offered, as without training runs: 7."
    row = next(r for r in heavy.to_dict()["patterns"] if r["pattern"] == 8)
    assert (row["feasible"], row["ipc"], row["why_not"]) == (False, None, "needs 12 GB of 8 GB")


def test_what_the_ipc_is_made_of_adds_up(plain: AggregationStudy) -> None:
    samples = [plain.measured.program.samples[s] for s in SAMPLES]
    for c in plain.candidates:
        if c.pattern.id in SAMPLES:
            continue
        result = terms(plain.learnt.predictor.ipc, samples, c.pattern.id, plain.measured.events)
        assert sum(each.adds for each in result) == pytest.approx(c.ipc)
        values = {each.name: each.value for each in result}
        assert values["IPC under both"] == samples[0].ipc * samples[1].ipc
        for name, index in (("misses", 0), ("stalls", 1)):
            if f"{name} under both" in values:
                both = samples[0].events[index] * samples[1].events[index]
                assert values[f"{name} under both"] == pytest.approx(both)
                here = values[f"IPC x {name} under 4"]
                assert here == pytest.approx(samples[0].ipc * samples[0].events[index])


def test_equation_4_by_hand() -> None:
    # a message of 4096 B takes 4 us + 4.096 us within a node, 1 us less between nodes: ten of them
    # are 10 us faster apart; with k tasks on a node C = k^2 / 10
    result = aggregate(synthetic(), AggregationSettings(threshold=1.0))
    values = explained(result)
    assert (values.pairs, values.apart) == (8, 8)
    assert values.constant == pytest.approx(result.chosen.pattern.tasks**2 / 10)
    assert values.mean_ipc == pytest.approx(
        np.mean([ipc(1.8, 0.02, layouts(result.measured.node)[s]) for s in SAMPLES])
    )
    assert (values.low, values.high) == (1.5, 2.0)


def test_under_noise_the_times_of_the_layout_count() -> None:
    # twice as long under the worst noise, so 20 us between the two: C = 8^2 / 20
    result = aggregate(synthetic(), AggregationSettings(threshold=1.0, objective="loaded"))
    assert result.chosen.pattern.id == 8
    assert explained(result).constant == pytest.approx(3.2)


def test_a_class_with_few_phases_borrows_the_model_of_all() -> None:
    # three phases at an IPC of 0.8, fewer than coefficients
    made = synthetic(best=0.8)
    result = explained(aggregate(made, AggregationSettings(threshold=0.0)))
    assert (result.low, result.high) == (0.0, 1.0)
    assert not result.own


def test_a_choice_in_truth_by_hand() -> None:
    good = Choice(slowdown=0.05, saving=0.3, best=7, best_saving=0.6, threshold=0.05)
    assert (good.tolerable, good.share) == (True, 0.5)
    slow = replace(good, slowdown=0.051)
    assert (slow.tolerable, slow.share) == (False, 0.0)
    assert replace(good, saving=0.0, best_saving=0.0).share == 1.0


def test_the_packed_baseline_fills_a_processor_first() -> None:
    """Of 4 tasks on a node pattern 7 takes one processor; eight do not fit into memory."""
    study_ = aggregate(synthetic(memory_gb=1.5))
    assert study_.baseline.pattern.id == 7
    for wrong, said in (("8", "not predicted; use packed, one, or one of 1, 2"), ("all", "give")):
        with pytest.raises(InputError, match=said):
            aggregate(synthetic(memory_gb=1.5), AggregationSettings(baseline=wrong))


def test_json_is_plain(simulated: AggregationStudy, plain: AggregationStudy) -> None:
    for each in (simulated, plain):
        json.dumps(each.to_dict(), allow_nan=False)
        assert sum(row["chosen"] for row in each.to_dict()["patterns"]) == 1
    true = simulated.to_dict()["true"]
    assert true["share_of_best_saving"] == pytest.approx(true["saving"] / true["best_saving"])


@pytest.mark.parametrize("threshold", [-0.1, 5.0, float("nan")])
def test_a_limit_that_is_no_fraction_is_refused(threshold: float) -> None:
    with pytest.raises(InputError, match=r"give a fraction from 0 to 1, 0\.05 for 5 %"):
        AggregationSettings(threshold=threshold)
