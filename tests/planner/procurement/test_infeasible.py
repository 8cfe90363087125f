"""Explanations and repairs of what cannot be met, against every machine."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from planner.procurement.checker import violations
from planner.procurement.groups import Group
from planner.procurement.infeasible import Diagnosis, diagnose
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from planner.procurement.problem import REGIMES, RESOURCES, Problem
from planner.procurement.rules import STOCK, groups
from tests.planner.procurement.catalogues import (
    Document,
    asked,
    document,
    merits,
    node,
    request,
)
from tests.planner.procurement.enumeration import best, capital, every_plan
from tests.sizes import few

PRICES = dict.fromkeys(RESOURCES, 1.0)


def has_plan(problem: Problem) -> bool:
    return best(problem).lower is not None


def hopeless_requests(count: int, first: int = 0) -> list[Problem]:
    """So many requests without a plan; some of them with too little of one or two resources."""
    result: list[Problem] = []
    seed = first
    while len(result) < count:
        raw_scenario = document(seed)
        if seed % 2:
            raw_scenario["power"]["bound_w"] = round(raw_scenario["power"]["bound_w"] * 0.3)
        if seed % 4 == 2:
            raw_scenario["budget"]["capital"] = round(raw_scenario["budget"]["capital"] * 0.3, 2)
        if seed % 3 == 0:
            raw_scenario["requirements"]["nodes"] = 6
        raw_scenario["procurement"]["cvar_weight"] = (0.0, 0.5, 1.0)[seed % 3]
        problem = asked(raw_scenario).under(REGIMES[seed // 2 % 3])
        if not has_plan(problem):
            result.append(problem)
        seed += 1
    return result


def diagnosed(problem: Problem) -> Diagnosis:
    return diagnose(Optimiser(problem, Options()), PRICES)


@pytest.fixture(scope="module")
def cases() -> list[tuple[Problem, Diagnosis]]:
    return [(problem, diagnosed(problem)) for problem in hopeless_requests(few(14, 9))]


def raised(problem: Problem, added: dict[str, float]) -> Problem:
    return problem.limited(**{n: getattr(problem.limits, n) + more for n, more in added.items()})


def test_a_single_repair_suffices_and_less_does_not(
    cases: list[tuple[Problem, Diagnosis]],
) -> None:
    kinds = set()
    for problem, result in cases:
        for repair in result.repairs:
            where = f"{problem.name} {problem.regime} {repair.added} {repair.bound}"
            assert repair.added, where
            if len(repair.added) > 1:
                continue
            ((name, amount),) = repair.added
            assert repair.bound <= amount * (1 + 1e-9) + 1e-9, where
            enough = amount + 1e-7 * max(1.0, getattr(problem.limits, name))
            assert has_plan(raised(problem, {name: enough})), where
            less = min(0.999 * amount, repair.bound * (1 - 1e-6))
            assert not has_plan(raised(problem, {name: less})), where
            assert repair.cost == pytest.approx(amount * PRICES[name])
            assert violations(raised(problem, {name: enough}), repair.plan) == [], where
            kinds.add(name)
    assert kinds >= {"it_power_w", "capital"}


def test_a_repairs_amount_is_as_close_as_its_program(
    cases: list[tuple[Problem, Diagnosis]],
) -> None:
    for problem, result in cases:
        for repair in result.repairs:
            present = sum(getattr(problem.limits, name) for name, _ in repair.added)
            amount = sum(more for _, more in repair.added)
            assert amount - repair.bound <= 1.1e-4 * (present + amount), (problem.name, repair)


def test_what_is_hopeless_stays_so_at_a_hundredfold(
    cases: list[tuple[Problem, Diagnosis]],
) -> None:
    looked_at = 0
    for problem, result in cases:
        limited = {n for n in RESOURCES if getattr(problem.limits, n) < math.inf}
        alone = {r.added[0][0] for r in result.repairs if len(r.added) == 1}
        assert alone | set(result.hopeless) == limited or len(result.repairs[0].added) == 2
        for name in result.hopeless:
            more = {name: 99 * getattr(problem.limits, name)}
            assert not has_plan(raised(problem, more)), (problem.name, name)
            looked_at += 1
    assert looked_at >= len(cases) * 2 // 7


def without(problem: Problem, given_up: list[Group]) -> Problem:
    """The problem without some rules; of stocks a few nodes more, as machines are counted out."""
    for group in given_up:
        problem = more_on_offer(problem) if group.name == STOCK else group.relaxed(problem)
    return problem


def more_on_offer(problem: Problem, further: int = 6) -> Problem:
    offers = (
        replace(
            offer, tiers=(*offer.tiers[:-1], replace(offer.tiers[-1], last=offer.most + further))
        )
        if offer.most
        else offer
        for offer in problem.offers
    )
    return replace(problem, offers=tuple(offers))


def test_the_clashing_set_clashes_and_no_part_of_it_does(
    cases: list[tuple[Problem, Diagnosis]],
) -> None:
    sizes = set()
    for problem, result in cases:
        every = groups(problem)
        names = [group.name for group in every]
        assert len(names) == len(set(names)), names
        assert set(result.clashing) <= set(names)
        rest = [group for group in every if group.name not in result.clashing]
        assert not has_plan(without(problem, rest)), (problem.name, result.clashing)
        for group in every:
            if group.name in result.clashing:
                assert has_plan(without(problem, [*rest, group])), (problem.name, group.name)
        sizes.add(len(result.clashing))
    assert sizes >= {1, 2}


@pytest.mark.parametrize("seed", [207, 414])
def test_what_is_not_decided_is_not_said_to_clash(seed: int) -> None:
    (problem,) = hopeless_requests(1, first=seed)
    diagnosis = diagnosed(problem)
    rest = [group for group in groups(problem) if group.name not in diagnosis.clashing]
    assert not has_plan(without(problem, rest)), diagnosis.clashing


@pytest.mark.parametrize("seed", [257, 350])
def test_the_stated_amount_suffices_to_the_last_cent(seed: int) -> None:
    (problem,) = hopeless_requests(1, first=seed)
    for repair in diagnosed(problem).repairs:
        (stated,) = repair.added
        assert violations(raised(problem, dict([stated])), repair.plan) == [], repair.added


def test_a_repairs_plan_is_as_good_as_its_machine() -> None:
    """Six nodes at 900 W do six times the reference's work; there are 700 W."""
    nodes = [node("a", 100.0, peak_w=150.0, maximum_quantity=6)]
    raw_scenario = request(
        nodes, [merits("w", ("a", None, 1.0))], 900.0, 700.0,
        requirements={"nodes": 6}, procurement={"regime": "worst-case"},
    )  # fmt: skip
    (repair,) = diagnosed(asked(raw_scenario)).repairs
    assert repair.plan.score == pytest.approx(6)


