"""Jobs share a node only if they fit in its memories: against every choice, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from inspect import signature
from itertools import chain, combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import headroom as hr
from planner.cli.colocate import ColocateOptions
from planner.cli.typed import parameters
from planner.errors import InputError
from planner.sharing_nodes.pairs.decide import matched
from planner.sharing_nodes.pairs.groups import GroupPlan, GroupRules, grouped
from planner.sharing_nodes.pairs.groups import violations as group_violations
from planner.sharing_nodes.pairs.memory import ARGUMENTS, NodeMemory, node_memories, with_memory
from planner.sharing_nodes.pairs.plan import violations
from planner.sharing_nodes.pairs.policies import first_fit, greedy, random_plans
from planner.sharing_nodes.pairs.problem import PairingProblem, problem_of
from scenarios.pairs.needs import KINDS, Need
from scenarios.pairs.pair_table import PairTable
from scenarios.pairs.reader import read_pairs
from tests.planner.cli.commands import ran
from tests.sizes import few

SOURCES = ("arguments", "columns", "both", "a matrix")


def drawn(
    seed: int, folder: Path, source: str
) -> tuple[PairingProblem, dict[str, dict[int, Fraction]]]:
    """Up to six jobs of four applications, some without a job, with equal speeds and needs.

    Needs are tenths of a gigabyte, so that sums in floats miss the memory of a node by a bit. They
    come from arguments, from columns of the file, or from arguments that go before wrong columns.
    """
    rng = np.random.default_rng([seed, 77])
    kind = rng.integers(0, rng.integers(1, 5), int(rng.integers(1, 7)))
    speed = rng.choice([0.55, 0.7, 0.7, 0.85, 0.95, np.nan], (4, 4))
    speed[np.isnan(speed.T)] = np.nan
    own = rng.choice([0.6, 0.75, 0.9], (4, 2))
    if source == "a matrix":
        own[:, 1] = own[:, 0]
    np.fill_diagonal(speed, own[:, 0])
    names = tuple("wxyz"[k] for k in kind)
    given: dict[str, object] = {}
    columns: dict[str, dict[str, int]] = {}
    exact: dict[str, dict[int, Fraction]] = {}
    for which in KINDS[: 1 + seed % 2]:
        tenths = dict(zip("wxyz", rng.integers(0, 8, 4).tolist(), strict=True))
        exact[which] = {job: Fraction(tenths[name], 10) for job, name in enumerate(names)}
        exact[which][-1] = Fraction(max(7, int(rng.integers(7, 22))), 10)
        of_node, of_job = ARGUMENTS[which]
        given[of_node] = float(exact[which][-1])
        argued = {"arguments": "wxyz", "both": "xz"}.get(source, "")
        given[of_job] = {name: tenths[name] / 10 for name in argued}
        if source != "arguments":
            columns[of_job.removeprefix("job_")] = tenths | dict.fromkeys(argued, 9)
    path = folder / "pairs.csv"
    path.write_text((matrix_text if source == "a matrix" else list_text)(speed, own, columns))
    table = read_pairs(path)
    problem = replace(problem_of(table, names), least_gain=0.05, least_speed=0.2)
    return with_memory(problem, node_memories(table, given)), exact


def list_text(speed: np.ndarray, own: np.ndarray, columns: dict[str, dict[str, int]]) -> str:
    """A list of pairs; each row has the needs of both applications, or of the second alone."""
    lines = [
        ["a", "b", "solo_a_s", "solo_b_s", "co_a_s", "co_b_s"]
        + [name.replace("_gb", f"_{side}_gb") for name in columns for side in "ab"]
    ]
    for i, j in combinations_with_replacement(range(4), 2):
        one, other = "wxyz"[i], "wxyz"[j]
        speeds = own[i].tolist() if i == j else [float(speed[i, j]), float(speed[j, i])]
        cells = [one, other, "1", "1", *("" if math.isnan(v) else repr(1 / v) for v in speeds)]
        for tenths in columns.values():
            cells += ["" if (i + j) % 2 else str(tenths[one] / 10), str(tenths[other] / 10)]
        lines.append(cells)
    return "\n".join(map(",".join, lines))


def matrix_text(speed: np.ndarray, _own: np.ndarray, columns: dict[str, dict[str, int]]) -> str:
    """A matrix with the needs of the row's application."""
    lines = [["", *"wxyz", *columns]]
    for i, name in enumerate("wxyz"):
        cells = ["" if math.isnan(v) else repr(v) for v in speed[i].tolist()]
        lines.append([name, *cells, *(str(tenths[name] / 10) for tenths in columns.values())])
    return "\n".join(map(",".join, lines))


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
def test_the_best_groups_that_fit_are_those_of_brute_force(
    seed: int, size: int, tmp_path: Path
) -> None:
    problem, exact = drawn(seed, tmp_path, SOURCES[seed // 2 % 4])
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
    problem = with_memory(problem, (memory,))
    plan = grouped(problem, GroupRules(size=3))
    assert plan.groups == ((1, 2),)
    wrong = GroupPlan(problem, plan.rules, ((0, 1),), plan.certificate)
    assert group_violations(wrong) == ["the group (0, 1) needs more memory than a node has"]


TWO = PairingProblem(("md", "io"), np.array([0, 1]), np.full((2, 2), 0.9), np.full((2, 2), 0.9))


TABLE = PairTable(
    "pairs.csv", "0", ("md", "io"), np.array([0]), np.array([1]), np.array([0.9]), np.array([0.9]),
    needs={
        "memory": {"io": Need(2, "pairs.csv:2: memory_b_gb")},
        "GPU memory": {"md": Need(17, "pairs.csv:2: gpu_memory_a_gb"), "io": Need(0, "")},
    },
)  # fmt: skip


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"node_memory_gb": 16, "job_memory_gb": {"md": 3, "io": 20}},
            (
                "job_memory_gb: a job of 'io' needs 20 GB of memory, and a node has 16 GB; "
                "lower this need, or raise node_memory_gb"
            ),
        ),
        (
            {"node_memory_gb": 16},
            (
                "job_memory_gb: the memory of a job of 'md' is not given; .*"
                "memory_a_gb, memory_b_gb; in a matrix memory_gb"
            ),
        ),
        (
            {"node_gpu_memory_gb": 16},
            (
                "pairs.csv:2: gpu_memory_a_gb: a job of 'md' needs 17 GB of GPU memory, "
                "and a node has 16 GB; lower this need, or raise node_gpu_memory_gb"
            ),
        ),
        (
            {"node_memory_gb": 16, "job_memory_gb": {"md": 3, "i0": 2}},
            "job_memory_gb: no pair names .* 'i0'",
        ),
        (
            {"node_memory_gb": 16, "job_memory_gb": {"md": -3}},
            "job_memory_gb of 'md' = -3 GB; give at least 0",
        ),
        ({"node_memory_gb": 0}, "node_memory_gb = 0 GB; give a number above 0"),
        ({"job_gpu_memory_gb": {"md": 3}}, "job_gpu_memory_gb needs node_gpu_memory_gb; give both"),
        (
            {"node_gpu_memory_gb": 16, "job_gpu_memory_gb": {"md": 16.00001}},
            "job_gpu_memory_gb: a job of 'md' needs 16.00001 GB of GPU memory, .* has 16 GB",
        ),
        ({"node_memory_gb": "much"}, "node_memory_gb: 'much' is not a number"),
        (
            {"node_memory_gb": 16, "job_memory_gb": {"md": "3GB"}},
            "job_memory_gb of 'md': '3GB' is not a number",
        ),
        (
            {"node_memory_gb": 16, "job_memory_gb": {"md": math.nan}},
            "job_memory_gb of 'md' = nan is not a finite number",
        ),
        (
            {"node_memory_gb": 16, "job_memory_gb": 3},
            "job_memory_gb = 3; give a mapping from applications to GB",
        ),
    ],
)
def test_memories_that_cannot_be_are_refused_by_the_name_of_their_argument_or_cell(
    given: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        hr.colocate(TABLE, **given)


def test_an_argument_goes_before_the_column_of_the_same_application() -> None:
    gpus: dict[str, Any] = {"node_gpu_memory_gb": 16, "job_gpu_memory_gb": {"md": 16}}
    memory: dict[str, Any] = {"node_memory_gb": 16, "job_memory_gb": {"md": 14}}
    assert hr.colocate(TABLE, **gpus, **memory).plan.pairs == ((0, 1),)
    assert hr.colocate(TABLE, **gpus, **memory | {"node_memory_gb": 15}).plan.pairs == ()


def test_the_options_of_memory_are_the_arguments_of_python() -> None:
    python = {*signature(hr.colocate).parameters}
    spelled = {option for each in parameters(ColocateOptions) for option in each.opts}
    for argument in chain.from_iterable(ARGUMENTS.values()):
        assert argument in python
        assert "--" + argument.removesuffix("_gb").replace("_", "-") in spelled


def test_jobs_that_need_just_the_whole_node_fit() -> None:
    whole = with_memory(TWO, (NodeMemory(node_gb=16, needs_gb={"md": 16, "io": 0}),))
    assert whole.kind_fits.tolist() == [[False, True], [True, True]]
    # In floats 0.1 + 0.2 is above 0.3.
    sums = with_memory(TWO, (NodeMemory(node_gb=0.3, needs_gb={"md": 0.1, "io": 0.2}),))
    assert sums.kind_fits.tolist() == [[True, True], [True, False]]


def test_a_pair_that_breaks_a_limit_is_not_said_to_need_too_much_memory() -> None:
    large = with_memory(TWO, (NodeMemory(node_gb=16, needs_gb={"md": 9, "io": 8}),))
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
    missing = ran(*request, "--job-memory", "md=32").stderr
    assert "--job-memory: the memory of a job of 'io' is not given" in missing
    assert "--job-memory needs --node-memory" in ran(*request[:2], "--job-memory", "md=3").stderr
    twice = ran(*request, "--job-memory", "md=3,io=1,IO=2").stderr
    assert "--job-memory: io is given twice; keep one" in twice
    alone = ["--node-memory", "2007GB", "--job-memory", "md=2.007TB,io=0"]
    assert "Run md with io" in ran("colocate", str(table), *alone).stdout
    unread = ran(*request, "--job-memory", "md=3,io=much").stderr
    assert "--job-memory" in unread
    assert "'much' is not a number; write it in GB, or with a unit as in 512GiB" in unread


def test_columns_of_the_table_decide_and_options_go_before_them(tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text(
        "a,b,solo_a_s,solo_b_s,co_a_s,co_b_s,memory_a_gb,memory_b_gb\nmd,io,100,100,110,110,40,30\n"
    )
    request = ["colocate", str(table)]
    fits = ran(*request, "--node-memory", "70").stdout
    assert "Run md with io" in fits
    assert "not fit on a node" not in fits
    too_large = ran(*request, "--node-memory", "69").stdout
    assert "do not fit in the memory of a node: md+io" in too_large
    option = ran(*request, "--node-memory", "69", "--job-memory", "MD=39").stdout
    assert "Run md with io" in option
    assert "Chosen pairs may not fit on a node" in ran(*request).stdout
    alone = ran(*request, "--node-memory", "35").stderr
    assert f"{table}:2: memory_a_gb: a job of 'md' needs 40 GB of memory" in alone
    assert "or raise --node-memory" in alone
