"""The whole answer to small requests: sound, reproducible, and fit for JSON and tables."""

from __future__ import annotations

import datetime as dt
import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from planner.errors import PlanError
from planner.finding import Fact, Finding
from planner.formatting import amount
from planner.procurement.checker import violations
from planner.procurement.columns import Goal
from planner.procurement.gains import gain
from planner.procurement.heuristics import BID
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import FLOOR_TOLERANCE, GAP, Options, Outcome
from planner.procurement.plain import tidy
from planner.procurement.problem import REGIME_NAMES, REGIMES
from planner.procurement.procure import procure
from planner.procurement.score_parts import less_throughput
from planner.procurement.study import ProcurementStudy
from planner.study import Study, read_study
from reports.writers.data import data
from solvers import Level, Status, Stop
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
from tests.sizes import few


def answered(raw_scenario: Document, *, full: bool = False) -> ProcurementStudy:
    return procure(scenario(raw_scenario), Options(), full=full)


def fact(study: ProcurementStudy, key: str) -> Fact:
    (found,) = (each for each in study.study.facts if each.key == key)
    return found


def findings(study: Study, severity: str) -> dict[str, Finding]:
    return {each.kind: each for each in study.findings if each.severity == severity}


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
    return [answered(raw_scenario) for raw_scenario in with_plan(few(4, 3))]


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
    for seed in range(few(24, 9)):
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
    assert compared >= few(5, 2)


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
    """The file holds plain values only, and the study can be read from it again."""
    text = json.dumps(study.to_dict(), allow_nan=False)
    check_plain(json.loads(text))
    again = read_study(data(study.study), "plan.json")
    assert again == study.study
    for name, rows in study.tables().items():
        assert rows, name
        keys = {column.key for column in study.study.table(name).columns}
        assert all(row.keys() <= keys for row in rows), name


def test_the_answer_is_json_and_has_its_tables(studies: list[ProcurementStudy]) -> None:
    for study in studies:
        check_outputs(study)


def test_the_full_answer_is_json_and_has_its_tables(
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
        "purchases", "compared", "regimes", "marginal_values", "ranking_points",
        "ranking_weights", "budget_power_grid", "pareto", "tornado", "regret_quantiles",
        "cost_parts", "bill_of_materials", "vendor_comparison",
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
            assert not solve.stopped_by_time
            assert not solve.stopped_by_nodes
            for certificate in solve.certificates:
                early = certificate.stop is Stop.FINISHED
                assert early or certificate.status in (Status.OPTIMAL, Status.INFEASIBLE)
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
    for seed in range(few(9, 6)):
        if best(random_problem(seed)).lower is not None:
            continue
        raw_scenario = document(seed)
        raw_scenario["procurement"]["repair_prices"] = {"capital": 1.0, "it_power_w": 2.0}
        for full in (False, True):
            study = answered(raw_scenario, full=full)
            assert study.plan is None
            assert study.diagnosis is not None
            assert study.study.headline.kind.startswith("no-plan")
            assert study.diagnosis.clashing
            check_outputs(study)
        diagnosed += 1
    assert diagnosed >= few(3, 2)


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
    assert findings(study.study, "risk")["excluded"].values == {"quotes": ("a", "b")}
    assert all("4 GB of memory are less" in each.reason for each in study.problem.excluded)
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
    assert study.study.headline.values == {
        "first": 5, "first_type": "a", "money": 500.0,
    }  # fmt: skip


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
    ("day", "kind", "days"),
    [
        (dt.date(2027, 5, 3), "late", 7),
        (dt.date(2027, 5, 9), "late", 1),
        (dt.date(2027, 5, 13), "early", 3),
        (dt.date(2027, 6, 1), "early", 22),
    ],
)
def test_deliveries_after_and_before_the_feed_are_warned_of(
    day: dt.date, kind: str, days: int
) -> None:
    study = dated(available_on=day)
    risks = findings(study.study, "risk")
    assert risks.keys() == {kind}
    values = {"types": ("a",), "feed": str(day), "most": days, "decided": "2027-03-01"}
    assert risks[kind].values == values
    before = -days if kind == "late" else days
    assert [row["days_before_power"] for row in study.study.rows("delivery")] == [before]
    steps = findings(study.study, "next step")
    assert ("deliver" in steps) == (before <= -7)  # nobody negotiates about a day


def test_a_delivery_on_the_day_of_the_feed_is_no_warning_and_days_are_written() -> None:
    study = dated(available_on=dt.date(2027, 5, 10))
    assert findings(study.study, "risk") == {}
    row = study.to_dict()["decision"]["plan"]["purchases"][0]
    assert row["delivered_on"] == "2027-05-10"
    assert study.tables()["purchases"][0]["delivered_on"] == "2027-05-10"


def test_a_score_says_what_scores_1() -> None:
    study = answered(one_type())
    assert study.scenario.reference is not None
    tile = study.study.facts[0]
    assert study.plan is not None
    assert tile.note is not None
    assert (tile.key, tile.value) == ("score", study.plan.score)
    assert tile.note.values["reference"] == study.scenario.reference.name
    assert tile.note.values["change"] == pytest.approx(study.plan.score - 1)


