"""Figures of a procurement: each title says what was found, whichever way that went."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from planner.procurement.budget_power_grid import Cell
from planner.procurement.compared import Compared
from planner.procurement.findings import gains, interval, labels, no_plan, size
from planner.procurement.front import ParetoPoint
from planner.procurement.ledger import Solved
from planner.procurement.marginal_value import MarginalValue, ScoreChange
from planner.procurement.outcome import Outcome
from planner.procurement.ranking import rank
from planner.procurement.study import ProcurementStudy
from reports.blocks import by_kind
from reports.procurement import document
from reports.procurement.figures import (
    FIGURES,
    allocation,
    budget_power_grid,
    heuristics,
    losing_quotes,
    marginal_value,
    pareto,
    pictures,
    ranking,
    repairs,
    tornado,
)
from reports.procurement.figures import regret as regrets
from reports.procurement.pages import regimes
from reports.style import Picture
from solvers import Status, Stop
from tests.reports.given import same_on_given_axes


def scored(study: ProcurementStudy, **scores: float | None) -> ProcurementStudy:
    """The study with other scores per regime (``worst`` for worst-case), each with no gap."""
    names: dict[str, Any] = {"worst": "worst-case", "static": "static", "over": "overprovisioned"}
    regimes = dict(study.regimes)
    for short_name, score in scores.items():
        regimes[names[short_name]] = _outcome(regimes[names[short_name]], score)
    return replace(study, regimes=regimes)


def _outcome(outcome: Outcome, score: float | None) -> Outcome:
    if score is None or outcome.plan is None:
        return replace(outcome, plan=None, objective=None, bound=None, status=Status.INFEASIBLE)
    log = math.log(score)
    return replace(outcome, plan=replace(outcome.plan, objective=log), objective=log, bound=log)


@pytest.mark.parametrize(
    ("scores", "title"),
    [
        (
            {"worst": 1.0, "static": 1.43 / 1.006, "over": 1.43},
            "Overprovisioning gains 43 % over worst-case provisioning, 0.6 % over static caps",
        ),
        (
            {"worst": 1.0, "static": 1.0, "over": 1.0},
            "Overprovisioning gains nothing certain over worst-case provisioning or static caps",
        ),
        (
            {"worst": 1.0, "static": 1.25, "over": 1.0},
            (
                "Overprovisioning loses 20 % against static caps and gains nothing certain over "
                "worst-case provisioning"
            ),
        ),
        (
            {"worst": None, "static": 1.0, "over": 2.0},
            "Overprovisioning gains 100 % over static caps; worst-case provisioning allows no plan",
        ),
        ({"worst": 1.0, "static": 1.0, "over": None}, "Overprovisioning allows no plan"),
        (
            {"worst": None, "static": None, "over": 2.0},
            "Worst-case provisioning and static caps allow no plan",
        ),
    ],
)
def test_the_gain_is_said_whichever_way_it_goes(
    short: ProcurementStudy, scores: dict[str, float | None], title: str
) -> None:
    assert gains(scored(short, **scores)) == title


def test_a_regime_out_of_time_is_not_said_to_have_no_plan(short: ProcurementStudy) -> None:
    study = scored(short, worst=None, static=1.0, over=2.0)
    late = replace(study.regimes["worst-case"], status=Status.UNKNOWN)
    result = gains(replace(study, regimes=study.regimes | {"worst-case": late}))
    assert result == (
        "Overprovisioning gains 100 % over static caps; worst-case provisioning was not decided "
        "in time"
    )
    ours = replace(late, status=Status.UNKNOWN)
    result = gains(replace(study, regimes=study.regimes | {"overprovisioned": ours}))
    assert result.startswith("Overprovisioning was not decided in time")
    pages = document(replace(study, regimes=study.regimes | {"worst-case": late}), [])["pages"]
    words = str(next(p for p in pages if p["heading"] == "What does overprovisioning gain?"))
    assert words.count("not decided in time") >= 3
    assert "no plan" not in words


def test_terms_without_a_reason_on_the_first_page_are_explained_under_its_figure(
    short: ProcurementStudy,
) -> None:
    def note(study: ProcurementStudy) -> str:
        drawn = by_kind(pictures(study))
        page = regimes.page(study, drawn)
        assert page is not None
        (figure,) = [block for block in page.blocks if block["kind"] == "picture"]
        return str(figure["source"])

    nothing = scored(short, worst=1.0, static=1.0, over=1.0)
    assert note(nothing).startswith("Overprovisioning (power caps follow the work); worst-case ")
    assert not note(scored(short, worst=1.0, static=1.1, over=1.2))


def test_a_question_out_of_time_is_not_said_to_have_no_plan(full: ProcurementStudy) -> None:
    assert no_plan(full, "tornado") == "no plan"
    stopped = replace(full.solved[0].certificates[0], stop=Stop.TIME)
    late = replace(full, solved=(*full.solved, Solved("tornado", (stopped,))))
    assert no_plan(late, "tornado") == "none found in time"
    turned = replace(late, tornado=full.tornado[::-1])
    assert "decides whether a plan is found in time" in tornado.finding(turned)


def test_a_gain_within_the_bounds_is_not_certain(short: ProcurementStudy) -> None:
    study = scored(short, worst=1.0, static=1.0, over=1.01)
    open_bound = replace(study.regimes["static"], bound=math.log(1.02))
    regimes = study.regimes | {"static": open_bound}
    assert "nothing certain over static caps" in gains(replace(study, regimes=regimes))


def test_heuristics_that_break_every_rule_or_reach_the_optimum_are_named(
    short: ProcurementStudy,
) -> None:
    plan = short.plan
    assert plan is not None
    broken = replace(short, heuristics=(Compared(plan, ("too dear",), 0.0),))
    assert heuristics.finding(broken).startswith("No simpler method or quoted system")
    even = replace(short, heuristics=(Compared(plan, (), 0.0),))
    assert "scores as much as the plan" in heuristics.finding(even)
    lower = replace(plan, method="by hand", objective=plan.objective + math.log(0.9))
    less = replace(short, heuristics=(Compared(lower, (), 0.1),))
    expected = "The best simpler method or quoted system (by hand) scores 10 % less than the plan"
    assert heuristics.finding(less) == expected


def test_an_interval_with_zero_is_no_gain(short: ProcurementStudy) -> None:
    sure = MarginalValue("capital", 0.05, 1.0, 0.02, 0.03, ScoreChange.CHANGES, 0.0, 0.02)
    open_ = MarginalValue("racks", 0.05, 1.0, 0.0, 0.001, ScoreChange.CONTAINS_ZERO, 0.0, 0.0)
    both = marginal_value.finding(replace(short, marginal_values=(sure, open_)))
    assert both == (
        "5 % more capital raises the score by at least 2.00 %; "
        "more rack places has no certain effect"
    )
    none = marginal_value.finding(replace(short, marginal_values=(open_,)))
    assert none == "No resource certainly raises the score if there is more of it"


def test_ends_of_intervals_are_rounded_outwards() -> None:
    """-2.208 % and -2.195 %: never within what is certain; noise is no hundredth of a per cent."""
    assert interval(-0.02208, -0.02195) == "−2.21 to −2.19 %"  # noqa: RUF001
    assert interval(-1e-9, 1e-9) == "0.00 %"
    assert interval(0.0, 0.00634) == "0.00 to +0.64 %"
    assert interval(0.0216401, 0.0218) == "+2.16 to +2.18 %"
    assert interval(None, None) == "no plan"
    assert [size(end) for end in (-0.02201, 0.02201, 1e-9)] == ["2.21 %", "2.21 %", "0.00 %"]


def test_an_effect_that_may_be_zero_is_bounded_by_its_size() -> None:
    """-0.10 % to 0 is at most 0.10 % lower, not "at most -0.10 %"."""

    def effect(low: float, high: float) -> MarginalValue:
        return MarginalValue("racks", 0.05, 1.0, low, high, ScoreChange.CONTAINS_ZERO, 0.0, 0.0)

    for low, high, words in (
        (-0.00099, 0.0, "at most 0.10 % lower"),
        (0.0, 0.00634, "at most 0.64 % higher"),
        (-0.001, 0.002, "−0.10 to +0.20 %"),  # noqa: RUF001
        (-1e-9, 1e-9, "none"),
        (-0.00991, 0.0, "at most 1.00 % lower"),
        (0.0, 0.009001, "at most 0.91 % higher"),
    ):
        assert marginal_value.words(effect(low, high)) == words
        assert marginal_value.may_be_zero(effect(low, high)) == (words != "none")
    certain = MarginalValue("racks", 0.05, 1.0, 0.1, 0.2, ScoreChange.CHANGES, 0.0, 0.0)
    assert not marginal_value.may_be_zero(certain)


def test_a_title_begins_with_the_only_repair_that_there_is(planless: ProcurementStudy) -> None:
    diagnosis = planless.diagnosis
    assert diagnosis is not None
    useful = replace(diagnosis, useful=diagnosis.repairs, repairs=())
    (picture,) = repairs.pictures(replace(planless, diagnosis=useful))
    assert picture.title.startswith("A machine as good as the reference needs ")


def test_a_workload_that_uses_a_hundredth_of_a_node_elsewhere_is_split(
    short: ProcurementStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes, nodes = allocation.allocation(short)
    nodes = nodes * 0.0
    nodes[:, 0] = 10.0
    monkeypatch.setattr(allocation, "allocation", lambda _study: (modes, nodes))
    (alone,) = allocation.pictures(short)
    assert alone.title.startswith("Every throughput workload runs on one node type under one cap")
    more = np.hstack([nodes, nodes * 0.0])
    more[0, -1] = 0.01
    monkeypatch.setattr(allocation, "allocation", lambda _study: (modes * 2, more))
    (split,) = allocation.pictures(short)
    assert split.title.startswith("1 of 2 throughput workloads run on one node type")


def test_a_certain_gain_is_not_rounded_up(short: ProcurementStudy) -> None:
    """2.164 % is certain; 2.17 % is not; the interval beside it begins with +2.16."""
    sure = MarginalValue("capital", 0.05, 1.0, 0.02164, 0.03, ScoreChange.CHANGES, 0.0, 0.0)
    result = marginal_value.finding(replace(short, marginal_values=(sure,)))
    assert result == "5 % more capital raises the score by at least 2.16 %"


def test_the_ranking_names_the_nearest_turn_or_that_there_is_none() -> None:
    turning = rank(["a", "b"], {"x": [1.0, 0.5], "y": [0.2, 1.0]}, {"x": 0.8, "y": 0.2})
    title = ranking.finding(turning)
    assert title == (
        "The winner (a) stays first unless the weight of y is above 38.4 %; another weight can "
        "change it, too"
    )
    alone = rank(["a", "b"], {"x": [1.0, 0.5], "y": [1.0, 0.9]}, {"x": 0.5, "y": 0.5})
    assert "for any weight" in ranking.finding(alone)


def test_losing_quotes_may_all_lose_for_good(full: ProcurementStudy) -> None:
    assert (
        "is the closest losing quote: it pays from a discount of 12.0 %"
        in losing_quotes.finding(full)
    )
    certain = replace(full.losing_quotes[1], certified_out=0.22992, certified_in=0.23008)
    assert "pays from a discount of 23.1 %" in losing_quotes.finding(
        replace(full, losing_quotes=(certain,))
    )
    assert losing_quotes.words(certain) == "does not pay at 22.9 %, pays at 23.1 %"
    never = replace(
        full, losing_quotes=tuple(q for q in full.losing_quotes if q.certified_in is None)
    )
    assert losing_quotes.finding(never) == "None of 2 losing quotes pays at a discount of 95 %"
    open_ = replace(full.losing_quotes[0], certified_out=None, certified_in=None)
    both = replace(full, losing_quotes=(full.losing_quotes[0], open_))
    assert losing_quotes.finding(both) == (
        "1 losing quote cannot pay even at a discount of 95 %; 1 of 2 undecided"
    )
    only = losing_quotes.finding(replace(full, losing_quotes=(open_,)))
    assert only == "It is undecided whether a losing quote pays (1 examined)"
    tie = replace(full, losing_quotes=(replace(full.losing_quotes[0], certified_in=0.001),))
    assert "is tied" in losing_quotes.finding(tie)


def test_the_plane_says_where_most_is_gained_or_that_nothing_is(full: ProcurementStudy) -> None:
    assert budget_power_grid.finding(full) == (
        "Overprovisioning gains from 0 % to 25 % over worst-case provisioning, most at "
        "900,000 USD and 30.0 kW"
    )

    def with_scores(*scores: float) -> ProcurementStudy:
        names = ("worst-case", "static", "overprovisioned")
        cell = replace(full.cells[0], score=dict(zip(names, scores, strict=True)))
        return replace(full, cells=(cell,))

    assert "gains nothing for any budget and power" in budget_power_grid.finding(
        with_scores(1.0, 1.0, 1.0)
    )
    assert budget_power_grid.finding(with_scores(0.0, 1.0, 1.0)).startswith(
        "No worst-case provisioned plan"
    )
    assert isinstance(full.cells[0], Cell)


def test_power_has_one_unit_in_a_figure(full: ProcurementStudy) -> None:
    words = [picture.alternative for picture in pictures(full) if picture.kind == "pareto"]
    assert " 5.0 kW;" in words[0]
    assert " MW" not in words[0]


def boxes_of(figure: Figure) -> tuple[list[Any], list[Any], Any]:
    """Labels, dots and frame of the front, in pixels."""
    figure.draw_without_rendering()
    axes = figure.axes[0]
    labels_ = [text.get_window_extent() for text in axes.texts]
    middles = axes.transData.transform(axes.collections[0].get_offsets())
    return labels_, list(middles), axes.get_window_extent()


def test_numbers_of_the_front_lie_within_the_frame_and_on_no_dot(full: ProcurementStudy) -> None:
    points = tuple(
        ParetoPoint(1e6 * x, 1e6, 0.1 * y, 1e5 + 1e3 * y, ())
        for x, y in [
            (6, 50),
            (6, 48),
            (9, 64),
            (12, 96),
            (12, 110),
            (12, 106),
            (18, 152),
            (18, 155),
        ]
    )
    figure = Figure(figsize=(6.8, 3.3), layout="constrained")
    FigureCanvasAgg(figure)
    pareto.paint(figure, replace(full, pareto=points))
    result, dots, frame = boxes_of(figure)
    assert len(result) >= 4
    for box in result:
        assert frame.x0 <= box.x0
        assert box.x1 <= frame.x1 + 1
        assert not any(box.contains(x, y) for x, y in dots)
    for box_index, box in enumerate(result):
        assert not any(box.overlaps(other) for other in result[:box_index])


def test_the_tornado_says_when_an_input_decides_everything(full: ProcurementStudy) -> None:
    assert "moves the best score most, by 20 %; 1 of 2 inputs change" in tornado.finding(full)
    turned = replace(full, tornado=full.tornado[::-1])
    assert "decides whether a plan exists" in tornado.finding(turned)
    still = replace(full, tornado=(replace(full.tornado[0], types_change=False),))
    assert tornado.finding(still).endswith("no input changes the node types bought")


def test_regret_is_called_simulated(full: ProcurementStudy) -> None:
    assert full.monte_carlo is not None
    title = regrets.finding(full.monte_carlo)
    assert title.startswith("Simulated: the decision holds in 75 % of 4 cases")


@pytest.mark.parametrize("kind", ["short", "full", "hostile", "planless"])
def test_every_figure_has_title_alternative_and_its_own_name(
    kind: str, drawn: dict[str, list[Picture]]
) -> None:
    result = drawn[kind]
    assert len({picture.name for picture in result}) == len(result)
    for picture in result:
        assert picture.kind in FIGURES
        assert 10 < len(picture.title) < 220
        assert len(picture.alternative) > 40
        assert not any(word in picture.title for word in ("nan", "None", "inf "))
        with Image.open(io.BytesIO(picture.png)) as image:
            assert image.info["Title"] == picture.title
            assert "Software" not in image.info
        assert f"<dc:title>{escape(picture.title)}</dc:title>" in picture.svg.decode()
    expected = {"short": 6, "full": 12, "hostile": 11, "planless": 1}  # hostile: no bid is sound
    assert len(result) == expected[kind]


@pytest.mark.slow
def test_the_same_study_gives_the_same_pictures(
    full: ProcurementStudy, drawn: dict[str, list[Picture]]
) -> None:
    assert pictures(full) == drawn["full"]


def test_names_stay_apart_however_alike_and_long(hostile: ProcurementStudy) -> None:
    for maximum in (26, 40):
        names = labels(hostile.problem, maximum)
        assert len(set(names)) == 40
        assert max(map(len, names)) <= maximum


def test_figures_are_the_same_on_given_axes(drawn: dict[str, list[Picture]]) -> None:
    assert same_on_given_axes(drawn["full"])
