"""The whole answer to small requests: sound, reproducible, and fit for JSON and sheets."""

from __future__ import annotations

import datetime as dt
import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from planner.procurement.findings import limits_used, of_limit
from planner.procurement.summary import remarks

from planner.errors import PlanError
from planner.procurement.checker import violations
from planner.procurement.columns import Goal
from planner.procurement.gains import gain
from planner.procurement.heuristics import BID
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import FLOOR_TOLERANCE, GAP, Options, Outcome
from planner.procurement.plain import flat, tidy
from planner.procurement.problem import REGIME_NAMES, REGIMES
from planner.procurement.procure import procure
from planner.procurement.study import ProcurementStudy
from solvers import Level, Status
from tests.planner.procurement.catalogues import (
    Document,
    asked,
    document,
    merits,
    node,
    random_problem,
    request,
    scenario,
)
from tests.planner.procurement.enumeration import best, least


def answered(raw_scenario: Document, *, full: bool = False) -> ProcurementStudy:
    return procure(scenario(raw_scenario), Options(), full=full)


def with_plan(count: int, first: int = 0) -> list[Document]:
    """Random requests that have a plan; lambda and regime in turn."""
    result: list[Document] = []
    seed = first
    while len(result) < count:
        raw_scenario = document(seed)
        raw_scenario["procurement"]["cvar_weight"] = (0.0, 0.5, 1.0)[len(result) % 3]
        raw_scenario["procurement"]["regime"] = REGIMES[len(result) % 3]
        if best(asked(raw_scenario)).lower is not None:
            result.append(raw_scenario)
        seed += 1
    return result


@pytest.fixture(scope="module")
def studies() -> list[ProcurementStudy]:
    return [answered(raw_scenario) for raw_scenario in with_plan(4)]


@pytest.fixture(scope="module")
def full_studies(monkeypatch_module: pytest.MonkeyPatch) -> list[ProcurementStudy]:
    monkeypatch_module.setattr("planner.procurement.procure.DRAWS", 3)
    return [answered(raw_scenario, full=True) for raw_scenario in with_plan(1, first=15)]


@pytest.fixture(scope="module")
def monkeypatch_module() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


def test_the_recommended_plan_is_sound_and_the_best(studies: list[ProcurementStudy]) -> None:
    for study in studies:
        assert study.plan is not None
        assert violations(study.problem, study.plan) == []
        truth = best(study.problem)
        assert truth.lower is not None
        assert truth.upper is not None
        slack = GAP + 2 * FLOOR_TOLERANCE
        assert truth.lower - slack <= study.plan.objective <= truth.upper + 1e-6
        assert study.optimum.bound is not None
        assert study.optimum.bound >= truth.lower - 1e-9


def test_each_regimes_plan_is_sound_and_its_best(studies: list[ProcurementStudy]) -> None:
    for study in studies:
        assert set(study.regimes) == set(REGIMES)
        for name, outcome in study.regimes.items():
            under = study.problem.under(name)
            truth = best(under)
            assert (outcome.plan is None) == (truth.lower is None), (study.problem.name, name)
            if outcome.plan is not None and truth.lower is not None:
                assert violations(under, outcome.plan) == []
                assert outcome.bound is not None
                assert outcome.bound >= truth.lower - 1e-9


def test_the_lexicographic_plan_gives_up_nothing(studies: list[ProcurementStudy]) -> None:
    for study in studies:
        plan, optimum, cheapest = study.plan, study.optimum.plan, study.cheapest
        assert plan is not None
        assert optimum is not None
        assert cheapest is not None
        assert cheapest.plan is not None
        assert plan.objective >= optimum.objective - 2.1 * FLOOR_TOLERANCE
        assert plan.total_cost <= cheapest.plan.total_cost * (1 + 1e-8)
        assert cheapest.plan.total_cost <= optimum.total_cost * (1 + 1e-12)
        assert plan.mean_it_w <= cheapest.plan.mean_it_w * (1 + 1e-8)
        assert study.least_power is not None
        assert cheapest.status is study.least_power.status is Status.OPTIMAL