@pytest.mark.parametrize(("throughput", "warns"), [(0.9994, True), (0.99996, False), (1.0, False)])
def test_less_throughput_is_stated_where_four_digits_show_it(
    throughput: float, *, warns: bool
) -> None:
    study = answered(one_type())
    assert study.plan is not None
    plan = replace(study.plan, objective=math.log(throughput))
    kinds = [each.kind for each in less_throughput(replace(study, plan=plan))]
    assert kinds == ["less-throughput"] * warns


@pytest.mark.parametrize("above", [1e-7, 0.01234])
def test_the_stated_limit_is_never_below_the_bound(
    studies: list[ProcurementStudy], above: float
) -> None:
    study = studies[0]
    assert study.plan is not None
    outcome = replace(study.optimum, bound=study.plan.objective + above, proved=None)
    (optimal, *_) = replace(study, optimum=outcome).study.confidence
    more = optimal.values["more"]
    assert isinstance(more, float)
    assert more >= math.expm1(above)
    printed = amount(more, optimal.units["more"])
    assert 0.01 * float(printed.split("\xa0")[0]) >= math.expm1(above)


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
        text = json.dumps(plain)
        assert "-0.0," not in text, text[text.index("-0.0,") - 200 :][:210]


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
    rule = study.refused[0].wrong[0]
    assert {"method": "as quoted by W", "rule": rule} in study.tables()["violations"]
    (row,) = (r for r in study.tables()["compared"] if r["method"] == "as quoted by W")
    assert (row["violations"], row["score"]) == (1, None)


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
    rows = answered(raw_scenario).study.rows("mandates")
    slack = {(row["what"], row["subject"], row["demand"]): row["slack"] for row in rows}
    assert slack == {
        ("nodes", "", ""): 2,
        ("memory", "", ""): 8.0,
        ("node memory", "", ""): 0.0,
        ("throughput", "w", "mix"): pytest.approx(3, rel=1e-5),
        ("share", "V share of spend", ""): 0.5,
        ("vendors", "", ""): 1,
        ("delivery", "", ""): 21,  # 10 to 31 May
    }


@pytest.mark.parametrize(
    ("price", "capital", "printed"),
    [
        (100.0, 488.0, "12"),  # five nodes cost 500
        (100.0, 499.75, "0.25"),
        (333_333.37, 1.6e6, "66,667"),  # 66,666.85: never 66,666
        (4_321_098.7, 9.87e6, "11.74 M"),  # 11.7354935
    ],
)
def test_a_repair_followed_as_it_is_printed_makes_a_plan(
    price: float, capital: float, printed: str
) -> None:
    def given(money: float) -> Document:
        work = merits("w", ("a", None, 1.0))
        asked_for = {"nodes": 5}
        return request([node("a", price)], [work], money, 900.0, requirements=asked_for)

    study = answered(given(capital))
    assert study.diagnosis is not None
    (step,) = (s for s in study.study.findings if s.values.get("resource") == "capital")
    (row,) = (r for r in study.study.rows("repairs") if r["resource"] == "capital")
    assert (row["added"], row["unit_up"]) == (
        pytest.approx(step.values["added"]),
        step.units["added"],
    )
    words = amount(row["added"], row["unit_up"]).replace("\xa0", " ")
    assert words == f"{printed} {study.problem.prices.currency}"
    added = float(printed.removesuffix(" M").replace(",", "")) * (1e6 if "M" in printed else 1)
    assert answered(given(capital + added)).plan is not None
    assert study.diagnosis.repairs[0].added[0][1] <= added


def test_power_that_is_missing_is_stated_in_watts_and_is_enough() -> None:
    work = merits("w", ("a", None, 1.0))
    raw_scenario = request([node("a", 1.0)], [work], 900.0, 99.5, requirements={"nodes": 1})
    raw_scenario["procurement"]["regime"] = "worst-case"
    study = answered(raw_scenario)
    limits = {row["rule"]: (row["amount"], row["unit"]) for row in study.study.rows("clashing")}
    assert limits["limit: it_power_w"] == (99.5, "W")
    row = study.study.rows("repairs")[0]
    assert (row["resource"], row["added"]) == ("it_power_w", pytest.approx(0.5))
    assert (row["at_feed"], row["limit_then"]) == (pytest.approx(0.5), pytest.approx(100.0))
    assert amount(row["added"], row["unit_up"]) == "0.5\xa0W"
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


def test_power_that_is_planned_within_the_tolerance_of_the_score_binds() -> None:
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
    assert 0.99999 < study.plan.it_power_w / 3000.0 < 1
    (row,) = (r for r in study.study.rows("limits") if r["resource"] == "it_power_w")
    assert row["bound"]
    assert "it_power_w" in fact(study, "binding").value  # type: ignore[operator]
    power = fact(study, "power").note
    assert power is not None
    assert power.values["share"] == pytest.approx(row["used_share"])
    assert not amount(row["used_share"], "share used").startswith("100")
