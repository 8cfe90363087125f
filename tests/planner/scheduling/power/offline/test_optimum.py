"""Certified intervals of small logs: enumeration lies within, at every bound and every schedule."""

from __future__ import annotations

import functools
import itertools
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from planner.errors import InputError, PlanError
from planner.scheduling.power.ilp.knapsack import KnapsackPolicy
from planner.scheduling.power.offline import cpsat, energy, slots
from planner.scheduling.power.offline.optimum import Effort, optimum
from planner.scheduling.power.offline.problem import Hindsight, hindsight
from planner.scheduling.power.offline.schedule import (
    Goal,
    HindsightSchedule,
    listed,
    moved_left,
    violations,
)
from planner.scheduling.power.problem import NEVER
from tests.planner.scheduling.power.ilp.cases import simulated_log
from tests.planner.scheduling.power.literal import LiteralPolicy
from tests.planner.scheduling.power.random_problems import random_problem
from tests.sizes import few

ROOT = Path(__file__).parents[5]
T = TypeVar("T")
GOALS: tuple[Goal, Goal] = ("makespan", "turnaround")
MOST_WAYS = 3_000
needs_ortools = pytest.mark.skipif(not cpsat.available(), reason="OR-Tools is not installed")
QUICK = Effort(methods=("slots",), time_limit_s=5.0)


def _hand() -> Hindsight:
    """8 nodes, 100 W; two jobs at 0: 10 s on 8 nodes, or 15 s on 4 nodes at 50 W."""
    return Hindsight(
        nodes=8,
        bound_mw=100_000,
        job=np.arange(2),
        submit=np.zeros(2, np.int64),
        first=np.array([0, 2, 4]),
        row=np.array([0, 1, 0, 1]),
        used_nodes=np.array([8, 4, 8, 4]),
        charge_mw=np.array([90_000, 50_000, 90_000, 50_000]),
        time=np.array([10_000, 15_000, 10_000, 15_000]),
    )


@functools.cache
def tiny(limit: int) -> tuple[Hindsight, ...]:
    """Random logs in hindsight that are small enough to be enumerated."""
    taken = list[Hindsight]()
    for seed in itertools.count():
        problem = random_problem(seed, most_jobs=4, law=False)
        try:
            seen = hindsight(problem, fair_share=seed % 2 == 0)
        except PlanError:
            continue
        if len(seen) > 1 and _ways(seen) <= MOST_WAYS:
            taken.append(seen)
        if len(taken) == limit:
            return tuple(taken)
    raise AssertionError


def _ways(problem: Hindsight) -> int:
    orders = [1, 1, 2, 6, 24][len(problem)]
    return orders * int(np.diff(problem.first).prod())


def enumerated(problem: Hindsight, goal: Goal) -> float:
    """Least value of all options in all orders, each job as early as the ones before it allow."""
    best = np.inf
    options = [list(problem.options(job)) for job in range(len(problem))]
    for chosen in itertools.product(*options):
        for order in itertools.permutations(range(len(problem))):
            schedule = in_order(problem, chosen, order)
            best = min(best, schedule.value_ms(problem, goal))
    return best


def in_order(
    problem: Hindsight, chosen: tuple[int, ...], order: tuple[int, ...]
) -> HindsightSchedule:
    """A literal list schedule: every instant at which something ends is tried."""
    begun = dict[int, int]()
    for job in order:
        ends = [begun[other] + int(problem.time[chosen[other]]) for other in begun]
        ends += [end for end, _, _ in problem.occupied] + [int(problem.submit[job])]
        for start in sorted(end for end in ends if end >= problem.submit[job]):
            if not _clash(problem, chosen, {**begun, job: start}):
                begun[job] = start
                break
    starts = np.array([begun[job] for job in range(len(problem))])
    return HindsightSchedule(starts, np.array(chosen))


def _clash(problem: Hindsight, chosen: tuple[int, ...], begun: dict[int, int]) -> bool:
    uses = [(0, end, nodes, charge) for end, nodes, charge in problem.occupied]
    for job, start in begun.items():
        option = chosen[job]
        end = start + int(problem.time[option])
        uses.append((start, end, int(problem.used_nodes[option]), int(problem.charge_mw[option])))
    for instant in {use[0] for use in uses}:
        there = [use for use in uses if use[0] <= instant < use[1]]
        if sum(use[2] for use in there) > problem.nodes:
            return True
        if sum(use[3] for use in there) > problem.bound_mw:
            return True
    return False


