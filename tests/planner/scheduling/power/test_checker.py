"""The checker of power-aware schedules: silent on good ones, and every rule seen red."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.power.checking.checker import Deadline, violations
from planner.scheduling.power.problem import (
    NEVER,
    JobDetails,
    Occupied,
    PowerJobs,
    PowerProblem,
    PowerSchedule,
)
from planner.scheduling.power.rmap import adaptive_policy
from planner.scheduling.power.truth import NodeLaw, PowerTruth
from planner.scheduling.violation import Violation
from tests.planner.scheduling.power.literal import BACKFILLS, RULES, Backfill, LiteralPolicy, Rule
from tests.planner.scheduling.power.random_problems import random_problem


@pytest.mark.parametrize("backfill", BACKFILLS)
@pytest.mark.parametrize("rule", RULES)
def test_the_literal_policies_break_no_rule(rule: Rule, backfill: Backfill) -> None:
    for seed in range(60):
        problem = random_problem(seed)
        kills = seed % 2 > 0
        policy = LiteralPolicy(
            rule, backfill, (0.0, 0.3, None)[seed % 3], kill="deadline" if kills else "never"
        )
        if seed % 5 == 0:
            order = np.random.default_rng(seed).permutation(problem.nodes)
            policy.node_order = order.tolist()
        deadline: Deadline = "request" if rule == "traditional" else "configuration"
        result = violations(
            policy.schedule(problem).schedule,
            problem,
            fair_share=rule != "traditional",
            deadline=deadline if kills else "never",
            may_reject=rule == "traditional",
        )
        assert [str(violation) for violation in result] == [], seed


def _problem() -> PowerProblem:
    """4 nodes, 400 W, node 0 in use with 50 W until 2 s; jobs 11, 12 and 13 of 1, 2 and 5 nodes.

    Rows of the first application: 1 node 100 W, 2 nodes 200 W, 2 nodes 300 W with a higher cap;
    of the other: 1 node 100 W.
    """
    details = JobDetails(
        applications=("one", "other"),
        first=np.array([0, 3, 4]),
        nodes=np.array([1, 2, 2, 1]),
        cores_per_node=np.array([16, 16, 16, 16]),
        package_cap_w=np.array([80.0, 80.0, 115.0, 80.0]),
        time_ms=np.array([8_000, 5_000, 4_000, 8_000]),
        charge_mw=np.array([100_000, 200_000, 300_000, 100_000]),
    )
    jobs = PowerJobs(
        np.array([11, 12, 13]), np.array([0, 1_000, 1_000]), np.array([0, 0, 1]),
        np.array([1, 2, 5]), np.array([9_000, 4_000, 9_000]), np.ones(3),
    )  # fmt: skip
    truth = PowerTruth(np.array([8_000, 6_000, 3_000, 8_000]), details.charge_mw)
    return PowerProblem(4, 400_000, jobs, details, truth, occupied=[Occupied(1, 50_000, 2_000)])


def _good() -> PowerSchedule:
    """Job 11 on node 1 from 0 to 8 s; job 12 on nodes 2 and 3 from 1 to 7 s; 13 is rejected."""
    return PowerSchedule(
        start_ms=np.array([0, 1_000, NEVER]),
        end_ms=np.array([8_000, 7_000, NEVER]),
        row=np.array([0, 1, NEVER]),
        node_first=np.array([0, 1, 3, 3]),
        node=np.array([1, 2, 3]),
        rounded=np.zeros(3, np.bool_),
        killed=np.zeros(3, np.bool_),
        lent=np.empty((0, 3), np.int64),
    )


def _with(**changes: object) -> PowerSchedule:
    """The good schedule with single values changed: ``name=(job, value)`` or a whole array."""
    good = _good()
    columns: dict[str, object] = {}
    for name, change in changes.items():
        if isinstance(change, tuple):
            column = getattr(good, name).copy()
            column[change[0]] = change[1]
            columns[name] = column
        else:
            columns[name] = np.array(change)
    return replace(good, **columns)  # type: ignore[arg-type]


def _check(schedule: PowerSchedule, **options: object) -> list[Violation]:
    return violations(schedule, _problem(), **options)  # type: ignore[arg-type]


def test_the_schedule_by_hand_breaks_no_rule() -> None:
    assert _check(_good(), fair_share=True) == []


@pytest.mark.parametrize(
    ("schedule", "job", "kind", "by", "words"),
    [
        (_with(end_ms=(2, 9_000)), 13, "half a job", 1, "has no start, but ends at 9000 ms"),
        (_with(row=(2, 3)), 13, "half a job", 1, "with row 3"),
        (
            _with(start_ms=(1, 900), end_ms=(1, 6_900)),
            12, "start before submission", 100, "starts 0.100 s before it is submitted",
        ),
        (_with(row=(0, 3)), 11, "row of another application", 1, "row 3, which is not a configur"),
        (_with(row=(0, 4)), 11, "row of another application", 1, "row 4"),
        (_with(row=(0, NEVER)), 11, "row of another application", 1, "row -1"),
        (
            _with(start_ms=(2, 20_000), end_ms=(2, 28_000), row=(2, 3)),
            13, "to be rejected", 1, "requests 5 nodes of 4",
        ),
        (
            _with(start_ms=(0, NEVER), end_ms=(0, NEVER), row=(0, NEVER)),
            11, "never started", 1, "never starts, although",
        ),
        (
            _with(node_first=[0, 1, 2, 2], node=[1, 2]),
            12, "number of nodes", 1, "has 1 node, where its configuration has 2",
        ),
        (_with(node=(0, 4)), 11, "unknown node", 1, "node 4 of a cluster with nodes 0 to 3"),
        (_with(node=(0, -1)), 11, "unknown node", 1, "node -1"),
        (_with(node=(2, 2)), 12, "node twice", 1, "has node 2 twice"),
        (_with(node=(0, 3)), 12, "node", 1, "is on node 3, which job 11 uses for 7.000 s more"),
        (_with(node=(0, 0)), 11, "node", 1, "node 0, which what was in use when the log began"),
        (
            _with(row=(1, 2), end_ms=(1, 4_000)),
            12, "watts", 50_000, "until 2.000 s up to 450.000 W are charged, but all",
        ),
        (_with(end_ms=(0, 7_999)), 11, "run time", 1, "runs for 7.999 s, but its true"),
        (_with(end_ms=(0, 8_001)), 11, "run time", 1, "runs for 8.001 s"),
        (_with(killed=(0, True)), 11, "killed", 1, "although the rules kill no job"),
        (_with(lent=[[0, 9_000, 0]]), 11, "change of a job that does not run", 1, "at 9000 ms"),
        (_with(lent=[[0, 8_001, 0]]), 11, "change of a job that does not run", 1, "at 8001 ms"),
        (_with(lent=[[2, 9_000, 3]]), 13, "change of a job that does not run", 1, "at 9000 ms"),
        (_with(lent=[[1, 2_000, 0]]), 12, "change of nodes or cores", 1, "from row 1 to row 0"),
        (_with(lent=[[0, 2_000, 3]]), 11, "change of nodes or cores", 1, "from row 0 to row 3"),
        (_with(lent=[[7, 2_000, 3]]), -1, "unknown change", 1, "job 7 changes to row 3"),
        (_with(lent=[[0, 2_000, 9]]), -1, "unknown change", 1, "changes to row 9"),
        (
            _with(lent=[[1, 3_000, 2], [0, 2_000, 0]]),
            11, "order of changes", 1_000, "listed after a change at 3000 ms",
        ),
    ],
)  # fmt: skip
def test_every_rule_is_seen_red(
    schedule: PowerSchedule, job: int, kind: str, by: int, words: str
) -> None:
    result = [violation for violation in _check(schedule) if violation.kind == kind]
    assert [(violation.job, violation.by) for violation in result] == [(job, by)]
    assert words in str(result[0])


def test_nodes_that_belong_to_no_job_are_seen() -> None:
    assert [error.kind for error in _check(_with(node=[1, 2, 3, 0]))] == ["node list"]
    assert [error.kind for error in _check(_with(node_first=[1, 2, 4, 4], node=[0, 1, 2, 3]))] == [
        "node list"
    ]


def test_a_cap_that_changes_as_its_job_ends_changes_nothing() -> None:
    assert _check(_with(lent=[[1, 7_000, 2]])) == []


def test_a_raised_cap_shortens_the_run_and_counts_against_the_bound() -> None:
    # at 3 s job 12 has done 2 of 6 s; the rest takes 4/6 of 3 s = 2 s at the higher cap
    raised = _with(lent=[[1, 3_000, 2]], end_ms=(1, 5_000))
    assert _check(raised) == []
    assert [error.kind for error in _check(_with(lent=[[1, 3_000, 2]]))] == ["run time"]
    early = _with(lent=[[1, 1_500, 2]], end_ms=(1, 4_250))  # 0.5 s, then 11/12 of 3 s
    assert [(error.kind, error.time_s, error.by) for error in _check(early)] == [
        ("watts", 1.5, 50_000)
    ]


@pytest.mark.parametrize(
    ("bound_w", "lends_undrawn", "kinds"),
    [
        (400, False, [("watts", 1.5, 50_000)]),
        (400, True, []),
        (340, True, [("drawn watts", 2.75, 60_000)]),
        (350, True, [("drawn watts", 4.0, 50_000)]),
    ],
)
def test_what_a_phase_does_not_draw_may_be_lent(
    bound_w: int, lends_undrawn: bool, kinds: list[tuple[str, float, int]]
) -> None:
    # half of the work of either job draws half of its charge. Job 12 is charged 300 W from 1.5 s;
    # 1/12 of its work is done, its other half begins 5/12 of 3 s later, at 2.75 s, and ends at
    # 4.25 s. Drawn then: 300 W + 50 W of job 11, from 4 s 300 W + 100 W.
    problem = replace(_problem(), bound_mw=bound_w * 1000)
    truth = replace(
        problem.truth,
        phase_first=np.array([0, 2, 2]),
        phase_share=np.array([0.5, 0.5]),
        phase_intensity=np.array([0.5, 1.5]),
    )
    schedule = _with(lent=[[1, 1_500, 2]], end_ms=(1, 4_250))
    result = violations(schedule, replace(problem, truth=truth), lends_undrawn=lends_undrawn)
    assert [(error.kind, error.time_s, error.by) for error in result] == kinds


@pytest.mark.parametrize("lends", ["unallocated", "measured"])
@pytest.mark.parametrize("kill", ["never", "deadline"])
def test_policies_that_lend_break_no_rule(
    lends: Literal["unallocated", "measured"], kill: Literal["never", "deadline"]
) -> None:
    changes = 0
    for seed in range(40):
        problem = random_problem(seed, phases=True)
        schedule = adaptive_policy(0.2, lends=lends, kill=kill).schedule(problem).schedule
        result = violations(
            schedule,
            problem,
            fair_share=True,
            deadline="never" if kill == "never" else "configuration",
            lends_undrawn=lends == "measured",
        )
        assert [str(violation) for violation in result] == [], seed
        changes += len(schedule.lent)
    assert changes > 50


def test_a_change_of_cores_is_seen() -> None:
    problem = _problem()
    other = replace(problem, details=replace(problem.details, cores_per_node=[16, 16, 12, 16]))  # type: ignore[arg-type]
    raised = _with(lent=[[1, 3_000, 2]], end_ms=(1, 5_000))
    assert [error.kind for error in violations(raised, other)] == ["change of nodes or cores"]


@pytest.mark.parametrize(("start_ms", "kinds"), [(7_999, ["node"]), (8_000, [])])
def test_a_node_is_free_when_its_job_ends_and_not_a_millisecond_before(
    start_ms: int, kinds: list[str]
) -> None:
    schedule = _with(start_ms=(1, start_ms), end_ms=(1, start_ms + 6_000), node=[1, 1, 3])
    assert [error.kind for error in _check(schedule)] == kinds


@pytest.mark.parametrize(
    ("end_ms", "killed", "deadline", "kinds"),
    [
        (7_000, False, "never", []),
        (7_000, False, "request", ["beyond its deadline"]),
        (7_000, False, "configuration", ["beyond its deadline"]),
        (5_000, True, "request", []),  # after 4 s, its requested time
        (5_000, True, "configuration", ["killed"]),
        (6_000, True, "configuration", []),  # after 5 s, the expected time of its row
        (6_000, True, "request", ["killed"]),
        (7_000, True, "never", ["killed"]),
    ],
)
def test_deadlines(end_ms: int, killed: bool, deadline: Deadline, kinds: list[str]) -> None:
    schedule = _with(end_ms=(1, end_ms), killed=(1, killed))
    assert [violation.kind for violation in _check(schedule, deadline=deadline)] == kinds


def test_a_job_is_not_ended_at_its_deadline_if_it_ends_by_then() -> None:
    schedule = _with(killed=(0, True))
    problem = _problem()
    jobs = replace(problem.jobs, requested_ms=np.array([8_000, 6_000, 1]))
    result = violations(schedule, replace(problem, jobs=jobs), deadline="request")
    assert [violation.kind for violation in result] == ["killed"]
    assert "takes only 8.000 s" in result[0].what


def test_a_charge_above_the_fair_share_is_seen_where_it_is_promised() -> None:
    # half the weight: 100 W and 50 W. Job 12 starts with 200 W, job 11 has no row within its share
    problem = _problem()
    light = replace(problem, jobs=replace(problem.jobs, weight=np.array([0.5, 0.5, 1])))
    assert violations(_good(), light) == []
    result = violations(_good(), light, fair_share=True)
    assert [(error.job, error.kind, error.by) for error in result] == [
        (11, "rounded", 1),
        (12, "above fair share", 100_000),
    ]
    marked = replace(_good(), rounded=np.array([True, True, False]))
    result = violations(marked, light, fair_share=True)
    assert [(error.job, error.kind) for error in result] == [
        (12, "rounded"),
        (12, "above fair share"),
    ]


def test_a_rounded_job_gets_the_configuration_of_least_charge() -> None:
    problem = _problem()
    light = replace(problem, jobs=replace(problem.jobs, weight=np.array([1, 0.1, 1])))
    marked = replace(_good(), rounded=np.array([False, True, False]))
    result = violations(marked, light, fair_share=True)
    assert [(error.job, error.kind, error.by) for error in result] == [
        (12, "above fair share", 100_000)
    ]


def test_a_policy_may_reject_what_it_never_starts() -> None:
    schedule = _with(start_ms=(0, NEVER), end_ms=(0, NEVER), row=(0, NEVER))
    schedule = replace(schedule, node_first=np.array([0, 0, 2, 2]), node=np.array([2, 3]))
    assert _check(schedule, may_reject=True) == []


def test_the_law_is_checked_on_the_nodes_in_their_order() -> None:
    law = NodeLaw(
        compute_s=np.tile([4.0, 4.0, 2.0, 5.0], (4, 1)),
        extra_j=np.zeros((4, 4)),
        spinning_w=np.zeros((4, 4)),
        messages_s=np.ones(4),
        load_first=np.zeros(4, np.int64),
        load=np.array([1.0, 0.5]),
    )
    problem = _problem()
    problem = replace(problem, truth=replace(problem.truth, law=law))
    # job 11 on node 1: 4 + 1 s; job 12 on nodes 2 and 3: max(2, 2.5) + 1 s, on 3 and 2: 5 + 1 s
    schedule = _with(end_ms=[5_000, 4_500, NEVER])
    assert violations(schedule, problem) == []
    swapped = replace(schedule, node=np.array([1, 3, 2]))
    result = violations(swapped, problem)
    assert [(error.job, error.kind, error.by) for error in result] == [(12, "run time", 2_500)]


def test_a_schedule_of_another_log_is_refused() -> None:
    with pytest.raises(InputError, match="killed of the schedule is for 2 jobs, where the log has"):
        _check(replace(_good(), killed=np.zeros(2, np.bool_)))


_MUTATIONS: dict[str, Callable[[PowerSchedule, int], dict[str, object]]] = {
    "earlier": lambda s, j: {"start_ms": _moved(s.start_ms, j, -1)},
    "longer": lambda s, j: {"end_ms": _moved(s.end_ms, j, 1)},
    "shorter": lambda s, j: {"end_ms": _moved(s.end_ms, j, -1)},
    "another node": lambda s, j: {"node": _moved(s.node, int(s.node_first[j]), 10**6)},
    "killed": lambda s, j: {"killed": s.killed ^ (np.arange(len(s.killed)) == j)},
    "dropped": lambda s, j: {
        name: np.where(np.arange(len(s.row)) == j, NEVER, getattr(s, name))
        for name in ("start_ms", "end_ms", "row")
    },
}


def _moved(column: np.ndarray[tuple[int], np.dtype[np.int64]], at: int, by: int) -> object:
    changed = column.copy()
    changed[at] += by
    return changed


@pytest.mark.parametrize("mutation", _MUTATIONS)
def test_a_changed_random_schedule_is_seen(mutation: str) -> None:
    changed = 0
    for seed in range(40):
        problem = random_problem(seed)
        schedule = LiteralPolicy("naive").schedule(problem).schedule
        ran = np.flatnonzero(schedule.runs)
        if not len(ran):
            continue
        job = int(np.random.default_rng(seed).choice(ran))
        columns = _MUTATIONS[mutation](schedule, job)
        changed += 1
        assert violations(replace(schedule, **columns), problem), seed  # type: ignore[arg-type]
    assert changed > 30


def test_a_schedule_without_its_waits_needs_too_many_nodes_or_watts() -> None:
    kinds: set[str] = set()
    for seed in range(40):
        problem = random_problem(seed, law=False)
        schedule = LiteralPolicy("naive").schedule(problem).schedule
        wait = np.where(schedule.runs, schedule.start_ms - problem.jobs.submit_ms, 0)
        if not wait.any():
            continue
        rushed = replace(schedule, start_ms=schedule.start_ms - wait, end_ms=schedule.end_ms - wait)
        result = {violation.kind for violation in violations(rushed, problem)}
        assert result <= {"node", "watts"}
        assert result, seed
        kinds |= result
    assert kinds == {"node", "watts"}