# Pairs


def least_of_pair(problem: Problem, prices: dict[str, float]) -> float:
    """The cheapest repair by capital and power, over every machine; worst-case provisioned."""
    assert problem.regime == "worst-case"
    free = problem.limited(capital=math.inf, it_power_w=math.inf)
    costs = [
        prices["capital"] * max(0.0, capital(problem, machine.counts) - problem.limits.capital)
        + prices["it_power_w"] * max(0.0, machine.base_w[0] - problem.limits.it_power_w)
        for _, machine in every_plan(free)
    ]
    return float(min(costs))


def pair_document(price: float, bound_w: float) -> Document:
    nodes = [node("a", 100.0, peak_w=300.0, ports=1), node("b", 180.0, vendor="W", peak_w=150.0)]
    work = merits("w", ("a", None, 1.0), ("b", None, 1.0))
    return request(
        nodes, [work], price, bound_w,
        requirements={"nodes": 6}, procurement={"regime": "worst-case"},
        rack={"nodes": 2, "price": 20.0}, facility={"racks": 9},
    )  # fmt: skip


@pytest.mark.parametrize("capital_price", [0.3, 1.0, 3.0])
@pytest.mark.parametrize(("money", "bound_w"), [(300.0, 400.0), (550.0, 700.0), (99.0, 900.0)])
def test_the_cheapest_pair_equals_enumeration(
    capital_price: float, money: float, bound_w: float
) -> None:
    problem = asked(pair_document(money, bound_w))
    prices = {"capital": capital_price, "it_power_w": 1.0, "racks": 50.0}
    diagnosis = diagnose(Optimiser(problem, Options()), prices)
    assert set(diagnosis.hopeless) == {"it_power_w", "capital", "racks"}
    (repair,) = diagnosis.repairs
    truth = least_of_pair(problem, prices)
    assert repair.cost == pytest.approx(truth, rel=1e-3)
    assert repair.bound <= truth * (1 + 1e-6)
    assert repair.cost == pytest.approx(sum(prices[n] * more for n, more in repair.added))
    assert has_plan(raised(problem, {n: more * (1 + 1e-9) for n, more in repair.added}))


