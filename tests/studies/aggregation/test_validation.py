"""The study: laws of its rows, summaries and shapes by hand, and laws outside equation 1."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.studies.aggregation.docs_tables import as_markdown, made
from benchmarks.studies.aggregation.error_attribution import choice_knowing
from benchmarks.studies.aggregation.findings import errors, shapes
from benchmarks.studies.aggregation.validation import METHODS, Decision, Study, study, summarised
from planner.aggregation.ipc import regressors
from planner.aggregation.learning import phases_of
from planner.aggregation.measured import training_runs
from planner.aggregation.patterns import SAMPLES, patterns
from planner.aggregation.selection import THRESHOLD, Candidate
from planner.aggregation.truths import Truths
from scenarios.aggregation.task_layout import Layout
from scenarios.simulated.aggregation import FAMILIES, HELD_OUT, SimulatedOutcome, load_hardware


def test_every_code_is_predicted_and_decided_under_every_law(small: Study) -> None:
    assert len(small.decisions) == 2 * 2 * len(METHODS)
    # lu fits eight times on a node, ft seven patterns only
    assert len(small.predictions) == 2 * (8 + 7)
    assert {p.pattern for p in small.predictions if p.sampled} == {4, 5}
    json.dumps(small.to_dict())


def test_no_choice_within_the_limit_saves_more_than_the_best(small: Study) -> None:
    for d in small.decisions:
        if d.within:
            assert d.saving <= d.best_saving
            assert d.share <= 1
        if d.method == "reference":
            assert (d.chosen, d.saving, d.slowdown) == (1, 0, 0)


def test_the_best_is_found_by_trying_all(small: Study) -> None:
    for run in small.truths:
        one = run.outcomes[1]
        for outcome in run.outcomes.values():
            if outcome.time_s <= (1 + THRESHOLD) * one.time_s:
                assert run.outcomes[run.best].energy_j <= outcome.energy_j


def test_sampled_patterns_are_predicted_by_their_measurement(small: Study) -> None:
    sampled = [abs(p.ipc_error) for p in small.predictions if p.sampled]
    assert max(sampled) < 0.02  # five standard deviations of a counter


def test_the_same_seed_gives_the_same_study(small: Study) -> None:
    again = study([0], families=("cliff",), codes=("ft",))
    assert again.decisions == tuple(
        d for d in small.decisions if (d.family, d.code) == ("cliff", "ft")
    )


@pytest.mark.parametrize("family", [*FAMILIES, HELD_OUT])
def test_no_law_lies_in_the_span_of_equation_1(family: str) -> None:
    """Without scatter and ridge, with all events, some target is missed by half a per cent."""
    hardware = load_hardware()
    exact = replace(hardware, noise=replace(hardware.noise, ipc=0.0, events=0.0))
    seen = [
        phase
        for seed in range(4)
        for phase in phases_of(
            training_runs(
                exact, family, seed, patterns(hardware.layout), *np.random.default_rng(0).spawn(2)
            ),
            SAMPLES,
        )
    ]
    rows = np.c_[np.ones(len(seen)), regressors([p.samples for p in seen], range(4))]
    missed = []
    for target in (1, 2, 3, 6, 7, 8):
        ipc = np.array([p.ipc[target] for p in seen])
        fitted = rows @ np.linalg.lstsq(rows, ipc, rcond=None)[0]
        missed.append(np.abs(fitted / ipc - 1).max())
    assert max(missed) > 0.005


def decision(seed: int, slowdown: float, saving: float, method: str = "rank") -> Decision:
    return Decision("cliff", seed, "lu", 16, method, 8, 7, slowdown, saving, 0.5)


def test_a_summary_by_hand() -> None:
    # seed 0: 0.25 of 0.5 and one too slow, which counts as nothing: 0.25 / 1; seed 1: 0.5 / 0.5
    rows = [decision(0, 0.01, 0.25), decision(0, 0.08, 0.6), decision(1, 0.05, 0.5)]
    (result,) = summarised(rows)
    assert result.share == pytest.approx(0.75 / 1.5)
    assert (result.share_least_seed, result.share_most_seed) == (0.25, 1)
    assert result.too_slow == pytest.approx(1 / 3)
    assert result.worst_slowdown == 0.08
    assert result.best_found == 0
    assert result.saving == pytest.approx(0.45)


def test_where_nothing_can_be_saved_all_of_it_is() -> None:
    (result,) = summarised([replace(decision(0, 0.0, 0.0), best_saving=0.0)])
    assert (result.share, result.share_least_seed) == (1, 1)


def test_the_law_with_the_least_share_comes_first() -> None:
    bad = [replace(decision(0, 0.0, 0.1), family="queue")]
    rows = summarised([decision(0, 0.0, 0.4), *bad])
    assert [r.family for r in rows] == ["queue", "cliff"]


def run(code: str, time: Callable[[int], float], communication: Callable[[int], float]) -> Truths:
    """Outcomes of all patterns, with energy of time at 100 W a node."""
    outcomes = {}
    for p in patterns(Layout(2, 2, 2)):
        nodes = 16 // p.tasks
        outcomes[p.id] = SimulatedOutcome(
            nodes, 1.0, 1.0, communication(p.id), time(p.id), 100.0, nodes * 100 * time(p.id)
        )
    return Truths("cliff", 0, code, 16, outcomes)


def held(small: Study, truths: Truths, start: str) -> list[int]:
    result = shapes(replace(small, truths=(truths,)))
    return [s.held for s in result if s.statement.startswith(start)]


def test_shapes_by_hand(small: Study) -> None:
    small = replace(small, predictions=tuple(p for p in small.predictions if p.family == "cliff"))
    falls = run("mg", lambda _: 1.0, lambda p: 1 - 0.1 * p)
    assert held(small, falls, "MG") == [1]
    assert held(small, run("mg", lambda _: 1.0, lambda p: 1 + 0.1 * p), "MG") == [0]
    ft = run("ft", lambda p: 1 - 0.01 * (p == 2), lambda p: {1: 1.0, 7: 3.0}.get(p, 2.0))
    assert held(small, ft, "FT") == [1, 1, 1]
    assert held(small, run("lu", lambda _: 1.0, lambda p: 1 + 0.01 * p), "LU") == [1]
    # 8 on half the nodes of 5, at three times the time: 5 has the least energy
    cg = run("cg", lambda p: {8: 3.0, 7: 2.0, 6: 2.0}.get(p, 1.0) + 0.01 * p, lambda _: 1.0)
    assert held(small, cg, "CG") == [1]
    assert held(small, cg, "one task per node takes the most") == [1]


def test_choices_that_are_too_slow_or_not_the_best_are_counted(small: Study) -> None:
    rows = (decision(0, 0.01, 0.25), decision(0, 0.08, 0.6), replace(decision(0, 0, 0.5), best=8))
    result = {s.statement: s for s in shapes(replace(small, decisions=rows))}
    assert result["the chosen pattern is at most 5 % slower"].held == 2
    assert result["the best pattern is chosen"].held == 1
    assert result["the best pattern is chosen"].of == 3


def test_with_the_whole_truth_the_rank_takes_what_it_would_tolerate() -> None:
    # true slowdowns: 7 is tolerable, 8 is not; predicted: computation makes 7 too slow as well
    truths = run("lu", lambda p: 1.0, lambda _: 0.0)
    slow = {8: 1.2}
    outcomes = {
        p: replace(o, compute_s=slow.get(p, 1.0), time_s=slow.get(p, 1.0))
        for p, o in truths.outcomes.items()
    }
    truths = replace(truths, outcomes=outcomes)
    candidates = [
        Candidate(p, np.zeros((1, 1), dtype=np.int64), 1.0, 1 + 0.02 * (p.id - 1), 0.1, 0.0, 1.0)
        for p in patterns(Layout(2, 2, 2))
    ]
    # predicted: (1 + 0.02 (p - 1) + 0.1) / 1.1 <= 1.05 up to p = 3; without the messages' 0.1
    # 0.02 (p - 1) <= 0.05 up to 3 too; true computation leaves 7
    for known, expected in (((False, False), 3), ((False, True), 3), ((True, False), 7)):
        computation, communication = known
        result = choice_knowing(
            candidates, truths, computation=computation, communication=communication
        )
        assert result == expected


def test_errors_have_a_row_for_each_law(small: Study) -> None:
    rows = errors(small)
    assert {r.family for r in rows} == {"cliff", "queue"}
    assert rows[0].ipc_mean >= rows[1].ipc_mean
    for row in rows:
        sizes = [
            abs(p.ipc_error) for p in small.predictions if p.family == row.family and not p.sampled
        ]
        assert row.ipc_mean == pytest.approx(sum(sizes) / len(sizes))
        assert row.ipc_most == max(sizes)
        assert row.bound_point_to_point > 1


def test_the_page_has_a_row_for_each_law_method_and_statement(small: Study) -> None:
    text = as_markdown(small, [small])
    lines = text.splitlines()
    for row in summarised(small.decisions):
        assert any(
            line.startswith(f"| {row.family} | {row.method} |") and f"{row.share:.1%}" in line
            for line in lines
        )
    assert sum(line.startswith("| printed |") for line in lines) == 1
    for shape in shapes(small):
        assert any(shape.statement in line for line in lines)
    widths = [line.count("|") for line in lines if line]
    assert len(set(widths)) <= 6  # six tables, each of one width


@pytest.mark.release
def test_the_page_shows_the_tables_as_they_are_today() -> None:
    page = (Path(__file__).parents[3] / "docs" / "evidence" / "aggregation.md").read_text(
        encoding="utf-8"
    )
    stored = page.split("<!-- tables -->\n")[1].split("<!-- end of tables -->")[0]
    results = [line for line in stored.splitlines() if line.startswith("|")]
    assert results == [line for line in made().splitlines() if line.startswith("|")]
