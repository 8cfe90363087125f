"""Weighted criteria against a sweep of every weight."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from planner.procurement.procure import procure
from planner.procurement.ranking import WEIGHTS, Ranking, points, rank
from tests.planner.procurement.catalogues import asked, merits, node, request, scenario
from tests.sizes import few

CRITERIA = ("performance", "total cost", "energy", "delivery")
POINTS = st.floats(0.05, 1.0)
WEIGHT = st.floats(0.05, 1.0)


@st.composite
def contests(draw: st.DrawFn) -> tuple[dict[str, list[float]], dict[str, float]]:
    offers = draw(st.integers(2, 5))
    criteria = CRITERIA[: draw(st.integers(2, 4))]
    table = {c: draw(st.lists(POINTS, min_size=offers, max_size=offers)) for c in criteria}
    return table, {c: draw(WEIGHT) for c in criteria}


def ranked(table: dict[str, list[float]], weights: dict[str, float]) -> Ranking:
    return rank([f"offer {i}" for i in range(len(table["performance"]))], table, weights)


def totals_at(
    table: dict[str, list[float]], weights: dict[str, float], criterion: str, weight: float
) -> list[float]:
    """Weighted sums where one weight moves and the others keep their proportions."""
    others = sum(w for c, w in weights.items() if c != criterion)
    moved = {c: w / others * (1 - weight) for c, w in weights.items()} | {criterion: weight}
    return [
        sum(moved[c] * table[c][i] for c in table) for i in range(len(next(iter(table.values()))))
    ]


@settings(max_examples=few(60))
@given(contests())
def test_the_winner_is_right_at_every_weight(
    contest: tuple[dict[str, list[float]], dict[str, float]],
) -> None:
    table, weights = contest
    for reversal in ranked(table, weights).reversals:
        assert reversal.winners[0][0] == 0
        assert reversal.winners[-1][1] == 1
        for weight in np.linspace(0, 1, 101):
            sums = totals_at(table, weights, reversal.criterion, float(weight))
            name = next(n for low, high, n in reversal.winners if low <= weight <= high)
            assert sums[int(name.split()[1])] >= max(sums) - 1e-9


@settings(max_examples=few(60))
@given(contests())
def test_the_range_of_a_winner_ends_where_another_draws_level(
    contest: tuple[dict[str, list[float]], dict[str, float]],
) -> None:
    table, weights = contest
    ranking = ranked(table, weights)
    for reversal in ranking.reversals:
        assert reversal.stays_from <= reversal.weight <= reversal.stays_to
        for end in (reversal.stays_from, reversal.stays_to):
            if 0 < end < 1:
                first, second = sorted(totals_at(table, weights, reversal.criterion, end))[-2:]
                assert first == pytest.approx(second, abs=1e-9)
        for (_, end, name), (start, _, other) in zip(
            reversal.winners, reversal.winners[1:], strict=False
        ):
            assert end == start
            assert name != other


@settings(max_examples=few(30))
@given(contests(), st.floats(0.1, 50.0))
def test_weights_are_normalised(
    contest: tuple[dict[str, list[float]], dict[str, float]], scale: float
) -> None:
    table, weights = contest
    ranking = ranked(table, weights)
    assert sum(ranking.weights.values()) == pytest.approx(1)
    for criterion, weight in weights.items():
        assert ranking.weights[criterion] == pytest.approx(weight / sum(weights.values()))
    other = ranked(table, {c: w * scale for c, w in weights.items()})
    for single, same in zip(ranking.candidates, other.candidates, strict=True):
        assert single.total == pytest.approx(same.total)
    totals = [candidate.total for candidate in ranking.candidates]
    assert totals == sorted(totals, reverse=True)


def test_a_crossing_worked_by_hand() -> None:
    """a: w + (1 - w)/5; b: w/2 + (1 - w). Level at 0.2 + 0.8 w = 1 - 0.5 w: w = 8/13."""
    ranking = rank(["a", "b"], {"x": [1.0, 0.5], "y": [0.2, 1.0]}, {"x": 4.0, "y": 1.0})
    assert ranking.candidates[0].name == "a"
    assert ranking.reversals[0].stays_from == pytest.approx(8 / 13)
    assert ranking.reversals[0].stays_to == 1
    assert [name for _, _, name in ranking.reversals[0].winners] == ["b", "a"]


def test_one_criterion_alone_never_reverses() -> None:
    ranking = rank(["a", "b"], {"x": [0.9, 1.0]}, {"x": 3.0})
    assert ranking.reversals[0].weight == 1
    assert ranking.candidates[0].name == "b"


def test_points_give_the_best_1_and_need_every_lead_time_for_delivery() -> None:
    problem = asked(request([node("a", 100.0)], [merits("w", ("a", None, 1.0))], 900.0, 900.0))
    optimiser = Optimiser(problem, Options())
    plans = [optimiser.evaluate([count], "any") for count in (2, 4)]
    result = points(plans, [12.0, 4.0])
    assert result["performance"] == pytest.approx([0.5, 1.0])
    assert result["delivery"] == pytest.approx([1 / 3, 1.0])
    assert max(result["total cost"]) == 1
    assert max(result["energy"]) == 1
    assert "delivery" not in points(plans, [12.0, None])


@pytest.mark.parametrize("given_weights", [{"performance": 0.7, "energy": 0.3}, {"delivery": 1.0}])
def test_weights_may_name_some_criteria_only(given_weights: dict[str, float]) -> None:
    """Of the second, delivery counts alone, and no lead time is known: the usual weights hold."""
    work = merits("w", ("a", None, 1.0))
    question = {"weights": given_weights}
    raw_scenario = request([node("a", 100.0)], [work], 300.0, 900.0, procurement=question)
    result = procure(scenario(raw_scenario), Options()).ranking
    assert result is not None
    assert sum(result.weights.values()) == pytest.approx(1)


def test_usual_weights_sum_to_one() -> None:
    assert sum(WEIGHTS.values()) == pytest.approx(1)