def test_random_pairs_equal_enumeration() -> None:
    compared = 0
    for problem in hopeless_requests(few(7, 2), first=103):
        worst = problem.under("worst-case").limited(operating=math.inf)
        if has_plan(worst):
            continue
        free = worst.limited(capital=math.inf, it_power_w=math.inf)
        prices = {"capital": 2.0, "it_power_w": 1.0}
        diagnosis = diagnose(Optimiser(worst, Options()), prices)
        if len(diagnosis.repairs) == 1 and len(diagnosis.repairs[0].added) == 2 and has_plan(free):
            cost = diagnosis.repairs[0].cost
            assert cost is not None
            present = 2 * worst.limits.capital + worst.limits.it_power_w
            assert cost - least_of_pair(worst, prices) <= 1.1e-4 * (present + cost)
            compared += 1
    assert compared >= 1


# By hand


def test_a_little_more_money_is_a_little_more_money() -> None:
    """Ten nodes cost 10,000; there are 9,999."""
    nodes = [node("a", 1000.0, maximum_quantity=20)]
    raw_scenario = request(
        nodes, [merits("w", ("a", None, 1.0))], 9999.0, 5000.0, requirements={"nodes": 10}
    )
    diagnosis = diagnosed(asked(raw_scenario))
    assert diagnosis.clashing == ("requirement: nodes", "limit: capital")
    (repair,) = diagnosis.repairs
    ((name, amount),) = repair.added
    assert name == "capital"
    assert amount == pytest.approx(1.0, abs=1e-3)


def test_a_quantity_that_no_one_sells_is_explained_by_mandate_and_stock() -> None:
    work = merits("w", ("a", None, 1.0))
    raw_scenario = request([node("a", 10.0)], [work], 1000.0, 5000.0, requirements={"nodes": 6})
    diagnosis = diagnosed(asked(raw_scenario))
    assert diagnosis.clashing == ("requirement: nodes", STOCK)
    assert diagnosis.repairs == ()
    assert set(diagnosis.hopeless) == {"it_power_w", "capital"}


def test_a_clash_is_never_explained_by_nothing() -> None:
    """Twenty ports at once need ten leaf switches, and a spine switch reaches four."""
    network = {"leaf_node_ports": 2, "leaf_uplinks": 1, "spine_ports": 4}
    nodes = [node("a", 10.0, minimum_quantity=20, maximum_quantity=30, ports=1)]
    raw_scenario = request(
        nodes, [merits("w", ("a", None, 1.0))], 1000.0, 5000.0,
        network={**network, "leaf_price": 1.0, "spine_price": 1.0},
    )  # fmt: skip
    assert diagnosed(asked(raw_scenario)).clashing


def test_a_time_that_no_partition_reaches_is_named() -> None:
    times = {"kind": "table", "node_type": "a", "nodes": [1, 2], "time_s": [90.0, 50.0]}
    climb = {
        "name": "climb",
        "rating": "time_to_solution",
        "weight": 1.0,
        "performance": {"kind": "times", "reference_time_s": 10.0, "runs": [{"time": times}]},
    }
    raw_scenario = request(
        [node("a", 10.0)], [merits("w", ("a", None, 1.0)), climb], 1000.0, 5000.0,
        requirements={"time_to_solution_s": {"climb": 20.0}},
    )  # fmt: skip
    assert diagnosed(asked(raw_scenario)).clashing == ("requirement: a partition for climb",)


def test_without_prices_a_repair_is_relative_and_what_has_no_price_is_named() -> None:
    problem = asked(pair_document(300.0, 400.0))
    diagnosis = diagnose(Optimiser(problem, Options()), {"capital": 1.0, "it_power_w": 1.0})
    assert diagnosis.repairs
    assert set(diagnosis.hopeless) == {"it_power_w", "capital", "racks"}
    diagnosis = diagnose(Optimiser(problem, Options()), {"capital": 1.0})
    (repair,) = diagnosis.repairs  # without prices: the least sum of growths in per cent
    assert (repair.cost, repair.relative) == (None, True)
    assert {name for name, _ in repair.added} == {"capital", "it_power_w"}
    assert "it_power_w" in diagnosis.unpriced
    assert "capital" not in diagnosis.unpriced


def test_a_budget_in_the_wrong_unit_is_repaired_whatever_it_takes() -> None:
    """A node costs 2,000,000; with 12 for 12 million, a repair is 166,667 times what is there."""
    raw_scenario = request([node("a", 2e6)], [merits("w", ("a", None, 1.0))], 12.0, 1e6)
    diagnosis = diagnosed(asked(raw_scenario))
    (repair,) = diagnosis.repairs
    assert repair.added[0][0] == "capital"
    assert repair.added[0][1] == pytest.approx(2e6 - 12, rel=1e-4)
    plain = replace(diagnosis).to_dict()
    assert plain["clashing"] == list(diagnosis.clashing)
    assert plain["repairs"][0]["cost"] == diagnosis.repairs[0].cost