def test_no_plan_of_the_same_score_costs_less_than_its_bound() -> None:
    compared = 0
    for seed in range(24):
        raw_scenario = document(seed)
        raw_scenario["demands"] = []
        raw_scenario["procurement"] |= {"workload_mode": "shared", "cvar_weight": 0.0}
        raw_scenario["procurement"]["regime"] = REGIMES[seed % 3]
        problem = asked(raw_scenario)
        if problem.capabilities or best(problem).lower is None:
            continue
        study = answered(raw_scenario)
        assert study.cheapest is not None
        assert study.cheapest.bound is not None
        assert study.optimum.plan is not None
        floor = study.optimum.plan.objective - FLOOR_TOLERANCE
        truth = least(problem, floor, Goal.COST)
        assert truth is not None
        assert study.cheapest.bound <= truth * (1 + 1e-9), problem.name
        assert study.plan is not None
        assert study.plan.total_cost <= truth * (1 + 2 * GAP), problem.name
        compared += 1
    assert compared >= 5


def check_plain(value: object, where: str = "") -> None:
    """Nothing that JSON or a sheet cannot hold."""
    if isinstance(value, dict):
        for key, inner in value.items():
            assert isinstance(key, str), where
            check_plain(inner, f"{where}.{key}")
    elif isinstance(value, list):
        for inner in value:
            check_plain(inner, where)
    else:
        assert value is None or isinstance(value, str | bool | int | float), where
        assert not isinstance(value, np.generic), where
        assert not isinstance(value, float) or math.isfinite(value), where


def check_outputs(study: ProcurementStudy) -> None:
    text = json.dumps(study.to_dict(), allow_nan=False)
    check_plain(json.loads(text))
    for name, rows in study.tables().items():
        assert rows, name
        for row in rows:
            for key, value in row.items():
                where = f"{name}.{key}"
                assert value is None or isinstance(value, str | bool | int | float), where
                assert not isinstance(value, float) or math.isfinite(value), where


def test_the_answer_is_json_and_its_tables_are_flat(studies: list[ProcurementStudy]) -> None:
    for study in studies:
        check_outputs(study)


def test_the_full_answer_is_json_and_its_tables_are_flat(
    full_studies: list[ProcurementStudy],
) -> None:
    tables: set[str] = set()
    for study in full_studies:
        check_outputs(study)
        tables |= set(study.tables())
        assert study.monte_carlo is not None
        assert len(study.monte_carlo.regrets) == 3
        assert len(study.cells) == 25
        if study.plan is not None:
            for alternative in study.alternatives:
                assert violations(study.problem, alternative.plan) == []
    assert tables >= {
        "purchases", "heuristics", "regimes", "marginal_values", "ranking", "reversals",
        "budget_power_grid", "pareto", "tornado", "monte_carlo", "cost", "bill_of_materials",
    }  # fmt: skip


def test_every_question_shows_its_certificates(full_studies: list[ProcurementStudy]) -> None:
    for study in full_studies:
        solved = {solve.question: solve for solve in study.solved}
        demanded = {"losing quotes"} if study.losing_quotes else set()
        demanded |= {
            "optimum", "least cost", "least power", "worst-case provisioning", "static caps",
            "marginal value of each resource", "alternatives", "grid of budget and power",
            "tornado", "simulated draws",
        }  # fmt: skip
        assert demanded - solved.keys() <= {REGIME_NAMES[study.problem.regime]}
        assert len(solved["simulated draws"].certificates) >= 3
        for solve in study.solved:
            counted = sum(solve.count[s] for s in (Status.OPTIMAL, Status.INFEASIBLE))
            assert counted + solve.decided_early + solve.stopped_by_time == len(solve.certificates)
            for certificate in solve.certificates:
                assert certificate.level is not Level.CLAIMED
                if certificate.objective is not None and certificate.bound is not None:
                    assert certificate.gap_absolute == abs(
                        certificate.bound - certificate.objective
                    )
        rows = [row for solve in study.solved for row in solve.to_rows()]
        assert study.to_dict()["programs"] == tidy(rows)


def test_only_sound_bids_can_win(studies: list[ProcurementStudy]) -> None:
    found = set()
    quoted = one_type()
    for quote, vendor, count in zip(quoted["node_types"], "VW", (4, 5), strict=True):
        quote |= {"vendor": vendor, "as_bid_quantity": count}  # the second one is too expensive
    for study in (*studies, answered(quoted)):
        assert study.ranking is not None
        wrong = {heuristic.plan.method for heuristic in study.heuristics if heuristic.wrong}
        ranked = {candidate.name for candidate in study.ranking.candidates}
        assert not wrong & ranked
        bids = {e.plan.method for e in study.heuristics if e.plan.method.startswith(BID)}
        assert bids <= ranked | set(study.ranking.left_out)
        assert bids - wrong <= ranked
        found |= bids
    assert found == {f"{BID}V", f"{BID}W"}


