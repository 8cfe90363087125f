"""Jobs share a node only if they fit in its memories: against every choice, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from planner.errors import InputError
from planner.sharing_nodes.pairs.decide import matched
from planner.sharing_nodes.pairs.groups import GroupPlan, GroupRules, grouped
from planner.sharing_nodes.pairs.groups import violations as group_violations
from planner.sharing_nodes.pairs.memory import MemoryKind, NodeMemory, with_memory
from planner.sharing_nodes.pairs.plan import violations
from planner.sharing_nodes.pairs.policies import first_fit, greedy, random_plans
from planner.sharing_nodes.pairs.problem import PairingProblem
from tests.planner.cli.commands import ran
from tests.sizes import few


def drawn(seed: int) -> tuple[PairingProblem, dict[str, dict[int, Fraction]]]:
    """Up to six jobs of four applications, some without a job, with equal speeds and needs.

    Needs are tenths of a gigabyte, so that sums in floats miss the memory of a node by a bit.
    """
    rng = np.random.default_rng([seed, 77])
    kind = rng.integers(0, rng.integers(1, 5), int(rng.integers(1, 7)))
    speed = rng.choice([0.55, 0.7, 0.7, 0.85, 0.95, np.nan], (4, 4))
    speed[np.isnan(speed.T)] = np.nan
    own = rng.choice([0.6, 0.75, 0.9], (4, 2))
    names = tuple("wxyz"[k] for k in kind)
    first = [*dict.fromkeys(kind.tolist())]
    problem = PairingProblem(
        names, np.array([first.index(k) for k in kind]), speed[np.ix_(first, first)], own[first],
        0.05, 0.2,
    )  # fmt: skip
    memories: list[NodeMemory] = []
    exact: dict[str, dict[int, Fraction]] = {}
    kinds: tuple[MemoryKind, ...] = ("memory", "GPU memory")
    for which in kinds[: 1 + seed % 2]:
        tenths = rng.integers(0, 8, 4)
        needs = {name: float(t) / 10 for name, t in zip("wxyz", tenths, strict=True)}
        exact[which] = {job: Fraction(int(tenths["wxyz".index(names[job])]), 10)
                        for job in range(len(names))}  # fmt: skip
        exact[which][-1] = Fraction(max(7, int(rng.integers(7, 22))), 10)
        memories.append(NodeMemory(kind=which, node_gb=float(exact[which][-1]), needs_gb=needs))
    return with_memory(problem, tuple(memories), tuple("wxyz")), exact


def groupings(jobs: tuple[int, ...], size: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to put some jobs on shared nodes."""
    if not jobs:
        yield ()
        return
    first, *rest = jobs
    yield from groupings(tuple(rest), size)
    for mask in range(1, 1 << len(rest)):
        others = tuple(job for at, job in enumerate(rest) if mask >> at & 1)
        if len(others) < size:
            left = tuple(job for job in rest if job not in others)
            for more in groupings(left, size):
                yield ((first, *others), *more)


def gain_of(
    problem: PairingProblem, exact: dict[str, dict[int, Fraction]], group: Sequence[int]
) -> float:
    """Gain of a node from the definitions; not a number where it breaks a limit."""
    speeds = []
    for job in group:
        with_each = [
            problem.speeds(min(job, other), max(job, other))[int(job > other)]
            for other in group if other != job
        ]  # fmt: skip
        speeds.append(math.prod(with_each))
    gain = sum(speeds) - 1.0
    fits = all(sum(need[job] for job in group) <= need[-1] for need in exact.values())
    good = gain >= 0.05 - 1e-9 and min(speeds) >= 0.2 - 1e-9
    return gain if fits and good else math.nan


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("seed", range(few(300, least=40)))
def test_the_best_groups_that_fit_are_those_of_brute_force(seed: int, size: int) -> None:
    problem, exact = drawn(seed)
    gains = [
        math.fsum(gain_of(problem, exact, group) for group in groups)
        for groups in groupings(tuple(range(problem.jobs)), size)
    ]
    best = max(gain for gain in gains if not math.isnan(gain))
    plan = grouped(problem, GroupRules(size=size))
    assert group_violations(plan) == []
    assert plan.gain == pytest.approx(best, abs=1e-6)
    assert not any(math.isnan(gain_of(problem, exact, group)) for group in plan.groups)
    if size == 2:
        pairs, result = matched(problem)
        assert pairs.gain == pytest.approx(best, abs=1e-9)
        assert result.certificate.level == "proved"
        for policy in (first_fit(problem), greedy(problem), *random_plans(problem, 3, seed), pairs):
            assert violations(problem, policy) == []
            assert not any(math.isnan(gain_of(problem, exact, pair)) for pair in policy.pairs)