def test_two_jobs_by_hand() -> None:
    # side by side both take 15 s: makespan 15 s, mean 15 s; one after the other 20 s, also 15 s
    # work: 4 x 15 + 4 x 15 = 120 node-seconds on 8 nodes need 15 s; the machine of the bound of the
    # turnaround works 7.5 s for each job: (7.5 + 15) / 2 = 11.25 s, and no job takes less than 10 s
    problem = _hand()
    assert enumerated(problem, "makespan") == 15_000
    assert enumerated(problem, "turnaround") == 15_000
    assert energy.least_makespan_ms(problem) == pytest.approx(15_000, rel=1e-5)
    assert energy.least_turnaround_ms(problem) == pytest.approx(11_250)
    result = optimum(problem, "makespan", QUICK)
    assert (result.lower_ms, result.upper_ms) == pytest.approx((15_000, 15_000), rel=1e-5)
    busy = replace(problem, occupied=((5_000, 4, 50_000),))
    assert enumerated(busy, "makespan") == 20_000
    # 4 x 5 node-seconds more: 140 / 8 = 17.5 s
    assert energy.least_makespan_ms(busy) == pytest.approx(17_500, rel=1e-5)


def test_what_is_wrong_with_a_schedule_is_listed() -> None:
    problem = _hand()
    both = HindsightSchedule(np.array([0, 0]), np.array([0, 2]))
    assert violations(problem, both) == [
        "at 0 jobs use 16 nodes of 8",
        "at 0 jobs use 180000 mW of 100000 mW",
    ]
    late = replace(problem, submit=np.array([0, 1_000]))
    errors = violations(late, HindsightSchedule(np.array([0, 0]), np.array([1, 1])))
    assert errors == [
        "job 1 starts at 0, before its submission",
        "job 1 runs as option 1, which is another job's",
    ]


@pytest.mark.parametrize("goal", GOALS)
def test_bounds_and_schedules_enclose_the_enumerated_optimum(goal: Goal) -> None:
    for problem in tiny(few(60)):
        best = enumerated(problem, goal)
        result = optimum(problem, goal, QUICK)
        assert violations(problem, result.schedule) == []
        for method, bound in result.bounds_ms.items():
            assert bound <= best * (1 + 1e-9), method
        for method, value in result.found_ms.items():
            assert value >= best, method
        assert result.lower_ms <= best <= result.upper_ms
        assert not result.optimal or result.upper_ms == best