def test_the_same_request_has_the_same_bytes(studies: list[ProcurementStudy]) -> None:
    for study in studies:
        again = procure(study.scenario, study.options)
        assert json.dumps(again.to_dict()) == json.dumps(study.to_dict())


@pytest.mark.slow
def test_the_same_request_has_the_same_bytes_in_full(full_studies: list[ProcurementStudy]) -> None:
    for study in full_studies:
        again = procure(study.scenario, study.options, full=True)
        assert json.dumps(again.to_dict()) == json.dumps(study.to_dict())


def test_no_heuristic_shown_without_violations_beats_the_plan(
    studies: list[ProcurementStudy],
) -> None:
    listed = 0
    for study in studies:
        assert study.optimum.bound is not None
        for heuristic in study.heuristics:
            assert list(heuristic.wrong) == violations(study.problem, heuristic.plan)
            if not heuristic.wrong:
                assert heuristic.plan.objective <= study.optimum.bound + 1e-9
                listed += 1
    assert listed >= len(studies)


def test_a_request_without_a_plan_is_diagnosed() -> None:
    diagnosed = 0
    for seed in range(9):
        if best(random_problem(seed)).lower is not None:
            continue
        raw_scenario = document(seed)
        raw_scenario["procurement"]["repair_prices"] = {"capital": 1.0, "it_power_w": 2.0}
        for full in (False, True):
            study = answered(raw_scenario, full=full)
            assert study.plan is None
            assert study.diagnosis is not None
            assert study.headline.startswith("No plan exists")
            assert study.diagnosis.clashing
            check_outputs(study)
        diagnosed += 1
    assert diagnosed >= 3


def one_type(**more: Any) -> Document:
    work = merits("w", ("a", None, 1.0), ("b", None, 1.0))
    return request([node("a", 100.0), node("b", 150.0)], [work], 500.0, 900.0, **more)


def test_a_workload_that_no_quote_runs_is_refused() -> None:
    raw_scenario = one_type()
    raw_scenario["workloads"].append(merits("v", ("b", None, 1.0)))
    raw_scenario["node_types"].pop()
    with pytest.raises(PlanError, match=r"v.*(add|give|correct|remove)"):
        answered(raw_scenario)


def test_demand_for_nothing_is_refused() -> None:
    none = {"name": "none", "probability": 1.0, "factors": {"w": 0.0}}
    with pytest.raises(PlanError, match="asks for nothing at all; correct its factors"):
        answered(one_type(demands=[none]))


def test_a_roofline_without_rates_is_refused() -> None:
    roofline = {"kind": "roofline", "clock_bound": 0.5}
    raw_scenario = one_type()
    raw_scenario["workloads"] = [{"name": "w", "weight": 1.0, "performance": roofline}]
    with pytest.raises(PlanError, match=r"compute_rate and bandwidth_gb_s.*add them"):
        answered(raw_scenario)


def test_money_for_millions_of_nodes_is_taken_for_a_mistake_of_units() -> None:
    raw_scenario = one_type()
    del raw_scenario["node_types"][0]["maximum_quantity"]
    raw_scenario["budget"]["capital"], raw_scenario["power"]["bound_w"] = 1e12, 1e12
    with pytest.raises(PlanError, match="check the units"):
        answered(raw_scenario)


def test_no_quote_that_can_be_bought_says_why() -> None:
    raw_scenario = one_type(requirements={"node_memory_gb": 64.0})
    study = answered(raw_scenario)
    assert study.plan is None
    assert study.diagnosis is not None
    assert study.diagnosis.clashing == ("requirement: node memory",)
    assert any("4 GB of memory are less than the 64 GB" in warning for warning in study.warnings)
    (way,) = study.diagnosis.ways
    assert way.changes[0].words == "4 instead of 64 GB of memory in every node"


def test_the_answer_to_a_request_worked_by_hand() -> None:
    """500 buys five of a (100 W each at the peak, 900 W are there): five times the reference.

    5 x 100 for nodes and nothing else; 500 W for 3 years at 0.01: 131.4. All of it but for the
    millionth of the score that the cheapest and least-power plans may give up.
    """
    study = answered(one_type())
    assert study.plan is not None
    assert [(p.name, p.nodes) for p in study.plan.purchases] == [("a", 5)]
    assert study.plan.score == pytest.approx(5, rel=3 * FLOOR_TOLERANCE)
    assert study.plan.bill.capital == 500
    assert study.plan.mean_it_w == pytest.approx(500, rel=1e-5)
    assert study.plan.total_cost == pytest.approx(500 + 3 * 500 * 8.76 * 0.01, rel=1e-5)
    assert study.cost is not None
    assert study.cost.energy_kwh_per_year == pytest.approx(500 * 8.76, rel=1e-5)
    assert study.headline.startswith("Buy 5 nodes of a (V)")


