"""Many jobs of a few applications: against enumeration, single jobs, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from planner.errors import InputError
from planner.sharing_nodes.pairs import problem as problems
from planner.sharing_nodes.pairs.colocate import study
from planner.sharing_nodes.pairs.decide import matched
from planner.sharing_nodes.pairs.groups import GroupRules, violations
from planner.sharing_nodes.pairs.plan import violations as pair_violations
from planner.sharing_nodes.pairs.policies import first_fit, greedy
from planner.sharing_nodes.pairs.problem import PairingProblem, problem_of
from planner.sharing_nodes.pairs.settings import PairingSettings
from scenarios.pairs.pair_table import PairTable
from solvers.matching.duals import Duals
from solvers.matching.kinds import _bound as bound_of_kinds
from solvers.matching.kinds import match_kinds, pairs_of_kinds
from solvers.matching.solve import match
from solvers.matching.weights import Weights
from tests.planner.sharing_nodes.pairs.cases import pairings
from tests.sizes import few


def drawn(seed: int, most: int, kinds: int) -> tuple[np.ndarray, np.ndarray]:
    """Kinds of vertices, some without one, and weights of pairs with ties and zeros."""
    rng = np.random.default_rng([seed, most])
    weight = rng.choice([0.0, 0.2, 0.5, 0.5, 0.7], (kinds, kinds))
    if seed % 2:
        weight = rng.uniform(0, 1, (kinds, kinds)) * (rng.random((kinds, kinds)) < 0.7)
    weight = np.triu(weight) + np.triu(weight, 1).T
    return rng.integers(0, rng.integers(1, kinds + 1), int(rng.integers(0, most + 1))), weight


@pytest.mark.parametrize("seed", range(few(300, least=40)))
def test_kinds_weigh_as_much_as_every_pairing(seed: int) -> None:
    kind, weight = drawn(seed, most=8, kinds=4)
    best = max(
        sum(weight[kind[a], kind[b]] for a, b in pairs) for pairs in pairings(range(len(kind)))
    )
    result = match_kinds(kind, weight)
    assert result.certificate.objective == pytest.approx(best, abs=1e-12)
    assert result.certificate.bound is not None
    assert result.certificate.bound >= best - 1e-12
    assert result.certificate.level == "proved"
    assert len({*result.pairs.ravel().tolist()}) == result.pairs.size


@pytest.mark.parametrize("seed", range(few(60, least=12)))
def test_kinds_weigh_as_much_as_single_vertices_and_are_proved(seed: int) -> None:
    kind, weight = drawn(seed, most=400, kinds=9)
    of_vertices = weight[np.ix_(kind, kind)]
    single = match(Weights(of_vertices), engine="built-in")
    result = match_kinds(kind, weight)
    assert result.certificate.objective == pytest.approx(single.certificate.objective, abs=1e-9)
    assert result.certificate.bound is not None
    assert result.certificate.bound >= (single.certificate.objective or 0.0) - 1e-9
    assert result.certificate.bound == pytest.approx(single.certificate.bound, rel=1e-5)
    total = sum(of_vertices[a, b] for a, b in result.pairs.tolist())
    assert total == pytest.approx(result.certificate.objective, abs=1e-9)


def test_three_equal_vertices_are_one_pair_by_the_odd_set() -> None:
    # The linear program has 3/2 pairs, the set of all 30,001 vertices at most 15,000.
    result = match_kinds(np.zeros(30_001, dtype=np.int64), np.array([[0.5]]))
    assert result.certificate.objective == 7_500
    assert result.certificate.bound == pytest.approx(7_500, rel=1e-12)
    assert result.certificate.status == "optimal"


def test_an_odd_set_of_some_vertices_bounds_all_only_if_it_is_odd_for_all() -> None:
    # Three vertices of the first kind have one pair by their odd set, five have two, and so have
    # four: (4 - 1) // 2 is one less.
    weight, part = np.array([[0.5, 0.0], [0.0, 0.0]]), np.array([0, 0, 0, 1])
    weights = Weights(weight[np.ix_(part, part)])
    duals = Duals((0, 0, 0, 0), (((0, 1, 2), 2 * int(weights.whole[0, 1])),))
    assert bound_of_kinds(np.array([5, 1]), part, weight, weights, duals) == pytest.approx(1.0)
    assert bound_of_kinds(np.array([4, 2]), part, weight, weights, duals) is None
    some = Duals(duals.vertex, (((0, 2), duals.sets[0][1]),))  # stands for all of its kind
    assert bound_of_kinds(np.array([5, 1]), part, weight, weights, some) == pytest.approx(1.0)


def test_pairs_of_kinds_take_the_first_vertices() -> None:
    kind = np.array([1, 0, 1, 1, 0, 1])
    pairs = pairs_of_kinds(kind, np.array([[0, 1], [1, 1]]), np.array([2, 1]))
    assert pairs.tolist() == [[0, 1], [2, 4], [3, 5]]


def alphabet(seed: int) -> PairTable:
    """All pairs of 26 applications, measured once."""
    rng = np.random.default_rng(seed)
    first, second = np.triu_indices(26)
    x, y = rng.uniform(0.6, 1.0, (2, len(first)))
    names = tuple(chr(97 + at) for at in range(26))
    return PairTable("pairs.csv", "ab" * 32, names, first, second, x, y)


def test_a_hundred_thousand_jobs_are_paired_and_grouped() -> None:
    table = alphabet(0)
    jobs = [table.names[at] for at in np.random.default_rng(1).integers(0, 26, 100_000)]
    result = study(table, jobs, PairingSettings(draws=2, rules=GroupRules(size=4)))
    certificate = result.matching.certificate
    assert (certificate.status, certificate.level) == ("optimal", "proved")
    assert pair_violations(result.plan.problem, result.plan) == []
    assert result.plan.gain == pytest.approx(certificate.objective, rel=1e-12)
    assert result.groups is not None
    assert violations(result.groups) == []
    assert result.groups.gain >= result.plan.gain
    assert all(row.gain <= (certificate.bound or 0.0) for row in result.outcomes[:-1])
    assert "Optimal" in result.confidence
    with pytest.raises(InputError, match="100,000 jobs have too many pairs for a graph"):
        result.pairing_graph()


@pytest.mark.parametrize("seed", range(few(30, least=6)))
def test_ways_of_pairing_by_kinds_are_those_of_single_jobs(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First fit pairs the same jobs; without ties greedy pairs the same applications."""
    rng = np.random.default_rng([seed, 5])
    kind = np.append(np.arange(5), rng.integers(0, 5, 40))
    speed = rng.uniform(0.3, 1.0, (5, 5))
    own = rng.uniform(0.3, 1.0, (5, 2))
    problem = PairingProblem(tuple("vwxyz"[k] for k in kind), kind, speed, own, 0.05, 0.4)
    waiting: list[int] = []
    pairs = []
    for job in range(problem.jobs):
        fitting = [other for other in waiting if problem.useful_gain[other, job] > 0]
        if fitting:
            waiting.remove(fitting[0])
            pairs.append((fitting[0], job))
        else:
            waiting.append(job)
    assert first_fit(problem).pairs == tuple(sorted(pairs))
    single, exact = greedy(problem), matched(problem)[0]
    for module in ("planner.sharing_nodes.pairs.policies", "planner.sharing_nodes.pairs.decide"):
        monkeypatch.setattr(f"{module}.MOST_MATCHED", 1)
    many = greedy(problem)
    assert pair_violations(problem, many) == []
    assert many.gain == pytest.approx(single.gain, abs=1e-12)
    assert len(many.pairs) == len(single.pairs)
    assert matched(problem)[0].gain == pytest.approx(exact.gain, abs=1e-9)


def test_too_many_jobs_are_refused_with_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    table = alphabet(0)
    with pytest.raises(InputError, match="100,001 jobs are too many; pair at most 100,000 at once"):
        problem_of(table, ["a"] * 100_001)
    monkeypatch.setattr(problems, "MOST_COUNTED", 2)
    message = "6,001 jobs of 3 applications are too many; pair at most 6,000 jobs at once, or jobs"
    with pytest.raises(InputError, match=message):
        problem_of(table, ["a"] * 5_999 + ["b", "c"])
    assert problem_of(table, ["a"] * 6_000 + ["b"]).jobs == 6_001