@needs_ortools
@pytest.mark.parametrize("goal", GOALS)
def test_cpsat_reaches_the_enumerated_optimum_in_whole_seconds(goal: Goal) -> None:
    for problem in tiny(few(60))[: few(30, least=2) // 3]:
        whole = problem.in_units(1000, up=True)
        seconds = replace(
            whole,
            submit=whole.submit * 1000,
            time=whole.time * 1000,
            occupied=tuple((end * 1000, *use) for end, *use in whole.occupied),  # type: ignore[misc]
            unit_ms=1,
        )
        assert seconds.in_whole_seconds
        best = enumerated(seconds, goal)
        result = optimum(seconds, goal, Effort(("cpsat",), time_limit_s=20.0))
        assert result.optimal
        assert result.lower_ms == result.upper_ms == pytest.approx(best)
        # other times: the interval still encloses, and no optimum is claimed
        around = optimum(problem, goal, Effort(("cpsat",), time_limit_s=20.0))
        assert around.lower_ms <= enumerated(problem, goal) <= around.upper_ms
        assert not around.optimal or problem.in_whole_seconds


@pytest.mark.parametrize("slot", [250, 500, 700, 2000])
@pytest.mark.parametrize("goal", GOALS)
def test_the_bound_in_slots_holds_for_every_length_and_horizon(slot: int, goal: Goal) -> None:
    for problem in tiny(few(40))[: few(40) // 2]:
        best = enumerated(problem, goal)
        for horizon in (1, 4, 20):
            bound = slots.least_ms(problem, goal, slot, horizon, time_limit_s=None, node_limit=500)
            assert bound is not None
            assert bound <= best * (1 + 1e-9)


def test_no_policy_beats_the_bound() -> None:
    for seed in range(few(40)):
        problem = random_problem(seed, most_jobs=6, law=False)
        try:
            seen = hindsight(problem)
        except PlanError:
            continue
        bounds = energy.least_makespan_ms(seen), energy.least_turnaround_ms(seen)
        for policy in (KnapsackPolicy(fair_share=False), LiteralPolicy()):
            run = policy.schedule(problem).schedule
            ran = run.start_ms != NEVER
            ends, submit = run.end_ms[ran], problem.jobs.submit_ms[ran]
            assert ends.max() - submit.min() >= bounds[0]
            assert (ends - submit).mean() >= bounds[1]


def test_a_schedule_moved_to_the_left_ends_no_later() -> None:
    for problem in tiny(few(60)):
        first = listed(problem)
        later = first.start + 3_000
        moved = moved_left(problem, later.tolist(), first.option.tolist())
        assert violations(problem, moved) == []
        assert (moved.start <= later).all()
        assert moved.ends(problem).max() <= first.ends(problem).max() + 3_000


def test_without_ortools_the_rest_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpsat, "available", lambda: False)
    with pytest.raises(InputError, match=r"pip install 'headroom-planner\[cpsat\]'"):
        optimum(_hand(), "makespan")
    assert optimum(_hand(), "makespan", QUICK).upper_ms == 15_000


@needs_ortools
def test_no_process_stays_behind_when_the_parent_is_killed(tmp_path: Path) -> None:
    code = (
        "import numpy as np\n"
        "from planner.scheduling.power.offline import cpsat\n"
        "from planner.scheduling.power.offline.problem import hindsight\n"
        "from planner.scheduling.power.offline.schedule import listed\n"
        "from tests.planner.scheduling.power.ilp.cases import simulated_log\n"
        "p = hindsight(simulated_log(20, 0, whole_s=True)).in_units(1000, up=True)\n"
        "print('begun', flush=True)\n"
        "cpsat.solve(p, 'turnaround', listed(p), time_limit_s=100)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, start_new_session=True
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"begun\n"
    with parent:
        child = _wait_for(lambda: _children(parent.pid))
        time.sleep(1.0)
        parent.kill()
    _wait_for(lambda: not Path(f"/proc/{child[0]}").exists())


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [
        int(child)
        for child in text.split()
        if b"cpsat_child" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def _wait_for(condition: Callable[[], T]) -> T:
    for _ in range(300):
        if value := condition():
            return value
        time.sleep(0.1)
    raise AssertionError("it did not come about within 30 s")


def test_wrong_questions_are_refused() -> None:
    with pytest.raises(InputError, match="unknown goal 'glory'"):
        optimum(_hand(), "glory")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="unknown method 'magic'"):
        Effort(("magic",))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="time_limit_s = 0"):
        Effort(time_limit_s=0)
    with pytest.raises(PlanError, match="run times depend on the nodes"):
        hindsight(random_problem(0, law=True, exact=False))


@needs_ortools
@pytest.mark.slow
@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("seed", range(3))
def test_five_simulated_jobs_are_proved(goal: Goal, seed: int) -> None:
    problem = hindsight(simulated_log(5, seed, whole_s=True))
    result = optimum(problem, goal, Effort(time_limit_s=120.0, workers=4))
    assert result.optimal


STORED_S = {0: (1063.0, 1063.0), 1: (1209.0, 1254.0)}
"""Known interval of the makespan of 20 simulated jobs, by seed [s]."""


@needs_ortools
@pytest.mark.release
@pytest.mark.parametrize("seed", STORED_S)
def test_the_makespan_of_twenty_simulated_jobs_is_known_within_five_percent(seed: int) -> None:
    problem = hindsight(simulated_log(20, seed, whole_s=True))
    result = optimum(problem, "makespan", Effort(time_limit_s=280.0, workers=4))
    assert result.gap <= 0.05
    lower_s, upper_s = STORED_S[seed]
    assert result.lower_ms <= 1000 * upper_s * (1 + 1e-9)
    assert result.upper_ms >= 1000 * lower_s * (1 - 1e-5)