def test_violations_find_what_does_not_fit() -> None:
    speed = np.full((2, 2), 0.9)
    problem = PairingProblem(("a", "b", "b"), np.array([0, 1, 1]), speed, speed)
    memory = NodeMemory(node_gb=100, needs_gb={"a": 60, "b": 40.1})
    problem = with_memory(problem, (memory,), ("a", "b"))
    plan = grouped(problem, GroupRules(size=3))
    assert plan.groups == ((1, 2),)
    wrong = GroupPlan(problem, plan.rules, ((0, 1),), plan.certificate)
    assert group_violations(wrong) == ["the group (0, 1) needs more memory than a node has"]


TWO = PairingProblem(("md", "io"), np.array([0, 1]), np.full((2, 2), 0.9), np.full((2, 2), 0.9))


@pytest.mark.parametrize(
    ("memory", "message"),
    [
        (
            {"needs_gb": {"md": 3, "io": 20}},
            "a job of 'io' needs 20 GB of memory, and a node has 16",
        ),
        ({"needs_gb": {"md": 3}}, "--job-memory: the memory of a job of 'io' is not given"),
        ({"needs_gb": {"md": 3, "io": 2, "i0": 2}}, "--job-memory: no pair names .* 'i0'"),
        ({"needs_gb": {"md": -3, "io": 2}}, "memory of 'md': -3 GB; give at least 0"),
        ({"needs_gb": {}, "node_gb": 0}, "memory of a node: 0 GB; give a number above 0"),
        ({"needs_gb": {"md": 17, "io": 0}, "kind": "GPU memory"}, "lower --job-gpu-memory, or"),
        ({"needs_gb": {"md": 16.00001, "io": 0}}, "needs 16.00001 GB of memory, .* has 16 GB"),
    ],
)
def test_memories_that_cannot_be_are_refused(memory: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        with_memory(TWO, (NodeMemory(**({"node_gb": 16.0} | memory)),), ("md", "io"))  # type: ignore[arg-type]


def test_jobs_that_need_just_the_whole_node_fit() -> None:
    whole = with_memory(TWO, (NodeMemory(node_gb=16, needs_gb={"md": 16, "io": 0}),), TWO.names)
    assert whole.kind_fits.tolist() == [[False, True], [True, True]]
    # In floats 0.1 + 0.2 is above 0.3.
    sums = with_memory(TWO, (NodeMemory(node_gb=0.3, needs_gb={"md": 0.1, "io": 0.2}),), TWO.names)
    assert sums.kind_fits.tolist() == [[True, True], [True, False]]


def test_a_pair_that_breaks_a_limit_is_not_said_to_need_too_much_memory() -> None:
    large = with_memory(TWO, (NodeMemory(node_gb=16, needs_gb={"md": 9, "io": 8}),), TWO.names)
    assert (large.too_large.sum(), large.excluded.sum()) == (1, 0)
    slow = replace(large, least_speed=0.95)
    assert (slow.too_large.sum(), slow.excluded.sum()) == (0, 1)


def test_the_command_reads_units_and_names_what_does_not_fit(tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("a,b,solo_a_s,solo_b_s,co_a_s,co_b_s\nmd,io,100,100,110,110\n")
    request = ["colocate", str(table), "--node-memory", "64GiB"]
    fits = ran(*request, "--job-memory", "md=32GiB", "--job-memory", "IO=32GiB")
    assert "Run md with io" in fits.stdout
    too_large = ran(*request, "--job-memory", "md=32GiB,io=35GB")
    assert "do not fit in the memory of a node: md+io" in too_large.stdout
    assert "give --node-memory and --job-memory together" in ran(*request).stderr
    twice = ran(*request, "--job-memory", "md=3,io=1,IO=2").stderr
    assert "--job-memory: io is given twice; keep one" in twice
    alone = ["--node-memory", "2007GB", "--job-memory", "md=2.007TB,io=0"]
    assert "Run md with io" in ran("colocate", str(table), *alone).stdout
    unread = ran(*request, "--job-memory", "md=3,io=much").stderr
    assert "--job-memory" in unread
    assert "'much' is not a number; write it in GB, or with a unit as in 512GiB" in unread