def test_a_search_that_ended_early_is_not_called_infeasible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = merits("w", ("a", None, 1.0))
    asked_for = scenario(request([node("a", 100.0)], [work], 300.0, 900.0))
    whole = Optimiser.solve

    def undecided(self: Optimiser, *raw_scenario: Any, **options: Any) -> Outcome:
        return replace(whole(self, *raw_scenario, **options), plan=None, status=Status.UNKNOWN)

    monkeypatch.setattr(Optimiser, "solve", undecided)
    with pytest.raises(PlanError, match="before a plan was found or ruled out"):
        procure(asked_for, Options())


def dated(**power: Any) -> ProcurementStudy:
    """Five of a, decided on the first of March, delivered after ten weeks: on 10 May."""
    raw_scenario = one_type()
    raw_scenario["node_types"][0]["lead_weeks"] = 10
    raw_scenario["procurement"]["decided_on"] = dt.date(2027, 3, 1)
    raw_scenario["power"] |= power
    return answered(raw_scenario)


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (dt.date(2027, 5, 3), "1 week after power is available (2027-05-03); the power planned"),
        (dt.date(2027, 5, 9), "1 day after power is available"),
        (dt.date(2027, 5, 13), "3 days before power is available (2027-05-13); they cannot run"),
        (dt.date(2027, 6, 1), "3 weeks before power is available (2027-06-01); they cannot run"),
    ],
)
def test_deliveries_after_and_before_the_feed_are_warned_of(day: dt.date, words: str) -> None:
    (warning,) = dated(available_on=day).warnings
    assert warning.startswith(f"The nodes 'a' arrive {words}")


def test_a_delivery_on_the_day_of_the_feed_is_no_warning_and_days_are_written() -> None:
    study = dated(available_on=dt.date(2027, 5, 10))
    assert study.warnings == ()
    row = study.to_dict()["decision"]["plan"]["purchases"][0]
    assert row["delivered_on"] == "2027-05-10"
    assert study.tables()["purchases"][0]["delivered_on"] == "2027-05-10"


def test_a_score_is_no_throughput_and_says_what_scores_1() -> None:
    study = answered(one_type())
    assert study.scenario.reference is not None
    assert study.headline == (f"Buy 5 nodes of a (V) for 500 {study.problem.prices.currency}.")
    assert remarks(study)[0].startswith(
        f"The score is 5.000; {study.scenario.reference.name} scores 1. "
        "A score of 2 means twice its"
    )


def test_a_bound_just_above_is_said_in_words(studies: list[ProcurementStudy]) -> None:
    study = studies[0]
    assert study.plan is not None
    near, far = study.plan.objective + 1e-7, study.plan.objective + 0.01234
    for bound, words in ((near, "more than 0.001 % better"), (far, "more than 1.3 % better")):
        outcome = replace(study.optimum, bound=bound, proved=None)
        text = replace(study, optimum=outcome).confidence
        assert words in text  # exp(0.01234) - 1 = 1.2416 %, never below
        listed = float(text.split("more than ")[1].split(" %")[0])
        assert 1 + listed / 100 >= math.exp(bound - study.plan.objective)
        assert f"{study.plan.score:.4f}" not in text  # two roundings of one number are no proof


def test_two_values_never_share_a_name() -> None:
    raw_scenario = one_type()
    raw_scenario["budget"] |= {
        "operating_holds": "every",
        "energy_prices": [
            {"name": "low", "price_per_kwh": 0.01, "probability": 0.5},
            {"name": "high", "price_per_kwh": 0.03, "probability": 0.5},
        ],
    }
    plain = answered(raw_scenario).to_dict()
    kwh = 500 * 8.76  # a year: 43.8 at 0.01, 131.4 at 0.03
    assert plain["decision"]["plan"]["operating_per_year_binding"] == pytest.approx(
        0.03 * kwh, 1e-4
    )
    assert plain["cost"]["operating_per_year_expected"] == pytest.approx(0.02 * kwh, rel=1e-4)
    assert plain["cost"]["operating_per_year_highest"] == pytest.approx(0.03 * kwh, rel=1e-4)
    assert "score" not in plain["decision"]
    assert plain["decision"]["optimum_score"] >= plain["decision"]["plan"]["score"] * (1 - 1e-9)


