"""Heuristics: sound where they are said to fit, and never better than the bound."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from planner.procurement.checker import violations
from planner.procurement.heuristics import all_heuristics, fits, ranking, refill, repair
from planner.procurement.layout import layout
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from planner.procurement.plan import Plan
from planner.procurement.problem import REGIMES, Problem
from planner.procurement.quantities import most_nodes
from tests.planner.procurement.catalogues import (
    asked,
    document,
    merits,
    node,
    random_problem,
    request,
)
from tests.sizes import few

SEEDS = range(few(24))


def problems() -> list[Problem]:
    return [random_problem(seed).under(REGIMES[seed % 3]) for seed in SEEDS]


def broken(problem: Problem, plan: Plan) -> list[str]:
    """Violations apart from mandates."""
    free = replace(
        problem,
        least_work=np.zeros_like(problem.least_work),
        least_nodes=0,
        least_memory_gb=0.0,
        shares=(),
    )
    idle = ("runs nowhere", "but every plan does some of all work")
    return [
        violation
        for violation in violations(free, plan)
        if not any(words in violation for words in idle)
    ]


def test_no_sound_heuristic_beats_the_bound() -> None:
    sound = 0
    for problem in problems():
        optimiser = Optimiser(problem, Options())
        plans, bound = all_heuristics(optimiser), optimiser.solve().bound
        for plan in plans:
            if not violations(problem, plan):
                assert bound is not None, (problem.name, plan.method)
                assert plan.objective <= bound + 1e-9, (problem.name, plan.method)
                sound += 1
    assert sound >= few(15, 1)


def test_what_is_said_to_fit_breaks_nothing_but_mandates() -> None:
    methods = set()
    for problem in problems():
        optimiser = Optimiser(problem, Options())
        for plan in all_heuristics(optimiser):
            if fits(problem, optimiser.layout, list(plan.nodes)):
                assert broken(problem, plan) == [], (problem.name, plan.method)
                methods.add(plan.method)
    assert methods >= {
        "closed form",
        "greedy per money",
        "greedy per watt",
        "rounded relaxation",
        "best single type",
    }


def test_what_is_said_not_to_fit_does_not() -> None:
    """Other machines, up to one node more than can be sold: fits agrees with the checker."""
    rng, seen = np.random.default_rng(1), set()
    for problem in problems():
        optimiser = Optimiser(problem, Options())
        lay = optimiser.layout
        for _ in range(12):
            nodes = [int(rng.integers(0, 4)) for _ in range(lay.slots)]
            counts = np.bincount(lay.slot_offer, weights=nodes, minlength=len(problem.offers))
            pairs = zip(problem.offers, counts, strict=True)
            sold = [not count or o.least <= count <= o.most for o, count in pairs]
            message = fits(problem, lay, nodes)
            if not all(sold):
                assert not message
                continue
            plan = optimiser.evaluate(nodes, "random")
            several = len({*lay.slot_offer[np.flatnonzero(nodes)]}) < np.count_nonzero(nodes)
            assert message == (not several and broken(problem, plan) == []), (problem.name, nodes)
            seen.add(message)
    assert seen == {True, False}


def check_full(problem: Problem, nodes: list[int]) -> None:
    """No slot takes one node more, or where it is empty its least quantity."""
    lay = layout(problem)
    for slot in range(lay.slots):
        offer = problem.offers[int(lay.slot_offer[slot])]
        more = list(nodes)
        more[slot] += 1 if more[slot] else offer.least
        assert not fits(problem, lay, more), (problem.name, nodes, more)


def flat(problem: Problem) -> Problem:
    """The same without quantity discounts."""
    offers = tuple(
        replace(o, tiers=(replace(o.tiers[0], last=o.tiers[-1].last),)) for o in problem.offers
    )
    return replace(problem, offers=offers)


def test_refilling_leaves_no_room() -> None:
    for problem in map(flat, problems()):
        lay = layout(problem)
        order = ranking(problem, lay, "money")
        full = refill(problem, lay, [0] * lay.slots, order)
        if fits(problem, lay, full):
            check_full(problem, full)


def test_repair_fits_and_leaves_no_room() -> None:
    repaired = 0
    for problem in map(flat, problems()):
        lay = layout(problem)
        limit, requested, used = most_nodes(problem, lay), [0] * lay.slots, set()
        for slot in range(lay.slots):
            offer = int(lay.slot_offer[slot])
            if offer not in used:
                requested[slot] = limit[offer]
                used.add(offer)
        fixed = repair(problem, lay, requested, ranking(problem, lay, "watt"))
        if fits(problem, lay, [0] * lay.slots):
            assert fits(problem, lay, fixed)
            check_full(problem, fixed)
            repaired += fixed != requested
    assert repaired >= few(12, 1)


def test_a_machine_that_fits_is_only_filled_up() -> None:
    work = merits("w", ("a", None, 1.0), ("b", None, 2.0))
    raw_scenario = request([node("a", 100.0), node("b", 150.0)], [work], 600.0, 1000.0)
    problem = asked(raw_scenario)
    assert repair(problem, layout(problem), [2, 1], [0, 1]) == [4, 1]  # 4 x 100 + 150 of 600


def test_nodes_may_idle_at_nothing() -> None:
    work = merits("w", ("a", None, 1.0))
    problem = asked(request([node("a", 100.0, idle_w=0.0)], [work], 300.0, 250.0))
    assert max(plan.score for plan in all_heuristics(Optimiser(problem, Options()))) > 0


def test_bids_are_compared_as_bid() -> None:
    """Two vendors bid four of a and two of b; the third bids nothing."""
    nodes = [
        node("a", 100.0, as_bid_quantity=4),
        node("b", 150.0, vendor="W", as_bid_quantity=2),
        node("c", 150.0, vendor="X"),
    ]
    work = merits("w", ("a", None, 1.0), ("b", None, 2.0), ("c", None, 1.0))
    problem = asked(request(nodes, [work], 1000.0, 1000.0))
    plans = {plan.method: plan for plan in all_heuristics(Optimiser(problem, Options()))}
    assert plans["as quoted by V"].nodes == (4, 0, 0)
    assert plans["as quoted by V"].score == pytest.approx(4)
    assert plans["as quoted by W"].nodes == (0, 2, 0)
    assert "as quoted by X" not in plans


def test_capability_alone_and_one_at_a_time_have_heuristics_too() -> None:
    seen = set()
    for seed in SEEDS:
        raw_scenario = document(seed)
        raw_scenario["procurement"]["workload_mode"] = "one_at_a_time"
        raw_scenario["procurement"]["cvar_weight"] = (0.0, 0.5, 1.0)[seed % 3]
        problem = asked(raw_scenario)
        optimiser = Optimiser(problem, Options())
        bound = optimiser.solve().bound
        for plan in all_heuristics(optimiser):
            if not violations(problem, plan) and bound is not None:
                assert plan.objective <= bound + 1e-9
                seen.add(bool(problem.capabilities))
    assert seen == {True, False}
