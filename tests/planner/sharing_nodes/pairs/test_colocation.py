"""Policies, bottlenecks, intervals, prediction and groups, by laws and by brute force."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import networkx as nx
import numpy as np
import pytest

from planner.errors import InputError, PlanError, TooLargeError
from planner.sharing_nodes.pairs.colocate import study
from planner.sharing_nodes.pairs.decide import matched
from planner.sharing_nodes.pairs.groups import GroupPlan, GroupRules, grouped, speeds_of
from planner.sharing_nodes.pairs.groups import violations as group_violations
from planner.sharing_nodes.pairs.intervals import lower_gain, spread_of
from planner.sharing_nodes.pairs.memory import NodeMemory, with_memory
from planner.sharing_nodes.pairs.plan import CoLocationPlan, plan_of, violations
from planner.sharing_nodes.pairs.policies import first_fit, greedy, nobody, random_plans
from planner.sharing_nodes.pairs.prediction import filled, predict
from planner.sharing_nodes.pairs.problem import PairingProblem, problem_of
from planner.sharing_nodes.pairs.settings import PairingSettings
from planner.sharing_nodes.pairs.throughput import balanced, gain_floor, throughput
from planner.sharing_nodes.pairs.to_measure import probes
from scenarios.pairs.pair_table import PairTable
from tests.planner.sharing_nodes.pairs.cases import (
    best_gain,
    drawn,
    gain_of,
    pairings,
    problem_from,
)
from tests.sizes import few


def table_of(rows: list[tuple[str, str, float, float]]) -> PairTable:
    """A pair table from relative speeds."""
    names = tuple(dict.fromkeys(name for a, b, *_ in rows for name in (a, b)))
    first = np.array([names.index(a) for a, *_ in rows])
    second = np.array([names.index(b) for _, b, *_ in rows])
    speeds = np.array([row[2:] for row in rows])
    return PairTable("t", "0", names, first, second, speeds[:, 0], speeds[:, 1])


@pytest.mark.parametrize("number", range(few(150)))
def test_no_policy_gains_more_than_the_matching_which_is_the_best_of_all(number: int) -> None:
    problem = drawn(number)
    plan, result = matched(problem, engine="built-in")
    assert plan.gain == pytest.approx(best_gain(problem), abs=1e-12)
    assert result.certificate.status == "optimal"
    for other in (nobody(problem), first_fit(problem), greedy(problem), plan,
                  *random_plans(problem, 3, number)):  # fmt: skip
        assert violations(problem, other) == []
        assert other.gain <= (result.certificate.bound or 0.0) + 1e-12
    assert 2 * greedy(problem).gain >= plan.gain - 1e-12


@pytest.mark.parametrize("number", range(few(60)))
def test_the_bottleneck_is_that_of_brute_force_at_its_share(number: int) -> None:
    problem = drawn(number, 7)
    best, _ = matched(problem, engine="built-in")
    floor = gain_floor(best, 0.97)
    plans = [plan_of(problem, "all", pairs) for pairs in pairings(range(problem.jobs))]
    fitting = [each for each in plans if each.gain >= min(floor, best.gain) - 1e-12]
    slow = balanced(problem, best, "slowdown", 0.97)
    least = balanced(problem, best, "gain", 0.97)
    for plan in (slow, least):
        assert violations(problem, plan) == []
        assert throughput(plan, best.nodes) >= 0.97 * throughput(best, best.nodes) - 1e-9
    assert slow.max_slowdown == pytest.approx(min(each.max_slowdown for each in fitting))
    smallest = [min((gain for gain in each.gains), default=math.inf) for each in fitting]
    assert min(least.gains, default=math.inf) == pytest.approx(max(smallest))


def test_a_pair_gains_the_sum_of_both_speeds_less_one() -> None:
    # 10/12.5 + 10/20 - 1 = 0.3, and the slower of the two takes twice its time.
    problem = problem_of(table_of([("x", "y", 0.8, 0.5)]))
    plan, _ = matched(problem)
    assert plan.pairs == ((0, 1),)
    assert plan.gain == pytest.approx(0.3)
    assert (plan.max_slowdown, plan.largest_discount, plan.nodes) == (2.0, 0.5, 1)


def test_two_jobs_of_one_application_use_the_self_pair_and_its_slower_half() -> None:
    table = table_of([("x", "x", 0.9, 0.6), ("x", "y", 0.5, 0.5)])
    plan, _ = matched(problem_of(table, ["x", "x", "y"]))
    assert plan.pairs == ((0, 1),)
    assert plan.gain == pytest.approx(0.5)
    assert plan.max_slowdown == pytest.approx(1 / 0.6)


def test_a_pair_that_loses_or_was_not_measured_is_never_chosen() -> None:
    table = table_of([("x", "y", 0.4, 0.5), ("y", "z", 0.4, 0.6)])
    plan, result = matched(problem_of(table, ["x", "y", "z", "x", "x"]))
    assert plan.pairs == ()
    assert (plan.gain, result.certificate.bound) == (0.0, 0.0)


def test_jobs_of_an_unknown_application_are_refused_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match="did you mean 'miniMD'"):
        problem_of(table_of([("miniMD", "IOR", 1.0, 1.0)]), ["minimd"])


def test_permuting_the_jobs_changes_no_gain() -> None:
    rng = np.random.default_rng(4)
    names = tuple("abcdefgh")
    rows = [(a, b, *rng.uniform(0.4, 1, 2).tolist()) for a, b in combinations(names, 2)]
    table = table_of(rows)
    gains = {round(study(table, rng.permutation(names).tolist()).plan.gain, 12) for _ in range(5)}
    assert len(gains) == 1


def test_violations_find_every_broken_rule() -> None:
    problem = problem_from(np.array([[0.8, 0.8, np.nan], [0.8, 0.8, 0.8], [np.nan, 0.8, 0.8]]))
    assert violations(problem, CoLocationPlan(problem, "x", ((0, 1),))) == []
    for pairs in (((0, 1), (1, 2)), ((0, 2),), ((0, 0),), ((0, 9),)):
        assert violations(problem, CoLocationPlan(problem, "x", pairs)) != []


def test_the_spread_is_pooled_over_repeated_pairs() -> None:
    # Two measurements a factor e^0.2 apart: deviations of 0.1 about the mean of the logarithms, so
    # a sum of squares of 0.02 for each job and 2 degrees of freedom in all: deviation 0.1414.
    speeds = 0.8 * np.exp([0.1, -0.1])
    table = table_of([("x", "y", s, s) for s in speeds.tolist()] + [("x", "x", 0.7, 0.7)])
    spread = spread_of(table)
    assert spread is not None
    assert spread.freedom == 2
    assert spread.deviation == pytest.approx(math.sqrt(0.02))
    problem = problem_of(table, ["x", "y", "x"])
    lower = lower_gain(table, problem, spread)
    # t(0.975, 2) = 4.3027; the pair x, x was measured once.
    assert lower[0, 0] == pytest.approx(1.4 * math.exp(-4.302653 * math.sqrt(0.02)) - 1, rel=1e-6)
    assert lower[0, 1] <= problem.kind_gain[0, 1]
    assert spread_of(table_of([("x", "y", 0.8, 0.8)])) is None


def test_the_prediction_recovers_a_table_of_sensitivities_and_pressures() -> None:
    rng = np.random.default_rng(3)
    sensitive, heavy = rng.uniform(0, 0.3, 30), rng.uniform(0, 0.3, 30)
    speed = np.exp(-sensitive[:, None] - heavy[None, :])
    known = speed.copy()
    hole = rng.random(speed.shape) < 0.3
    known[hole | hole.T] = np.nan
    problem = problem_from(known)
    prediction = predict(problem)
    assert prediction is not None
    assert np.abs(np.log(prediction.speed / speed)).max() < 0.05
    assert prediction.error < 0.03
    whole, missing = filled(problem, prediction)
    assert np.isfinite(whole.speed).all()
    assert missing.any()
    np.testing.assert_array_equal(whole.speed[~np.isnan(known)], known[~np.isnan(known)])


def test_only_a_prediction_lets_pairs_in_that_were_not_measured() -> None:
    rows = [("x", "y", 0.9, 0.9), ("z", "w", 0.5, 0.5), ("x", "w", 0.7, 0.7)]
    table = table_of(rows)
    plain = study(table, ["y", "w", "y", "z"])
    assert plain.to_dict()["pairs"] == []
    asked = study(table, ["y", "w", "y", "z"], PairingSettings(predict=True))
    assert asked.plan.gain > 0
    assert any("Predicted, not measured: 1 of 1 pair." in line for line in asked.warnings)


def test_the_pair_to_measure_next_is_one_that_could_change_the_pairing() -> None:
    rows = [("x", "y", 0.95, 0.95), ("x", "z", 0.9, 0.9), ("v", "z", 0.6, 0.6)]
    problem = problem_of(table_of(rows))
    _, result = matched(problem, engine="built-in")
    listed = probes(problem, result, predict(problem), 5)
    assert listed
    assert listed[0].could_add == max(each.could_add for each in listed)
    measured = {frozenset(row[:2]) for row in rows}
    assert not any(frozenset((each.a, each.b)) in measured for each in listed)
    assert probes(problem, result, None, 5) == ()


def alike(number: int) -> PairingProblem:
    """Six jobs of three applications; two of one run at different speeds, but of the last."""
    rng = np.random.default_rng([number, 3])
    kind = rng.integers(0, 3, 6)
    own = rng.uniform(0.5, 1.0, (3, 2))
    own[2, 1] = own[2, 0]
    names = tuple("xyz"[k] for k in kind)
    return PairingProblem(names, kind, rng.uniform(0.5, 1.0, (3, 3)), own)


@pytest.mark.parametrize("number", range(few(80)))
@pytest.mark.parametrize("make", [lambda number: drawn(number, 6), alike])
def test_groups_gain_as_much_as_by_brute_force(
    number: int, make: Callable[[int], PairingProblem]
) -> None:
    problem = make(number)
    users = tuple("uv"[job % 2] for job in range(problem.jobs))
    floors = {"u": 0.8} if number % 2 else {}
    rules = GroupRules(size=3, users=users, floors=floors, balanced=number % 3 == 0)
    best = 0.0
    for groups in _partitions(tuple(range(problem.jobs)), 3):
        gains = [sum(speeds_of(problem, group)) - 1.0 for group in groups]
        plan = GroupPlan(problem, rules, groups, None)  # type: ignore[arg-type] # scored only
        if not any(map(math.isnan, gains)) and not group_violations(plan, tolerance=1e-9):
            best = max(best, math.fsum(gains))
    result = grouped(problem, rules)
    assert group_violations(result) == []
    assert result.gain == pytest.approx(best, abs=1e-6)


def _partitions(jobs: tuple[int, ...], size: int) -> list[tuple[tuple[int, ...], ...]]:
    """Every choice of disjoint groups of two and more; all others are alone."""
    if not jobs:
        return [()]
    first, rest = jobs[0], jobs[1:]
    result = _partitions(rest, size)
    for k in range(1, size):
        for others in combinations(rest, k):
            left = tuple(job for job in rest if job not in others)
            result = result + [((first, *others), *more) for more in _partitions(left, size)]
    return result


def test_groups_of_two_are_the_matching() -> None:
    problem = drawn(0, 8)
    assert grouped(problem, GroupRules(size=2)).gain == pytest.approx(best_gain(problem), abs=1e-6)


def test_a_group_of_three_runs_at_the_product_of_its_pairs() -> None:
    problem = problem_from(np.full((3, 3), 0.9))
    assert speeds_of(problem, (0, 1, 2)) == pytest.approx((0.81,) * 3)
    assert grouped(problem, GroupRules(size=3)).groups == ((0, 1, 2),)
    assert grouped(problem, GroupRules(size=3)).gain == pytest.approx(3 * 0.81 - 1)


def test_two_jobs_of_one_application_have_both_measured_speeds_in_a_group() -> None:
    """Both gain 0.9 + 0.8 - 1 as a pair; with a third job at 0.5, 0.45 + 0.4 + 0.81 - 1."""
    speed = np.array([[0.85, 0.5], [0.9, 0.7]])
    own = np.array([[0.9, 0.8], [0.7, 0.7]])
    problem = PairingProblem(("x", "x", "y"), np.array([0, 0, 1]), speed, own)
    assert speeds_of(problem, (0, 1)) == pytest.approx((0.9, 0.8))
    assert speeds_of(problem, (0, 1, 2)) == pytest.approx((0.45, 0.4, 0.81))
    plan = grouped(problem, GroupRules(size=3))
    assert plan.gain == pytest.approx(plan.certificate.objective, abs=1e-9)


@pytest.mark.parametrize(
    ("rules", "error", "message"),
    [
        (GroupRules(size=5), InputError, "size from 2 to 4"),
        (GroupRules(users=("u",), floors={}), InputError, "1 user for 3 jobs"),
        (GroupRules(users=("u",) * 3, floors={"w": 0.5}), InputError, "owns no job"),
        (GroupRules(users=("u",) * 3, floors={"u": 1.5}), InputError, "from 0 to 1"),
    ],
)
def test_rules_that_cannot_be_are_refused(
    rules: GroupRules, error: type[PlanError], message: str
) -> None:
    with pytest.raises(error, match=message):
        grouped(problem_from(np.full((3, 3), 0.9)), rules)


def test_too_many_groups_are_refused_before_they_are_made() -> None:
    with pytest.raises(TooLargeError, match="give fewer jobs"):
        grouped(problem_from(np.full((120, 120), 0.9)), GroupRules(size=4))


def test_a_thousand_equal_jobs_are_a_few_kinds() -> None:
    """Per job, x gains most in fours (0.479), y in threes (0.389); two y are left as a pair."""
    speed = np.array([[0.9, 0.1], [0.1, 0.85]])
    own = np.array([[0.9, 0.9], [0.85, 0.85]])
    kind = np.arange(1000) % 2
    problem = PairingProblem(tuple("xy"[k] for k in kind), kind, speed, own)
    owners = tuple("uv"[job // 2 % 2] for job in range(1000))
    for rules in (GroupRules(size=4), GroupRules(size=4, users=owners, floors={"u": 0.1})):
        plan = grouped(problem, rules)
        assert group_violations(plan) == []
        assert plan.certificate.status == "optimal"
        fours, threes, pair = 125 * (4 * 0.9**3 - 1), 166 * (3 * 0.85**2 - 1), 2 * 0.85 - 1
        assert plan.gain == pytest.approx(fours + threes + pair, abs=1e-6)


def test_the_pairing_graph_gives_networkx_the_same_optimum() -> None:
    rows = [
        ("x", "y", 0.95, 0.95),
        ("x", "z", 0.9, 0.9),
        ("v", "z", 0.6, 0.6),
        ("x", "v", 0.2, 0.3),
    ]
    result = study(table_of(rows), settings=PairingSettings(least_gain=0, least_speed=0))
    graph = result.pairing_graph()
    best = nx.max_weight_matching(graph, weight="gain")
    assert sum(graph[a][b]["gain"] for a, b in best) == pytest.approx(result.plan.gain)
    chosen = {(a, b) for a, b, each in graph.edges(data="chosen") if each}
    assert chosen == {*result.plan.pairs}
    assert graph.nodes[0] == {"application": "x"}
    assert len(graph.edges) == 4


WEAK = [
    ("md", "cfd", 1 / 3.3, 120 / 170.5),  # gains 0.7 % at a slowdown of 3.3
    ("io", "ml", 0.9, 0.9),
    ("io", "md", 0.85, 0.8),
    ("cfd", "ml", 0.95, 0.79),  # gains most after io with ml, and ml is too slow
    ("md", "ml", 0.2, 0.84),
]


@pytest.mark.parametrize("limits", [{}, {"least_gain": 0.7}, {"least_speed": 0.85}])
def test_no_way_of_pairing_takes_a_pair_below_the_least_gain_or_speed(
    limits: dict[str, Any],
) -> None:
    jobs = ["md", "cfd", "io", "ml", "ml"]
    rules = GroupRules(size=3)
    result = study(table_of(WEAK), jobs, PairingSettings(rules=rules, **limits))
    gain, speed = limits.get("least_gain", 0.05), limits.get("least_speed", 0.8)
    problem = result.plan.problem
    assert result.groups is not None
    nodes: list[tuple[int, ...]] = [pair for plan in result.plans for pair in plan.pairs]
    nodes += [pair for point in result.frontier for pair in point.matches]
    nodes += [*result.groups.groups, *(p for d in random_plans(problem, 50, 1) for p in d.pairs)]
    assert nodes
    for node in nodes:
        speeds = speeds_of(problem, node)
        assert sum(speeds) - 1 >= gain - 1e-9
        assert min(speeds) >= speed - 1e-9
    keeping = [
        [(a, b) for a, b in pairs] for pairs in pairings(range(len(jobs)))
        if all(problem.allowed[a, b] for a, b in pairs)
    ]  # fmt: skip
    assert result.plan.gain == pytest.approx(max(gain_of(problem, pairs) for pairs in keeping))
    assert all(row.gain <= result.plan.gain + 1e-9 for row in result.outcomes[:-1])


def test_a_pair_exactly_at_a_limit_is_allowed_and_one_below_is_left_out() -> None:
    at = study(table_of([("x", "y", 120 / 150, 0.25)]), settings=PairingSettings(least_speed=0.25))
    assert at.plan.pairs == ((0, 1),)
    below = study(table_of([("x", "y", 0.8, 0.249)]), settings=PairingSettings(least_speed=0.25))
    assert (below.plan.pairs, below.to_dict()["pairs_left_out"]) == ((), 1)
    assert "(gain at least 5 %, speed at least 25 %)" in below.confidence


@pytest.mark.parametrize("limits", [{"least_gain": 1.01}, {"least_speed": -0.1},
                                    {"least_speed": math.nan}])  # fmt: skip
def test_limits_beyond_a_share_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="give a share from 0 to 1"):
        PairingSettings(**limits)


def test_a_pair_that_would_break_the_least_speed_is_not_to_be_measured() -> None:
    rows = [("x", "y", 0.95, 0.95), ("x", "z", 0.9, 0.9), ("v", "z", 0.6, 0.6)]
    problem = problem_of(table_of(rows))
    _, result = matched(problem, engine="built-in")
    strict = replace(problem, least_speed=0.95)
    prediction = predict(problem)
    assert prediction is not None
    slow = np.minimum(prediction.speed, prediction.speed.T) * math.exp(prediction.error)
    listed = [
        (each.a, each.b) for each in probes(problem, result, prediction, 5)
        if slow[problem.names.index(each.a), problem.names.index(each.b)] >= 0.95
    ]  # fmt: skip
    assert [(each.a, each.b) for each in probes(strict, result, prediction, 5)] == listed
    assert len(listed) < len(probes(problem, result, prediction, 5))


def test_a_pair_that_does_not_fit_on_a_node_is_not_to_be_measured() -> None:
    rows = [("x", "y", 0.95, 0.95), ("x", "z", 0.9, 0.9), ("v", "z", 0.6, 0.6)]
    problem = problem_of(table_of(rows))
    _, result = matched(problem, engine="built-in")
    prediction = predict(problem)
    first, *others = probes(problem, result, prediction, 5)
    needs = {name: 60.0 if name in (first.a, first.b) else 10.0 for name in problem.names}
    memory = NodeMemory(node_gb=100, needs_gb=needs)
    fitting = with_memory(problem, (memory,))
    assert [*probes(fitting, result, prediction, 5)] == others


def test_gain_of_a_case_is_its_definition() -> None:
    assert gain_of(problem_from(np.full((2, 2), 0.75)), [(0, 1)]) == 0.5