def test_numbers_are_written_without_noise_and_zeros_without_sign(
    studies: list[ProcurementStudy],
) -> None:
    assert str(tidy([-0.0, 99.99999999999999, 1e-17, 123456789.123456])) == (
        "[0.0, 100.0, 1e-17, 123456789.123]"
    )
    for study in studies:
        plain = study.to_dict()
        plain.pop("inputs")
        assert plain["decision"] == tidy(plain["decision"])
        assert "-0.0," not in json.dumps(plain)


def test_lists_in_cells_read_as_text() -> None:
    row = {
        "purchases": [{"name": "a", "vendor": "V", "nodes": 139, "cap_w": 250.0}],
        "pairs": [["b", 3]],
        "winners": [{"from": 0.0, "to": 0.25, "name": "optimum"}],
        "added": [{"resource": "capital", "amount": 1250.5}],
    }
    assert flat(row) == {
        "purchases": "139 x a (V) at 250 W",
        "pairs": "3 x b",
        "winners": "optimum from 0 to 0.25",
        "added": "capital +1250.5",
    }


def bid(**terms: Any) -> ProcurementStudy:
    """V bids 4 of a and 3 of b, of which b has those terms; W bids 2 of c, but only to January."""
    work = merits("w", ("a", None, 1.0), ("b", None, 1.0), ("c", None, 0.1))
    nodes = [
        node("a", 100.0, as_bid_quantity=4),
        node("b", 150.0, as_bid_quantity=3, **terms),
        node("c", 90.0, vendor="W", as_bid_quantity=2, valid_until=dt.date(2027, 1, 31)),
    ]
    raw_scenario = request(nodes, [work], 2000.0, 2000.0)
    raw_scenario["procurement"]["decided_on"] = dt.date(2027, 3, 1)
    return answered(raw_scenario)


def test_a_bid_of_which_part_is_excluded_says_so_and_cannot_win() -> None:
    study = bid(valid_until=dt.date(2027, 1, 31))
    result = {heuristic.plan.method: heuristic for heuristic in study.heuristics}["as quoted by V"]
    (reason,) = result.wrong
    assert reason == (
        "not all of it can be bought: 3 x b: the quote ended on 2027-01-31, before the decision on "
        "2027-03-01"
    )
    assert study.ranking is not None
    assert {"as quoted by V", "as quoted by W"} <= set(study.ranking.left_out)
    assert [candidate.name for candidate in study.ranking.candidates] == ["optimum"]


def test_a_bid_of_which_nothing_can_be_bought_is_named_with_its_reason() -> None:
    study = bid()
    assert [refusal.method for refusal in study.refused] == ["as quoted by W"]
    ended = "the quote ended on 2027-01-31, before the decision on 2027-03-01"
    assert study.refused[0].wrong == (f"not all of it can be bought: 2 x c: {ended}",)
    assert study.to_dict()["refused_bids"] == [refusal.to_dict() for refusal in study.refused]
    assert "refused_bids" in study.tables()


def test_mandates_stand_beside_what_is_reached() -> None:
    """500 buys five of a, 4 GB each: 20 GB, of which 12 were asked; throughput 5 of 2."""
    asked_for = {
        "nodes": 3, "total_memory_gb": 12.0, "node_memory_gb": 4.0, "throughput": {"w": 2.0},
        "shares": [{"vendor": "V", "of": "spend", "least": 0.5}],
        "delivered_by": dt.date(2027, 5, 31),
    }  # fmt: skip
    raw_scenario = one_type(requirements=asked_for)
    raw_scenario["node_types"][0]["lead_weeks"] = 10
    raw_scenario["procurement"] |= {"decided_on": dt.date(2027, 3, 1), "most_vendors": 2}
    slack = {mandate.what: mandate.slack for mandate in answered(raw_scenario).mandates}
    assert slack == {
        "nodes": 2,
        "memory in all": 8.0,
        "memory of every node": 0.0,
        'throughput of w in demand "mix"': pytest.approx(3, rel=1e-5),
        "V share of spend": 0.5,
        "vendors": 1,
        "delivery of all nodes": 21,  # 10 to 31 May
    }


