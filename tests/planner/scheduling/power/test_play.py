"""The event engine under the literal policies: the thesis's example, and every refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.power.events.event_driven import Choice, PowerEventDriven
from planner.scheduling.power.events.moment import PowerJob, PowerMoment
from planner.scheduling.power.problem import (
    NEVER,
    JobDetails,
    Occupied,
    PowerJobs,
    PowerProblem,
    PowerSchedule,
)
from planner.scheduling.power.truth import NodeLaw, PowerTruth
from tests.planner.scheduling.power.literal import BACKFILLS, RULES, LiteralPolicy, Rule
from tests.planner.scheduling.power.random_problems import random_problem


def _table_5_2() -> PowerProblem:
    """Patki (2015), Table 5.2: P_job 800 W, P_avail 750 W, 10 free nodes, job A ends in 1000 s."""
    details = JobDetails(
        applications=("C",),
        first=np.array([0, 3]),
        nodes=np.array([6, 8, 8]),
        cores_per_node=np.array([16, 12, 10]),
        package_cap_w=np.array([115.0, 65.0, 80.0]),
        time_ms=np.array([447_900, 415_300, 439_200]),
        charge_mw=np.array([796_400, 783_800, 738_200]),
    )
    ones = np.ones(1, np.int64)
    return PowerProblem(
        nodes=60,
        bound_mw=8_000_000,
        jobs=PowerJobs(ones, 0 * ones, 0 * ones, 6 * ones, 450_000 * ones, np.ones(1)),
        details=details,
        truth=PowerTruth(details.time_ms, details.charge_mw),
        occupied=[Occupied(50, 7_250_000, 1_000_000)],
    )


@pytest.mark.parametrize(
    ("rule", "row", "turnaround_s"),
    [("traditional", 0, 1447.9), ("naive", 1, 1415.3), ("adaptive", 2, 439.2)],
)
@pytest.mark.parametrize("backfill", BACKFILLS)
def test_table_5_2(rule: Rule, row: int, turnaround_s: float, backfill: str) -> None:
    problem = _table_5_2()
    assert problem.fair_share_mw.tolist() == [800_000]
    policy = LiteralPolicy(rule, backfill)  # type: ignore[arg-type]
    schedule = policy.schedule(problem).schedule
    assert schedule.row.tolist() == [row]
    assert (schedule.end_ms / 1000).tolist() == [turnaround_s]


def _two_kinds(
    submit_s: list[int],
    nodes: list[int],
    occupied: Iterable[Occupied] = (),
    true_ms: tuple[int, ...] = (10_000, 10_000, 10_000, 10_000),
    requested_ms: int = 10_000,
) -> PowerProblem:
    """4 nodes, 400 W; rows of 1 to 4 nodes at 100 W a node, 10 s by the table."""
    number = len(submit_s)
    four = np.arange(1, 5)
    details = JobDetails(
        ("one",), np.array([0, 4]), four, 0 * four + 16, 115.0 * np.ones(4), 0 * four + 10_000,
        four * 100_000,
    )  # fmt: skip
    jobs = PowerJobs(
        np.arange(number),
        np.array(submit_s, np.int64) * 1000,
        np.zeros(number, np.int64),
        np.array(nodes),
        np.full(number, requested_ms),
        np.ones(number),
    )
    truth = PowerTruth(np.array(true_ms), details.charge_mw)
    return PowerProblem(4, 400_000, jobs, details, truth, occupied=tuple(occupied))


def _play(problem: PowerProblem, **options: object) -> PowerSchedule:
    policy = LiteralPolicy("traditional", **options)  # type: ignore[arg-type]
    return policy.schedule(problem).schedule


def test_a_job_that_runs_on_after_its_expected_end_keeps_nodes_and_watts() -> None:
    # the first job takes 12 s instead of 10 s; the second waits for its true end
    schedule = _play(_two_kinds([0, 1], [4, 4], true_ms=(1, 1, 1, 12_000)))
    assert schedule.start_ms.tolist() == [0, 12_000]


def test_a_job_that_ends_early_makes_room_at_its_true_end() -> None:
    schedule = _play(_two_kinds([0, 1], [4, 4], true_ms=(1, 1, 1, 3_000)))
    assert schedule.start_ms.tolist() == [0, 3_000]


def test_a_submission_at_an_expected_end_starts_in_its_own_pass() -> None:
    # job 0 ends at 10 s, when jobs 1 and 2 are submitted: 1 starts although 2 comes at that instant
    schedule = _play(_two_kinds([0, 10, 10], [4, 4, 4]))
    assert schedule.start_ms.tolist() == [0, 10_000, 20_000]


def test_a_submission_at_an_early_end_waits_for_the_pass_of_the_end() -> None:
    # job 0 of 3 nodes ends early, at 5 s, when jobs 1 (3 nodes) and 2 (1 node) are submitted. In
    # its own pass job 1 does not fit yet; job 2 would end at 15 s, after the reservation of job 1
    # at 10 s, but the one extra node is free for it. Then job 0 ends, and job 1 starts as well.
    seen: list[tuple[int, int, int]] = []

    class Noted(LiteralPolicy):
        def decide(self, now: PowerMoment) -> list[Choice]:
            seen.append((now.time_ms, len(now.waiting), now.free_nodes))
            return super().decide(now)

    problem = _two_kinds([0, 5, 5], [3, 3, 1], true_ms=(1_000, 1, 5_000, 1))
    schedule = Noted("traditional").schedule(problem).schedule
    assert seen == [(0, 1, 4), (5_000, 1, 1), (5_000, 2, 1), (5_000, 1, 3)]
    assert schedule.start_ms.tolist() == [0, 5_000, 5_000]


def test_nodes_are_the_lowest_free_ones_after_those_in_use() -> None:
    problem = _two_kinds([0, 0, 20], [1, 2, 4], [Occupied(1, 0, 15_000)])
    schedule = _play(problem)
    assert schedule.node_first.tolist() == [0, 1, 3, 7]
    assert schedule.node.tolist() == [1, 2, 3, 0, 1, 2, 3]


def test_nodes_come_in_the_order_of_preference() -> None:
    problem = _two_kinds([0, 0], [1, 2], [Occupied(1, 0, 15_000)])
    assert _play(problem, node_order=[2, 0, 3, 1]).node.tolist() == [2, 3, 1]


def test_ends_of_what_is_in_use_are_events() -> None:
    schedule = _play(_two_kinds([0], [4], [Occupied(0, 1, 7_000), Occupied(1, 0, 3_000)]))
    assert schedule.start_ms.tolist() == [7_000]


def test_jobs_that_no_configuration_can_run_are_rejected() -> None:
    problem = _two_kinds([0, 0, 0], [5, 4, 1])
    tight = replace(problem, bound_mw=99_999)
    assert _play(problem).start_ms.tolist() == [NEVER, 0, 10_000]
    none = _play(tight)
    assert none.start_ms.tolist() == [NEVER, NEVER, NEVER]
    assert none.row.tolist() == none.end_ms.tolist() == [NEVER, NEVER, NEVER]
    assert not none.rounded.any()


def test_a_job_below_its_cheapest_configuration_is_rounded_up() -> None:
    # 1 of 4 nodes at 300 W: fair share 75 W, below the 100 W of the cheapest configuration
    problem = replace(_two_kinds([0, 0], [1, 2]), bound_mw=300_000)
    schedule = LiteralPolicy("naive").schedule(problem).schedule
    assert schedule.rounded.tolist() == [True, False]
    assert schedule.row.tolist() == [0, 0]


def test_a_job_above_a_fair_share_that_it_could_keep_is_not_rounded_up() -> None:
    problem = _two_kinds([0], [2])
    light = replace(problem, jobs=replace(problem.jobs, weight=np.array([0.5])))
    schedule = _play(light)
    assert (schedule.row.tolist(), schedule.rounded.tolist()) == ([1], [False])


def test_an_expected_end_in_the_past_counts_as_one_millisecond_from_now() -> None:
    seen: list[list[tuple[int, int, int]]] = []

    class Noted(LiteralPolicy):
        def decide(self, now: PowerMoment) -> list[Choice]:
            seen.append(now.ends())
            return super().decide(now)

    uses = [Occupied(1, 50_000, 30_000)]
    problem = _two_kinds([0, 9, 10, 11], [1, 4, 4, 4], uses, true_ms=(20_000, 1, 1, 1))
    Noted("traditional").schedule(problem)
    use = (30_000, 1, 50_000)
    assert seen[:4] == [
        [use],
        [(10_000, 1, 100_000), use],
        [(10_001, 1, 100_000), use],
        [(11_001, 1, 100_000), use],
    ]


@pytest.mark.parametrize("scale", [1.0, 0.1, 0.333, 1.7])
@pytest.mark.parametrize("time_ms", [1, 10, 1_000, 3_000, 3_001])
def test_a_policy_expects_the_time_of_the_log(scale: float, time_ms: int) -> None:
    problem = _two_kinds([0], [1])
    jobs = replace(problem.jobs, time_scale=np.array([scale]))
    job = PowerJob(0, 0, 1, 1_000, 1, 0, scale)
    assert job.expected_ms(time_ms) == jobs.expected_ms(0, np.array([time_ms]))[0]


def test_a_time_scale_lengthens_expected_and_true_times() -> None:
    problem = _two_kinds([0, 1], [4, 4])
    jobs = replace(problem.jobs, time_scale=np.array([1.5, 0.1]))
    ends = _play(replace(problem, jobs=jobs)).end_ms
    assert ends.tolist() == [15_000, 16_000]


def test_a_node_law_decides_by_the_nodes_in_the_order_chosen() -> None:
    # ranks have loads 1 and 0.5. Rank 0 on node 0 (4 s), rank 1 on node 1 (20 s x 0.5): 10 + 1 s;
    # the other way round, rank 0 on node 1: 20 s + 1 s.
    problem = _two_kinds([0], [2])
    seconds = np.tile([4.0, 20.0, 1.0, 1.0], (4, 1))
    law = NodeLaw(
        compute_s=seconds,
        extra_j=seconds,
        spinning_w=seconds,
        messages_s=np.ones(4),
        load_first=np.zeros(4, np.int64),
        load=np.array([1.0, 0.5, 1.0, 1.0]),
    )
    problem = replace(problem, truth=replace(problem.truth, law=law))
    assert _play(problem).end_ms.tolist() == [11_000]
    assert _play(problem, node_order=[1, 0, 2, 3]).end_ms.tolist() == [21_000]


@pytest.mark.parametrize(
    ("rule", "end_ms", "killed"),
    [("traditional", 4_000, True), ("naive", 10_000, True), ("adaptive", 10_000, True)],
)
def test_a_deadline_is_the_request_or_the_expected_time(
    rule: Rule, end_ms: int, killed: bool
) -> None:
    # requested 4 s, expected 10 s, true 12 s
    problem = _two_kinds([0], [1], true_ms=(12_000, 1, 1, 1), requested_ms=4_000)
    schedule = LiteralPolicy(rule, kill="deadline").schedule(problem).schedule
    assert (schedule.end_ms.tolist(), schedule.killed.tolist()) == ([end_ms], [killed])
    alive = LiteralPolicy(rule).schedule(problem).schedule
    assert (alive.end_ms.tolist(), alive.killed.tolist()) == ([12_000], [False])


class _Answers(PowerEventDriven):
    def __init__(self, answer: Callable[[PowerMoment], object]) -> None:
        self.answer = answer

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        return self.answer(now)  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda now: [Choice(now.waiting[0], 0)] * 2, "id 0 at 0.000 s, which does not wait then"),
        (lambda now: [Choice(now.waiting[0], 4)], "row 4 .* has rows 0 to 3; choose one of these"),
        (lambda now: [Choice(now.waiting[0], -1)], "row -1 of the job details table"),
        (lambda now: [Choice(now.waiting[0], 3)], "on 4 nodes, where 3 of 4 are free"),
        (lambda now: [Choice(now.waiting[0], 2)], "300.000 W, where 250.000 W of 400.000 W are"),
        (lambda now: [now.waiting[0]], "is not a choice; return Choice"),
        (lambda now: [(now.waiting[0], "2")], "is not a choice; return Choice"),
        (lambda now: [(now.waiting[0], 1.5)], "is not a choice; return Choice"),
        (lambda now: [], "never starts the job of id 0: 1 wait, nothing runs"),
    ],
)
def test_wrong_answers_are_refused(answer: Callable[[PowerMoment], object], message: str) -> None:
    problem = _two_kinds([0], [1], [Occupied(1, 150_000, 9_000)])
    with pytest.raises(InputError, match=message):
        _Answers(answer).schedule(problem)


def test_a_job_that_the_policy_does_not_accept_is_rejected() -> None:
    class Large(LiteralPolicy):
        def accepts(self, job: PowerJob, details: JobDetails, nodes: int, bound_mw: int) -> bool:
            return job.nodes > 1

    schedule = Large("naive").schedule(_two_kinds([0, 0], [1, 2])).schedule
    assert schedule.start_ms.tolist() == [NEVER, 0]
    assert schedule.node_first.tolist() == [0, 0, 1]  # of equally fast rows the cheapest


def test_an_order_that_is_no_permutation_is_refused() -> None:
    with pytest.raises(InputError, match="not a permutation of the 4 nodes"):
        _play(_two_kinds([0], [1]), node_order=[0, 1, 2, 2])


def test_what_a_policy_keeps_on_itself_begins_anew() -> None:
    class Counts(LiteralPolicy):
        passes = 0

        def decide(self, now: PowerMoment) -> list[Choice]:
            self.passes += 1
            return super().decide(now)

    policy = Counts("naive")
    policy.schedule(_two_kinds([0], [1]))
    assert policy.passes == 0


@pytest.mark.parametrize("backfill", BACKFILLS)
@pytest.mark.parametrize("rule", RULES)
def test_every_accepted_job_of_random_problems_runs(rule: Rule, backfill: str) -> None:
    for seed in range(60):
        problem = random_problem(seed)
        policy = LiteralPolicy(rule, backfill, (0.0, 0.3, None)[seed % 3])  # type: ignore[arg-type]
        schedule = policy.schedule(problem).schedule
        ran = schedule.start_ms[schedule.runs]
        assert (ran >= problem.jobs.submit_ms[schedule.runs]).all()
        fits = problem.jobs.nodes <= problem.nodes
        assert not (schedule.runs & ~fits).any()