@pytest.mark.parametrize(
    ("price", "capital", "words"),
    [
        (100.0, 488.0, "12 USD of capital more"),  # five nodes cost 500
        (100.0, 499.75, "0.25 USD of capital more"),
        (333_333.37, 1.6e6, "66,667 USD of capital more"),  # 66,666.85: never 66,666
        (4_321_098.7, 9.87e6, "11.74 M USD of capital more"),  # 11.7354935
    ],
)
def test_a_repair_followed_as_it_is_printed_makes_a_plan(
    price: float, capital: float, words: str
) -> None:
    def given(money: float) -> Document:
        work = merits("w", ("a", None, 1.0))
        asked_for = {"nodes": 5}
        return request([node("a", price)], [work], money, 900.0, requirements=asked_for)

    study = answered(given(capital))
    assert study.diagnosis is not None
    (line,) = [s for s in study.diagnosis.sentences(study.problem) if "capital more" in s]
    currency = study.problem.prices.currency
    assert line.startswith(words.replace("USD", currency))
    amount = line.split(f" {currency}")[0]
    added = float(amount.removesuffix(" M").replace(",", "")) * (1e6 if "M" in amount else 1)
    assert answered(given(capital + added)).plan is not None
    assert study.diagnosis.repairs[0].added[0][1] <= added


def test_power_that_is_missing_is_said_in_watts_and_is_enough() -> None:
    work = merits("w", ("a", None, 1.0))
    raw_scenario = request([node("a", 1.0)], [work], 900.0, 99.5, requirements={"nodes": 1})
    raw_scenario["procurement"]["regime"] = "worst-case"
    study = answered(raw_scenario)
    assert "the limit of 99.5 W of IT power (99.5 W at the feed)" in study.headline
    assert study.diagnosis is not None
    assert study.diagnosis.sentences(study.problem)[0].startswith("0.5 W of IT power")
    raw_scenario["power"]["bound_w"] = 100.0
    assert answered(raw_scenario).plan is not None


def test_energy_and_carbon_of_a_year_worked_by_hand() -> None:
    """One node of 500 W, always at work; PUE 1.2: 600 W at the feed, 5,256 kWh, 200 g each."""
    rows = [node("a", 100.0, idle_w=100.0, peak_w=500.0, embodied_kg_co2e=1500.0)]
    raw_scenario = request(rows, [merits("w", ("a", None, 1.0))], 150.0, 900.0)
    raw_scenario["power"] |= {"pue": 1.2, "carbon_g_per_kwh": 200.0}
    raw_scenario["budget"] |= {"energy_price_per_kwh": 0.5, "utilisation": 1.0, "lifetime_years": 4}
    cost = answered(raw_scenario).cost
    assert cost is not None
    assert cost.energy_kwh_per_year == pytest.approx(5256)
    assert cost.carbon_t_per_year == pytest.approx(1.0512)
    assert cost.energy_cost_per_year == pytest.approx(2628)
    assert cost.embodied_t == pytest.approx(1.5)


def test_gains_over_other_regimes_stand_in_json_with_their_intervals(
    studies: list[ProcurementStudy],
) -> None:
    compared = 0
    for study in studies:
        result = json.loads(json.dumps(study.to_dict()))["overprovisioning_gains"]
        assert {entry["over"] for entry in result} == {*study.regimes} - {"overprovisioned"}
        for entry in result:
            expected = gain(study.regimes, entry["over"])
            if expected is None:
                assert entry["value"] is None
                continue
            compared += 1
            assert entry["value"] == pytest.approx(expected.value, rel=1e-9)
            assert entry["low"] - 1e-9 <= entry["value"] <= entry["high"] + 1e-9
    assert compared


def test_power_that_is_all_planned_is_printed_as_100_per_cent() -> None:
    """The plan of least power among equal scores leaves less than the score's tolerance shows."""
    caps = {"package_caps_w": [30.0, 60.0], "maximum_quantity": 500}
    other = node("b", 14.0, vendor="W", idle_w=45.0, peak_w=110.0, maximum_quantity=300)
    work = [
        merits("w", ("a", 60.0, 1.0), ("a", 30.0, 0.8), ("b", None, 1.3)),
        merits("v", ("a", 60.0, 1.0), ("a", 30.0, 0.6), ("b", None, 0.9)),
    ]
    raw_scenario = request([node("a", 10.0, **caps), other], work, 900.0, 3000.0)
    study = procure(scenario(raw_scenario), Options())
    assert study.plan is not None
    assert study.plan.it_power_w / 3000.0 > 0.99999
    assert "IT power (100 %)" in limits_used(study)
    assert of_limit(0.99996, "it_power_w") == "99.99 %"
    assert of_limit(99_999 / 100_000, "racks") == "99.99 %"
